import { createFileRoute } from '@tanstack/react-router';
import { ResetPasswordPage } from '../auth/reset-password-page.tsx';

export const Route = createFileRoute('/reset-password')({
  validateSearch: ({ token }: Record<string, unknown>): { token?: string } =>
    typeof token === 'string' ? { token } : {},
  component: ResetPassword,
});

function ResetPassword() {
  const { token = '' } = Route.useSearch();
  return <ResetPasswordPage token={token} />;
}
