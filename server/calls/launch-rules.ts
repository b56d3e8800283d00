import type { CallStep } from '../outside/calls.ts';

/** Wrong answers allowed at one place in one call. */
export const mostTries = 3;
/** This many wrong PINs in a row lock a phone launch ID; each further one doubles the pause. */
const failuresToLock = 5;
const firstLockMinutes = 15;
const longestLockMinutes = 24 * 60;
/**
 * Wrong PINs per hour, over all phone launch IDs of an organization: after that no more tries are accepted.
 */
export const mostFailuresAnHour = 30;
/** Most times that a caller hears that their broadcast is being prepared: for about a minute and a half. */
export const mostWaits = 30;
const waitSeconds = 3;
const recordSeconds = 120;

/** Our own words: the specification has none for inbound calls. Translated in server/languages/. */
export const launchWords = {
  notHere: 'This number does not take calls. Goodbye.',
  welcome: (organization: string) =>
    `You have reached ${organization}. To start a broadcast, enter your phone launch ID, then press the pound key.`,
  pin: 'Enter your PIN, then press the pound key.',
  wrong: 'That phone launch ID and PIN do not match.',
  tooMany: 'Too many wrong tries. Please try again later. Goodbye.',
  menu: (broadcast: string) =>
    `To start a broadcast, press 1. To record the message for ${broadcast}, press 2.`,
  list: 'Enter the list ID of the group you want to call, then press the pound key.',
  noList: 'There is no group with that list ID.',
  chosen: (group: string) => `${group}. To call this group, press 1. To choose another group, press 2.`,
  record: 'Record your message after the beep. When you are done, press the pound key.',
  tooShort: 'We did not hear anything.',
  played: 'Here is your message.',
  keep: 'To use it, press 1. To record it again, press 2.',
  moment: 'One moment, please.',
  slow: 'This takes longer than usual. Your broadcast was not sent. You will find it among your drafts. Goodbye.',
  confirm: (people: number, group: string, credits: number) => {
    const called = people === 1 ? '1 person' : `${people} people`;
    const cost = credits === 1 ? '1 credit' : `${credits} credits`;
    return credits === 0
      ? `Your broadcast will call ${called} in ${group}. To start it now, press 1. To cancel, press 2.`
      : `Your broadcast will call ${called} in ${group} and use up to ${cost}. To start it now, press 1. To cancel, press 2.`;
  },
  refused: (reason: string) =>
    `Your broadcast was not sent. ${reason} You will find it among your drafts. Goodbye.`,
  failed: (reason: string) => `Your message could not be used. ${reason} Goodbye.`,
  notUsed: 'Your message could not be used. Goodbye.',
  launched: 'Your broadcast has started. Goodbye.',
  canceled: 'Your broadcast was not sent. You will find it among your drafts. Goodbye.',
  saved: 'Your message has been saved. Goodbye.',
  goodbye: 'Goodbye.',
} as const;

const say = (text: string): CallStep => ({ do: 'say', text });

export const end = (...words: string[]): CallStep[] => [...words.map(say), { do: 'hangUp' }];

/** Plays a prompt and reads keys until the pound key. */
export const askDigits = (next: string, most: number, ...words: string[]): CallStep[] => [
  { do: 'ask', first: words.map(say), mostKeys: most, waitSeconds: 10, next, endKey: '#' },
];

export const askKey = (next: string, ...words: string[]): CallStep[] => [
  { do: 'ask', first: words.map(say), mostKeys: 1, waitSeconds: 10, next },
];

export const askRecording = (...before: string[]): CallStep[] => [
  ...before.map(say),
  say(launchWords.record),
  { do: 'record', mostSeconds: recordSeconds, next: 'recorded' },
];

export const playBack = (url: string): CallStep[] => [
  {
    do: 'ask',
    first: [say(launchWords.played), { do: 'play', url }, say(launchWords.keep)],
    mostKeys: 1,
    waitSeconds: 10,
    next: 'kept',
  },
];

export const waitMore = (...words: string[]): CallStep[] => [
  ...words.map(say),
  { do: 'pause', seconds: waitSeconds },
  { do: 'go', next: 'wait' },
];

/** Minutes in which nothing is accepted after this many wrong PINs in a row; 0 for no lock. */
export function lockMinutes(failures: number): number {
  if (failures < failuresToLock) return 0;
  return Math.min(longestLockMinutes, firstLockMinutes * 2 ** (failures - failuresToLock));
}

export interface LaunchKey {
  accountId: number;
  launchCallId: number;
  nonce: number;
}

export function writeLaunchKey({ accountId, launchCallId, nonce }: LaunchKey): string {
  return `l${accountId}-${launchCallId}-${nonce}`;
}

export function readLaunchKey(text: string): LaunchKey | undefined {
  const found = /^l(\d{1,15})-(\d{1,15})-(\d{1,10})$/.exec(text);
  if (found === null) return undefined;
  const [accountId = 0, launchCallId = 0, nonce = 0] = found.slice(1).map(Number);
  return { accountId, launchCallId, nonce };
}
