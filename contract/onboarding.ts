import { z } from 'zod';
import { call } from './call.ts';
import { signUpForm } from './forms/sign-up.ts';
import { linkToken } from './passwords.ts';
import { languages } from './reference/languages.ts';
import { type OnboardingStep, onboardingStepNames, onboardingSteps } from './states/onboarding-steps.ts';

export const signUp = call({
  method: 'POST',
  path: '/signup',
  summary:
    'Creates a free-trial organization with its owner and mails a link that verifies the email. Answers the same if the email is known already.',
  allow: 'public',
  event: 'account.created',
  body: signUpForm,
  reply: z.object({ Email: z.string() }),
  errors: ['refused', 'tooManyAttempts'],
});

export const verifyEmail = call({
  method: 'POST',
  path: '/verify-email',
  summary: 'Verifies the email that a link was mailed to. A link works once, for a week.',
  allow: 'public',
  event: 'email.verified',
  body: z.object({ Token: linkToken }),
  reply: z.object({ Email: z.string() }),
  errors: ['refused', 'tooManyAttempts'],
});

export const resendVerification = call({
  method: 'POST',
  path: '/user/verification-email',
  summary:
    'Mails the link that verifies the email once more. With Email, corrects the address first; links to the old one stop working.',
  allow: 'editOwnProfile',
  event: 'email.verificationSent',
  body: z.object({ Email: z.string().trim().max(200).optional() }),
  reply: z.object({ Email: z.string() }),
  errors: ['refused', 'tooManyAttempts', 'confirmationNeeded'],
});

/** Public information about this installation. */
export const getInstallation = call({
  method: 'GET',
  path: '/installation',
  summary: 'Returns whether people can sign up, how to reach support, and the help chat.',
  allow: 'public',
  reply: z.object({
    CanSignUp: z.boolean(),
    SupportPhone: z.string(),
    SupportEmail: z.string(),
    InfoEmail: z.string(),
    InternationalEmail: z.string(),
    PrivacyUrl: z.string(),
    /** The chat loads on this host only. */
    HelpChat: z.object({ ScriptUrl: z.string(), Host: z.string() }).nullable(),
    /** Address of Labs; empty where there is none. */
    LabsUrl: z.string(),
  }),
});

export const getTerms = call({
  method: 'GET',
  path: '/terms',
  summary: 'Returns the terms of use, their version, and where the privacy policy is.',
  allow: 'public',
  reply: z.object({ Version: z.string(), Text: z.string(), PrivacyUrl: z.string() }),
});

export const getPrivacy = call({
  method: 'GET',
  path: '/privacy',
  summary:
    'Returns the privacy policy of an installation that has none elsewhere: what is kept, and who gets it.',
  allow: 'public',
  reply: z.object({ Text: z.string() }),
});

const stepName = z
  .enum([...onboardingSteps, ...(Object.keys(onboardingStepNames) as (keyof typeof onboardingStepNames)[])], {
    error: 'There is no such step',
  })
  .transform(
    (name): OnboardingStep =>
      name in onboardingStepNames
        ? onboardingStepNames[name as keyof typeof onboardingStepNames]
        : (name as OnboardingStep),
  );

const activation = z.object({
  CompanyName: z.string(),
  HowTheyHeard: z.string(),
  Industry: z.string(),
  LawsonNumber: z.string(),
  Phone: z.string(),
  State: z.string(),
  Address3: z.string(),
  Address4: z.string(),
  City: z.string(),
  PostalCode: z.string(),
  AmazonEmail: z.string(),
  BlanketPO: z.string(),
});

const collectFlags = z.object({
  CollectAmazonInfo: z.boolean(),
  CollectInvoiceBillingAddress: z.boolean(),
  CollectOnboardingRepublicInfo: z.boolean(),
  CollectPO: z.boolean(),
});

const progress = z.object({ Name: z.enum(onboardingSteps), Completed: z.boolean() });

/** Location of the organization, for the location step. */
const place = z.object({
  CountryID: z.number().int(),
  LanguageID: z.number().int(),
  TimeZoneOffset: z.number().int(),
  ObservesDayLightSavings: z.boolean(),
  /** Ours: the IANA zone. */
  TimeZone: z.string(),
});

export const getOnboarding = call({
  method: 'GET',
  path: '/user/onboardingprogress',
  summary:
    'Returns the user’s onboarding steps with what was answered so far, and where to go: to the step that is open, or on.',
  allow: 'editOwnProfile',
  reply: z.object({
    Steps: z.array(progress),
    Activation: activation,
    ...collectFlags.shape,
    LocalNumberAreaCode: z.string(),
    ...place.shape,
    UseCase: z.string(),
    Email: z.string(),
    /** Reason why the mail server sent the last verification mail back; empty if it didn't. */
    EmailProblem: z.string(),
    TermsVersion: z.string(),
    AgreedToTermsTimestamp: z.string().nullable(),
    mfaPhoneNumbers: z.array(z.string()),
    RedirectUrl: z.string(),
  }),
});

const text = (most: number) => z.string().trim().max(most);

