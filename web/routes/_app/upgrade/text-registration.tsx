import { createFileRoute, redirect } from '@tanstack/react-router';

/** The upgrade’s way into the registration. */
export const Route = createFileRoute('/_app/upgrade/text-registration')({
  beforeLoad: () => {
    throw redirect({ to: '/local-number-registration/$step', params: { step: 'landing' } });
  },
});
