import { type RawBuilder, sql } from 'kysely';
import { resultCategories, statusesOf } from '../../contract/delivery/result-category.ts';

const columns = resultCategories.map((name) => ({
  name: sql.ref(name),
  statuses: sql.lit(`{${statusesOf(name).join()}}`),
}));

/**
 * Updates the counts of the slices whose texts moved, as a part of the statement that moves them. In the order of locks
 * it comes after messages and outbox, and before the day's counts and the accounts. Reads `moved` with account_id,
 * broadcast_id, slice_id, old_status, new_status, and the credits settled and released for the text.
 */
export const countSlices: RawBuilder<unknown> = sql`
  update broadcast_slices s
  set ${sql.join(columns.map(({ name }) => sql`${name} = s.${name} + d.${name}`))},
    settled = s.settled + d.settled, released = s.released + d.released
  from (
    select account_id, broadcast_id, slice_id, sum(settled) as settled, sum(released) as released,
      ${sql.join(
        columns.map(
          ({ name, statuses }) => sql`
            coalesce(sum(many) filter (where new_status = any(${statuses}::text[])), 0)
            - coalesce(sum(many) filter (where old_status = any(${statuses}::text[])), 0) as ${name}`,
        ),
      )}
    from (
      select account_id, broadcast_id, slice_id, old_status, new_status, count(*) as many,
        sum(settled) as settled, sum(released) as released
      from moved where slice_id is not null
      group by account_id, broadcast_id, slice_id, old_status, new_status) one
    group by account_id, broadcast_id, slice_id
    order by account_id, broadcast_id, slice_id) d
  where s.account_id = d.account_id and s.broadcast_id = d.broadcast_id and s.slice_id = d.slice_id
  returning s.account_id, s.broadcast_id`;