/** Fields of single steps; absent in the others. */
const stepData = z.object({
  ...activation.partial().shape,
  ...collectFlags.partial().shape,
  ...place.partial().shape,
  InvoiceBillingAddress: z
    .object({
      Line1: z.string(),
      Line2: z.string(),
      City: z.string(),
      StateOrProvince: z.string(),
      PostalCode: z.string(),
    })
    .optional(),
  LocalNumberAreaCode: z.string().optional(),
  UseCase: z.string().optional(),
  Email: z.string().optional(),
  EmailProblem: z.string().optional(),
  TermsVersion: z.string().optional(),
  mfaPhoneNumbers: z.array(z.string()).optional(),
});
const step = z.object({ ...progress.shape, ...stepData.shape });

export const getOnboardingStep = call({
  method: 'GET',
  path: '/user/onboardingprogress/:Step',
  summary: 'Returns one onboarding step with its data. 404 if the user isn’t asked for it.',
  allow: 'editOwnProfile',
  params: z.object({ Step: stepName }),
  reply: step,
  errors: ['notFound'],
});

export const updateOnboardingStep = call({
  method: 'PUT',
  path: '/user/onboardingprogress/:Step',
  summary: 'Saves an onboarding step’s data and whether it is complete. 404 if the user isn’t asked for it.',
  allow: 'editOwnProfile',
  event: 'onboarding.updated',
  params: z.object({ Step: stepName }),
  // contract/forms/onboarding.ts validates the company step; these limits only keep out input that nobody
  // types.
  body: z.object({
    Completed: z.boolean().default(true),
    CompanyName: text(500).optional(),
    HowTheyHeard: text(500).optional(),
    Industry: text(100).optional(),
    LawsonNumber: text(100).optional(),
    Phone: text(100).optional(),
    State: text(100).optional(),
    Address3: text(500).optional(),
    Address4: text(500).optional(),
    City: text(500).optional(),
    PostalCode: text(100).optional(),
    AmazonEmail: text(500).optional(),
    BlanketPO: text(100).optional(),
    InvoiceBillingAddress: z
      .object({
        Line1: text(500).default(''),
        Line2: text(500).default(''),
        City: text(500).default(''),
        StateOrProvince: text(100).default(''),
        PostalCode: text(100).default(''),
      })
      .optional(),
    CountryID: z.number().int().min(1).max(1000).optional(),
    LanguageID: z.union(languages.map(({ id }) => z.literal(id))).optional(),
    TimeZoneOffset: z.number().min(-10_000).max(10_000).optional(),
    ObservesDayLightSavings: z.boolean().optional(),
    TimeZone: text(60).optional(),
    LocalNumberAreaCode: text(20).optional(),
    UseCase: text(100).optional(),
    TermsVersion: text(100).optional(),
  }),
  reply: step,
  errors: ['notFound', 'refused', 'conflict'],
});

export const sendMfa = call({
  method: 'POST',
  path: '/user/sendmfa',
  summary: 'Texts a code to a phone, to prove that the user has it.',
  allow: 'editOwnProfile',
  event: 'phone.codeSent',
  body: z.object({
    Channel: z.literal('sms', { error: 'Codes are sent by sms' }),
    PhoneNumber: z.string({ error: 'Enter a Phone Number' }).trim().min(1, 'Enter a Phone Number').max(60),
  }),
  reply: z.object({ PhoneNumber: z.string() }),
  errors: [
    'mfaDoNotCall',
    'mfaInvalid',
    'mfaNotSupported',
    'mfaBlocked',
    'mfaNotTextable',
    'mfaTooMany',
    'refused',
  ],
});

export const verifyMfa = call({
  method: 'POST',
  path: '/user/verifymfa/:Code',
  summary: 'Takes the code that was texted. The phone is verified for the organization from then on.',
  allow: 'editOwnProfile',
  event: 'phone.verified',
  params: z.object({ Code: z.string().trim().min(1).max(20) }),
  reply: z.object({ PhoneNumber: z.string() }),
  errors: ['mfaWrongCode'],
});

export const getPlatformFreeTrial = call({
  method: 'GET',
  path: '/aws/capabilities/account/platformfreetrial',
  summary:
    'Returns what the free trial can do: the verified numbers, the only ones it can text or call, and messages to try it with.',
  allow: 'useMuster',
  reply: z.object({
    isFreeTrial: z.boolean(),
    mfaPhoneNumbers: z.array(z.string()),
    cannedPftMessages: z.array(z.string()),
    /** True if a code can be texted to verify another number. */
    canVerify: z.boolean(),
  }),
});

export const sendSampleText = call({
  method: 'POST',
  path: '/aws/capabilities/account/platformfreetrial/messages',
  summary:
    'Texts one of the free trial’s messages to a verified number, from the number of those who run Muster and at their cost. The same text within a minute is sent once.',
  allow: 'useMuster',
  event: 'text.sampled',
  body: z.object({
    PhoneNumber: z.string({ error: 'Choose a number' }).trim().min(1, 'Choose a number').max(60),
    Message: z.string({ error: 'Choose a message' }).trim().min(1, 'Choose a message').max(500),
  }),
  reply: z.object({ PhoneNumber: z.string() }),
  errors: ['refused', 'tooManyAttempts'],
});
