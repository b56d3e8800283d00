import { createFileRoute } from '@tanstack/react-router';
import { IntegrationPage } from '../../../automation/integration-page.tsx';

export const Route = createFileRoute('/_app/automation/$integrationId')({ component: Integration });

function Integration() {
  const { integrationId } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <IntegrationPage
      integrationId={Number(integrationId)}
      onDisconnected={() => void navigate({ to: '/automation' })}
    />
  );
}
