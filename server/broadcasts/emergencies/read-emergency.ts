import type { Input } from '../../../contract/call.ts';
import { specialGroups } from '../../../contract/contacts.ts';
import type { getEmergency as definition } from '../../../contract/emergencies.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { findChannels } from './find-channels.ts';
import {
  findByKey,
  findDrillList,
  listOffered,
  listPrepared,
  listRunning,
  listStaff,
  readSettings,
  selectMessages,
} from './queries.ts';

/** Everything that the screen shows before a choice is made. */
export async function getEmergency(trx: Trx, actor: Actor, { query }: Input<typeof definition>) {
  const { accountId } = actor;
  const settings = await readSettings(trx, accountId);
  const { textProblem, callProblem } = await findChannels(trx, actor);
  const lists = await listOffered(trx, actor, settings);
  const prepared = settings.list_ids.filter((id) => lists.some(({ ListID }) => ListID === id));
  const [first = specialGroups.everyone] = settings.list_ids;
  const drill = await findDrillList(trx, actor, settings);
  const started = query.Key === undefined ? undefined : await findByKey(trx, accountId, query.Key);
  return {
    Messages: await selectMessages(trx, accountId).execute(),
    Lists: lists,
    // Nobody else is selected in its place: whom it meant is for the sender to say.
    SelectedListID: lists.some(({ ListID }) => ListID === first) ? first : null,
    DeletedLists: settings.list_ids.length - prepared.length,
    Drill:
      drill === undefined
        ? { Name: 'Your team', Count: (await listStaff(trx, actor)).length }
        : { Name: drill.ListName, Count: drill.Count },
    TextProblem: textProblem,
    CallProblem: callProblem,
    Running: await listRunning(trx, accountId),
    Owners: await listOwners(trx, accountId),
    StartedBroadcastID: started?.BroadcastID ?? null,
  };
}

async function listOwners(trx: Trx, accountId: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('is_active', '=', true)
    .orderBy('user_id')
    .limit(3)
    .execute();
  return rows.map(({ first_name, last_name }) => `${first_name} ${last_name}`.trim());
}

export async function getEmergencySettings(trx: Trx, actor: Actor) {
  const settings = await readSettings(trx, actor.accountId);
  const drill = await findDrillList(trx, actor, settings);
  return {
    Lists: await listPrepared(trx, actor, settings.list_ids),
    DrillListID: drill?.ListID ?? null,
    IsForEveryone: settings.is_for_everyone,
    Messages: await selectMessages(trx, actor.accountId).execute(),
  };
}
