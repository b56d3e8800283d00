import type { TextStatusCode } from './text-status.ts';

/**
 * The categories in which a broadcast counts its texts: the columns of a slice and, combined, the tabs of its
 * results.
 */
export const resultCategories = [
  'waiting',
  'sent',
  'delivered',
  'read',
  'failed',
  'invalid',
  'opted_out',
  'canceled',
] as const;
export type ResultCategory = (typeof resultCategories)[number];

/**
 * The category of each state. Invalid means that another text to the same phone would fare no better: the
 * phone can't get texts, or its carrier lets none through. Unknown counts as failed, because nobody can say
 * that the text arrived.
 */
const categories: Readonly<Record<TextStatusCode, ResultCategory>> = {
  waiting: 'waiting',
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  number_unavailable: 'invalid',
  blacklisted: 'invalid',
  opted_out: 'opted_out',
  canceled: 'canceled',
  carrier_limit_exceeded: 'failed',
  carrier_rejected: 'failed',
  handset_rejected: 'failed',
  spam_rejected: 'failed',
  disallowed_url: 'failed',
  unsupported_media: 'failed',
  phone_unreachable: 'failed',
  attempts_exceeded: 'failed',
  not_delivered: 'failed',
  unknown: 'failed',
};

export function resultCategory(status: TextStatusCode): ResultCategory {
  return categories[status];
}

/** The states that are counted as this. */
export function statusesOf(category: ResultCategory): TextStatusCode[] {
  return (Object.keys(categories) as TextStatusCode[]).filter((status) => categories[status] === category);
}
