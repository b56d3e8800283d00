import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { getSetup } from '../../contract/addresses/auth.gen.ts';
import { signUp } from '../../contract/addresses/onboarding.gen.ts';
import { signUpForm } from '../../contract/forms/sign-up.ts';
import { callApi } from '../api.ts';
import { FormPassword, FormText } from '../ui/form-fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';
import { SignInFrame } from './sign-in-frame.tsx';

const empty = {
  CompanyName: '',
  FirstName: '',
  LastName: '',
  Email: '',
  UserName: '',
  Password: '',
  TimeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
};

/** Starts a free trial. It ends with the same words whether or not the email is known. */
export function SignUpPage() {
  const navigate = useNavigate();
  const [mailedTo, setMailedTo] = useState('');

  useEffect(() => {
    const leaving = new AbortController();
    callApi(getSetup, {}, { signal: leaving.signal, missing: 'refuse' }).then(
      ({ NeedsOrganization, CanSignUp }) => {
        if (NeedsOrganization) void navigate({ to: '/setup', replace: true });
        else if (!CanSignUp) void navigate({ to: '/login', replace: true });
      },
      () => {
        // Submitting the form shows the error.
      },
    );
    return () => leaving.abort();
  }, [navigate]);

  if (mailedTo !== '') return <CheckMail email={mailedTo} />;
  return (
    <SignInFrame title="Start a free trial" sentence="Try Muster with your own phone. No credit card needed.">
      <SignUpForm onDone={setMailedTo} />
      <Typography sx={{ mt: 3, textAlign: 'center', color: 'text.secondary' }}>
        Already have an account? <RouterLink to="/login">Sign in</RouterLink>
      </Typography>
      <Typography variant="body2" sx={{ mt: 1.5, textAlign: 'center', color: 'text.secondary' }}>
        <RouterLink to="/terms">Terms of use</RouterLink>
      </Typography>
    </SignInFrame>
  );
}

function SignUpForm({ onDone }: { onDone: (email: string) => void }) {
  const { control, problem, submit, isSubmitting } = useContractForm({
    rules: signUpForm,
    values: empty,
    failed: 'There was an error signing you up. Please try again.',
    save: async (body) => {
      const { Email } = await callApi(signUp, { body }, { missing: 'refuse' });
      onDone(Email);
    },
  });
  return (
    <Stack
      component="form"
      noValidate
      spacing={2}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {problem && <Notice kind="error">{problem}</Notice>}
      <FormText
        control={control}
        name="CompanyName"
        label="Account name"
        help="Your organization. People see it when you text them."
        autoComplete="organization"
        autoFocus
      />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: '1fr 1fr' }}>
        <FormText control={control} name="FirstName" label="First name" autoComplete="given-name" />
        <FormText control={control} name="LastName" label="Last name" autoComplete="family-name" />
      </Box>
      <FormText
        control={control}
        name="Email"
        label="Email"
        type="email"
        autoComplete="email"
        help="You’ll sign in with it, and we’ll send a link to verify it."
      />
      <FormPassword
        control={control}
        name="Password"
        label="Password"
        autoComplete="new-password"
        help="At least 8 characters with a letter and a number; no spaces, slashes, or quotation marks."
      />
      <Button
        type="submit"
        size="large"
        variant="contained"
        color="primary"
        disabled={isSubmitting}
        sx={{ mt: '28px !important' }}
      >
        Start free trial
      </Button>
    </Stack>
  );
}

function CheckMail({ email }: { email: string }) {
  return (
    <SignInFrame title="Check your email" sentence={`We sent an email to ${email}.`}>
      <Stack spacing={2.5}>
        <Notice>
          Open the link in it to verify your email, then sign in. It can take a minute to arrive; look in your
          spam folder too.
        </Notice>
        <RouterButton to="/login" size="large" variant="contained" color="primary">
          Go to sign in
        </RouterButton>
      </Stack>
    </SignInFrame>
  );
}
