/**
 * Trying two texts: each goes to a share of the people first, and after some hours the one that got more replies or
 * clicks goes to the rest. Ours: the specification has nothing like it.
 */

/** Percent of the people who get each of the two texts first. */
export const secondTextShares = [5, 10, 15, 20, 25] as const;
export type SecondTextShare = (typeof secondTextShares)[number];

/** Choices of hours to wait for replies after the last text of the first part. */
export const secondTextHours = [1, 2, 4, 8, 24] as const;
export type SecondTextHours = (typeof secondTextHours)[number];

export const decidingAnswers = ['Replies', 'Clicks'] as const;
export type DecidingAnswer = (typeof decidingAnswers)[number];

/** With fewer people for each text, the result would be chance. */
const fewestTried = 10;

export const secondTextMessages = {
  same: 'Both texts are the same. Change one of them.',
  fewPeople: `Each text needs at least ${fewestTried} people. Add people, or choose a larger share.`,
  noLinks: 'Clicks can decide only if both texts contain a link and short links are on.',
  repeating: 'A broadcast that repeats can’t try two texts.',
  calls: 'Only a broadcast of texts can try two texts.',
} as const;

/** Number of people who get each text first. */
export function triedCount(people: number, share: number): number {
  return Math.floor((people * share) / 100);
}

/** Everything that decides whether two texts can be tried, in addition to the rules for any text. */
export interface TriedTexts {
  first: string;
  second: string;
  share: number;
  decideBy: DecidingAnswer;
  /** True for each text that contains a link that would be shortened. */
  hasLinks: boolean;
  people: number;
  isRepeating: boolean;
  placesCalls: boolean;
}

/** Reason why two texts can't be tried, or undefined. */
export function secondTextProblem(tried: TriedTexts): string | undefined {
  if (tried.placesCalls) return secondTextMessages.calls;
  if (tried.isRepeating) return secondTextMessages.repeating;
  if (tried.first.trim() === tried.second.trim()) return secondTextMessages.same;
  if (tried.decideBy === 'Clicks' && !tried.hasLinks) return secondTextMessages.noLinks;
  if (triedCount(tried.people, tried.share) < fewestTried) return secondTextMessages.fewPeople;
  return undefined;
}
