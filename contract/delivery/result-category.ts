import type { TextStatusCode } from './text-status.ts';

/** What a broadcast counts its texts by: the columns of a slice and, put together, the tabs of its results. */
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
 * Which state is counted as which. Invalid is what no other text to the same phone would change: it can't get texts, or
 * its carrier lets none through. Unknown counts as failed: nobody can say that it arrived.
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
