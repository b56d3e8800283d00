import { type RawBuilder, sql } from 'kysely';
import { asSystem, type Database } from '../../db.ts';
import { notify } from '../../notify.ts';
import { writeMembers } from '../keep-written.ts';
import { lockContacts } from '../lock-contacts.ts';

/**
 * A deletion can be undone for an hour; the rest of the time is for questions about what happened to a group.
 */
const keptDays = 30;
/** Members per transaction: a third of a second, in which nobody else changes contacts of the account. */
const sliceRows = 20_000;

const isOld: RawBuilder<unknown> = sql`g.deleted_at < now() - ${keptDays} * interval '1 day'`;

/** Removes groups that were deleted long ago, with their stored counts, and members left by the deletion. */
export async function sweepDeletedGroups(database: Database): Promise<void> {
  // Members are left only if the work that removes them has failed.
  const { rows } = await sql<{ accountId: number }>`
    select distinct g.account_id as "accountId" from groups g
    where ${isOld} and exists (
      select from group_members m where m.account_id = g.account_id and m.group_id = g.group_id)`.execute(
    database.system,
  );
  for (const { accountId } of rows) while (await takeMembersOut(database, accountId));
  await sql`
    with gone as (
      delete from groups g
      where ${isOld} and not exists (
        select from group_members m where m.account_id = g.account_id and m.group_id = g.group_id)
      returning account_id, group_id
    )
    delete from list_counts k using gone
    where k.account_id = gone.account_id and k.list_id = gone.group_id`.execute(database.system);
}

/** One slice; false when nobody was left. */
async function takeMembersOut(database: Database, accountId: number): Promise<boolean> {
  return asSystem(database, async (trx) => {
    await lockContacts(trx, accountId);
    const members = await writeMembers(
      trx,
      sql`
      delete from group_members m using (
        select m.person_id, m.group_id from groups g
        join group_members m on m.account_id = g.account_id and m.group_id = g.group_id
        where g.account_id = ${accountId} and ${isOld}
        limit ${sliceRows}) left_behind
      where m.account_id = ${accountId} and m.group_id = left_behind.group_id
        and m.person_id = left_behind.person_id`,
    );
    if (members > 0) await notify(trx, accountId, [{ type: 'contacts.changed' }]);
    return members > 0;
  });
}
