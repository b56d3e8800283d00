import { createFileRoute } from '@tanstack/react-router';
import { VerifyEmailPage } from '../auth/verify-email-page.tsx';

export const Route = createFileRoute('/verify-email')({
  validateSearch: ({ token }: Record<string, unknown>): { token?: string } =>
    typeof token === 'string' ? { token } : {},
  component: VerifyEmail,
});

function VerifyEmail() {
  const { token = '' } = Route.useSearch();
  return <VerifyEmailPage token={token} />;
}
