import { sql } from 'kysely';
import type {
  addLabel as addDefinition,
  deleteLabel as deleteDefinition,
  Label,
  updateLabel as updateDefinition,
} from '../../../contract/broadcasts.ts';
import type { Input } from '../../../contract/call.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { isUniqueViolation, type Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';

const nameTaken = 'There is a label with this name already.';
const isGone = 'That label is no longer here.';

export async function listLabels(trx: Trx, actor: Actor) {
  const { rows } = await sql<Label>`
    select label_id as "LabelID", name as "LabelName" from labels
    where account_id = ${actor.accountId} order by lower(name)`.execute(trx);
  return { Items: rows };
}

export async function addLabel(trx: Trx, actor: Actor, { body }: Input<typeof addDefinition>) {
  const { rows } = await sql<Label>`
    insert into labels (account_id, name) values (${actor.accountId}, ${body.LabelName})
    on conflict (account_id, lower(name)) do nothing
    returning label_id as "LabelID", name as "LabelName"`.execute(trx);
  const [made] = rows;
  if (made === undefined) throw refuseField('LabelName', nameTaken);
  await tell(trx, actor);
  return made;
}

export async function updateLabel(trx: Trx, actor: Actor, { params, body }: Input<typeof updateDefinition>) {
  const label = await renameLabel(trx, actor, params.LabelID, body.LabelName);
  if (label === undefined) throw new Refusal('notFound', isGone);
  await tell(trx, actor);
  return label;
}

async function renameLabel(
  trx: Trx,
  actor: Actor,
  labelId: number,
  name: string,
): Promise<Label | undefined> {
  try {
    const { rows } = await sql<Label>`
      update labels set name = ${name} where account_id = ${actor.accountId} and label_id = ${labelId}
      returning label_id as "LabelID", name as "LabelName"`.execute(trx);
    return rows[0];
  } catch (error) {
    if (isUniqueViolation(error)) throw refuseField('LabelName', nameTaken);
    throw error;
  }
}

/** The label is removed from its broadcasts, which stay. */
export async function deleteLabel(trx: Trx, actor: Actor, { params }: Input<typeof deleteDefinition>) {
  const gone = await trx
    .deleteFrom('labels')
    .where('account_id', '=', actor.accountId)
    .where('label_id', '=', params.LabelID)
    .returning('label_id')
    .executeTakeFirst();
  if (gone === undefined) throw new Refusal('notFound', isGone);
  await tell(trx, actor);
  return {};
}

function tell(trx: Trx, actor: Actor): Promise<void> {
  return notify(trx, actor.accountId, [{ type: 'broadcasts.changed' }]);
}
