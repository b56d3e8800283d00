import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { CallbackPage } from '../../../automation/callback-page.tsx';

export const Route = createFileRoute('/_app/automation/callback')({ component: Callback });

function Callback() {
  const navigate = Route.useNavigate();
  const open = useCallback(
    (integrationId: number) =>
      void navigate({ to: '/automation/$integrationId', params: { integrationId: String(integrationId) } }),
    [navigate],
  );
  return <CallbackPage onConnected={open} />;
}
