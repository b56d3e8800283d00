import { Refusal } from '../../contract/errors.ts';
import type { RegistrationField } from '../../contract/forms/registration/registration-form.ts';
import { localNumberMessage } from '../../contract/reference/error-codes.ts';
import type { RegistryReason } from '../outside/registrar.ts';

/** An error of local numbers, with its message: the body contains its name. */
export function localNumberRefusal(name: 'InvalidAreaCode' | 'NoAvailableLocalNumbers'): Refusal {
  const kind = name === 'InvalidAreaCode' ? 'invalid' : 'notFound';
  const message = localNumberMessage(name);
  const fields = name === 'InvalidAreaCode' ? [{ Field: 'AreaCode', Message: message }] : [];
  return new Refusal(kind, message, { fields, extendedData: { Name: name } });
}

/** A local number in Canada couldn’t be registered, so it could never text (decision 0183). */
export function canadianRefusal(): Refusal {
  return tollFreeInstead('Local numbers in Canada can’t send texts. Get a toll-free number.');
}

/** A trial has one number, and a local one of the US doesn’t reach its own phones (decision 0183). */
export function canadianTrialRefusal(): Refusal {
  return tollFreeInstead('Local numbers don’t reach Canada. Get a toll-free number.');
}

function tollFreeInstead(message: string): Refusal {
  return new Refusal('notFound', message, {
    extendedData: { Name: 'NoAvailableLocalNumbers', Country: 'CA' },
  });
}

/** Three digits that can be an area code: no N11 code, nothing that begins with 0 or 1, nothing toll-free. */
export function isAreaCode(text: string): boolean {
  return /^[2-9]\d\d$/.test(text) && !text.endsWith('11') && !/^8(00|33|44|55|66|77|88)$/.test(text);
}

export const providerAway = 'We can’t reach our provider of numbers right now. Try again in a moment.';
export const numberGone = 'Somebody else got this number a moment ago. Choose another one.';
export const oneNumberInTrial = 'A free trial comes with one number. Upgrade your account to get more.';
export const oneNumberForSole = 'The registry allows a sole proprietor only one local number.';
export const numberNotBought = 'We couldn’t get this number, and nothing was bought. Choose another one.';
export const stillBuying = 'We’re still getting this number. It shows up by itself when it’s yours.';

/** Seconds until an order in doubt is checked again. */
export function doubtPauseSeconds(attempts: number): number {
  return Math.min(600, 2 * 3 ** Math.min(attempts, 6));
}
/** A provider has to say this often that a number isn’t ours before we believe it. */
export const doubtTries = 3;

/** Seconds until a registration is checked again automatically. The registry’s webhooks come first. */
export function lookPauseSeconds(attempts: number): number {
  return Math.min(300, 5 * 2 ** Math.min(attempts, 6));
}

/** Verification is sent again at most this often. */
export const resendPauseSeconds = 60;
export const resendsPerDay = 5;

/**
 * Reasons as registries write them, the field to change, and the message for people. The first match is used.
 */
const plainReasons: readonly { about: RegExp; field: RegistrationField | ''; message: string }[] = [
  {
    about: /\b(ein|tax ?id|taxid|business_registration_number|legal name|legalname|tax number)\b/i,
    field: 'Ein',
    message:
      'The EIN and the company name don’t match the IRS record. Compare both with your letter from the IRS, word for word.',
  },
  {
    about: /privacy/i,
    field: 'PrivacyPolicyUrl',
    message:
      'The registry couldn’t find your privacy policy, or it doesn’t mention texts. Check its address.',
  },
  {
    about: /web ?site|url|web page/i,
    field: 'BrandWebsite',
    message:
      'The registry couldn’t open your website, or it doesn’t show who you are. Enter a public website that names your organization.',
  },
  {
    about: /opt-?in|call ?to ?action|consent|message ?flow/i,
    field: 'ConsentType',
    message: 'It isn’t clear how people agree to get your texts. Choose the way that fits best.',
  },
  {
    about: /sample|example ?message|exampleMessages/i,
    field: 'Sample1',
    message:
      'The sample messages don’t fit what you say you send. Write samples that name your organization and match the description.',
  },
  {
    about: /description|program ?summary|use ?case/i,
    field: 'Description',
    message: 'The description isn’t clear enough. Say who texts whom, about what, and how often.',
  },
  {
    about: /business ?contact ?email|contact email/i,
    field: 'BusinessContactEmail',
    message:
      'The business contact email couldn’t be verified. Use a person’s address at your company’s domain.',
  },
  {
    about: /address|street|city|zip|postal/i,
    field: 'Street',
    message: 'The address doesn’t match the record. Enter the address that the IRS has for you.',
  },
  { about: /phone/i, field: 'PhoneNumber', message: 'The phone number couldn’t be verified. Check it.' },
  { about: /e-?mail/i, field: 'Email', message: 'The email couldn’t be verified. Check it.' },
  {
    about: /stock/i,
    field: 'StockSymbol',
    message: 'The stock symbol and exchange don’t match. Check both.',
  },
  {
    about: /expired|otp|not answered/i,
    field: 'PhoneNumber',
    message: 'Nobody answered the verification text in time. Check the mobile number and submit again.',
  },
];

export interface PlainReason {
  field: string;
  message: string;
}

/** The registry’s reason in plain words with the field to change, followed by its own words. */
function plainReason({ property, words }: RegistryReason): PlainReason {
  const given = `${property} ${words}`;
  const known = plainReasons.find(({ about }) => about.test(given));
  const own = words.trim().slice(0, 300);
  if (known === undefined)
    return {
      field: '',
      message: own === '' ? 'The registry didn’t say why. Check every field and submit again.' : own,
    };
  return {
    field: known.field,
    message: own === '' ? known.message : `${known.message} (The registry wrote: “${own}”)`,
  };
}

export function plainReasonsOf(reasons: readonly RegistryReason[]): PlainReason[] {
  const plain = (reasons.length === 0 ? [{ property: '', words: '' }] : reasons).map(plainReason);
  return plain.filter(({ message }, at) => plain.findIndex((each) => each.message === message) === at);
}
