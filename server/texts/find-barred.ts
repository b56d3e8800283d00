import { sql } from 'kysely';
import { accessDenied } from '../../contract/errors.ts';
import { messagesPerDayOf } from '../../contract/reference/messaging-limits.ts';
import { cannotSendMessage } from '../../contract/states/account-status.ts';
import { recipientProblemMessages } from '../../contract/states/recipient-problem.ts';
import { localDay } from '../../contract/time/local-day.ts';
import { nowMs } from '../clock.ts';
import type { Trx } from '../db.ts';

/**
 * Limits on an account's texts, from any source: none while it is suspended, canceled, lapsed or closed; in a free
 * trial only to verified numbers; no more per day than the carriers' limit. createTexts checks it for every text
 * outside of broadcasts; other code calls it to know in advance.
 */
export interface AccountRules {
  statusId: number;
  subscriptionEndAt: Date | null;
  isFreeTrial: boolean;
  accountFeatures: string[];
  messagesPerDay: number | null;
  isRegistered: boolean;
  accountZone: string;
  sentByDay: Record<string, number>;
}

/** Columns to select from `accounts`. */
export const accountRules = [
  'accounts.status_id as statusId',
  'accounts.subscription_end_at as subscriptionEndAt',
  'accounts.is_free_trial as isFreeTrial',
  'accounts.features as accountFeatures',
  'accounts.messages_per_day as messagesPerDay',
  sql<boolean>`exists (
    select from text_numbers r
    where r.account_id = accounts.account_id and r.registration_status = 'Registered' and r.released_at is null
  )`.as('isRegistered'),
  'accounts.time_zone as accountZone',
  // All dates that are today in some zone; the runtime's zone data decides which one is the account's.
  sql<Record<string, number>>`coalesce((
    select json_object_agg(d.day, d.used) from (
      select day, sum(greatest(credits, sent))::float8 as used from daily_texts
      where account_id = accounts.account_id and day >= current_date - 1 group by day) d
  ), '{}')`.as('sentByDay'),
] as const;

/** Reason why the account can't text anybody at the moment; undefined when it can. */
export function accountBar(rules: AccountRules, userFeatures: readonly string[] = []): string | undefined {
  const { isFreeTrial, accountFeatures, messagesPerDay, isRegistered } = rules;
  const blocked = cannotSendMessage(
    {
      AccountStatusID: rules.statusId,
      SubscriptionEndDate: rules.subscriptionEndAt?.toISOString() ?? null,
    },
    nowMs(),
  );
  if (blocked !== undefined) return blocked;
  if (isFreeTrial && [...accountFeatures, ...userFeatures].includes('FreeTrialABTestNoText')) {
    return accessDenied;
  }
  const limit = messagesPerDayOf({ messagesPerDay, isRegistered });
  const sentToday = rules.sentByDay[localDay(nowMs(), rules.accountZone)] ?? 0;
  return sentToday < limit ? undefined : dayIsFull(limit);
}

function dayIsFull(limit: number): string {
  return `Carriers take ${limit.toLocaleString('en-US')} texts a day from you, and that many were sent today. Try again tomorrow.`;
}

export const notVerified = recipientProblemMessages.not_verified;

/** Texts among these that may not be sent, with the reasons. Across accounts. */
export async function findBarred<Text extends { accountId: number; phone: string }>(
  trx: Trx,
  texts: Text[],
): Promise<Map<Text, string>> {
  const accountIds = [...new Set(texts.map(({ accountId }) => accountId))];
  const rows = await trx
    .selectFrom('accounts')
    .select('accounts.account_id as accountId')
    .select(accountRules)
    .where('accounts.account_id', 'in', accountIds.concat(-1))
    .execute();
  const bars = new Map(rows.map((row) => [row.accountId, accountBar(row)]));
  const trials = new Set(rows.filter(({ isFreeTrial }) => isFreeTrial).map(({ accountId }) => accountId));
  const verified = await findVerified(
    trx,
    texts.filter(({ accountId }) => trials.has(accountId)),
  );
  const barred = new Map<Text, string>();
  for (const text of texts) {
    const { accountId, phone } = text;
    const isUnverified = trials.has(accountId) && !verified.has(`${accountId} ${phone}`);
    const bar = bars.get(accountId) ?? (isUnverified ? notVerified : undefined);
    if (bar !== undefined) barred.set(text, bar);
  }
  return barred;
}

async function findVerified(trx: Trx, texts: { accountId: number; phone: string }[]): Promise<Set<string>> {
  if (texts.length === 0) return new Set();
  const { rows } = await sql<{ accountId: number; phone: string }>`
    select v.account_id as "accountId", v.phone from verified_phones v
    join (select distinct * from unnest(
      ${texts.map((text) => text.accountId)}::bigint[], ${texts.map((text) => text.phone)}::text[])
      as t(account_id, phone)) t on t.account_id = v.account_id and t.phone = v.phone`.execute(trx);
  return new Set(rows.map(({ accountId, phone }) => `${accountId} ${phone}`));
}
