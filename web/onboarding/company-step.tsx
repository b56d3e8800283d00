import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { companyErrorField, onboardingForm } from '../../contract/forms/onboarding.ts';
import { typedPhone } from '../../contract/phone/format-phone.ts';
import { isInternational } from '../../contract/reference/countries.ts';
import { industries } from '../../contract/reference/industries.ts';
import { limits } from '../../contract/reference/limits.ts';
import { statesOf } from '../../contract/reference/states.ts';
import { ApiError, fieldMessages } from '../api.ts';
import { FormChoice, FormText } from '../ui/form-fields.tsx';
import { stateChoices } from '../ui/state-choices.ts';
import { useContractForm } from '../ui/use-contract-form.ts';
import { StepForm } from './step-form.tsx';
import { type StepProps, saveFailed } from './steps.ts';

const canada = 2;
const choose = { value: '', label: 'Choose one' };
const industryChoices = [choose, ...Object.entries(industries).map(([value, label]) => ({ value, label }))];

interface CompanyStepProps extends StepProps {
  /** The content of the preview while somebody types. */
  onName: (name: string, phone: string) => void;
}

/** The organization, with the questions that its account asks for. */
export function CompanyStep({ progress, save, onName }: CompanyStepProps) {
  const { Activation, CountryID: countryId, ...flags } = progress;
  const { control, problem, submit } = useContractForm({
    rules: onboardingForm({ countryId, ...flags }),
    values: { ...Activation, Phone: Activation.Phone && typedPhone(Activation.Phone, countryId) },
    failed: saveFailed,
    save: (values) =>
      save(toBody(values, flags.CollectInvoiceBillingAddress)).catch((error: unknown) => {
        throw atItsField(error);
      }),
  });
  const [name = '', phone = ''] = useWatch({ control, name: ['CompanyName', 'Phone'] });
  useEffect(() => onName(name ?? '', phone ?? ''), [name, phone, onName]);
  const isForeign = isInternational(countryId);
  const isCanadian = countryId === canada;
  const stateField = {
    label: isCanadian ? 'Province' : 'State',
    choices: [choose, ...stateChoices(statesOf(isCanadian ? 'CA' : 'US'))],
  };
  return (
    <StepForm problem={problem} onSubmit={submit}>
      <FormText
        control={control}
        name="CompanyName"
        label="Account Name"
        aside={
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {(name ?? '').length}/{limits.onboarding.companyName}
          </Typography>
        }
        help="People see it when you text or call them."
        autoComplete="organization"
        autoFocus
      />
      <Box sx={halves}>
        <FormChoice control={control} name="Industry" label="Industry" choices={industryChoices} />
        <FormText control={control} name="Phone" label="Phone Number" type="tel" autoComplete="tel" />
      </Box>
      {!flags.CollectInvoiceBillingAddress && !isForeign && (
        <FormChoice control={control} name="State" {...stateField} />
      )}
      {flags.CollectInvoiceBillingAddress && (
        <>
          <Divider />
          <Typography variant="h3" component="h2">
            Invoice billing address
          </Typography>
          <Box sx={{ ...halves, gridTemplateColumns: { xs: '1fr', sm: '3fr 2fr' } }}>
            <FormText control={control} name="Address3" label="Address" autoComplete="address-line1" />
            <FormText
              control={control}
              name="Address4"
              label="Address 2 (optional)"
              autoComplete="address-line2"
            />
          </Box>
          <Box
            sx={{ ...halves, gridTemplateColumns: { xs: '1fr', sm: isForeign ? '3fr 2fr' : '5fr 4fr 3fr' } }}
          >
            <FormText control={control} name="City" label="City" autoComplete="address-level2" />
            {!isForeign && <FormChoice control={control} name="State" {...stateField} />}
            <FormText
              control={control}
              name="PostalCode"
              label={isCanadian ? 'Postal Code' : 'Zip Code'}
              autoComplete="postal-code"
            />
          </Box>
        </>
      )}
      {(flags.CollectPO || flags.CollectOnboardingRepublicInfo || flags.CollectAmazonInfo) && (
        <>
          <Divider />
          <Box sx={halves}>
            {flags.CollectPO && (
              <FormText control={control} name="BlanketPO" label="Blanket purchase order (optional)" />
            )}
            {flags.CollectOnboardingRepublicInfo && (
              <FormText control={control} name="LawsonNumber" label="Lawson number (optional)" />
            )}
            {flags.CollectAmazonInfo && (
              <FormText
                control={control}
                name="AmazonEmail"
                label="Amazon business email (optional)"
                type="email"
              />
            )}
          </Box>
        </>
      )}
      <Divider />
      <FormText
        control={control}
        name="HowTheyHeard"
        label="How did you hear about us? (optional)"
        autoComplete="off"
      />
    </StepForm>
  );
}

const halves = {
  display: 'grid',
  gap: 2,
  alignItems: 'start',
  gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
} as const;

interface CompanyValues {
  CompanyName: string;
  HowTheyHeard: string;
  Industry: string;
  Phone: string;
  State: string;
  Address3: string;
  Address4: string;
  City: string;
  PostalCode: string;
  LawsonNumber: string;
  AmazonEmail: string;
  BlanketPO: string;
}

function toBody({ Address3, Address4, City, PostalCode, ...others }: CompanyValues, hasAddress: boolean) {
  if (!hasAddress) return others;
  const InvoiceBillingAddress = {
    Line1: Address3,
    Line2: Address4,
    City,
    StateOrProvince: others.State,
    PostalCode,
  };
  return { ...others, InvoiceBillingAddress };
}

/** Company errors that mention phone, zip, postal, state or province belong to that field. */
function atItsField(error: unknown): unknown {
  if (!(error instanceof ApiError) || Object.keys(fieldMessages(error)).length > 0) return error;
  const { Message = '' } = error.body;
  const Field = companyErrorField(Message);
  if (Field !== undefined) error.body.Errors = [{ Field, Message }];
  return error;
}
