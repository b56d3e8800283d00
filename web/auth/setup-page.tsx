import { zodResolver } from '@hookform/resolvers/zod';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Stack from '@mui/material/Stack';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { createOrganization, getSetup } from '../../contract/addresses/auth.gen.ts';
import { newOrganization } from '../../contract/forms/sign-in.ts';
import { countries } from '../../contract/reference/countries.ts';
import { callApi, fieldMessages, shownMessage } from '../api.ts';
import { countryName } from '../ui/country-name.ts';
import { Field, TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { enter } from './return-path.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import { otherZones, usZones } from './zones.ts';

const names = [
  'CompanyName',
  'FirstName',
  'LastName',
  'Email',
  'UserName',
  'Password',
  'CountryID',
  'TimeZone',
] as const;

/** The first run: creates the organization and its owner, and signs the owner in. */
export function SetupPage() {
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState('');
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(newOrganization),
    defaultValues: {
      CompanyName: '',
      FirstName: '',
      LastName: '',
      Email: '',
      UserName: '',
      Password: '',
      CountryID: 1,
      TimeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  });
  const { errors } = formState;

  useEffect(() => {
    const leaving = new AbortController();
    callApi(getSetup, {}, { signal: leaving.signal, missing: 'refuse' }).then(
      ({ NeedsOrganization }) => {
        if (!NeedsOrganization) void navigate({ to: '/login', replace: true });
      },
      () => {
        // Submitting the form shows the error.
      },
    );
    return () => leaving.abort();
  }, [navigate]);

  const submit = handleSubmit(async (body) => {
    setRefusal('');
    try {
      await callApi(createOrganization, { body });
      enter();
    } catch (error) {
      const messages = fieldMessages(error);
      for (const name of names) if (messages[name]) setError(name, { message: messages[name] });
      setRefusal(shownMessage(error, 'There was an error adding your organization.'));
    }
  });

  return (
    <SignInFrame
      title="Welcome to Muster"
      sentence="Name your organization and create your owner account. You can change everything later."
    >
      <Stack component="form" noValidate spacing={2} onSubmit={submit}>
        {refusal !== '' && <Notice kind="error">{refusal}</Notice>}
        <TextField
          label="Account name"
          help="The name people know your organization by."
          autoFocus
          autoComplete="organization"
          error={errors.CompanyName?.message}
          {...register('CompanyName')}
        />
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: '1fr 1fr' }}>
          <TextField
            label="First name"
            autoComplete="given-name"
            error={errors.FirstName?.message}
            {...register('FirstName')}
          />
          <TextField
            label="Last name"
            autoComplete="family-name"
            error={errors.LastName?.message}
            {...register('LastName')}
          />
        </Box>
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          error={errors.Email?.message}
          {...register('Email')}
        />
        <TextField
          label="Username"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          help="At least 4 characters, without spaces."
          error={errors.UserName?.message}
          {...register('UserName')}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          help="At least 8 characters with a letter and a number; no spaces, slashes, or quotation marks."
          error={errors.Password?.message}
          {...register('Password')}
        />
        <Field
          label="Country"
          help="Decides how you write phone numbers, and which text numbers you can get."
          error={errors.CountryID?.message}
        >
          {(ids) => (
            <NativeSelect
              input={<OutlinedInput />}
              IconComponent={ChevronDown}
              inputProps={{ ...ids, ...register('CountryID', { valueAsNumber: true }) }}
            >
              {countries.map((country) => (
                <option key={country.id} value={country.id}>
                  {countryName(country)}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
        <Field label="Time zone" error={errors.TimeZone?.message}>
          {(ids) => (
            <NativeSelect
              input={<OutlinedInput />}
              IconComponent={ChevronDown}
              inputProps={{ ...ids, ...register('TimeZone') }}
            >
              <optgroup label="United States">
                {usZones.map(({ zone, label }) => (
                  <option key={zone} value={zone}>
                    {label}
                  </option>
                ))}
              </optgroup>
              <optgroup label="Everywhere else">
                {otherZones().map((zone) => (
                  <option key={zone} value={zone}>
                    {zone.replaceAll('_', ' ')}
                  </option>
                ))}
              </optgroup>
            </NativeSelect>
          )}
        </Field>
        <Button
          type="submit"
          size="large"
          variant="contained"
          color="primary"
          disabled={formState.isSubmitting}
          sx={{ mt: '28px !important' }}
        >
          Create and sign in
        </Button>
      </Stack>
    </SignInFrame>
  );
}
