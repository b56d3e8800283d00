import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { getOnboardingStep as stepDefinition } from '../../contract/onboarding.ts';
import { wirePhone } from '../../contract/phone/normalize-phone.ts';
import {
  currentOnboardingStep,
  type OnboardingProgress,
  type OnboardingStep,
} from '../../contract/states/onboarding-steps.ts';
import { currentTerms } from '../accounts/read-terms.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { collectFlags, describeAnswers, type Progress, readProgress } from './read-progress.ts';

/** The page for a user while a step is open. */
const onboardingPath = '/onboarding';

export async function getOnboarding(trx: Trx, actor: Actor, config: Config) {
  const progress = await readProgress(trx, actor, config);
  const { steps, answers, verifiedPhones, emailProblem } = progress;
  return {
    Steps: steps,
    ...describeAnswers(progress),
    EmailProblem: emailProblem,
    ...collectFlags(progress.collects),
    TermsVersion: currentTerms(config).version,
    AgreedToTermsTimestamp: answers.agreed_to_terms_at?.toISOString() ?? null,
    mfaPhoneNumbers: verifiedPhones.map((phone) => wirePhone(phone, answers.country_id)),
    RedirectUrl: currentOnboardingStep(steps) === undefined ? config.ONBOARDING_REDIRECT : onboardingPath,
  };
}

export function requireStep({ steps }: Progress, name: OnboardingStep): OnboardingProgress {
  const step = steps.find(({ Name }) => Name === name);
  if (step === undefined) throw new Refusal('notFound', 'There is no such step for you.');
  return step;
}

export async function getOnboardingStep(
  trx: Trx,
  actor: Actor,
  config: Config,
  { params }: Pick<Input<typeof stepDefinition>, 'params'>,
) {
  const progress = await readProgress(trx, actor, config);
  return { ...requireStep(progress, params.Step), ...dataOf(params.Step, progress, config) };
}

/** The data that a step shows and accepts. */
function dataOf(step: OnboardingStep, progress: Progress, config: Config): object {
  const { Activation, ...answers } = describeAnswers(progress);
  const { CountryID, LanguageID, TimeZoneOffset, ObservesDayLightSavings, TimeZone } = answers;
  switch (step) {
    case 'terms':
      return { TermsVersion: currentTerms(config).version };
    case 'location':
      return { CountryID, LanguageID, TimeZoneOffset, ObservesDayLightSavings, TimeZone };
    case 'company':
      return {
        ...Activation,
        ...collectFlags(progress.collects),
        InvoiceBillingAddress: {
          Line1: Activation.Address3,
          Line2: Activation.Address4,
          City: Activation.City,
          StateOrProvince: Activation.State,
          PostalCode: Activation.PostalCode,
        },
      };
    case 'useCase':
      return { UseCase: answers.UseCase };
    case 'verifyEmail':
      return { Email: answers.Email, EmailProblem: progress.emailProblem };
    case 'mfa':
      return { mfaPhoneNumbers: progress.verifiedPhones.map((phone) => wirePhone(phone, CountryID)) };
    case 'addLocalNumber':
      return { LocalNumberAreaCode: answers.LocalNumberAreaCode };
    default:
      return {};
  }
}
