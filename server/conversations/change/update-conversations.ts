import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import {
  nothingToChange,
  type updateConversations as updateDefinition,
  type updateConversation as updateOneDefinition,
} from '../../../contract/conversations.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { futureTime } from '../../../contract/fields/time-rules.ts';
import { tagLimits } from '../../../contract/tags.ts';
import { confirmConsent } from '../../../contract/uploads/file-name.ts';
import { nowMs } from '../../clock.ts';
import { type Declared, declareConsent } from '../../consents/change-consent.ts';
import { consentEventsOf } from '../../consents/queries.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { openUndo } from '../../undo.ts';
import { requireConversation, requireThread } from '../queries.ts';
import {
  type ConversationChange,
  changeConversations,
  holdConversations,
  mayUseNumber,
  undoKind,
} from './change-conversations.ts';
import { changeOrWork, type PlannedChange, rowsOf } from './change-in-slices.ts';

/** Changes that an undo reverts in addition to its rows. */
export interface ConversationsUndo {
  consent?: Declared | undefined;
}

export async function updateConversation(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof updateOneDefinition>,
) {
  const { conversationId, phone } = await requireThread(trx, actor, params.ConversationID);
  const change: ConversationChange = {
    isDone: body.IsDone,
    assignedUserId: body.AssignedUserID,
    snoozedUntil: body.SnoozedUntil,
    tagIds: body.notags ? [] : body.TagIDs && [...new Set(body.TagIDs)],
    isAutoOptOut: body.IsAutoOptOut,
  };
  if (Object.values(change).every((value) => value === undefined)) throw refuseField('Body', nothingToChange);
  await refuseUnlessPossible(trx, actor, change, sql`c.conversation_id = ${conversationId}`);
  // Before its consent, in the same order as for inbound texts.
  await holdConversations(trx, actor, sql`c.conversation_id = ${conversationId}`);
  const consent = await declareFor(trx, actor, phone, body);
  const undoId = await openUndo(trx, actor, undoKind, { consent } satisfies ConversationsUndo);
  const { changed, events } = await changeConversations(trx, actor, [conversationId], { change, undoId });
  if (consent !== undefined) events.push(...(await consentEventsOf(trx, actor, phone)));
  await notify(trx, actor.accountId, events);
  const isChanged = changed > 0 || consent !== undefined;
  return {
    ...(await requireConversation(trx, actor, conversationId)),
    UndoID: isChanged ? undoId : null,
  };
}

/** Opting out or in by hand is recorded in the ledger like any declaration, if it changes something. */
async function declareFor(
  trx: Trx,
  actor: Actor,
  phone: string,
  given: Pick<Input<typeof updateOneDefinition>['body'], 'IsAutoOptOut' | 'UserIndicatedConsentDeclared'>,
): Promise<Declared | undefined> {
  if (given.IsAutoOptOut === undefined) return undefined;
  const state = given.IsAutoOptOut ? 'out' : 'in';
  const held = await trx
    .selectFrom('phone_consents')
    .select('text_state')
    .where('account_id', '=', actor.accountId)
    .where('phone', '=', phone)
    .executeTakeFirst();
  if (held?.text_state === state) return undefined;
  if (state === 'in' && !given.UserIndicatedConsentDeclared) {
    throw refuseField('UserIndicatedConsentDeclared', confirmConsent);
  }
  return declareConsent(trx, actor, { phone, channel: 'text', state });
}

export async function updateConversations(
  trx: Trx,
  actor: Actor,
  { query, body }: Input<typeof updateDefinition>,
) {
  const { Update } = body;
  const planned: PlannedChange = {
    kind: 'conversations.change',
    from: { query, selection: body.Selection },
    change: {
      isDone: Update.IsDone,
      isUnread: Update.IsUnread,
      assignedUserId: Update.AssignedUserID,
      snoozedUntil: Update.SnoozedUntil,
      addTagIds: Update.AddTagIDs,
      removeTagIds: Update.RemoveTagIDs,
    },
  };
  await refuseUnlessPossible(trx, actor, planned.change, await rowsOf(trx, actor, planned));
  const { undoId, size, workId } = await changeOrWork(trx, actor, planned);
  return { UndoID: undoId, Size: size, ...(workId === undefined ? {} : { WorkID: workId }) };
}

/** A change that isn't possible for all rows of the condition on `c` is made for none. */
async function refuseUnlessPossible(
  trx: Trx,
  actor: Actor,
  change: ConversationChange,
  rows: ReturnType<typeof sql>,
): Promise<void> {
  const { snoozedUntil, isDone, isUnread, assignedUserId } = change;
  if (snoozedUntil) {
    const problem = futureTime('Snooze Until', nowMs())(Date.parse(snoozedUntil));
    if (problem !== undefined) throw refuseField('SnoozedUntil', problem);
    if (isDone || isUnread) {
      throw refuseField('SnoozedUntil', 'A conversation that is snoozed is neither done nor unread.');
    }
  }
  if (isDone && isUnread) throw refuseField('IsUnread', 'A conversation that is done is not unread.');
  await refuseUnlessTags(trx, actor, change, rows);
  if (assignedUserId) await refuseUnlessMayTake(trx, actor, assignedUserId, rows);
}

/** Also locks the tags, so that none is deleted while it is added. */
async function refuseUnlessTags(
  trx: Trx,
  actor: Actor,
  { tagIds, addTagIds = [] }: ConversationChange,
  rows: ReturnType<typeof sql>,
): Promise<void> {
  const ids = [...new Set([...(tagIds ?? []), ...addTagIds])];
  if (ids.length === 0) return;
  const found = await trx
    .selectFrom('tags')
    .select('tag_id')
    .where('account_id', '=', actor.accountId)
    .where('tag_id', 'in', ids)
    .forKeyShare()
    .execute();
  if (found.length < ids.length) throw new Refusal('notFound', 'That tag is no longer here.');
  if (addTagIds.length === 0) return;
  const { rows: full } = await sql`
    select from conversations c
    where c.account_id = ${actor.accountId} and ${rows}
      and cardinality(c.tag_ids) + ${addTagIds.length} > ${tagLimits.onConversation}
      and cardinality(array(select unnest(c.tag_ids) union select unnest(${addTagIds}::bigint[]))) > ${tagLimits.onConversation}
    limit 1`.execute(trx);
  if (full.length > 0) {
    throw new Refusal('refused', `A conversation can have at most ${tagLimits.onConversation} tags.`);
  }
}

async function refuseUnlessMayTake(
  trx: Trx,
  actor: Actor,
  userId: number,
  rows: ReturnType<typeof sql>,
): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select([sql<string>`first_name || ' ' || last_name`.as('name'), 'role'])
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', userId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  if (user === undefined) throw new Refusal('notFound', 'That user is no longer here.');
  if (user.role !== 'user') return;
  const { rows: closed } = await sql`
    select from conversations c
    where c.account_id = ${actor.accountId} and ${rows} and not ${mayUseNumber(sql`${userId}`)} limit 1`.execute(
    trx,
  );
  if (closed.length > 0) {
    throw new Refusal('refused', `${user.name} can’t use the text number of this conversation.`);
  }
}
