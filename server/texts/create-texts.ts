import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { textToSend } from '../../contract/text/normalize-text.ts';
import { countSegments, withSuffix } from '../../contract/text/segments.ts';
import { lockCredits } from '../billing/lock-credits.ts';
import { reserveCredits } from '../billing/reserve-credits.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { findBarred } from './find-barred.ts';
import { queueWords } from './queue-words.ts';

/** A text that is ready to be sent: the caller has made all checks. */
export interface ReadyText {
  accountId: number;
  textNumberId: number;
  aggregatorId: number;
  /** International digits without the plus. */
  phone: string;
  /** With the signature, if there is one. */
  body: string;
  mediaIds?: number[];
  segments: number;
  credits: number;
  origin: 'conversation' | 'automatic' | 'notification';
  /** Its writer; null if Muster wrote it. */
  userId: number | null;
  /** For the confirmation of an opt-out, which is sent to a person who has opted out. */
  ignoresOptOut?: boolean;
}

export interface CreatedText {
  messageId: number;
  createdAt: Date;
  /** Its conversation; undefined for texts without one. */
  conversationId: number | undefined;
}

/** The words and the cost of a text: in plain characters, unless it keeps its own. */
export function weighText(
  text: { message: string; suffix?: string; hasMedia: boolean; keepCharacters?: boolean | undefined },
  by: { international: boolean; takesCredits: boolean; flatRateStatus: string | null },
): { body: string; segments: number; credits: number } {
  const { hasMedia } = text;
  const message = textToSend(text.message, text);
  const suffix = textToSend(text.suffix ?? '', text);
  const counted = countSegments(message, { suffix, international: by.international, extraCredit: hasMedia });
  const segments = Math.max(1, counted.segments);
  const isFlatRate = by.flatRateStatus === 'Active' || by.flatRateStatus === 'CancelPending';
  return {
    body: withSuffix(message, suffix),
    segments,
    credits: by.takesCredits && !isFlatRate ? segments : 0,
  };
}

/**
 * Creates texts, any number and for any accounts, in a few statements: rows in the ledger and the outbox, the
 * conversations that show them, the credits reserved, and the send job, all in the caller's transaction.
 * Returns those that were created, each with its input.
 *
 * If the account may not send one (find-barred.ts), or without enough credits, all are refused. With
 * `whenShort: 'skip'` allowed ones are created in their order as far as its credits suffice, and nothing is
 * thrown.
 *
 * A conversation's row is locked before its account's, here and by inbound texts, to avoid deadlocks. With 'skip', the
 * caller must have locked the conversations' rows already.
 */
export async function createTexts<Text extends ReadyText>(
  trx: Trx,
  texts: Text[],
  options: {
    whenShort?: 'refuse' | 'skip';
    note?: string;
    /** Shows the texts in their conversations and returns the conversations' ids by the texts' ids. */
    showIn?: (texts: InsertedText[]) => Promise<Map<number, number>>;
  } = {},
): Promise<(Text & CreatedText)[]> {
  const { whenShort = 'refuse', note = 'Text in a conversation' } = options;
  const barred = await findBars(trx, texts);
  const [bar] = barred.values();
  if (whenShort === 'refuse' && bar !== undefined) throw new Refusal('forbidden', bar);
  const allowed = texts.filter((text) => !barred.has(text));
  const going = whenShort === 'refuse' ? allowed : await takeAffordable(trx, allowed);
  if (going.length === 0) return [];
  const rows = await insertTexts(trx, going);
  const conversations = await options.showIn?.(rows);
  await reserveCredits(trx, rows, note);
  await enqueue(trx, 'send_messages', {});
  return rows.map((row) => ({ ...row, conversationId: conversations?.get(row.messageId) }));
}

/** The confirmation of an opt-out is sent in any case: carriers require it, and it is free then. */
async function findBars(trx: Trx, texts: ReadyText[]): Promise<Map<ReadyText, string>> {
  const asking = texts.filter(({ ignoresOptOut = false }) => !ignoresOptOut);
  return asking.length === 0 ? new Map() : findBarred(trx, asking);
}

export type InsertedText = ReadyText & Inserted;
type Inserted = { messageId: number; createdAt: Date };

async function insertTexts<Text extends ReadyText>(trx: Trx, texts: Text[]): Promise<(Text & Inserted)[]> {
  const column = <T>(pick: (text: ReadyText) => T) => texts.map(pick);
  const { rows } = await sql<{ place: number; messageId: number; createdAt: Date }>`
    -- Numbered first, in the order of the texts: a row finds its text by that number.
    with numbered as materialized (
      select t.*, nextval('messages_message_id_seq') as message_id from (select * from unnest(
      ${column((t) => t.accountId)}::bigint[], ${column((t) => t.textNumberId)}::bigint[], ${column((t) => t.phone)}::text[],
      ${column((t) => t.origin)}::text[], ${column((t) => t.body)}::text[],
      ${column((t) => `{${(t.mediaIds ?? []).join()}}`)}::text[], ${column((t) => t.segments)}::smallint[],
      ${column((t) => t.credits)}::smallint[], ${column((t) => t.userId)}::bigint[]
      ) with ordinality as t(account_id, text_number_id, phone, origin, body, media_ids, segments, credits, user_id, place)
      order by place) t
    ),
    made as (
      insert into messages
        (account_id, message_id, text_number_id, phone, is_inbound, status, status_at, origin, body, media_ids, segments,
        credits, user_id)
      overriding system value
      select account_id, message_id, text_number_id, phone, false, 'waiting', now(), origin, body, media_ids::bigint[],
        segments, credits, user_id
      from numbered
      returning account_id, message_id, origin, body, created_at
    ),
    ${queueWords}
    select n.place, n.message_id as "messageId", m.created_at as "createdAt"
    from made m join numbered n on n.message_id = m.message_id cross join queued`.execute(trx);
  const byPlace = new Map(rows.map(({ place, ...row }) => [place, row]));
  const inserted = texts.map((text, index) => {
    const row = byPlace.get(index + 1);
    if (row === undefined) throw new Error('a text was not inserted');
    return { ...text, ...row };
  });
  const outgoing = <T>(pick: (text: Text & Inserted) => T) => inserted.map(pick);
  await sql`
    insert into outbox (account_id, message_id, text_number_id, aggregator_id, phone, ignores_opt_out)
    select * from unnest(
      ${outgoing((t) => t.accountId)}::bigint[], ${outgoing((t) => t.messageId)}::bigint[],
      ${outgoing((t) => t.textNumberId)}::bigint[], ${outgoing((t) => t.aggregatorId)}::smallint[],
      ${outgoing((t) => t.phone)}::text[], ${outgoing((t) => t.ignoresOptOut ?? false)}::boolean[])`.execute(
    trx,
  );
  return inserted;
}

/** Those that the accounts can pay for, first come first served. Locks the accounts' rows from here on. */
async function takeAffordable<Text extends ReadyText>(trx: Trx, texts: Text[]): Promise<Text[]> {
  const free = await lockCredits(
    trx,
    texts.filter((text) => text.credits > 0).map((text) => text.accountId),
  );
  return texts.filter(({ accountId, credits }) => {
    const left = (free.get(accountId) ?? 0) - credits;
    if (credits > 0 && left < 0) return false;
    free.set(accountId, left);
    return true;
  });
}
