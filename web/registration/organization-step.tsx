import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Check, Globe } from 'lucide-react';
import type { ReactNode } from 'react';
import { lookUpEin } from '../../contract/addresses/registration.gen.ts';
import {
  changeEntityType,
  einToLookUp,
  filledByEinLookup,
} from '../../contract/forms/registration/registration-changes.ts';
import type { RegistrationField } from '../../contract/forms/registration/registration-form.ts';
import type { RegistrationRoute } from '../../contract/forms/registration/registration-steps.ts';
import { normalizePhone } from '../../contract/phone/normalize-phone.ts';
import { entityTypesFor } from '../../contract/reference/entity-types.ts';
import { industries } from '../../contract/reference/industries.ts';
import { statesOf } from '../../contract/reference/states.ts';
import { stockExchanges } from '../../contract/reference/stock-exchanges.ts';
import { useCallQuery } from '../queries/calls.ts';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/choices.tsx';
import { Field } from '../ui/field.tsx';
import { FormChoice, FormText } from '../ui/form-fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { stateChoices } from '../ui/state-choices.ts';
import { StepHead } from '../ui/wizard-frame.tsx';
import { FilledMark, FoundOrganization } from './found-organization.tsx';
import { lengthHelp, registrarLengths } from './registrar-lengths.ts';
import type { ServerCheck } from './server-checks.ts';
import type { WizardState } from './wizard-state.ts';

const choose = { value: '', label: 'Choose…' };
const industryChoices = [choose, ...Object.entries(industries).map(([value, label]) => ({ value, label }))];

interface OrganizationStepProps {
  state: WizardState;
  website: ServerCheck;
  go: (to: RegistrationRoute) => void;
}

/** Asks who texts. Sole proprietors have a form of their own. */
export function OrganizationStep({ state, website, go }: OrganizationStepProps) {
  const { form } = state;
  const { control } = form;
  const isSole = form.watch('IsSoleProprietor');
  const isPublic = form.watch('EntityType') === 'PUBLIC_PROFIT' && !isSole;
  const found = useFound(state);
  const filled = found === undefined ? [] : filledByEinLookup(form.watch(), [found]);
  const isPhone = normalizePhone(form.watch('PhoneNumber')) !== undefined;
  const mark = (field: RegistrationField) => filled.includes(field) && <FilledMark />;
  return (
    <>
      <StepHead
        title="Organization Details"
        sentence="Tell the phone carriers who is texting, so that your texts arrive."
      />
      {found && (
        <Box sx={{ mb: 2 }}>
          <FoundOrganization
            ein={form.getValues('Ein')}
            entry={found}
            filledCount={filled.length}
            onOther={() => go('tax-id')}
          />
        </Box>
      )}
      <Card>
        {isSole && (
          <Notice title="Sole proprietor">
            Your name, email and mobile come from your profile. We’ll text the mobile to verify it.{' '}
            <RouterLink
              to="/local-number-registration/$step"
              params={{ step: 'tax-id' }}
              onClick={() => go('tax-id')}
            >
              I have an EIN
            </RouterLink>
          </Notice>
        )}
        {isSole ? (
          <Group columns={2}>
            <FormText control={control} name="FirstName" label="First Name" autoComplete="given-name" />
            <FormText control={control} name="LastName" label="Last Name" autoComplete="family-name" />
            <FormText
              control={control}
              name="DisplayName"
              label="Organization Name"
              help="It opens your texts."
            />
            <FormChoice control={control} name="Vertical" label="Industry" choices={industryChoices} />
          </Group>
        ) : (
          <Group columns={2}>
            <EntityTypeField state={state} />
            <FormChoice control={control} name="Vertical" label="Industry" choices={industryChoices} />
            <FormText
              control={control}
              name="CompanyName"
              label="Company Name"
              endAdornment={mark('CompanyName')}
              help="The legal name, letter for letter as the IRS has it"
              autoComplete="organization"
            />
            <FormText
              control={control}
              name="DisplayName"
              label="Brand Name"
              help={lengthHelp(
                form.watch('DisplayName'),
                registrarLengths.name,
                'What people know you by. It opens your texts.',
              )}
            />
          </Group>
        )}
        {isPublic && (
          <Group columns={3}>
            <FormText
              control={control}
              name="StockSymbol"
              label="Stock Symbol"
              slotProps={{ input: { maxLength: 10 } }}
            />
            <FormChoice
              control={control}
              name="StockExchange"
              label="Stock Exchange"
              choices={[choose, ...stockExchanges.map((name) => ({ value: name, label: name }))]}
            />
            <FormText
              control={control}
              name="BusinessContactEmail"
              label="Business Contact Email"
              type="email"
              help="The registry sends a verification email to this person."
            />
          </Group>
        )}
        <AddressFields state={state} mark={mark} />
        <Group columns={2}>
          <FormText control={control} name="Email" label="Email" type="email" autoComplete="email" />
          <FormText
            control={control}
            name="PhoneNumber"
            label={isSole ? 'Mobile Phone' : 'Phone'}
            type="tel"
            autoComplete="tel-national"
            endAdornment={isPhone && <GoodMark />}
          />
        </Group>
        <Group columns={1}>
          <WebsiteField state={state} website={website} mark={mark('BrandWebsite')} />
        </Group>
      </Card>
    </>
  );
}

