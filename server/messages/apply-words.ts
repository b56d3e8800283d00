import { sql } from 'kysely';
import { moveCredits, ofBroadcast } from '../billing/move-credits.ts';
import { type ConsentChange, recordConsents } from '../consents/record-consents.ts';
import type { Trx } from '../db.ts';
import { countSlices } from './count-slices.ts';
import type { ArrivedText, FreshText } from './insert-inbound.ts';

export interface HeardWords {
  /** Accounts whose phones' consent has changed. */
  accountIds: Set<number>;
  /** STOPs of phones that were out before: they were told then. */
  repeatedIds: Set<number>;
}

/**
 * STOP, UNSTOP and JOIN: consent with the text as its proof; what still waits for a phone that has stopped
 * isn't sent.
 */
export async function applyWords(trx: Trx, fresh: (ArrivedText & FreshText)[]): Promise<HeardWords> {
  const heard = fresh.filter(({ word }) => word === 'stop' || word === 'unstop' || word === 'join');
  const repeatedIds = await findRepeated(
    trx,
    heard.filter(({ word }) => word === 'stop'),
  );
  const changes: ConsentChange[] = heard.map((text) => ({
    accountId: text.accountId,
    phone: text.phone,
    state: text.word === 'stop' ? 'out' : 'in',
    at: text.at,
    source: 'inbound',
    messageId: text.messageId,
  }));
  await recordConsents(trx, changes);
  await takeBackWaiting(
    trx,
    changes.filter((change) => change.state === 'out'),
  );
  return { accountIds: new Set(changes.map((change) => change.accountId)), repeatedIds };
}

async function findRepeated(trx: Trx, stops: (ArrivedText & FreshText)[]): Promise<Set<number>> {
  if (stops.length === 0) return new Set();
  const { rows } = await sql<{ message_id: number }>`
    select t.message_id
    from unnest(
      ${stops.map((text) => text.accountId)}::bigint[], ${stops.map((text) => text.phone)}::text[],
      ${stops.map((text) => text.messageId)}::bigint[]) as t(account_id, phone, message_id)
    join phone_consents p on p.account_id = t.account_id and p.phone = t.phone and p.text_state = 'out'`.execute(
    trx,
  );
  return new Set(rows.map((row) => row.message_id));
}

/** What waits for a phone is among its latest texts. Should more wait, the claim leaves them out. */
const latestTexts = 100;

/**
 * Texts that wait for these phones. By their threads and not through the outbox, which may hold a broadcast to a million
 * others.
 */
async function findWaiting(trx: Trx, phones: { accountId: number; phone: string }[]) {
  const { rows } = await sql<{ account_id: number; message_id: number }>`
    select m.account_id, m.message_id
    from unnest(${phones.map((p) => p.accountId)}::bigint[], ${phones.map((p) => p.phone)}::text[]) as p(account_id, phone)
    join text_numbers n on n.account_id = p.account_id
    cross join lateral (
      select m.account_id, m.message_id, m.status from messages m
      where m.account_id = p.account_id and m.text_number_id = n.text_number_id and m.phone = p.phone
      order by m.created_at desc, m.message_id desc limit ${latestTexts}) m
    where m.status = 'waiting'`.execute(trx);
  return rows;
}

/** Texts that no worker holds to those of these phones that are out now leave the outbox as Opted Out, and their credits return. */
async function takeBackWaiting(trx: Trx, phones: { accountId: number; phone: string }[]): Promise<void> {
  const waiting = phones.length === 0 ? [] : await findWaiting(trx, phones);
  if (waiting.length === 0) return;
  const { rows } = await sql<{
    account_id: number;
    broadcast_id: number | null;
    credits: number;
    message_ids: number[];
  }>`
    with gone as (
      delete from outbox o
      where o.account_id = any(${[...new Set(waiting.map((text) => text.account_id))]}::bigint[])
        and o.message_id = any(${waiting.map((text) => text.message_id)}::bigint[])
        and o.lease_id is null and not o.in_doubt and not o.ignores_opt_out
        -- START may have come after STOP, in this batch or before a STOP that was late.
        and exists (select from phone_consents c
          where c.account_id = o.account_id and c.phone = o.phone and c.text_state = 'out')
      returning o.account_id, o.message_id
    ),
    moved as (
      update messages m set status = 'opted_out', status_at = now()
      from gone where m.account_id = gone.account_id and m.message_id = gone.message_id and m.status = 'waiting'
      returning m.account_id, m.message_id, m.broadcast_id, m.slice_id, old.status as old_status, new.status as new_status,
        0 as settled, m.credits as released
    ),
    counted as (${countSlices})
    select account_id, broadcast_id, sum(released)::int as credits, array_agg(message_id) as message_ids
    from moved group by account_id, broadcast_id order by account_id, broadcast_id`.execute(trx);
  await moveCredits(
    trx,
    rows.map((row) => ({
      accountId: row.account_id,
      kind: 'release',
      credits: row.credits,
      note: 'Opted out before it was sent',
      reference:
        row.broadcast_id === null ? { kind: 'text', ids: row.message_ids } : ofBroadcast(row.broadcast_id),
    })),
  );
}
