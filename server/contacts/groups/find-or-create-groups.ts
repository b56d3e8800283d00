import { sql } from 'kysely';
import { limits } from '../../../contract/reference/limits.ts';
import type { Trx } from '../../db.ts';

/** They always exist; a group with one of their names could be mistaken for them. */
export const systemGroupNames = ['Everyone', 'Unfiled', 'Deleted'];
const systemNames = new Set(systemGroupNames.map((name) => name.toLowerCase()));

/** The specification's sentence, for cases that only the database detects. */
export const groupNameTaken = 'The group name is already in use.';

/** A group that was created implicitly, with its original name. */
export interface MadeGroup {
  groupId: number;
  name: string;
}

/**
 * The groups with these names, by lower-case name, and those of them that were created. Leaves out names that can't
 * have members: empty ones, those of Everyone, Unfiled and Deleted, and of segments.
 */
export async function findOrCreateGroups(
  trx: Trx,
  accountId: number,
  names: string[],
): Promise<{ groupIds: Map<string, number>; made: MadeGroup[] }> {
  const wanted = new Map<string, string>();
  for (const name of names) {
    const key = name.toLowerCase();
    const tidy = [...name.trim()].slice(0, limits.groupName).join('').trim();
    if (tidy !== '' && !systemNames.has(tidy.toLowerCase())) wanted.set(key, tidy);
  }
  if (wanted.size === 0) return { groupIds: new Map(), made: [] };
  // The update that changes nothing makes the statement return a group that somebody else has just created.
  // Ordered by name, to avoid deadlocks between two imports.
  const { rows } = await sql<MadeGroup & { key: string; isMade: boolean }>`
    with wanted as (
      select * from unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::text[]) as w(key, name)
    ),
    found as (
      insert into groups (account_id, name)
      select ${accountId}::bigint, min(name) from wanted group by lower(name) order by lower(name)
      on conflict (account_id, lower(name)) where deleted_at is null do update set name = groups.name
      returning new.group_id, new.name, new.segment, old.group_id is null as is_made
    )
    select w.key, f.group_id as "groupId", f.name, f.is_made as "isMade" from wanted w join found f on lower(f.name) = lower(w.name)
    where f.segment is null`.execute(trx);
  const made = new Map(rows.filter(({ isMade }) => isMade).map(({ groupId, name }) => [groupId, name]));
  return {
    groupIds: new Map(rows.map(({ key, groupId }) => [key, groupId])),
    made: [...made].map(([groupId, name]) => ({ groupId, name })),
  };
}
