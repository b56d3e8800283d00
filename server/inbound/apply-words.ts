import { sql } from 'kysely';
import { type ConsentChange, recordConsents } from '../consents/record-consents.ts';
import type { Trx } from '../db.ts';
import type { ArrivedText, FreshText } from '../texts/insert-inbound.ts';
import { withdrawForPhones } from '../texts/withdraw-for-phones.ts';

export interface HeardWords {
  /** Accounts whose phones' consent has changed. */
  accountIds: Set<number>;
  /** STOPs of phones that had opted out before: those were confirmed then. */
  repeatedIds: Set<number>;
}

/**
 * STOP, UNSTOP and JOIN change the consent, with the text as proof. Texts waiting for a phone that has opted
 * out are withdrawn.
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
  await withdrawForPhones(
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
