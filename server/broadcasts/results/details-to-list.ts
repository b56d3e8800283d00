import { sql } from 'kysely';
import type { detailsToList as definition } from '../../../contract/broadcast-results.ts';
import type { Input } from '../../../contract/call.ts';
import { joinPeople } from '../../contacts/groups/join-people.ts';
import type { Trx } from '../../db.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { detailsSelected } from '../queries.ts';

/** Adds selected recipients to a new or existing group; recipients who aren't contacts become contacts. */
export async function detailsToList(
  trx: Trx,
  actor: Actor,
  { params, query, body }: Input<typeof definition>,
) {
  const chosen = await detailsSelected(trx, actor, params.BroadcastID, {
    filter: query,
    selection: body.Selection,
  });
  const people = sql`select r.person_id, r.phone, r.first_name, r.last_name from broadcast_recipients r where ${chosen}`;
  const { groupId, joined, created } = await joinPeople(trx, actor, body.Update.ListName, people);
  await recordEvents(trx, actor, [{ kind: 'contacts.joined', id: groupId, count: joined }]);
  return { ListID: groupId, AddedCount: joined, CreatedCount: created };
}
