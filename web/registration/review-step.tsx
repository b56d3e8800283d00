import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Pencil } from 'lucide-react';
import {
  asksForCampaign,
  type RegistrationForm,
} from '../../contract/forms/registration/registration-form.ts';
import type { RegistrationRoute } from '../../contract/forms/registration/registration-steps.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { normalizePhone } from '../../contract/phone/normalize-phone.ts';
import { entityTypes } from '../../contract/reference/entity-types.ts';
import { industries, isIndustry } from '../../contract/reference/industries.ts';
import { Card } from '../ui/card.tsx';
import { Notice } from '../ui/notice.tsx';
import { say } from '../ui/say.ts';
import { StepHead } from '../ui/wizard-frame.tsx';
import type { WizardState } from './wizard-state.ts';

interface ReviewStepProps {
  state: WizardState;
  go: (to: RegistrationRoute) => void;
}

type Fact = [label: string, value: string];

/** Everything once more before it goes to the registry. */
export function ReviewStep({ state, go }: ReviewStepProps) {
  const { form, way, appliesForTollFree } = state;
  const values = form.getValues();
  const asks = asksForCampaign({ IsSoleProprietor: way.isSoleProprietor }, way);
  return (
    <>
      <StepHead
        title="Review & Submit"
        sentence="Carriers compare these lines with official records. Check them before you submit."
      />
      <Box sx={{ display: 'grid', gap: 2 }}>
        {!way.isSoleProprietor && (
          <Section title="Tax ID" facts={taxFacts(values)} onEdit={() => go('tax-id')} />
        )}
        <Section
          title="Organization Details"
          facts={organizationFacts(values)}
          onEdit={() => go('organization-details')}
        />
        <Section
          title="Message Details"
          facts={messageFacts(values, asks)}
          onEdit={() => go('message-details')}
        />
        {!asks && (
          <Notice>
            We write the description and the sample messages for your industry, so you don’t have to.
          </Notice>
        )}
        {appliesForTollFree && (
          <Notice>We also get a toll-free number for you and register it with these answers.</Notice>
        )}
      </Box>
    </>
  );
}

function taxFacts(values: RegistrationForm): Fact[] {
  return [
    [say('Country'), values.Country],
    values.Country === 'Canada'
      ? ['Canadian Business Number', values.CanadianBusinessNumber]
      : ['EIN', values.Ein],
  ];
}

function organizationFacts(values: RegistrationForm): Fact[] {
  const isSole = values.IsSoleProprietor;
  const isPublic = values.EntityType === 'PUBLIC_PROFIT' && !isSole;
  const type = isSole ? 'SOLE_PROPRIETOR' : values.EntityType;
  return [
    ['Organization Type', entityTypes.find(({ value }) => value === type)?.label ?? ''],
    [say('Industry'), isIndustry(values.Vertical) ? industries[values.Vertical] : ''],
    ...(isSole
      ? ([[say('Name'), `${values.FirstName} ${values.LastName}`]] as Fact[])
      : ([['Company Name', values.CompanyName]] as Fact[])),
    [isSole ? 'Organization Name' : 'Brand Name', values.DisplayName],
    ...(isPublic
      ? ([
          [say('Stock'), `${values.StockSymbol}, ${values.StockExchange}`],
          ['Business Contact Email', values.BusinessContactEmail],
        ] as Fact[])
      : []),
    [say('Address'), `${values.Street}, ${values.City}, ${values.State} ${values.PostalCode}`],
    [say('Email'), values.Email],
    [say('Phone'), formatPhone(normalizePhone(values.PhoneNumber) ?? values.PhoneNumber)],
    [say('Website'), values.BrandWebsite],
  ];
}

function messageFacts(values: RegistrationForm, asks: boolean): Fact[] {
  return [
    ['Kind of texts', values.IsPromotionalRegistration ? say('Promotional') : say('Informational')],
    ...(asks
      ? ([
          ['How people agree', values.ConsentType],
          [say('Description'), values.Description],
          ['Sample Message', values.Sample1],
          ['Second Sample Message', values.Sample2],
        ] as Fact[])
      : []),
    [
      'Privacy policy',
      values.PrivacyPolicyUserSelection === 'Yes'
        ? values.PrivacyPolicyUrl
        : values.PrivacyPolicyUserSelection,
    ],
  ];
}

function Section({ title, facts, onEdit }: { title: string; facts: Fact[]; onEdit: () => void }) {
  return (
    <Card
      title={title}
      action={
        <Button size="small" startIcon={<Pencil aria-hidden />} aria-label={`Edit ${title}`} onClick={onEdit}>
          Edit
        </Button>
      }
    >
      <Box
        component="dl"
        sx={{
          m: 0,
          p: 2.5,
          display: 'grid',
          columnGap: 3,
          rowGap: 1.25,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '200px minmax(0, 1fr)' },
        }}
      >
        {facts.map(([label, value]) => (
          <Box key={label} sx={{ display: 'contents' }}>
            <Typography component="dt" sx={{ color: 'text.secondary' }}>
              {label}
            </Typography>
            <Typography component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
              {value}
            </Typography>
          </Box>
        ))}
      </Box>
    </Card>
  );
}
