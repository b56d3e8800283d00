import type { Account } from '../../../contract/accounts.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import { isTollFree } from '../../../contract/phone/toll-free.ts';
import {
  isRegisteredForTexting,
  registrationStatusShown,
} from '../../../contract/states/registration-status.ts';
import { isBlockedByBilling } from '../../../contract/states/unlimited-conversations.ts';
import { say } from '../../ui/say.ts';

export const blockedSentence = "This text number is blocked. We're working to resolve this for you...";
export const unregisteredSentence = 'This text number has to be registered before it can send texts.';

export interface NumberState {
  word: string;
  kind: 'good' | 'waiting' | 'bad';
  /** Reason why it can't text, where it can't. */
  sentence?: string;
}

const statusWords: Record<ReturnType<typeof registrationStatusShown>, string> = {
  'Not Registered': say('Not Registered', 'number'),
  'Registration Required': say('Registration Required', 'number'),
  Pending: say('Pending', 'number'),
  Registered: say('Registered', 'number'),
};

/** The state of a number as pages show it: blocked before unregistered, since registering would not help it. */
export function numberState(
  number: TextNumber,
  account: Pick<Account, 'CountryID' | 'IsFreeTrial'>,
  nowMs: number,
): NumberState {
  if (number.IsBlocked || isBlockedByBilling(number, nowMs))
    return { word: say('Blocked'), kind: 'bad', sentence: blockedSentence };
  const status = registrationStatusShown(number, account.CountryID);
  const word = statusWords[status];
  const isUnregistered = !isRegisteredForTexting(number, account.CountryID);
  const isUnregisteredTollFree = isTollFree(number.TextPhoneNumber) && status !== 'Registered';
  // It may text verified numbers, and nobody has to register it yet.
  if (account.IsFreeTrial && (isUnregistered || isUnregisteredTollFree) && number.CanText)
    return { word: 'Free trial', kind: 'good' };
  if (isUnregistered)
    return { word, kind: status === 'Pending' ? 'waiting' : 'bad', sentence: unregisteredSentence };
  if (!number.CanText) return { word: say('Blocked'), kind: 'bad', sentence: blockedSentence };
  // It texts meanwhile, within the limits of an unregistered one.
  if (isUnregisteredTollFree) return { word, kind: 'waiting' };
  return { word: status === 'Registered' ? word : say('Ready'), kind: 'good' };
}
