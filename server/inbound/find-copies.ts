import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import type { ArrivedText } from '../texts/insert-inbound.ts';

/** The maximum time between two carriers' copies of one text. */
const copySeconds = 60;

/**
 * Texts that another carrier also delivered: a number that two carriers know may be connected to both,
 * whichever of them it has here. The same words twice from one carrier are two texts; so are pictures,
 * because a duplicate picture is better than a lost one.
 */
export async function findCopies(trx: Trx, arrived: ArrivedText[]): Promise<Set<number>> {
  const asked = arrived.filter(({ media }) => media.length === 0);
  if (asked.length === 0) return new Set();
  // Another worker may apply the other carrier's copy at this moment.
  const threads = [...new Set(asked.map((text) => `copies ${text.textNumberId} ${text.phone}`))].sort();
  await sql`
    select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${threads}::text[]) with ordinality as t(name, place) order by place`.execute(trx);
  const column = <T>(pick: (text: ArrivedText) => T) => asked.map(pick);
  const { rows } = await sql<{ inboundId: number }>`
    select t.inbound_id as "inboundId"
    from unnest(
      ${column((t) => t.inbound_id)}::bigint[], ${column((t) => t.accountId)}::bigint[],
      ${column((t) => t.textNumberId)}::bigint[], ${column((t) => t.phone)}::text[], ${column((t) => t.body)}::text[],
      ${column((t) => t.inbound_key)}::text[], ${column((t) => t.at)}::timestamptz[]
    ) as t(inbound_id, account_id, text_number_id, phone, body, key, at)
    where exists (
      select from messages m
      where m.account_id = t.account_id and m.text_number_id = t.text_number_id and m.phone = t.phone
        and m.created_at between t.at - ${copySeconds} * interval '1 second' and t.at + ${copySeconds} * interval '1 second'
        and m.is_inbound and m.body = t.body and split_part(m.inbound_key, ':', 1) <> split_part(t.key, ':', 1))`.execute(
    trx,
  );
  const copies = new Set(rows.map(({ inboundId }) => inboundId));
  // Both may be in the same batch: the first one stays.
  for (const [index, text] of asked.entries()) {
    const isCopy = asked
      .slice(0, index)
      .some((other) => !copies.has(other.inbound_id) && isSame(other, text) && isNear(other, text));
    if (isCopy) copies.add(text.inbound_id);
  }
  return copies;
}

const isSame = (one: ArrivedText, other: ArrivedText) =>
  one.aggregator_id !== other.aggregator_id &&
  one.textNumberId === other.textNumberId &&
  one.phone === other.phone &&
  one.body === other.body;

const isNear = (one: ArrivedText, other: ArrivedText) =>
  Math.abs(one.at.getTime() - other.at.getTime()) <= copySeconds * 1000;
