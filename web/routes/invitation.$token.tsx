import { createFileRoute } from '@tanstack/react-router';
import { InvitationPage } from '../auth/invitation-page.tsx';

export const Route = createFileRoute('/invitation/$token')({ component: Invitation });

function Invitation() {
  const { token } = Route.useParams();
  return <InvitationPage token={token} />;
}
