import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import { lockContacts } from '../lock-contacts.ts';
import type { MadeGroup } from './find-or-create-groups.ts';

/**
 * Removes implicitly created groups that are no longer needed: those that still have their original name and
 * no members, that no segment uses, that no deleted contact would return to, and that no active import or
 * other work is going to fill. Their names are free again.
 */
export async function removeEmptyGroups(trx: Trx, accountId: number, made: MadeGroup[]): Promise<void> {
  if (made.length === 0) return;
  await lockContacts(trx, accountId);
  // An import finds its groups without that lock, and locks their rows until it has started: the statement
  // below has to see it.
  const ids = made.map(({ groupId }) => groupId);
  await sql`select from groups where account_id = ${accountId} and group_id = any(${ids}::bigint[])
    order by lower(name) for update`.execute(trx);
  const { rows } = await sql`
    with gone as (
      delete from groups g using unnest(${ids}::bigint[], ${made.map(({ name }) => name)}::text[]) as m(group_id, name)
      where g.account_id = ${accountId} and g.group_id = m.group_id and g.name = m.name and g.deleted_at is null
        and not exists (
          select from group_members r where r.account_id = ${accountId} and r.group_id = g.group_id)
        and not exists (
          select from groups s, jsonb_array_elements(s.segment -> 'Rules') rule
          where s.account_id = ${accountId} and rule ->> 'Kind' = 'group' and rule -> 'ListID' = to_jsonb(g.group_id))
        and g.group_id not in (
          select unnest(c.deleted_from_groups) from contacts c
          where c.account_id = ${accountId} and c.deleted_at is not null)
        and not exists (
          select from file_uploads f
          where f.account_id = ${accountId} and f.stage = 'importing' and (f.list_id = g.group_id or exists (
            select from jsonb_each(f.choice -> 'groupIds') named where named.value = to_jsonb(g.group_id))))
        and not exists (
          select from work w
          where w.account_id = ${accountId} and w.status = 'InProgress'
            and w.input #> '{change,groupId}' = to_jsonb(g.group_id))
      returning g.group_id
    ),
    uncounted as (
      delete from list_counts k using gone where k.account_id = ${accountId} and k.list_id = gone.group_id
    )
    select from gone`.execute(trx);
  if (rows.length > 0) await notify(trx, accountId, [{ type: 'contacts.changed' }]);
}
