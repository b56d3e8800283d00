import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type {
  AnswerPreview,
  answerReplies as definition,
  previewAnswer as previewDefinition,
} from '../../../contract/reply-groups.ts';
import { hasPersonalizedFields, personalizedFieldError } from '../../../contract/text/personalized-fields.ts';
import { answerConversations, listStillOpen } from '../../conversations/change/answer-conversations.ts';
import type { Trx } from '../../db.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { beginDraft } from '../draft/create-draft.ts';
import { mergeDraft } from '../draft/merge-draft.ts';
import { readSending } from '../draft/read-sending.ts';
import { refuseBadText, sampleRecipients } from '../feed/quick-send.ts';
import { sendBroadcast } from '../feed/send-broadcast.ts';
import { answerName } from '../name-broadcast.ts';
import { getPreflight } from '../preflight/get-preflight.ts';
import { addRecipients } from '../recipients/add-recipients.ts';
import { requireBroadcast, type SeenBroadcast } from '../results/read-broadcast.ts';
import { type ReplyState, readReplyStates } from './queries.ts';
import { groupName } from './rules.ts';

type Answer = Input<typeof previewDefinition>['body'];

const allAnswered = 'These replies have been answered already.';
const answeredMeanwhile = 'Somebody has just answered some of these replies. Look at the group again.';

/**
 * Answers replies with one text, personalized for each, as a broadcast from the number that they wrote to:
 * the verbs of the wizard check and send it, so opt-outs, quiet hours, credits and the account's rules apply
 * as for any other. All in one transaction. This answers each reply only once: its mark is claimed here, and
 * a second user is refused.
 */
export async function answerReplies(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  await refuseBadText(trx, actor, body);
  const broadcast = await requireBroadcast(trx, actor, params.BroadcastID);
  const { open } = await findOpen(trx, broadcast, body.TextReplyIDs);
  if (open.length === 0) throw new Refusal('conflict', allAnswered);
  const name = answerName(groupName(body.GroupKey, undefined), broadcast.name, actor.languageId);
  const answerId = await makeDraft(trx, actor, broadcast, { answer: body, open, name });
  const reached = await findReached(trx, actor, answerId, open);
  await claimReplies(trx, actor, broadcast, { reached, answerId, groupKey: body.GroupKey });
  await answerConversations(trx, actor, reached, { isDone: body.MarkDone });
  await sendBroadcast(trx, actor, answerId, {
    expectedCount: body.ExpectedCount,
    expectedCredits: body.ExpectedCredits,
  });
  await recordEvents(trx, actor, [
    { kind: 'broadcast.answered', id: broadcast.broadcastId, count: reached.length },
    { kind: 'broadcast.sent', id: answerId },
  ]);
  const sent = await readSending(trx, actor.accountId, answerId);
  return {
    AnswerBroadcastID: answerId,
    BroadcastName: sent.name,
    Count: sent.going_count,
    UriSummary: `/broadcasts/${answerId}`,
  };
}

/** Made like the real one and rolled back before anybody sees it, so that it can't show anything different. */
export async function previewAnswer(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof previewDefinition>,
): Promise<AnswerPreview> {
  const broadcast = await requireBroadcast(trx, actor, params.BroadcastID);
  const { open, answered } = await findOpen(trx, broadcast, body.TextReplyIDs);
  await sql`savepoint preview`.execute(trx);
  const draftId = await makeDraft(trx, actor, broadcast, { answer: body, open, name: 'Answer' });
  const { Summary, Cost, Starts, ...preflight } = await getPreflight(trx, actor, {
    params: { DraftBroadcastID: draftId },
    query: undefined,
    body: undefined,
  });
  const Recipients = await sampleRecipients(trx, actor, draftId);
  const reached = await findReached(trx, actor, draftId, open);
  const StillOpenCount = (await listStillOpen(trx, actor, reached)).length;
  await sql`rollback to savepoint preview`.execute(trx);
  return {
    Total: new Set(open.map(({ phone }) => phone)).size,
    Good: Summary.Good,
    AnsweredCount: answered,
    StillOpenCount,
    Recipients,
    Cost,
    Starts,
    Refusal: open.length === 0 ? { ErrorCode: 409, Message: allAnswered } : preflight.Refusal,
  };
}

/**
 * The unanswered replies. Those of people who have opted out are included, and are checked like any
 * recipient.
 */
async function findOpen(
  trx: Trx,
  broadcast: SeenBroadcast,
  replyIds: readonly number[],
): Promise<{ open: ReplyState[]; answered: number }> {
  const ids = [...new Set(replyIds)];
  const found = await readReplyStates(trx, broadcast, ids);
  if (found.length < ids.length) throw new Refusal('notFound', 'One of these replies is no longer here.');
  const open = found.filter(({ isAnswered }) => !isAnswered);
  return { open, answered: found.length - open.length };
}

async function makeDraft(
  trx: Trx,
  actor: Actor,
  broadcast: SeenBroadcast,
  { answer, open, name }: { answer: Answer; open: ReplyState[]; name: string },
): Promise<number> {
  const { TextMessage, Media, IncludeSignature } = answer;
  const draftId = await beginDraft(trx, actor, {
    ...{ BroadcastName: name, TextMessage, Media, IncludeSignature },
    TextNumberID: broadcast.textNumberId,
  });
  await trx
    .updateTable('broadcasts')
    .set({ answers_broadcast_id: broadcast.broadcastId })
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', draftId)
    .execute();
  await addRecipients(trx, actor, draftId, {
    kind: 'results',
    broadcastId: broadcast.broadcastId,
    details: {
      filter: { q: '' },
      selection: { Type: 'Selected', Items: [...new Set(open.map(({ recipientId }) => recipientId))] },
    },
  });
  if (hasPersonalizedFields(TextMessage) && personalizedFieldError(TextMessage) === undefined) {
    await mergeDraft(trx, actor, { params: { DraftBroadcastID: draftId }, body: {} });
  }
  return draftId;
}

/** The replies of those who get the answer. People who are left out haven't been answered. */
async function findReached(
  trx: Trx,
  { accountId }: Actor,
  answerId: number,
  open: ReplyState[],
): Promise<ReplyState[]> {
  const rows = await trx
    .selectFrom('broadcast_recipients')
    .select('phone')
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', answerId)
    .where('problem', 'is', null)
    .execute();
  const phones = new Set(rows.map(({ phone }) => phone));
  return open.filter(({ phone }) => phones.has(phone));
}

async function claimReplies(
  trx: Trx,
  { accountId }: Actor,
  { broadcastId }: SeenBroadcast,
  { reached, answerId, groupKey }: { reached: ReplyState[]; answerId: number; groupKey: string },
): Promise<void> {
  const { rows } = await sql`
    insert into broadcast_reply_marks as k (account_id, broadcast_id, message_id, answered_in, answer_broadcast_id)
    select ${accountId}::bigint, ${broadcastId}::bigint, id, ${groupKey}::text, ${answerId}::bigint
    from unnest(${reached.map(({ id }) => id)}::bigint[]) as t(id)
    -- In one order everywhere, to avoid deadlocks between two users who answer the same group.
    order by id
    on conflict (account_id, broadcast_id, message_id) do update
    set answered_in = excluded.answered_in, answer_broadcast_id = excluded.answer_broadcast_id
    where k.answer_broadcast_id is null
    returning message_id`.execute(trx);
  if (rows.length < reached.length) throw new Refusal('conflict', answeredMeanwhile);
}
