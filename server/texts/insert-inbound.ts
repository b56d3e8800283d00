import { sql } from 'kysely';
import type { InboundWord } from '../../contract/text/inbound-word.ts';
import type { Trx } from '../db.ts';
import { prepared } from '../prepared.ts';
import { countDays } from './count-days.ts';
import { queueWords } from './queue-words.ts';

export interface StoredText {
  inbound_id: number;
  inbound_key: string;
  aggregator_id: number;
  from_phone: string;
  to_phone: string;
  body: string;
  media: { contentType: string; url: string }[];
  occurred_at: Date;
}

/** A stored text with its account and number. */
export interface ArrivedText extends StoredText {
  accountId: number;
  textNumberId: number;
  phone: string;
  at: Date;
  /** The account's. */
  zone: string;
  word: InboundWord | undefined;
  /** Its sender is a text number of this installation. */
  isFromUs: boolean;
}

export interface FreshText {
  messageId: number;
  /** The broadcast that it replies to. Words that Muster answers itself (STOP, HELP …) reply to none. */
  broadcastId: number | null;
}

/** Most days, and most texts in between, for which an inbound text counts as a reply to the broadcast before it. */
export const broadcastDays = 14;
export const broadcastTexts = 200;

/** Inserts texts into the ledger, with the broadcast that each replies to. Returns only the new ones. */
export async function insertInbound<Text extends ArrivedText>(
  trx: Trx,
  arrived: Text[],
): Promise<(Text & FreshText)[]> {
  if (arrived.length === 0) return [];
  const column = <T>(pick: (text: Text) => T) => arrived.map(pick);
  const { rows } = await sql<{ inbound_key: string; message_id: number; broadcast_id: number | null }>`
    ${prepared} with made as (
      insert into messages
        (account_id, text_number_id, phone, is_inbound, status, status_at, origin, body, segments, inbound_key, created_at, broadcast_id)
      select t.account_id, t.text_number_id, t.phone, true, 'received', t.at, 'inbound', t.body, 1, t.key, t.at, b.broadcast_id
      from unnest(
        ${column((t) => t.accountId)}::bigint[], ${column((t) => t.textNumberId)}::bigint[], ${column((t) => t.phone)}::text[],
        ${column((t) => t.body)}::text[], ${column((t) => t.inbound_key)}::text[], ${column((t) => t.at)}::timestamptz[],
        ${column((t) => t.word !== undefined)}::boolean[]
      ) with ordinality as t(account_id, text_number_id, phone, body, key, at, is_word, place)
      left join lateral (
        select lately.broadcast_id from (
          select m.broadcast_id, m.is_inbound, m.status, m.created_at, m.message_id from messages m
          where m.account_id = t.account_id and m.text_number_id = t.text_number_id and m.phone = t.phone
            and m.created_at <= t.at and m.created_at > t.at - ${broadcastDays} * interval '1 day'
          order by m.created_at desc, m.message_id desc limit ${broadcastTexts}) lately
        where not t.is_word and not lately.is_inbound and lately.broadcast_id is not null
          and lately.status not in ('opted_out', 'canceled')
        order by lately.created_at desc, lately.message_id desc limit 1
      ) b on true
      order by t.place
      on conflict (account_id, inbound_key) where inbound_key is not null do nothing
      returning account_id, message_id, origin, body, inbound_key, broadcast_id
    ),
    ${queueWords}
    select inbound_key, message_id, broadcast_id from made cross join queued`.execute(trx);
  const made = new Map(rows.map((row) => [row.inbound_key, row]));
  return arrived.flatMap((text) => {
    const row = made.get(text.inbound_key);
    return row === undefined ? [] : [{ ...text, messageId: row.message_id, broadcastId: row.broadcast_id }];
  });
}

/** The day's count of inbound texts. */
export async function countReceived(trx: Trx, fresh: ArrivedText[]): Promise<void> {
  await countDays(
    trx,
    fresh.map(({ accountId, zone, at, textNumberId }) => ({
      ...{ accountId, zone, textNumberId, atMs: at.getTime(), received: 1 },
    })),
  );
}
