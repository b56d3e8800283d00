import { createFileRoute } from '@tanstack/react-router';
import {
  type RegistrationRoute,
  registrationRoutes,
} from '../../../../contract/forms/registration/registration-steps.ts';
import { LandingPage } from '../../../registration/landing-page.tsx';
import { RegistrationErrorPage, StatusPage } from '../../../registration/status-page.tsx';
import { TollFreeWizardPage, WizardPage } from '../../../registration/wizard-page.tsx';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

/** Pages that show where a registration is. */
const statusSteps = ['processing', 'verify-email', 'verify-phone', 'returning-user'];

export const Route = createFileRoute('/_app/local-number-registration/$step')({
  validateSearch: (search: Record<string, unknown>): { for?: 'toll-free' } =>
    search.for === 'toll-free' ? { for: 'toll-free' } : {},
  component: StepRoute,
});

function StepRoute() {
  const { step } = Route.useParams();
  const isForTollFree = Route.useSearch().for === 'toll-free';
  if (step === 'landing') return <LandingPage />;
  if (step === 'error') return <RegistrationErrorPage />;
  if (statusSteps.includes(step)) return <StatusPage />;
  // Asked here and not before the page loads: every page would bring the rules of the wizard otherwise.
  if (!registrationRoutes.some((route) => route === step)) return <NotFoundPage />;
  return (
    <OnlyFor capability="setUpTexting">
      {isForTollFree ? (
        <TollFreeWizardPage route={step as RegistrationRoute} />
      ) : (
        <WizardPage route={step as RegistrationRoute} />
      )}
    </OnlyFor>
  );
}
