import type { ReactNode } from 'react';
import type { getOnboarding } from '../../contract/addresses/onboarding.gen.ts';
import type { CallInput, Reply } from '../../contract/call.ts';
import type { updateOnboardingStep } from '../../contract/onboarding.ts';
import type { OnboardingStep } from '../../contract/states/onboarding-steps.ts';
import { say } from '../ui/say.ts';

export type Progress = Reply<typeof getOnboarding>;
export type StepBody = CallInput<typeof updateOnboardingStep>['body'];

/** The props of every step. */
export interface StepProps {
  progress: Progress;
  firstName: string;
  /** Saves the step and continues to the next. Rejects with the server's refusal. */
  save: (body: StepBody) => Promise<void>;
  /** Saves the step's answers and stays. */
  keep: (body: StepBody) => Promise<void>;
}

/** A step as the page shows it. */
export interface StepView {
  title: string;
  sentence: ReactNode;
}

export const stepLabels: Readonly<Record<OnboardingStep, string>> = {
  welcome: say('Welcome'),
  terms: say('Terms'),
  location: say('Location'),
  company: say('Company'),
  useCase: 'Use case',
  verifyEmail: 'Verify email',
  mfa: 'Verify phone',
  browserNotifications: say('Notifications'),
  addLocalNumber: 'Local number',
  done: say('Done', 'step'),
};

/** The form that the button in the foot submits. */
export const stepFormId = 'onboarding-step';

export const saveFailed = 'There was an error updating your onboarding progress.';
