import { type RawBuilder, sql } from 'kysely';
import { shortenLinks } from '../../../contract/text/short-links.ts';

/** Place of a text: 1 the broadcast's own, 2 the other. */
export type TextPlace = 1 | 2;

/**
 * A recipient's position among a hundred, 0 to 99. Multiplying by 61 spreads neighbors evenly over the list,
 * so each text goes to its share of every group, and of any hundred in a row to exactly that many.
 */
const spread: RawBuilder<unknown> = sql`(r.recipient_id * 61) % 100`;

/** Condition on recipients `r`: those who get this text first. */
export function isTriedOn(place: TextPlace, share: number): RawBuilder<unknown> {
  return place === 1 ? sql`${spread} < ${share}` : sql`${spread} >= ${share} and ${spread} < ${share * 2}`;
}

/** The figures of a text when one of the two is chosen. */
export interface TriedFigures {
  /** Texts that went out. */
  sent: number;
  /** People who replied, or who opened a link. */
  people: number;
}

export interface Decision {
  winner: TextPlace;
  reason: 'more' | 'tie' | 'nobody';
}

/** The text with the larger share of replies. The first one if both have the same, or nobody replied. */
export function decideText(first: TriedFigures, second: TriedFigures): Decision {
  if (first.people === 0 && second.people === 0) return { winner: 1, reason: 'nobody' };
  const rate = ({ sent, people }: TriedFigures) => people / Math.max(1, sent);
  const difference = rate(second) - rate(first);
  if (difference === 0) return { winner: 1, reason: 'tie' };
  return { winner: difference > 0 ? 2 : 1, reason: 'more' };
}

const count = (figure: number) => figure.toLocaleString('en-US');

interface Decided {
  winner: TextPlace;
  reason: Decision['reason'] | 'chosen';
  decideBy: 'replies' | 'clicks';
  first: TriedFigures;
  second: TriedFigures;
  /** The user who chose it; empty if nobody did. */
  by: string;
}

/** The decision and its reason, for people. */
export function describeDecision({ winner, reason, decideBy, first, second, by }: Decided): string {
  const name = winner === 1 ? 'first' : 'second';
  const verb = decideBy === 'replies' ? 'replied' : 'opened a link';
  if (reason === 'chosen') return `${by || 'Somebody'} chose the ${name} text.`;
  if (reason === 'nobody') return `Nobody ${verb}, so everyone else gets the first text.`;
  const figures = (one: TriedFigures) => `${count(one.people)} of ${count(one.sent)}`;
  if (reason === 'tie') {
    return `Both texts did equally well (${figures(first)} and ${figures(second)} people ${verb}), so everyone else gets the first text.`;
  }
  const [better, other] = winner === 1 ? [first, second] : [second, first];
  return `The ${name} text did better: ${figures(better)} people ${verb}, compared with ${figures(other)} for the other text.`;
}

/**
 * Two texts with placeholders for their short links. The numbers of the second continue after those of the
 * first.
 */
export function shortenBoth(first: string, second: string, base: string | null) {
  if (base === null) return { first, second, links: [] };
  // A separator line that no text can contain.
  const between = '\n\u0000\n';
  const { text, links } = shortenLinks(first + between + second, base);
  const [shortFirst = first, shortSecond = second] = text.split(between);
  return { first: shortFirst, second: shortSecond, links };
}
