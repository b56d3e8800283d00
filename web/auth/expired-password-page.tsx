import { zodResolver } from '@hookform/resolvers/zod';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { replaceExpiredPassword } from '../../contract/addresses/auth.gen.ts';
import { newPassword } from '../../contract/forms/sign-in.ts';
import { pageCodes } from '../../contract/page-codes.ts';
import { ApiError, callApi, fieldMessages, shownMessage } from '../api.ts';
import { Notice } from '../ui/notice.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { enter } from './return-path.ts';
import {
  expiredAttempt,
  readAsked,
  rememberAsked,
  rememberExpired,
  rememberRetryAfter,
  retryAfterSeconds,
} from './sign-in-attempt.ts';
import { SignInFrame } from './sign-in-frame.tsx';

const form = z
  .object({ NewPassword: newPassword, Again: z.string() })
  .refine(({ NewPassword, Again }) => NewPassword === Again, {
    path: ['Again'],
    message: 'Passwords should match.',
  });

/** Replaces an expired password, with the username and old password from the sign-in before. */
export function ExpiredPasswordPage() {
  const attempt = expiredAttempt();
  if (!attempt) {
    return (
      <SignInFrame
        title="Choose a new password"
        sentence="This page is for people whose password has expired."
      >
        <Stack spacing={2.5}>
          <Notice>Sign in first. If your password has expired, you’ll come back to this page.</Notice>
          <RouterButton to="/login" size="large">
            Go to sign in
          </RouterButton>
        </Stack>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title="Choose a new password"
      sentence="Your password has expired. The new one works right away."
    >
      <NewPasswordForm attempt={attempt} />
    </SignInFrame>
  );
}

function NewPasswordForm({ attempt }: { attempt: { UserName: string; Password: string } }) {
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState('');
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(form),
    defaultValues: { NewPassword: '', Again: '' },
  });
  const submit = handleSubmit(async ({ NewPassword }) => {
    setRefusal('');
    try {
      await callApi(replaceExpiredPassword, { body: { ...attempt, NewPassword } });
      rememberExpired(undefined);
      enter();
    } catch (error) {
      const factor = readAsked(error);
      if (factor) {
        // The new password is saved; the second factor is still to come.
        rememberExpired(undefined);
        rememberAsked(factor);
        void navigate({ to: '/login/second-step' });
        return;
      }
      if (error instanceof ApiError && error.body.ErrorCode === pageCodes.tooManyAttempts) {
        rememberRetryAfter(retryAfterSeconds(error.body.ExtendedData));
        void navigate({ to: '/login/too-many-attempts' });
        return;
      }
      const message = fieldMessages(error).NewPassword;
      if (message) setError('NewPassword', { message });
      else setRefusal(shownMessage(error, 'There was an error updating your password.'));
    }
  });
  return (
    <Stack component="form" noValidate spacing={2.5} onSubmit={submit}>
      {refusal !== '' && <Notice kind="error">{refusal}</Notice>}
      {/* Tells password managers which user this password belongs to. */}
      <input type="text" name="username" autoComplete="username" value={attempt.UserName} readOnly hidden />
      <PasswordField
        isLarge
        autoFocus
        label="New password"
        autoComplete="new-password"
        help="At least 8 characters with a letter and a number; no spaces, slashes, or quotation marks."
        error={formState.errors.NewPassword?.message}
        {...register('NewPassword')}
      />
      <PasswordField
        isLarge
        label="Confirm new password"
        autoComplete="new-password"
        error={formState.errors.Again?.message}
        {...register('Again')}
      />
      <Button
        type="submit"
        size="large"
        variant="contained"
        color="primary"
        disabled={formState.isSubmitting}
      >
        Save and sign in
      </Button>
    </Stack>
  );
}
