import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import type { Account } from '../../contract/accounts.ts';
import { accountForm, locationForm } from '../../contract/forms/account.ts';
import { countries, isInternational } from '../../contract/reference/countries.ts';
import { industryChoices } from '../../contract/reference/industries.ts';
import { states } from '../../contract/reference/states.ts';
import { useAccount, useCan } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { countryName } from '../ui/country-name.ts';
import { FormCard } from '../ui/form-card.tsx';
import { FormChoice, FormText } from '../ui/form-fields.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { say } from '../ui/say.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { stateChoices } from '../ui/state-choices.ts';
import { useContractForm } from '../ui/use-contract-form.ts';
import { useSaveSettings } from './use-save-settings.ts';
import { daylightWords, zoneChoices } from './zone-choices.ts';

/** The organization: its name, where it is and what it does. */
export function AccountPage() {
  const account = useAccount();
  const canMove = useCan('setLocation');
  return (
    <>
      <PageHead
        title="Account"
        tabTitle="Account settings"
        crumb={say('Settings')}
        sentence="Your organization’s name, location and industry."
      />
      {account && (
        <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2.5, maxWidth: 880 }}>
          <OrganizationForm account={account} />
          {canMove && <LocationForm account={account} />}
          <FactsCard account={account} tellsPlace={!canMove} />
        </Box>
      )}
    </>
  );
}

function OrganizationForm({ account }: { account: Account }) {
  const { saveAccount } = useSaveSettings();
  const { CompanyName, State, IndustryID, CountryID } = account;
  const rules = useMemo(() => accountForm({ countryId: CountryID }), [CountryID]);
  const organization = useContractForm({
    rules,
    values: { CompanyName, State, IndustryID },
    failed: 'There was a problem updating your account.',
    save: async (body) => {
      await saveAccount(body);
      showSnackbar('Account saved.');
    },
  });
  const { control } = organization;
  const ofCountry = CountryID === 2 ? 'CA' : 'US';
  return (
    <FormCard title="Organization" form={organization}>
      <FormText
        control={control}
        name="CompanyName"
        label="Account name"
        autoComplete="organization"
        help="The name people know your organization by."
      />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
          alignItems: 'start',
        }}
      >
        {isInternational(CountryID) ? (
          <FormText control={control} name="State" label="State or region" autoComplete="off" />
        ) : (
          <FormChoice
            control={control}
            name="State"
            label={CountryID === 2 ? 'Province' : 'State'}
            choices={[
              { value: '', label: 'Not chosen' },
              ...stateChoices(states.filter(({ country }) => country === ofCountry)),
            ]}
          />
        )}
        <FormChoice
          control={control}
          name="IndustryID"
          label="Industry"
          choices={[{ value: null, label: 'Not chosen' }, ...industryChoices]}
        />
      </Box>
    </FormCard>
  );
}

/** The country and the time zone, for owners. */
function LocationForm({ account }: { account: Account }) {
  const { saveAccount } = useSaveSettings();
  const { CountryID, TimeZone } = account;
  const location = useContractForm({
    rules: locationForm,
    values: { CountryID, TimeZone },
    failed: 'There was a problem updating your account.',
    save: async (body) => {
      await saveAccount(body);
      showSnackbar('Account saved.');
    },
  });
  const { control } = location;
  const [countryId = CountryID, zone = TimeZone] = useWatch({ control, name: ['CountryID', 'TimeZone'] });
  return (
    <FormCard title="Location" form={location}>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
          alignItems: 'start',
        }}
      >
        <FormChoice
          control={control}
          name="CountryID"
          label="Country"
          help="Decides how you write phone numbers, and which text numbers you can get. It can’t change while you have text numbers."
          choices={countries.map((country) => ({ value: country.id, label: countryName(country) }))}
        />
        <FormChoice
          control={control}
          name="TimeZone"
          label="Time zone"
          help={`For quiet hours, reports and invoices. Everybody chooses the zone of their pages under Profile. ${daylightWords(zone, countryId) ?? ''}`.trim()}
          choices={zoneChoices(countryId, TimeZone)}
        />
      </Box>
    </FormCard>
  );
}

/** Facts that can't be changed here; for users who can't change the country and time zone, these too. */
function FactsCard({ account, tellsPlace }: { account: Account; tellsPlace: boolean }) {
  const found = countries.find(({ id }) => id === account.CountryID);
  const country = found ? countryName(found) : '–';
  const place: [string, string][] = [
    [say('Country'), country],
    ['Time zone', account.TimeZone.replaceAll('_', ' ')],
  ];
  const facts: [string, string][] = [
    ...(tellsPlace ? place : []),
    ['Account number', String(account.AccountID)],
    ['Active users', String(account.MessengerCount)],
    ['Voice calls', account.Profile.VoiceAllowed ? say('Allowed') : 'Not allowed'],
    ['API keys', account.IsApiAuthorized ? say('Allowed') : 'Not allowed'],
    ...(account.GroupCode === '' ? [] : [['Group code', account.GroupCode] as [string, string]]),
  ];
  return (
    <Card title="Details">
      <Box component="dl" sx={{ px: 2.5, pt: 2, m: 0, display: 'grid', rowGap: 1.25 }}>
        {facts.map(([label, value]) => (
          <Box
            key={label}
            sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '144px 1fr' }, columnGap: 2 }}
          >
            <Typography component="dt" sx={{ color: 'text.secondary' }}>
              {label}
            </Typography>
            <Typography component="dd" sx={{ m: 0, fontWeight: 520, overflowWrap: 'anywhere' }}>
              {value}
            </Typography>
          </Box>
        ))}
      </Box>
      <Typography variant="body2" sx={{ px: 2.5, py: 2, color: 'text.secondary' }}>
        Sender name, opt-in rules and quiet hours are under{' '}
        <RouterLink to="/settings/text">text settings</RouterLink>. You can read the{' '}
        <RouterLink to="/terms">terms of use</RouterLink> again.
      </Typography>
    </Card>
  );
}
