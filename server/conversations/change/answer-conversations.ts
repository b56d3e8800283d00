import { sql } from 'kysely';
import { isCourtesy } from '../../../contract/text/courtesy.ts';
import { recognizeInbound } from '../../../contract/text/inbound-word.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { writeConversations } from '../write-conversations.ts';
import { changeConversations, eventsOf, holdConversations } from './change-conversations.ts';

/** An inbound text that a broadcast answers. */
export interface AnsweredText {
  id: number;
  textNumberId: number;
  phone: string;
}

/** A conversation with other texts that still need an answer: how many, and since when. */
interface OpenConversation {
  conversationId: number;
  texts: number;
  since: Date;
}

/**
 * A broadcast answers all of these texts at once: their conversations become read, lose their waiting mark
 * and, if requested, are done. The answer itself appears in them when it is sent. People who have written
 * something else, which nobody has answered, keep waiting for that, and their conversations stay open.
 */
export async function answerConversations(
  trx: Trx,
  actor: Actor,
  answered: readonly AnsweredText[],
  { isDone }: { isDone: boolean },
): Promise<void> {
  if (answered.length === 0) return;
  const ids = await holdConversations(trx, actor, inThreads(answered));
  const open = await listStillOpen(trx, actor, answered);
  await writeConversations(trx, {
    write: sql`
      update conversations c set unread_count = 0, waiting_since = null, courtesy_since = null
      where c.account_id = ${actor.accountId} and c.conversation_id = any(${ids}::bigint[])
        and c.conversation_id <> all(${open.map(({ conversationId }) => conversationId)}::bigint[])
        and (c.unread_count > 0 or c.waiting_since is not null or c.courtesy_since is not null)`,
  });
  await writeConversations(trx, {
    write: sql`
      update conversations c
      set unread_count = least(c.unread_count, t.texts), waiting_since = t.since, courtesy_since = null
      from unnest(
        ${open.map(({ conversationId }) => conversationId)}::bigint[], ${open.map(({ texts }) => texts)}::integer[],
        ${open.map(({ since }) => since)}::timestamptz[]
      ) as t(conversation_id, texts, since)
      where c.account_id = ${actor.accountId} and c.conversation_id = t.conversation_id`,
  });
  if (isDone) {
    const stays = new Set(open.map(({ conversationId }) => conversationId));
    const done = ids.filter((id) => !stays.has(id));
    await changeConversations(trx, actor, done, { change: { isDone: true }, undoId: null });
  }
  await notify(trx, actor.accountId, eventsOf(ids));
}

/**
 * The conversations of these texts in which somebody waits for an answer to something else: a text since the wait
 * began that isn't answered with them, wasn't answered by a broadcast before, and needs an answer.
 */
export async function listStillOpen(
  trx: Trx,
  { accountId }: Actor,
  answered: readonly AnsweredText[],
): Promise<OpenConversation[]> {
  const { rows } = await sql<{ id: number; at: Date; text: string; has_picture: boolean }>`
    select c.conversation_id as id, m.created_at as at, m.body as text,
      m.media_ids <> '{}' or exists (
        select from inbound_media p where p.account_id = m.account_id and p.message_id = m.message_id) as has_picture
    from conversations c
    join messages m on m.account_id = c.account_id and m.text_number_id = c.text_number_id and m.phone = c.phone
      and m.created_at >= c.waiting_since and m.is_inbound
    where c.account_id = ${accountId} and not c.is_done and ${inThreads(answered)}
      and m.message_id <> all(${answered.map(({ id }) => id)}::bigint[])
      and not exists (
        select from broadcast_reply_marks k
        where k.account_id = m.account_id and k.broadcast_id = m.broadcast_id and k.message_id = m.message_id
          and k.answer_broadcast_id is not null)
    order by m.created_at`.execute(trx);
  const open = new Map<number, OpenConversation>();
  for (const { id, at, text, has_picture } of rows) {
    const needsAnswer = has_picture || !(isCourtesy(text) || recognizeInbound(text) === 'stop');
    if (!needsAnswer) continue;
    const known = open.get(id);
    if (known === undefined) open.set(id, { conversationId: id, texts: 1, since: at });
    else known.texts += 1;
  }
  return [...open.values()];
}

const inThreads = (texts: readonly AnsweredText[]) =>
  sql`(c.text_number_id, c.phone) in (select * from unnest(
    ${texts.map(({ textNumberId }) => textNumberId)}::bigint[], ${texts.map(({ phone }) => phone)}::text[]))`;
