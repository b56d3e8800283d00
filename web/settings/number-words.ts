import type { Account } from '../../contract/accounts.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import {
  isRegisteredForTexting,
  registrationStatusShown,
} from '../../contract/states/registration-status.ts';
import { isBlockedByBilling } from '../../contract/states/unlimited-conversations.ts';
import { textNumberName } from '../ui/text-number-names.ts';

/** "Main office and Buses", "Main office and 3 more", "No text number". */
export function namesOf(ids: readonly number[], numbers: readonly TextNumber[]): string {
  const names = numbers.filter(({ TextNumberID }) => ids.includes(TextNumberID)).map(textNumberName);
  // Those of colleagues aren't in the list of somebody who may use only some.
  const others = ids.length - names.length;
  if (ids.length === 0) return 'No text number';
  if (names.length === 0) return others === 1 ? 'Another text number' : `${others} other text numbers`;
  if (ids.length === 2 && others === 0) return names.join(' and ');
  return ids.length === 1 ? (names[0] ?? '') : `${names[0]} and ${ids.length - 1} more`;
}

export const blockedSentence = "This text number is blocked. We're working to resolve this for you...";
export const unregisteredSentence = 'This text number has to be registered before it can send texts.';

export interface NumberState {
  word: string;
  kind: 'good' | 'waiting' | 'bad';
  /** Why it can't text, where it can't. */
  sentence?: string;
}

/** What is shown of a number: blocked before unregistered, since registering would not help it. */
export function numberState(
  number: TextNumber,
  account: Pick<Account, 'CountryID'>,
  nowMs: number,
): NumberState {
  if (number.IsBlocked || isBlockedByBilling(number, nowMs))
    return { word: 'Blocked', kind: 'bad', sentence: blockedSentence };
  const word = registrationStatusShown(number, account.CountryID);
  const isUsable = number.CanText && isRegisteredForTexting(number, account.CountryID);
  if (!isUsable)
    return { word, kind: word === 'Pending' ? 'waiting' : 'bad', sentence: unregisteredSentence };
  return { word: word === 'Registered' ? word : 'Ready', kind: 'good' };
}
