import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import { type Account, type User, userSettings } from '../../../contract/accounts.ts';
import { profileForm } from '../../../contract/forms/profile.ts';
import { timeZoneField } from '../../../contract/forms/user-dialog.ts';
import { phoneHint } from '../../../contract/reference/countries.ts';
import { languages } from '../../../contract/reference/languages.ts';
import { roleName, useAccount, useUser } from '../../queries/current-user.ts';
import { FormCard } from '../../ui/form-card.tsx';
import { FormChoice, FormText } from '../../ui/form-fields.tsx';
import { languageChoices, showLanguage } from '../../ui/page-language.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';
import { useSaveSettings } from '../use-save-settings.ts';
import { useNameCheck } from '../users/use-name-check.ts';
import { shownPhone } from '../users/user-values.ts';
import { daylightWords, zoneChoices } from '../zone-choices.ts';
import { PictureField } from './picture-field.tsx';
import { UnverifiedEmail } from './unverified-email.tsx';

/** The user's name, addresses, time zone and picture. */
export function ProfileCard() {
  const user = useUser();
  const account = useAccount();
  return user && account ? <ProfileForm user={user} account={account} /> : null;
}

function ProfileForm({ user, account }: { user: User; account: Account }) {
  const { saveUser } = useSaveSettings();
  const { UserName, Email, FirstName, LastName, TimeZone, LanguageID, UserID } = user;
  const language = languages.find(({ id }) => id === LanguageID)?.id ?? 1;
  const rules = useMemo(
    () =>
      profileForm({ countryId: account.CountryID, existing: { UserName, Email } }).extend({
        TimeZone: timeZoneField(),
        LanguageID: userSettings.LanguageID,
      }),
    [account.CountryID, UserName, Email],
  );
  const profile = useContractForm({
    rules,
    values: {
      FirstName,
      LastName,
      Email,
      Phone: shownPhone(user.Phone, account),
      UserName,
      TimeZone,
      LanguageID: language,
    },
    failed: 'There was an error updating your user info.',
    save: async (body) => {
      await saveUser({ ...body, UserID, CountryID: account.CountryID });
      showSnackbar('Profile saved.');
      showLanguage(body.LanguageID ?? language);
    },
  });
  const { control } = profile;
  const [zone, userName, email] = useWatch({ control, name: ['TimeZone', 'UserName', 'Email'] });
  const taken = {
    UserName: useNameCheck('username', userName ?? '', { saved: UserName, userId: UserID }).message,
    Email: useNameCheck('email', email ?? '', { saved: Email, userId: UserID }).message,
  };
  return (
    <FormCard title="You" count={`${roleName(user)} of ${account.CompanyName}`} form={profile}>
      <PictureField user={user} />
      {user.NeedsEmailVerification && <UnverifiedEmail email={Email} />}
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
          alignItems: 'start',
        }}
      >
        <FormText control={control} name="FirstName" label="First name" autoComplete="given-name" />
        <FormText control={control} name="LastName" label="Last name" autoComplete="family-name" />
        <FormText
          control={control}
          name="Email"
          label="Email"
          type="email"
          autoComplete="email"
          serverError={taken.Email}
        />
        <FormText
          control={control}
          name="Phone"
          label="Phone number"
          type="tel"
          autoComplete="tel"
          help={phoneHint(account.CountryID)}
        />
        <FormText
          control={control}
          name="UserName"
          label="Username"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          help="You sign in with it. 4 to 50 characters, without spaces."
          serverError={taken.UserName}
        />
        <FormChoice
          control={control}
          name="TimeZone"
          label="Time zone"
          help={daylightWords(zone ?? '', account.CountryID)}
          choices={zoneChoices(account.CountryID, TimeZone)}
        />
        <FormChoice
          control={control}
          name="LanguageID"
          label="Language"
          help="For pages and for emails from Muster."
          choices={languageChoices}
        />
      </Box>
    </FormCard>
  );
}
