import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_app/message-library/')({
  beforeLoad: () => {
    throw redirect({ to: '/message-library/audio/{-$view}', replace: true });
  },
});
