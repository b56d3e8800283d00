import { type RawBuilder, sql } from 'kysely';
import type { Database } from './db.ts';

/**
 * What may wait in the tables, each as a look at the beginning of an index. Wider than what the work behind it takes, and
 * never narrower: what isn't named here is not done until a job says so.
 */
const places = {
  texts: sql`exists (select from outbox) or exists (select from outbox_slices) or exists (
    select from broadcasts where status in ('scheduled', 'broadcasting') and next_feed_at <= now())`,
  receipts: sql`exists (select from carrier_receipts)`,
  inbound: sql`exists (select from carrier_inbound where problem is null)`,
  broadcasts: sql`exists (select from broadcasts where status = 'broadcasting')
    or exists (select from broadcasts where ended_at > now() - interval '1 hour')`,
  pictures: sql`exists (select from media where explicit_due_at <= now())`,
  work: sql`exists (select from work where status = 'InProgress')`,
  contactWords: sql`exists (select from search_backlog)`,
  files: sql`exists (select from file_uploads where stage in ('processing', 'importing', 'undoing'))
    or exists (select from file_uploads where stage in ('canceled', 'undone') and not is_cleared)`,
  scheduled: sql`exists (
    select from scheduled_conversations where state = 'scheduled' and greatest(start_at, retry_at) <= now())`,
  repeating: sql`exists (select from repeating_broadcasts where next_at <= now() and deleted_at is null)
    or exists (select from broadcasts where status = 'draft' and repeating_id is not null and deleted_at is null)`,
  merges: sql`exists (select from broadcasts where merge_state = 'running')`,
  notices: sql`exists (select from notification_settings where due_at <= now())`,
  mails: sql`exists (select from mails where sent_at is null and problem is null)`,
  pushes: sql`exists (select from push_queue where send_at <= now())`,
  snoozed: sql`exists (select from conversations where snoozed_until <= now())`,
  counts: sql`exists (select from conversation_count_changes)`,
  messageWords: sql`exists (select from message_search_queue)`,
} as const satisfies Record<string, RawBuilder<unknown>>;

export type Place = keyof typeof places;

/** Where something waits: one statement instead of one for each work, most of which would find nothing. */
export async function findWaiting(database: Database): Promise<Place[]> {
  const columns = Object.entries(places).map(([name, waits]) => sql`${waits} as ${sql.id(name)}`);
  const { rows } = await sql<Record<Place, boolean>>`select ${sql.join(columns)}`.execute(database.system);
  const [found] = rows;
  if (found === undefined) throw new Error('a select without a table has one row');
  return (Object.keys(places) as Place[]).filter((name) => found[name]);
}
