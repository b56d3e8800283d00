import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type {
  cancelScheduledConversation as cancelDefinition,
  sendScheduledConversation as sendDefinition,
} from '../../contract/scheduled.ts';
import { findActiveActor } from '../access/load-actor.ts';
import { type SentTo, sendToRecipients } from '../conversations/texts/send-to-recipients.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';
import { getScheduled, requireWaiting, type WaitingRow, waitingColumns } from './queries.ts';

/**
 * Scheduled texts. States of a row of scheduled_conversations:
 *   scheduled → sent       at least one of its texts was written; each recipient has its own result
 *   scheduled → failed     none could be: no credits, the number gone, nobody to be texted, no text
 *   scheduled → canceled   by a user
 * The row is locked, its texts are written and its state is changed in one transaction. A worker killed
 * midway leaves no trace, and of two at once the second finds it locked or sent.
 *
 * Sends a due one. False: it is no longer due, or another worker has it.
 */
export async function sendDue(trx: Trx, accountId: number, scheduledId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('scheduled_conversations')
    .select(waitingColumns)
    .where('account_id', '=', accountId)
    .where('scheduled_id', '=', scheduledId)
    .where('state', '=', 'scheduled')
    // It may have been moved to another day since it was found.
    .where(sql<boolean>`greatest(start_at, retry_at) <= now()`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined) return false;
  await sql`savepoint before_texts`.execute(trx);
  try {
    const problem = await sendRow(trx, accountId, row);
    if (problem !== undefined) await endRow(trx, accountId, row.scheduled_id, { state: 'failed', problem });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await sql`rollback to savepoint before_texts`.execute(trx);
    await endRow(trx, accountId, row.scheduled_id, { state: 'failed', problem: error.message });
  }
  return true;
}

/** By hand, before its time. If it can't be sent, it is refused and stays scheduled. */
export async function sendScheduledConversation(
  trx: Trx,
  actor: Actor,
  { params }: Input<typeof sendDefinition>,
) {
  const row = await requireWaiting(trx, actor, params.ScheduledConversationID);
  const problem = await sendRow(trx, actor.accountId, row);
  if (problem !== undefined) throw new Refusal('refused', problem);
  return getScheduled(trx, actor, row.scheduled_id);
}

export async function cancelScheduledConversation(
  trx: Trx,
  actor: Actor,
  { params }: Input<typeof cancelDefinition>,
) {
  const row = await requireWaiting(trx, actor, params.ScheduledConversationID);
  await endRow(trx, actor.accountId, row.scheduled_id, { state: 'canceled', problem: null });
  return getScheduled(trx, actor, row.scheduled_id);
}

/** Writes the texts of a locked row, in the name of its writer. Returns why none could be written. */
async function sendRow(trx: Trx, accountId: number, row: WaitingRow): Promise<string | undefined> {
  const writer = await findActiveActor(trx, accountId, row.user_id);
  if (writer === undefined) return 'The user who wrote this is no longer here.';
  const addressees = await trx
    .selectFrom('scheduled_recipients')
    .select([
      'position',
      'person_id as personId',
      'phone',
      'first_name as firstName',
      'last_name as lastName',
      'body as ownText',
    ])
    .where('account_id', '=', accountId)
    .where('scheduled_id', '=', row.scheduled_id)
    .orderBy('position')
    .execute();
  const sent = await sendToRecipients(trx, writer, {
    addressees,
    textNumberId: row.text_number_id,
    message: row.body,
    mediaIds: row.media_ids,
    includeSignature: row.include_signature,
    keepCharacters: row.keep_characters,
    isUnattended: true,
  });
  await keepOutcomes(
    trx,
    accountId,
    row.scheduled_id,
    sent.map(({ to, ...outcome }) => ({ ...outcome, position: to.position })),
  );
  if (sent.every(({ messageId }) => messageId === null)) return sent[0]?.error;
  await endRow(trx, accountId, row.scheduled_id, { state: 'sent', problem: null });
  return undefined;
}

async function keepOutcomes(
  trx: Trx,
  accountId: number,
  scheduledId: number,
  outcomes: (SentTo & { position: number })[],
): Promise<void> {
  const column = <T>(pick: (outcome: (typeof outcomes)[number]) => T) => outcomes.map(pick);
  await sql`
    update scheduled_recipients r
    set message_id = o.message_id, conversation_id = o.conversation_id, problem = nullif(o.problem, '')
    from unnest(
      ${column((o) => o.position)}::smallint[], ${column((o) => o.messageId)}::bigint[],
      ${column((o) => o.conversationId)}::bigint[], ${column((o) => o.error)}::text[]
    ) as o(position, message_id, conversation_id, problem)
    where r.account_id = ${accountId} and r.scheduled_id = ${scheduledId} and r.position = o.position`.execute(
    trx,
  );
}

export async function endRow(
  trx: Trx,
  accountId: number,
  scheduledId: number,
  { state, problem }: { state: 'sent' | 'failed' | 'canceled'; problem: string | null },
): Promise<void> {
  await trx
    .updateTable('scheduled_conversations')
    .set({ state, problem, ended_at: sql`now()`, updated_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('scheduled_id', '=', scheduledId)
    .execute();
  await recordEvents(trx, { accountId }, [{ kind: `scheduled.${state}`, id: scheduledId }]);
  await notify(trx, accountId, [{ type: 'scheduled.changed' }]);
}
