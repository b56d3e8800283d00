import { type RawBuilder, sql } from 'kysely';
import type { InboundWord } from '../../contract/text/inbound-word.ts';
import { lettersOf } from '../../contract/text/letters-of.ts';
import { nowMs } from '../clock.ts';
import { showAnswers } from '../conversations/texts/show-answers.ts';
import type { Trx } from '../db.ts';
import { createTexts } from '../texts/create-texts.ts';
import { findBarred } from '../texts/find-barred.ts';
import { findAnsweringNumbers, findKeywords } from './queries.ts';
import {
  type AnswerKind,
  answersWindowMs,
  canText,
  type MatchedKeyword,
  mostAnswers,
  mostLateMs,
  type PlannedAnswer,
  pausesMs,
  planAnswer,
  priceOf,
} from './rules.ts';

/** No keyword is longer, including extra spaces. */
const longestWord = 100;

export interface AskingText {
  accountId: number;
  textNumberId: number;
  /** The carrier that delivered it. */
  aggregator_id: number;
  phone: string;
  body: string;
  at: Date;
  word: InboundWord | undefined;
  /** From a text number of this installation: two that answer each other would never end. */
  isFromUs: boolean;
}

/** The planned automatic reply, with its price; answerTexts decides whether it is sent. */
export type Answer = PlannedAnswer & { aggregatorId: number; segments: number; credits: number };

export interface Plan {
  answer: Answer | undefined;
  keyword: MatchedKeyword | undefined;
}

/** Each text with the reply it requests: two statements whatever their number. Writes nothing. */
export async function planAnswers<Text extends AskingText>(
  trx: Trx,
  texts: Text[],
  now: Date,
): Promise<(Text & Plan)[]> {
  const numbers = await findAnsweringNumbers(trx, [...new Set(texts.map((text) => text.textNumberId))]);
  const keywords = await keywordsOf(trx, texts);
  return texts.map((text) => {
    const number = numbers.get(text.textNumberId);
    const keyword = keywords.get(text);
    if (number === undefined || text.isFromUs) return { ...text, answer: undefined, keyword: undefined };
    const isLate = now.getTime() - text.at.getTime() > mostLateMs;
    const planned = isLate || !canText(number, now) ? undefined : planAnswer(text, number, keyword);
    if (planned === undefined) return { ...text, answer: undefined, keyword };
    const price = priceOf(planned.body, number);
    return { ...text, answer: { ...planned, ...price, aggregatorId: number.aggregator_id }, keyword };
  });
}

async function keywordsOf(trx: Trx, texts: AskingText[]): Promise<Map<AskingText, MatchedKeyword>> {
  const asking = texts.flatMap((text) => {
    const { accountId, textNumberId } = text;
    const word = text.word === undefined && text.body.length <= longestWord ? lettersOf(text.body) : '';
    return word === '' ? [] : [{ accountId, textNumberId, word, text }];
  });
  const found = await findKeywords(trx, asking);
  return new Map(found.map(({ asked, keyword }) => [asked.text, keyword]));
}

export type AnsweredText = AskingText & { conversationId: number; answer: Answer };

/**
 * Answers those of these texts that haven't been answered yet, once: a reply claimed in reply_stamps is
 * written into the ledger and the outbox in the same transaction. `available` are the credits of the
 * accounts, whose rows the caller has locked. Returns how many were answered, by account.
 */
export async function answerTexts(
  trx: Trx,
  texts: AnsweredText[],
  available: Map<number, number>,
): Promise<Map<number, number>> {
  // A carrier's clock that is ahead of ours must not lengthen the pause.
  const latestMs = nowMs();
  const asking = texts.map((text) => ({ ...text, at: new Date(Math.min(text.at.getTime(), latestMs)) }));
  const allowed = await withoutBarred(trx, asking);
  const claimed = await claimAnswers(trx, affordable(allowed, available));
  if (claimed.length === 0) return new Map();
  const created = await createTexts(
    trx,
    claimed.map(({ accountId, conversationId: askedIn, textNumberId, phone, answer }) => ({
      accountId,
      askedIn,
      textNumberId,
      phone,
      aggregatorId: answer.aggregatorId,
      body: answer.body,
      segments: answer.segments,
      credits: answer.credits,
      origin: 'automatic',
      userId: null,
      ignoresOptOut: answer.kind === 'stop',
    })),
    // Changes since the replies were found allowed and affordable must not prevent inbound texts from being
    // received.
    { whenShort: 'skip', note: 'Automatic answers' },
  );
  await showAnswers(
    trx,
    created.map(({ askedIn, ...text }) => ({ ...text, conversationId: askedIn })),
  );
  const counts = new Map<number, number>();
  for (const { accountId } of created) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return counts;
}

