import { createFileRoute, notFound } from '@tanstack/react-router';
import {
  type RegistrationRoute,
  registrationRoutes,
} from '../../../../contract/forms/registration/registration-steps.ts';
import { LandingPage } from '../../../registration/landing-page.tsx';
import { RegistrationErrorPage, StatusPage } from '../../../registration/status-page.tsx';
import { WizardPage } from '../../../registration/wizard-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

/** Pages that show where a registration is. */
const statusSteps = ['processing', 'verify-email', 'verify-phone', 'returning-user'];
const pages = ['landing', 'error', ...statusSteps, ...registrationRoutes];

export const Route = createFileRoute('/_app/local-number-registration/$step')({
  beforeLoad: ({ params }) => {
    if (!pages.includes(params.step)) throw notFound();
  },
  component: StepRoute,
});

function StepRoute() {
  const { step } = Route.useParams();
  if (step === 'landing') return <LandingPage />;
  if (step === 'error') return <RegistrationErrorPage />;
  if (statusSteps.includes(step)) return <StatusPage />;
  return (
    <OnlyFor capability="setUpTexting">
      <WizardPage route={step as RegistrationRoute} />
    </OnlyFor>
  );
}
