import { type RawBuilder, sql } from 'kysely';

/**
 * The table with the texts of a broadcast, and the answers to it: some of an old one's are in the archive.
 */
export function textsOf({ isArchived }: { isArchived: boolean }): RawBuilder<unknown> {
  return isArchived ? sql`all_messages` : sql`messages`;
}
