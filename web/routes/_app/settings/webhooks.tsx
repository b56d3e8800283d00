import { createFileRoute } from '@tanstack/react-router';
import { WebhooksPage, type WebhooksSearch } from '../../../settings/webhooks/webhooks-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/settings/webhooks')({
  validateSearch: (search: Record<string, unknown>): WebhooksSearch => ({
    webhook: Number(search.webhook) || undefined,
    delivery: Number(search.delivery) || undefined,
  }),
  component: Webhooks,
});

function Webhooks() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <OnlyFor capability="manageWebhooks">
      <WebhooksPage search={search} onChange={(next) => void navigate({ search: next, replace: true })} />
    </OnlyFor>
  );
}
