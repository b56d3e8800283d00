import { sql } from 'kysely';
import type { Event } from '../../../contract/events.ts';
import { recognizeSurveyAnswer, type SurveyAnswer } from '../../../contract/text/survey-answer.ts';
import { recordBroadcastReplies } from '../../conversations/texts/record-broadcast-replies.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import { prepared } from '../../prepared.ts';
import type { AskingText, Plan } from '../../replies/answer-texts.ts';
import { priceSurveyReplies } from '../../replies/price-survey-replies.ts';

/** An inbound text, in its conversation, with the broadcast that it answers. */
type ReceivedText = AskingText &
  Plan & { conversationId: number; messageId: number; broadcastId: number | null };

/**
 * Records texts that answer a broadcast: its recipient has replied, and in a survey has said Yes or No. Such
 * an answer gets the survey's own reply instead of a keyword's or the auto reply, once per recipient and
 * answer. Returns all texts, with the automatic reply that is now planned. A fixed number of statements.
 */
export async function recordReplies<Text extends ReceivedText>(
  trx: Trx,
  texts: Text[],
  now: Date,
): Promise<Text[]> {
  const replies = texts.filter(isReply);
  if (replies.length === 0) return texts;
  const surveys = await findSurveys(trx, replies);
  const answered = replies.map((reply) => ({ ...reply, answer: answerOf(reply, surveys) }));
  await recordBroadcastReplies(trx, answered);
  const changedIds = await markRecipients(trx, answered);
  await tellPages(trx, replies);
  return planSurveyReplies(trx, texts, { surveys, changedIds, now });
}

function isReply<Text extends ReceivedText>(text: Text): text is Text & { broadcastId: number } {
  return text.broadcastId !== null;
}

type Reply = ReceivedText & { broadcastId: number };

interface Survey {
  Yes: string;
  No: string;
}

/** The answered broadcasts that are text surveys, with their replies, by id. */
async function findSurveys(trx: Trx, replies: Reply[]): Promise<Map<number, Survey>> {
  const { rows } = await sql<Survey & { broadcast_id: number }>`
    ${prepared} select b.broadcast_id, b.yes_reply as "Yes", b.no_reply as "No"
    from broadcasts b
    join (
      select distinct account_id, broadcast_id from unnest(
        ${replies.map((reply) => reply.accountId)}::bigint[], ${replies.map((reply) => reply.broadcastId)}::bigint[]
      ) t(account_id, broadcast_id)) t on t.account_id = b.account_id and t.broadcast_id = b.broadcast_id
    where b.is_text_survey`.execute(trx);
  return new Map(rows.map((row) => [row.broadcast_id, row]));
}

function answerOf(text: ReceivedText, surveys: Map<number, Survey>): SurveyAnswer | undefined {
  return text.broadcastId !== null && surveys.has(text.broadcastId)
    ? recognizeSurveyAnswer(text.body)
    : undefined;
}

type AnsweredReply = Omit<Reply, 'answer'> & { answer: SurveyAnswer | undefined };

/**
 * Saves the first reply's time and text, and the latest answer to a survey. The conversations' rows are
 * locked, so two of these never change the same recipient at once. Returns the texts whose answer differs
 * from the previous one.
 */
async function markRecipients(trx: Trx, replies: AnsweredReply[]): Promise<Set<number>> {
  const column = <T>(pick: (reply: AnsweredReply) => T) => replies.map(pick);
  const { rows } = await sql<{ message_id: number | null }>`
    with replied as (
      select * from unnest(
        ${column((r) => r.accountId)}::bigint[], ${column((r) => r.broadcastId)}::bigint[], ${column((r) => r.phone)}::text[],
        ${column((r) => r.messageId)}::bigint[], ${column((r) => r.at)}::timestamptz[],
        ${column((r) => r.textNumberId)}::bigint[], ${column((r) => r.answer ?? null)}::text[]
      ) as t(account_id, broadcast_id, phone, message_id, at, text_number_id, answer)
    ),
    -- A row for each recipient: the first of the batch, and the last one that is an answer.
    firsts as (
      select distinct on (account_id, broadcast_id, phone) * from replied
      order by account_id, broadcast_id, phone, at, message_id
    ),
    answers as (
      select distinct on (account_id, broadcast_id, phone) * from replied where answer is not null
      order by account_id, broadcast_id, phone, at desc, message_id desc
    ),
    changed as (
      update broadcast_recipients r
      set replied_at = least(r.replied_at, f.at),
        reply_message_id = case when r.replied_at <= f.at then r.reply_message_id else f.message_id end,
        survey_answer = case
          when a.answer is null then r.survey_answer
          -- An answer that arrives late doesn't replace one that was written after it.
          when r.survey_answer is not null and exists (
            select from messages later
            where later.account_id = r.account_id and later.text_number_id = a.text_number_id and later.phone = r.phone
              and later.created_at > a.at and later.message_id < a.message_id
              and later.is_inbound and later.broadcast_id = r.broadcast_id)
          then r.survey_answer
          else a.answer end
      from firsts f left join answers a using (account_id, broadcast_id, phone)
      where r.account_id = f.account_id and r.broadcast_id = f.broadcast_id and r.phone = f.phone and r.problem is null
      returning case when new.survey_answer is distinct from old.survey_answer then a.message_id end as message_id
    )
    select message_id from changed where message_id is not null`.execute(trx);
  return new Set(rows.flatMap(({ message_id }) => message_id ?? []));
}

/** The automatic replies to a survey's answers, in place of those planned before. */
async function planSurveyReplies<Text extends ReceivedText>(
  trx: Trx,
  texts: Text[],
  { surveys, changedIds, now }: { surveys: Map<number, Survey>; changedIds: Set<number>; now: Date },
): Promise<Text[]> {
  const due = texts.flatMap((text) => {
    const answer = answerOf(text, surveys);
    const { broadcastId } = text;
    if (answer === undefined || broadcastId === null || !changedIds.has(text.messageId)) return [];
    return [{ ...text, broadcastId, surveyAnswer: answer, reply: surveys.get(broadcastId)?.[answer] ?? '' }];
  });
  const priced = await priceSurveyReplies(trx, due, now);
  const byText = new Map([...priced].map(([{ messageId }, answer]) => [messageId, answer]));
  // A survey answer that is also a keyword counts as a survey answer.
  return texts.map((text) =>
    answerOf(text, surveys) === undefined
      ? text
      : { ...text, answer: byText.get(text.messageId), keyword: undefined },
  );
}

async function tellPages(trx: Trx, replies: Reply[]): Promise<void> {
  for (const [accountId, ofAccount] of Map.groupBy(replies, (reply) => reply.accountId)) {
    const ids = new Set(ofAccount.map((reply) => reply.broadcastId));
    await notify(
      trx,
      accountId,
      [...ids].map((BroadcastID): Event => ({ type: 'broadcast.changed', BroadcastID })),
    );
  }
}
