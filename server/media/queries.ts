import { type RawBuilder, sql } from 'kysely';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { isImageAllowed, unsupportedConversationImage } from '../../contract/uploads/image.ts';
import { isOfUsableNumber, isSeenBroadcast, isUsableTemplate } from '../access/queries.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';

export const pictureGone = 'That picture is no longer here.';

/**
 * The one rule for which pictures an actor may see, as a condition on `media f`: their own, those that came
 * to a text number they may use, and those in saved texts, scheduled texts and broadcasts that they may see.
 * All of the account's for owners and admins. A call that accepts a picture's id returns its URL, so every
 * such call checks here.
 */
export function seenMedia(actor: Actor): RawBuilder<unknown> {
  const ofAccount = sql`f.account_id = ${actor.accountId}`;
  if (actor.role !== 'user') return ofAccount;
  return sql`${ofAccount} and (
    f.created_by_user_id = ${actor.userId}
    or exists (select from messages m where m.account_id = f.account_id and m.message_id = f.message_id
      and ${isOfUsableNumber(actor, sql`m.text_number_id`)})
    or exists (select from templates t where ${isUsableTemplate(actor)} and f.media_id = any(t.media_ids))
    or exists (select from scheduled_conversations s where s.account_id = f.account_id
      and ${isOfUsableNumber(actor, sql`s.text_number_id`)} and f.media_id = any(s.media_ids))
    or exists (select from broadcasts b where b.account_id = f.account_id and b.deleted_at is null
      and f.media_id = any(b.media_ids)
      -- Sent pictures are in the threads of their number.
      and (${isSeenBroadcast(actor)}
        or (b.status <> 'draft' and ${isOfUsableNumber(actor, sql`b.text_number_id`)}))))`;
}

/** Checks that the actor may see these pictures. Others are not found, as with every other id. */
export async function refuseUnlessSeesMedia(trx: Trx, actor: Actor, mediaIds: number[]): Promise<void> {
  if (mediaIds.length === 0) return;
  const { rows } = await sql`
    select from media f
    where f.media_id = any(${mediaIds}::bigint[]) and ${seenMedia(actor)}`.execute(trx);
  if (rows.length !== new Set(mediaIds).size) throw new Refusal('notFound', pictureGone);
}

/**
 * For a text in a conversation: "Images must be png or jpg." One that was uploaded for a broadcast, came in or is in a
 * saved text may be a gif.
 */
export async function refuseUnlessTextableMedia(
  trx: Trx,
  actor: Actor,
  mediaIds: number[],
  field: 'MmsOutboundMedia' | 'Media',
): Promise<void> {
  await refuseUnlessSeesMedia(trx, actor, mediaIds);
  if (mediaIds.length === 0) return;
  const { rows } = await sql<{ content_type: string }>`
    select content_type from media
    where account_id = ${actor.accountId} and media_id = any(${mediaIds}::bigint[])`.execute(trx);
  if (rows.some(({ content_type }) => !isImageAllowed(content_type, 'conversation')))
    throw refuseField(field, unsupportedConversationImage);
}

/** Checks that these still exist; they were chosen before by a user who saw them. */
export async function refuseUnlessMediaKept(
  trx: Trx,
  { accountId }: { accountId: number },
  mediaIds: number[],
): Promise<void> {
  if (mediaIds.length === 0) return;
  const { rows } = await sql`
    select from media where account_id = ${accountId} and media_id = any(${mediaIds}::bigint[])`.execute(trx);
  if (rows.length !== new Set(mediaIds).size) throw new Refusal('notFound', pictureGone);
}
