import { wirePhone } from '../../contract/phone/normalize-phone.ts';
import {
  type OnboardingProgress,
  type OnboardingStep,
  onboardingSteps,
} from '../../contract/states/onboarding-steps.ts';
import { may } from '../access/refuse-unless.ts';
import { listVerifiedPhones } from '../accounts/fill-in.ts';
import { currentTerms } from '../accounts/read-terms.ts';
import { zoneSetting } from '../accounts/rules.ts';
import { nowMs } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { canAddLocalNumber } from './local-number.ts';

/** Everything about a user's onboarding: which steps they have, and their answers. */
export interface Progress {
  steps: OnboardingProgress[];
  answers: Awaited<ReturnType<typeof readAnswers>>;
  collects: string[];
  verifiedPhones: string[];
  emailProblem: string;
}

export async function readProgress(trx: Trx, actor: Actor, config: Config): Promise<Progress> {
  const answers = await readAnswers(trx, actor);
  const rows = await trx
    .selectFrom('onboarding_steps')
    .select('step')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .execute();
  const stored = new Set(rows.map(({ step }) => step));
  const verifiedPhones = await listVerifiedPhones(trx, actor.accountId);
  const isSignUp = answers.onboarding !== 'none';
  const asked: Record<OnboardingStep, boolean> = {
    welcome: isSignUp,
    // Everybody agrees to the terms, also users who never signed up.
    terms: true,
    location: isSignUp,
    company: isSignUp && actor.role === 'owner',
    useCase: isSignUp,
    verifyEmail: isSignUp,
    mfa: isSignUp && config.CODE_NUMBER !== undefined,
    browserNotifications: isSignUp && may(actor, 'beAskedForNotifications'),
    // Once the number exists, the step of the user who requested it can still be completed.
    addLocalNumber:
      isSignUp &&
      (stored.has('addLocalNumber') || Boolean(answers.area_code) || canAddLocalNumber(actor, config)),
    done: isSignUp,
  };
  const isComplete = (step: OnboardingStep): boolean => {
    if (step === 'terms')
      return answers.agreed_to_terms_at !== null && answers.terms_version === currentTerms(config).version;
    // A user who has finished and changes their email verifies it from their profile.
    if (step === 'verifyEmail') return !answers.needs_email_verification || answers.onboarding !== 'open';
    return answers.onboarding === 'done' || stored.has(step);
  };
  const steps = onboardingSteps
    .filter((step) => asked[step])
    .map((Name) => ({ Name, Completed: isComplete(Name) }));
  const emailProblem = answers.needs_email_verification ? await findEmailProblem(trx, actor) : '';
  return { steps, answers, collects: answers.onboarding_collects, verifiedPhones, emailProblem };
}

/** The mail server's error for the last verification mail, if it refused it. */
async function findEmailProblem(trx: Trx, actor: Actor): Promise<string> {
  const mail = await trx
    .selectFrom('mails')
    .select('problem')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .where('kind', '=', 'verify-email')
    .orderBy('mail_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return mail?.problem ?? '';
}

function readAnswers(trx: Trx, actor: Actor) {
  return trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .leftJoin('activations', 'activations.account_id', 'users.account_id')
    .select([
      'users.onboarding',
      'users.agreed_to_terms_at',
      'users.terms_version',
      'users.needs_email_verification',
      'users.email',
      'users.time_zone',
      'users.language_id',
      'accounts.company_name',
      'accounts.state',
      'accounts.country_id',
      'accounts.onboarding_collects',
      'activations.how_they_heard',
      'activations.industry',
      'activations.phone',
      'activations.address_line1',
      'activations.address_line2',
      'activations.city',
      'activations.postal_code',
      'activations.lawson_number',
      'activations.amazon_email',
      'activations.blanket_po',
      'activations.use_case',
      'activations.area_code',
    ])
    .where('users.account_id', '=', actor.accountId)
    .where('users.user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
}

export function collectFlags(collects: readonly string[]) {
  return {
    CollectAmazonInfo: collects.includes('AmazonInfo'),
    CollectInvoiceBillingAddress: collects.includes('InvoiceBillingAddress'),
    CollectOnboardingRepublicInfo: collects.includes('OnboardingRepublicInfo'),
    CollectPO: collects.includes('PO'),
  };
}

/** The answers in the specification's names. */
export function describeAnswers({ answers }: Progress) {
  const zone = zoneSetting(answers.time_zone, nowMs());
  return {
    Activation: {
      CompanyName: answers.company_name,
      HowTheyHeard: answers.how_they_heard ?? '',
      Industry: answers.industry ?? '',
      LawsonNumber: answers.lawson_number ?? '',
      Phone: wirePhone(answers.phone ?? '', answers.country_id),
      State: answers.state,
      Address3: answers.address_line1 ?? '',
      Address4: answers.address_line2 ?? '',
      City: answers.city ?? '',
      PostalCode: answers.postal_code ?? '',
      AmazonEmail: answers.amazon_email ?? '',
      BlanketPO: answers.blanket_po ?? '',
    },
    LocalNumberAreaCode: answers.area_code ?? '',
    CountryID: answers.country_id,
    LanguageID: answers.language_id,
    TimeZoneOffset: zone.TimeZoneOffset,
    ObservesDayLightSavings: zone.ObservesDaylightSavings,
    TimeZone: answers.time_zone,
    UseCase: answers.use_case ?? '',
    Email: answers.email,
  };
}
