import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type * as calls from '../../../contract/emergencies.ts';
import { emergencyRefusals } from '../../../contract/emergencies.ts';
import { Refusal } from '../../../contract/errors.ts';
import { emergencyMessageForm } from '../../../contract/forms/emergency.ts';
import { limits } from '../../../contract/reference/limits.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { requireLists } from '../recipients/find-candidates.ts';
import { requireMessage, selectMessages } from './queries.ts';
import { getEmergencySettings } from './read-emergency.ts';

export async function updateEmergencySettings(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof calls.updateEmergencySettings>,
) {
  const listIds = [...new Set(body.Lists.map(({ ListID }) => ListID))];
  await requireLists(trx, actor, listIds);
  if (body.DrillListID !== null) await requireLists(trx, actor, [body.DrillListID]);
  const row = { list_ids: listIds, drill_list_id: body.DrillListID, is_for_everyone: body.IsForEveryone };
  await trx
    .insertInto('emergency_settings')
    .values({ account_id: actor.accountId, ...row })
    .onConflict((on) => on.column('account_id').doUpdateSet({ ...row, updated_at: sql`now()` }))
    .execute();
  await tell(trx, actor);
  return getEmergencySettings(trx, actor);
}

export async function addEmergencyMessage(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof calls.addEmergencyMessage>,
) {
  const columns = columnsOf(body);
  // Two users who add the last one at once are counted one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended('emergency', ${actor.accountId}))`.execute(trx);
  const all = await selectMessages(trx, actor.accountId).execute();
  if (all.length >= limits.emergency.messages) throw new Refusal('refused', emergencyRefusals.tooMany);
  const { emergency_message_id } = await trx
    .insertInto('emergency_messages')
    .values({ account_id: actor.accountId, ...columns })
    .returning('emergency_message_id')
    .executeTakeFirstOrThrow();
  await tell(trx, actor);
  return requireMessage(trx, actor, emergency_message_id);
}

export async function updateEmergencyMessage(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof calls.updateEmergencyMessage>,
) {
  const columns = columnsOf(body);
  await requireMessage(trx, actor, params.EmergencyMessageID);
  await trx
    .updateTable('emergency_messages')
    .set({ ...columns, updated_at: sql`now()` })
    .where('account_id', '=', actor.accountId)
    .where('emergency_message_id', '=', params.EmergencyMessageID)
    .execute();
  await tell(trx, actor);
  return requireMessage(trx, actor, params.EmergencyMessageID);
}

export async function deleteEmergencyMessage(
  trx: Trx,
  actor: Actor,
  { params }: Input<typeof calls.deleteEmergencyMessage>,
) {
  await requireMessage(trx, actor, params.EmergencyMessageID);
  await trx
    .deleteFrom('emergency_messages')
    .where('account_id', '=', actor.accountId)
    .where('emergency_message_id', '=', params.EmergencyMessageID)
    .execute();
  await tell(trx, actor);
  return params;
}

/** Checked with the form's own messages. */
function columnsOf(body: Input<typeof calls.addEmergencyMessage>['body']) {
  const { data, error } = emergencyMessageForm.safeParse(body);
  if (data !== undefined) return { title: data.Title, body: data.TextMessage, spoken_text: data.SpokenText };
  const fields = error.issues.map(({ path, message }) => ({ Field: path.join('.'), Message: message }));
  throw new Refusal('invalid', fields[0]?.Message, { fields });
}

function tell(trx: Trx, { accountId }: Actor): Promise<void> {
  return notify(trx, accountId, [{ type: 'settings.changed' }]);
}