/** The EIN register's entry, if it has one: the fields were filled with it. */
function useFound({ form }: WizardState) {
  const digits = form.watch('IsSoleProprietor') ? undefined : einToLookUp(form.watch('Ein'));
  const { data } = useCallQuery(
    lookUpEin,
    { params: { ein: digits ?? '' } },
    { enabled: digits !== undefined, staleTime: 600_000 },
  );
  return digits === undefined ? undefined : data?.[0];
}

type Mark = (field: RegistrationField) => ReactNode;

function GoodMark() {
  return <Box component={Check} aria-hidden size={16} sx={{ flex: 'none', color: 'success.main' }} />;
}

function Group({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <Box
      sx={{
        p: 2.5,
        display: 'grid',
        gap: 2,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: `repeat(${columns}, minmax(0, 1fr))` },
      }}
    >
      {children}
    </Box>
  );
}

function EntityTypeField({ state: { form, replace } }: { state: WizardState }) {
  const value = form.watch('EntityType');
  const country = form.watch('Country');
  const error = form.formState.errors.EntityType?.message;
  return (
    <Field label="Organization Type" error={error}>
      {({ id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid }) => (
        <Choice
          id={id}
          value={value}
          describedBy={describedBy}
          isInvalid={isInvalid}
          choices={[choose, ...entityTypesFor(country)]}
          onChange={(next) => replace(changeEntityType(form.getValues(), next))}
        />
      )}
    </Field>
  );
}

function AddressFields({ state: { form }, mark }: { state: WizardState; mark: Mark }) {
  const { control } = form;
  const isCanadian = form.watch('Country') === 'Canada';
  const states = stateChoices(statesOf(isCanadian ? 'CA' : 'US'));
  return (
    <Box
      sx={{
        p: 2.5,
        display: 'grid',
        gap: 2,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '2.2fr 1.4fr 1.2fr 1fr' },
      }}
    >
      <FormText
        control={control}
        name="Street"
        label="Address"
        autoComplete="street-address"
        endAdornment={mark('Street')}
      />
      <FormText
        control={control}
        name="City"
        label="City"
        help={lengthHelp(form.watch('City'), registrarLengths.city, '')}
        autoComplete="address-level2"
        endAdornment={mark('City')}
      />
      <FormChoice
        control={control}
        name="State"
        label={isCanadian ? 'Province' : 'State'}
        aside={mark('State')}
        choices={[choose, ...states]}
      />
      <FormText
        control={control}
        name="PostalCode"
        label={isCanadian ? 'Postal Code' : 'Zip Code'}
        autoComplete="postal-code"
        endAdornment={mark('PostalCode')}
      />
    </Box>
  );
}

const websiteWords = { good: 'Checked, the site answers', checking: 'Checking…', unknown: '' } as const;

interface WebsiteFieldProps {
  state: WizardState;
  website: ServerCheck;
  mark: ReactNode;
}

function WebsiteField({ state: { form }, website, mark }: WebsiteFieldProps) {
  const isFilled = form.watch('BrandWebsite').trim() !== '';
  return (
    <Box onBlur={() => isFilled && void website.check()}>
      <FormText
        control={form.control}
        name="BrandWebsite"
        label="Website"
        type="url"
        autoComplete="url"
        help="Carriers open it. It should say who you are and how people sign up for texts."
        startAdornment={
          <Box component={Globe} aria-hidden size={16} sx={{ mr: 1, color: 'ink.three', flex: 'none' }} />
        }
        endAdornment={
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, flex: 'none' }}>
            {website.state !== 'unknown' && (
              <Typography
                variant="body2"
                role="status"
                noWrap
                sx={{ display: 'flex', alignItems: 'center', gap: 0.5, color: 'text.secondary' }}
              >
                {website.state === 'good' && <GoodMark />}
                {websiteWords[website.state]}
              </Typography>
            )}
            {mark}
          </Box>
        }
      />
    </Box>
  );
}
