import type { RegistrationDisallowedReason } from '../states/registration-allowed.ts';

/** Codes that calls answer with, and the sentences for them. Where the specification names only the cause, the sentence is ours. */

/** Not enough credits. */
export const notEnoughCreditsCode = 4100;

/** Status 500 with one of these codes is a product-level error, whose Message is shown. */
export function isProductError(status: number, errorCode: number | undefined): boolean {
  return status === 500 && errorCode !== undefined && errorCode >= 4000 && errorCode <= 4003;
}

const mfaSendErrors = {
  1003: 'This number is on the do-not-call list, so we can’t send it a code.',
  1006: 'This number is invalid. Check it and try again.',
  1007: 'This kind of number is not supported. Use a mobile number.',
  1008: 'This number is blocked, so we can’t send it a code.',
  1009: 'This number is not textable. Use a number that can receive texts.',
  1010: 'You have reached the maximum number of codes. Please try again later.',
} as const;

const mfaVerifyErrors = { 1012: 'The code is incorrect. Check it and try again.' } as const;

export function mfaMessage(errorCode: number | undefined): string {
  const messages: Readonly<Record<number, string>> = { ...mfaSendErrors, ...mfaVerifyErrors };
  return messages[errorCode ?? 0] ?? 'There was an error verifying your phone number.';
}

/**
 * Reasons why a repeating broadcast failed to go out. The specification leaves open which of two messages belongs to
 * 2003 and which to 101; here 101 is the unexpected failure.
 */
const repeatingFailures = {
  4100: 'This broadcast did not go out because your account did not have enough credits.',
  2003: 'This broadcast did not go out because the user who created it no longer has access to its text number, is disabled, or your plan no longer supports repeating broadcasts.',
  101: 'This broadcast did not go out because of an unexpected failure. Our technical staff has been notified.',
  102: 'This broadcast was due when your data was restored from a backup. It may have gone out before, so it was not sent again.',
} as const;

/** Ours: left out after a restore. */
export const restoredFailure = 102;

export function repeatingFailureMessage(errorCode: number): string {
  const messages: Readonly<Record<number, string>> = repeatingFailures;
  return messages[errorCode] ?? repeatingFailures[101];
}

const localNumberErrors = {
  InvalidAreaCode: 'This area code is not valid. Enter another one.',
  NotAuthorizedForLocalNumber: 'You are not authorized to get a local number. Please ask your account owner.',
  NoAvailableLocalNumbers: 'There are no numbers available in this area code. Enter another one.',
  General:
    'We could not get a number in this area code, so you were assigned a number in a different area code.',
} as const;

export function localNumberMessage(error: string): string {
  return Object.hasOwn(localNumberErrors, error)
    ? localNumberErrors[error as keyof typeof localNumberErrors]
    : localNumberErrors.General;
}

const unverified = "We weren't able to verify your billing address.";

const salesTaxErrors = {
  MalformedRequest: unverified,
  ZipNotFound: `${unverified} ZIP Code not found in State.`,
  CityNotFound: `${unverified} City not found in State.`,
  Invalid: 'Address is not valid. Please correct your billing address',
  Incomplete: 'We only have a partial billing address on file. Please enter your full billing address below.',
  ServiceFailure: 'Cannot calculate sales tax at this time.',
} as const;
export type SalesTaxError = keyof typeof salesTaxErrors;

/** The form's title while there is a tax error. */
export const salesTaxErrorTitle = 'Invalid Address';

/** The incomplete address isn't mentioned when a masked card is on file. */
export function salesTaxMessage(
  error: SalesTaxError,
  { hasMaskedCard }: { hasMaskedCard: boolean },
): string | undefined {
  return error === 'Incomplete' && hasMaskedCard ? undefined : salesTaxErrors[error];
}

const purchaseCardMessage =
  'There was a problem with your card. In most cases, this means you are using a P card that has new or existing purchase restrictions. Please try a different card or contact the cardholder.';

/** The message of a payment error; for other codes it is the processor's own. */
export function cardErrorMessage(message: string): string {
  return message.includes('03 Invalid Merchant ID') ? purchaseCardMessage : message;
}

/** Reasons why an account may not ask for registration. */
export const registrationDisallowedMessages: Readonly<Record<RegistrationDisallowedReason, string>> = {
  USER_NOT_AUTHORIZED: 'Only an account owner can register to send texts. Please ask your account owner.',
  HAS_REGISTERED_NUMBER: 'Your account already has a registered text number.',
  IN_REGISTRATION_GROUP: 'Your account is registered together with a larger organization.',
  NOT_PAYING_CUSTOMER: 'Registration is for paying accounts. Upgrade your account to register.',
};