/**
 * Those that the account may send, by the rules of every text. STOP is confirmed nevertheless, for free: a
 * person who opts out of an account that can't send, or of a trial, must also be told.
 */
async function withoutBarred(trx: Trx, texts: AnsweredText[]): Promise<AnsweredText[]> {
  if (texts.length === 0) return [];
  const barred = await findBarred(trx, texts);
  return texts.flatMap((text) => {
    if (!barred.has(text)) return [text];
    return text.answer.kind === 'stop' ? [{ ...text, answer: { ...text.answer, credits: 0 } }] : [];
  });
}

/**
 * As far as the credits suffice, in the order of the texts. Carriers require the confirmation of STOP, so it
 * is sent without credits.
 */
function affordable(texts: AnsweredText[], available: Map<number, number>): AnsweredText[] {
  const left = new Map(available);
  return texts.flatMap((text) => {
    const credits = (left.get(text.accountId) ?? 0) - text.answer.credits;
    if (text.answer.credits === 0 || credits >= 0) {
      left.set(text.accountId, credits);
      return [text];
    }
    return text.answer.kind === 'stop' ? [{ ...text, answer: { ...text.answer, credits: 0 } }] : [];
  });
}

/** Number of texts in a thread among which we look for a text of ours that comes back as theirs. */
const echoTexts = 20;

/** A text without a recent answer of this kind, and the number of answers in its conversation. */
type DueText = AnsweredText & { windowAt: Date | null; replies: number };

/**
 * Those of these texts that may be answered: there was no answer of this kind within the pause, the phone
 * hasn't opted out, and it isn't our own answer coming back.
 */
async function findDue(trx: Trx, texts: AnsweredText[]): Promise<DueText[]> {
  if (texts.length === 0) return [];
  const column = <T>(pick: (text: AnsweredText) => T) => texts.map(pick);
  const { rows } = await sql<{ place: number; window_at: Date | null; replies: number | null }>`
    -- Most texts arrive during the pause after an answer: nothing more is queried about those.
    with due as materialized (
      select w.*, a.window_at, a.replies
      from unnest(
        ${column((t) => t.accountId)}::bigint[], ${column((t) => t.conversationId)}::bigint[],
        ${column((t) => t.textNumberId)}::bigint[], ${column((t) => t.phone)}::text[], ${column((t) => t.body.trim())}::text[],
        ${column((t) => t.answer.kind)}::text[], ${column((t) => t.answer.sourceId)}::bigint[],
        ${column((t) => t.at)}::timestamptz[]
      ) with ordinality as w(account_id, conversation_id, text_number_id, phone, body, kind, source_id, at, place)
      left join reply_stamps s on s.account_id = w.account_id and s.conversation_id = w.conversation_id
        and s.kind = w.kind and s.source_id = w.source_id
      left join reply_stamps a on a.account_id = w.account_id and a.conversation_id = w.conversation_id
        and a.kind = 'any' and a.source_id = 0
      where s.replied_at is null or s.replied_at <= w.at - ${pauseOf(sql`w`)}
    )
    select d.place::integer, d.window_at, d.replies
    from due d
    left join phone_consents p on p.account_id = d.account_id and p.phone = d.phone
    -- The state after all texts of the batch: STOP and START in one get the answer to the last.
    where case d.kind when 'stop' then p.text_state = 'out'
        when 'unstop' then p.text_state = 'in' when 'join' then p.text_state = 'in'
        else p.text_state is distinct from 'out' end
      -- Without an earlier answer nothing can come back.
      and (d.kind = 'stop' or d.replies is null or not exists (
        select from (
          select m.origin, m.body from messages m
          where m.account_id = d.account_id and m.text_number_id = d.text_number_id and m.phone = d.phone
          order by m.created_at desc, m.message_id desc limit ${echoTexts}) lately
        where lately.origin = 'automatic' and btrim(lately.body) = d.body))
    order by d.at, d.place`.execute(trx);
  return rows.flatMap(({ place, window_at, replies }) => {
    const text = texts[place - 1];
    return text === undefined ? [] : [{ ...text, windowAt: window_at, replies: replies ?? 0 }];
  });
}

