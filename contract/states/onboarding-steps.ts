/** Onboarding steps in order. Each is stored as Completed=true. */
export const onboardingSteps = [
  'welcome',
  'terms',
  'location',
  'company',
  'useCase',
  'verifyEmail',
  'mfa',
  'browserNotifications',
  'addLocalNumber',
  'done',
] as const;
export type OnboardingStep = (typeof onboardingSteps)[number];

/** A second list also seen, for the same steps. */
export const onboardingStepNames = {
  MFA: 'mfa',
  VERIFY: 'verifyEmail',
  COMPANY: 'company',
  LOCATION: 'location',
  WELCOME: 'welcome',
  TERMS: 'terms',
  NOTIFY: 'browserNotifications',
  USE_CASE: 'useCase',
  ADD_LOCAL_NUMBER: 'addLocalNumber',
  DONE: 'done',
} as const satisfies Record<string, OnboardingStep>;

export interface OnboardingProgress {
  Name: OnboardingStep;
  Completed: boolean;
}

/**
 * The steps that a person sees of those that the server gave. The NOTIFY step is hidden until earlier steps are
 * complete; a use-case step replaces VERIFY until submitted.
 */
export function visibleOnboardingSteps(given: readonly OnboardingProgress[]): OnboardingProgress[] {
  const ordered = onboardingSteps.flatMap((name) => given.filter((step) => step.Name === name).slice(0, 1));
  const isDone = (name: OnboardingStep) => ordered.find((step) => step.Name === name)?.Completed === true;
  const asksUseCase = ordered.some((step) => step.Name === 'useCase') && !isDone('useCase');
  const notifyAt = ordered.findIndex((step) => step.Name === 'browserNotifications');
  const isNotifyOpen = ordered.slice(0, Math.max(notifyAt, 0)).every((step) => step.Completed);
  return ordered.filter(({ Name }) => {
    if (Name === 'useCase') return asksUseCase;
    if (Name === 'verifyEmail') return !asksUseCase;
    return Name !== 'browserNotifications' || isNotifyOpen;
  });
}

/** The step to show: the first visible one that isn't complete; undefined when onboarding is over. */
export function currentOnboardingStep(given: readonly OnboardingProgress[]): OnboardingStep | undefined {
  return visibleOnboardingSteps(given).find((step) => !step.Completed)?.Name;
}

/** A user must re-accept the terms when not agreed or out of date. */
export function mustAcceptTerms({
  AgreedToTermsOfUse,
  IsTermsOfUseCurrent,
}: {
  AgreedToTermsOfUse: boolean;
  IsTermsOfUseCurrent: boolean;
}): boolean {
  return !AgreedToTermsOfUse || !IsTermsOfUseCurrent;
}
