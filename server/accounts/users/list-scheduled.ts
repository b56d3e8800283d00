import { sql } from 'kysely';
import type { listScheduledOfUsers as definition, scheduledKinds } from '../../../contract/account-users.ts';
import type { Input, Reply } from '../../../contract/call.ts';
import type { Trx } from '../../db.ts';
import { selectedRows } from '../../selection.ts';
import type { Actor } from '../../serve.ts';
import { shownUsers } from './queries.ts';

/** Enough for a decision; the rest is only counted. */
const mostShown = 100;

interface ScheduledRow {
  UserID: number;
  Name: string;
  Kind: (typeof scheduledKinds)[number];
  Title: string;
  startAt: Date | null;
  total: number;
}

/**
 * Everything that these users have scheduled. A broadcast is frozen when somebody presses Send, so it still
 * goes out. Scheduled texts, repeating broadcasts, drip campaigns and mailed reports act in the name of their user,
 * and don't go out without one.
 */
export async function listScheduledOfUsers(
  trx: Trx,
  actor: Actor,
  { query, body }: Input<typeof definition>,
): Promise<Reply<typeof definition>> {
  const selected = selectedRows(sql`u.user_id`, body.Selection, shownUsers(actor, query, true));
  const { rows } = await sql<ScheduledRow>`
    with chosen as (
      select u.account_id, u.user_id, u.first_name || ' ' || u.last_name as name from users u where ${selected})
    select s.user_id as "UserID", s.name as "Name", s.kind as "Kind", s.title as "Title", s.start_at as "startAt",
      count(*) over () as total
    from (
      -- Only users who may use the number see the words of a text, so the text is named by the number.
      select c.user_id, c.name, 'Scheduled text' as kind, t.start_at,
        coalesce(nullif(n.name, ''), 'Text') || ' to ' || (
          select count(*) || case count(*) when 1 then ' person' else ' people' end from scheduled_recipients r
          where r.account_id = t.account_id and r.scheduled_id = t.scheduled_id) as title
      from chosen c
      join scheduled_conversations t on t.account_id = c.account_id and t.user_id = c.user_id and t.state = 'scheduled'
      join text_numbers n on n.account_id = t.account_id and n.text_number_id = t.text_number_id
      union all
      select c.user_id, c.name, 'Broadcast', b.start_at, coalesce(nullif(b.name, ''), 'Untitled')
      from chosen c
      join broadcasts b on b.account_id = c.account_id and b.user_id = c.user_id
        and b.status = 'scheduled' and b.deleted_at is null
      union all
      select c.user_id, c.name, 'Repeating broadcast', r.next_at,
        coalesce(nullif(b.name, ''), 'Untitled') || ' (' || r.description || ')'
      from chosen c
      join repeating_broadcasts r on r.account_id = c.account_id and r.user_id = c.user_id
        and r.deleted_at is null and r.next_at is not null
      join broadcasts b on b.account_id = r.account_id and b.broadcast_id = r.broadcast_id
      union all
      select c.user_id, c.name, 'Drip campaign', coalesce(q.next_at, (
          select min(t.start_at) from sequence_steps t
          where t.account_id = q.account_id and t.sequence_id = q.sequence_id and t.state = 'waiting')),
        coalesce(nullif(q.name, ''), 'Untitled')
      from chosen c
      join sequences q on q.account_id = c.account_id and q.user_id = c.user_id
        and q.status = 'running' and q.deleted_at is null
      union all
      select c.user_id, c.name, 'Mailed report', v.next_mail_at, v.name
      from chosen c
      join report_views v on v.account_id = c.account_id and v.user_id = c.user_id and v.next_mail_at is not null
    ) s
    order by s.start_at nulls last, s.user_id, s.kind, s.title
    limit ${mostShown}`.execute(trx);
  return {
    Items: rows.map(({ startAt, total: _, ...row }) => ({
      ...row,
      StartTimestamp: startAt?.toISOString() ?? null,
      StillSends: row.Kind === 'Broadcast',
    })),
    Size: rows[0]?.total ?? 0,
  };
}