/** The pause after an answer, by the kind of the row. */
function pauseOf(row: RawBuilder<unknown>): RawBuilder<unknown> {
  const pauses = Object.entries(pausesMs).map(([kind, ms]) => sql`when ${kind} then ${ms}::bigint`);
  return sql`interval '1 millisecond' * case ${row}.kind ${sql.join(pauses, sql` `)} end`;
}

interface Stamp {
  accountId: number;
  conversationId: number;
  kind: AnswerKind | 'any';
  sourceId: number;
  at: Date;
  windowAt: Date;
  replies: number;
}

/**
 * The first of several texts with the same request, and per conversation at most as many as its window
 * allows.
 */
function chooseAnswers(due: DueText[]): { chosen: Map<string, AnsweredText>; stamps: Map<string, Stamp> } {
  const chosen = new Map<string, AnsweredText>();
  const stamps = new Map<string, Stamp>();
  for (const { windowAt, replies, ...text } of due) {
    const { accountId, conversationId, at } = text;
    const { kind, sourceId } = text.answer;
    const key = keyOf(conversationId, kind, sourceId);
    if (chosen.has(key)) continue;
    // STOP is confirmed in any case: the confirmation is the last answer.
    if (kind !== 'stop') {
      const anyKey = keyOf(conversationId, 'any', 0);
      const isOver = windowAt === null || windowAt.getTime() <= at.getTime() - answersWindowMs;
      const any = stamps.get(anyKey) ?? {
        ...{ accountId, conversationId, kind: 'any', sourceId: 0, at },
        windowAt: isOver ? at : windowAt,
        replies: isOver ? 0 : replies,
      };
      if (any.replies >= mostAnswers) continue;
      stamps.set(anyKey, { ...any, kind: 'any', at, replies: any.replies + 1 });
    }
    chosen.set(key, text);
    stamps.set(key, { accountId, conversationId, kind, sourceId, at, windowAt: at, replies: 1 });
  }
  return { chosen, stamps };
}

function keyOf(conversationId: number, kind: string, sourceId: number): string {
  return `${conversationId} ${kind} ${sourceId}`;
}

/**
 * Claims the right to answer: a text without a returned row isn't answered. This transaction has locked the
 * conversations' rows, so the earlier check is still valid, and two of these never run in one conversation at
 * once.
 */
async function claimAnswers(trx: Trx, texts: AnsweredText[]): Promise<AnsweredText[]> {
  const { chosen, stamps } = chooseAnswers(await findDue(trx, texts));
  if (chosen.size === 0) return [];
  const written = [...stamps.values()];
  const column = <T>(pick: (stamp: Stamp) => T) => written.map(pick);
  const { rows } = await sql<{ conversation_id: number; kind: string; source_id: number }>`
    insert into reply_stamps as s (account_id, conversation_id, kind, source_id, replied_at, window_at, replies)
    select * from unnest(
      ${column((w) => w.accountId)}::bigint[], ${column((w) => w.conversationId)}::bigint[], ${column((w) => w.kind)}::text[],
      ${column((w) => w.sourceId)}::bigint[], ${column((w) => w.at)}::timestamptz[], ${column((w) => w.windowAt)}::timestamptz[],
      ${column((w) => w.replies)}::integer[])
    order by 1, 2, 3, 4
    on conflict (account_id, conversation_id, kind, source_id) do update
    set replied_at = greatest(s.replied_at, excluded.replied_at), window_at = excluded.window_at, replies = excluded.replies
    where excluded.kind = 'any' or s.replied_at <= excluded.replied_at - ${pauseOf(sql`excluded`)}
    returning conversation_id, kind, source_id`.execute(trx);
  const claimed = new Set(rows.map((row) => keyOf(row.conversation_id, row.kind, row.source_id)));
  return [...chosen].flatMap(([key, text]) => (claimed.has(key) ? [text] : []));
}
