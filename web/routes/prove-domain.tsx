import { createFileRoute } from '@tanstack/react-router';
import { ProveDomainPage } from '../auth/prove-domain-page.tsx';

export const Route = createFileRoute('/prove-domain')({
  validateSearch: ({ token }: Record<string, unknown>): { token?: string } =>
    typeof token === 'string' ? { token } : {},
  component: ProveDomain,
});

function ProveDomain() {
  const { token = '' } = Route.useSearch();
  return <ProveDomainPage token={token} />;
}
