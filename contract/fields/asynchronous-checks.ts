import { type BroadcastType, placesCalls, sendsTexts } from '../money/units.ts';
import { notInNorthAmerica, numberNotAllowed } from '../phone/phone-messages.ts';
import { isInternational, phoneHint } from '../reference/countries.ts';

/** The messages of checks that only the server can make, by the check that failed. */
export const asynchronousMessages = {
  phoneArea: notInNorthAmerica,
  phoneNotAllowed: numberNotAllowed,
  notTextable: 'This number is not a textable number.',
  notOptedIn: "This number hasn't opted-in to receiving texts.",
  optedOutOfTexts: 'This number has opted out of receiving texts.',
  optedOutOfCalls: 'This number has opted out of receiving voice calls.',
  alreadyInBroadcast: 'This number has already been added to your broadcast.',
  listIdTaken: 'This List ID is already being used',
  launchIdTaken: 'This phone launch ID is already taken.',
  launchIdOwn: 'This is already your existing phone launch ID.',
  userNameFailed: 'There was a problem validating this username.',
  emailFailed: 'There was a problem validating this email.',
  promoCode: 'This is not a valid promo code.',
  contactFailed: 'Unable to validate textable contact due to one or more errors.',
} as const;

/** GET /phonenumbers/{number}?include=all */
export interface PhoneLookup {
  OptedIn: boolean;
  OptedOut: boolean;
  IsTextable: boolean;
  IsValid: boolean;
  DoNotCall: boolean;
}

/**
 * First reason that applies why a number can't be texted or called; undefined when it can. Someone who opted out has
 * that as the reason even where texts would need an opt-in too.
 */
export function phoneLookupMessage(
  lookup: PhoneLookup,
  {
    channel,
    countryId,
    requireOptIn = false,
  }: { channel: 'text' | 'voice'; countryId: number; requireOptIn?: boolean },
): string | undefined {
  if (!lookup.IsValid)
    return isInternational(countryId) ? phoneHint(countryId) : asynchronousMessages.phoneArea;
  if (channel === 'voice') return lookup.DoNotCall ? asynchronousMessages.optedOutOfCalls : undefined;
  if (!lookup.IsTextable) return asynchronousMessages.notTextable;
  if (lookup.OptedOut) return asynchronousMessages.optedOutOfTexts;
  return requireOptIn && !lookup.OptedIn ? asynchronousMessages.notOptedIn : undefined;
}

/**
 * Reason why a broadcast of this type doesn't reach a number. One that texts and calls reaches it if either does;
 * if neither does, the reason is the one for the call, as in the list of recipients.
 */
export function broadcastLookupMessage(
  lookup: PhoneLookup,
  { type, ...rules }: { type: BroadcastType; countryId: number; requireOptIn: boolean },
): string | undefined {
  const isTexted =
    sendsTexts(type) && phoneLookupMessage(lookup, { channel: 'text', ...rules }) === undefined;
  if (isTexted) return undefined;
  return phoneLookupMessage(lookup, { channel: placesCalls(type) ? 'voice' : 'text', ...rules });
}

/** GET /ivrauthorization/{id}: 403 means the id is taken, 200 means the user already owns it. */
export function launchIdMessage(status: number): string | undefined {
  if (status === 403) return asynchronousMessages.launchIdTaken;
  return status === 200 ? asynchronousMessages.launchIdOwn : undefined;
}

/** POST validation/username, /email, /promocode: Success and, where the server has something to say, ErrorMessage. */
export function validationMessage(
  what: 'username' | 'email' | 'promocode',
  reply: { Success: boolean; ErrorMessage?: string | null },
): string | undefined {
  if (reply.Success) return undefined;
  if (reply.ErrorMessage) return reply.ErrorMessage;
  if (what === 'promocode') return asynchronousMessages.promoCode;
  return what === 'username' ? asynchronousMessages.userNameFailed : asynchronousMessages.emailFailed;
}
