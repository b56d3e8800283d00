import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import { prepared } from '../../prepared.ts';

/** An inbound text. */
interface Answer {
  accountId: number;
  textNumberId: number;
  phone: string;
  at: Date;
  isFromUs: boolean;
  word: string | undefined;
  keyword: { keywordId: number } | undefined;
}

/**
 * The effect of inbound texts on drip campaigns. STOP ends every campaign for that phone, even if it opts in
 * again later. Any other text to the campaign's number ends those that stop at a reply, if a step of it has
 * been sent to them. Both also count after the last step, because another step may be added. A keyword or
 * JOIN begins the campaigns that use it, and is no reply to those. Two statements whatever their number.
 */
export async function recordAnswers(trx: Trx, texts: Answer[]): Promise<void> {
  const answers = texts.filter(({ isFromUs }) => !isFromUs);
  if (answers.length === 0) return;
  const accountIds = [...(await endCourses(trx, answers)), ...(await beginCourses(trx, answers))];
  for (const accountId of new Set(accountIds)) await notify(trx, accountId, [{ type: 'sequences.changed' }]);
}

/** True if a text `t` begins the campaign `q` with the model `b`. */
const begins = sql`((q.starts_on = 'keyword' and q.keyword_id = t.keyword_id)
  or (q.starts_on = 'join' and t.is_join and b.text_number_id = t.text_number_id))`;

async function endCourses(trx: Trx, answers: Answer[]): Promise<number[]> {
  const column = <T>(pick: (answer: Answer) => T) => answers.map(pick);
  const { rows } = await sql<{ account_id: number }>`
    ${prepared} with ended as (
      select distinct on (q.account_id, q.sequence_id, t.phone) q.account_id, q.sequence_id, q.starts_on, t.phone, t.at,
        case when t.is_stop then 'opted_out' else 'replied' end as state
      from unnest(
        ${column((a) => a.accountId)}::bigint[], ${column((a) => a.textNumberId)}::bigint[],
        ${column((a) => a.phone)}::text[], ${column((a) => a.at)}::timestamptz[],
        ${column((a) => a.word === 'stop')}::boolean[], ${column((a) => a.keyword?.keywordId ?? null)}::bigint[],
        ${column((a) => a.word === 'join')}::boolean[]
      ) as t(account_id, text_number_id, phone, at, is_stop, keyword_id, is_join)
      join sequences q on q.account_id = t.account_id and q.status in ('running', 'paused') and q.deleted_at is null
      join broadcasts b on b.account_id = q.account_id and b.broadcast_id = q.broadcast_id
      where (t.is_stop or (q.stops_on_reply and ${begins} is not true))
      -- In it: on their way, or texted by one of its steps before this text came.
      and (exists (
          select from sequence_people p
          where p.account_id = q.account_id and p.sequence_id = q.sequence_id and p.phone = t.phone
            -- Finished people too: no step that is added later, and no text that quiet hours still hold, goes to them.
            and p.state in ('active', 'done')
            and (t.is_stop or (p.position > 0 and b.text_number_id = t.text_number_id)))
        or (q.starts_on = 'dates' and (t.is_stop or b.text_number_id = t.text_number_id) and exists (
          select from messages m
          join broadcasts s on s.account_id = m.account_id and s.broadcast_id = m.broadcast_id
          where m.account_id = q.account_id and m.text_number_id = b.text_number_id and m.phone = t.phone
            and m.created_at <= t.at and m.created_at >= q.started_at and not m.is_inbound
            and s.sequence_id = q.sequence_id))
        or (q.starts_on = 'dates' and t.is_stop and exists (
          select from broadcast_recipients r
          where r.account_id = q.account_id and r.broadcast_id = q.broadcast_id and r.phone = t.phone)))
      order by q.account_id, q.sequence_id, t.phone, t.is_stop desc, t.at
    )
    insert into sequence_people (account_id, sequence_id, phone, joined_at, joined_day, state, ended_at)
    select account_id, sequence_id, phone, at, (at at time zone 'UTC')::date, state, at from ended
    order by account_id, sequence_id, phone
    on conflict (account_id, sequence_id, phone) do update
    set state = excluded.state, ended_at = excluded.ended_at, next_at = null
    where sequence_people.state in ('active', 'done')
    returning account_id`.execute(trx);
  return rows.map(({ account_id }) => account_id);
}

/** The campaign enrolls them a moment later, by itself: nothing here waits for its rows. */
async function beginCourses(trx: Trx, answers: Answer[]): Promise<number[]> {
  const joining = answers.filter(({ word, keyword }) => word === 'join' || keyword !== undefined);
  if (joining.length === 0) return [];
  const column = <T>(pick: (answer: Answer) => T) => joining.map(pick);
  const { rows } = await sql<{ account_id: number }>`
    insert into sequence_joins (account_id, sequence_id, phone, joined_at)
    select q.account_id, q.sequence_id, t.phone, t.at
    from unnest(
      ${column((a) => a.accountId)}::bigint[], ${column((a) => a.textNumberId)}::bigint[],
      ${column((a) => a.phone)}::text[], ${column((a) => a.at)}::timestamptz[],
      ${column((a) => a.keyword?.keywordId ?? null)}::bigint[], ${column((a) => a.word === 'join')}::boolean[]
    ) as t(account_id, text_number_id, phone, at, keyword_id, is_join)
    join sequences q on q.account_id = t.account_id and q.status in ('running', 'paused') and q.deleted_at is null
    join broadcasts b on b.account_id = q.account_id and b.broadcast_id = q.broadcast_id
    where ${begins}
    returning account_id`.execute(trx);
  return rows.map(({ account_id }) => account_id);
}
