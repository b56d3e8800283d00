import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { z } from 'zod';
import { resetPassword } from '../../contract/addresses/auth.gen.ts';
import { newPassword } from '../../contract/forms/sign-in.ts';
import { callApi } from '../api.ts';
import { FormPassword } from '../ui/form-fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';
import { SignInFrame } from './sign-in-frame.tsx';

const rules = z
  .object({ NewPassword: newPassword, Again: z.string() })
  .refine(({ NewPassword, Again }) => NewPassword === Again, {
    path: ['Again'],
    message: 'Passwords should match.',
  });

/** The page that the link in the mail opens: choose a new password, then sign in with it. */
export function ResetPasswordPage({ token }: { token: string }) {
  const [userName, setUserName] = useState<string>();
  const { control, problem, submit, isSubmitting } = useContractForm({
    rules,
    values: { NewPassword: '', Again: '' },
    failed: 'There was an error updating your password.',
    save: async ({ NewPassword }) => {
      const done = await callApi(
        resetPassword,
        { body: { Token: token, NewPassword } },
        { missing: 'refuse' },
      );
      setUserName(done.UserName);
    },
  });
  if (userName !== undefined)
    return (
      <SignInFrame title="Your password is changed" sentence={`Sign in as ${userName} with the new one.`}>
        <RouterButton to="/login" size="large" variant="contained" color="primary">
          Go to sign in
        </RouterButton>
      </SignInFrame>
    );
  return (
    <SignInFrame
      title="Choose a new password"
      sentence="It works right away. You’ll be signed out everywhere else."
    >
      <Stack
        component="form"
        noValidate
        spacing={2.5}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {problem && (
          <Notice kind="error">
            {problem} <RouterLink to="/forgot-password">Ask for a new link</RouterLink>
          </Notice>
        )}
        <FormPassword
          control={control}
          name="NewPassword"
          label="New password"
          isLarge
          autoFocus
          autoComplete="new-password"
          help="At least 8 characters with a letter and a number; no spaces, slashes, or quotation marks."
        />
        <FormPassword
          control={control}
          name="Again"
          label="Confirm new password"
          isLarge
          autoComplete="new-password"
        />
        <Button type="submit" size="large" variant="contained" color="primary" disabled={isSubmitting}>
          Save new password
        </Button>
      </Stack>
    </SignInFrame>
  );
}
