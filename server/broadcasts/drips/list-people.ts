import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { RecipientProblem } from '../../../contract/draft-recipients.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { listSequenceRecipients as definition, SequenceRecipient } from '../../../contract/sequences.ts';
import { recipientProblemMessages } from '../../../contract/states/recipient-problem.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { wirePhone } from '../../wire-phone.ts';
import { isLeftOut, requireSequence, stepsOf } from './queries.ts';

type Row = Omit<SequenceRecipient, 'JoinedDate' | 'NextStepDate' | 'LeftOutBecause'> & {
  problem: RecipientProblem | null;
  JoinedDate: Date | null;
  NextStepDate: Date | null;
  /** Their state, as stored for broadcasts. */
  zone: string;
};

/** Everybody in a campaign, including those for whom it has ended, and their current state. */
export async function listSequenceRecipients(
  trx: Trx,
  actor: Actor,
  { params, query }: Input<typeof definition>,
) {
  const after = query.next === undefined ? 0 : Number(query.next);
  if (!Number.isSafeInteger(after) || after < 0)
    throw new Refusal('invalid', 'next is not a place in this list');
  const words = query.q.toLowerCase();
  const rows = await readPeople(trx, actor, params.SequenceID, {
    where: sql`r.recipient_id > ${after}
      and ${query.leftout ? isLeftOut : sql`r.problem is null`}
      and (${words} = '' or position(${words} in lower(r.first_name || ' ' || r.last_name || ' ' || coalesce(r.phone, r.typed_phone, ''))) > 0)`,
    most: query.pagesize + 1,
  });
  const kept = rows.slice(0, query.pagesize);
  const last = kept.at(-1);
  return {
    Items: kept,
    Next: rows.length > query.pagesize && last !== undefined ? String(last.RecipientID) : null,
  };
}

/** One of them, or not found: by id, or by their position among those who get it. */
export async function requirePerson(
  trx: Trx,
  actor: Actor,
  sequenceId: number,
  { recipientId, position = 1 }: { recipientId?: number | undefined; position?: number | undefined },
) {
  const [person] = await readPeople(trx, actor, sequenceId, {
    where: sql`r.problem is null ${recipientId === undefined ? sql`` : sql`and r.recipient_id = ${recipientId}`}`,
    most: 1,
    offset: recipientId === undefined ? position - 1 : 0,
  });
  if (person === undefined) throw new Refusal('notFound', 'That person is no longer in this campaign.');
  return person;
}

interface Wanted {
  where: RawBuilder<unknown>;
  most: number;
  offset?: number;
}

/**
 * The recipients of the model. After them, in a campaign on dates, whoever got a step because they came into a group of
 * it later: their ids are higher, since recipients were added to the model before it was started.
 */
async function readPeople(trx: Trx, actor: Actor, sequenceId: number, { where, most, offset = 0 }: Wanted) {
  const { DraftBroadcastID, SentStepCount, StartsOn } = await requireSequence(trx, actor, sequenceId);
  const steps = stepsOf(actor.accountId, sequenceId);
  const read = async (broadcasts: RawBuilder<unknown>, wanted: Wanted) => {
    const { rows } = await sql<Row>`
      select r.recipient_id as "RecipientID", coalesce(c.first_name, r.first_name) as "FirstName",
        coalesce(c.last_name, r.last_name) as "LastName", c.person_id as "PersonID", r.problem,
        coalesce(nullif(${wirePhone(actor, sql`r.phone`)}, ''), r.typed_phone, '') as "PhoneNumber",
        -- A campaign on dates has only rows for people who left it.
        case when o.text_state = 'out' and coalesce(p.state, 'active') = 'active' then 'opted_out'
          else coalesce(p.state, 'active') end as "State",
        case when q.starts_on = 'dates' then ${SentStepCount}::int else coalesce(p.position, 0)::int end as "Position",
        case when q.starts_on <> 'dates' then p.joined_at end as "JoinedDate", p.next_at as "NextStepDate", r.zone
      from broadcast_recipients r
      join sequences q on q.account_id = r.account_id and q.sequence_id = ${sequenceId}
      left join contacts c on c.account_id = r.account_id and c.person_id = r.person_id and c.deleted_at is null
      left join sequence_people p on p.account_id = r.account_id and p.sequence_id = q.sequence_id and p.phone = r.phone
      left join phone_consents o on o.account_id = r.account_id and o.phone = r.phone
      where r.account_id = ${actor.accountId} and ${broadcasts} and ${wanted.where}
      order by r.recipient_id limit ${wanted.most} offset ${wanted.offset ?? 0}`.execute(trx);
    return rows;
  };
  const rows = await read(sql`r.broadcast_id = ${DraftBroadcastID}`, { where, most, offset });
  if (StartsOn === 'dates' && rows.length < most && offset === 0) {
    const later = sql`r.broadcast_id in (${steps}) and r.problem is null
      and not exists (
        select from broadcast_recipients m
        where m.account_id = r.account_id and m.broadcast_id = ${DraftBroadcastID} and m.phone = r.phone)
      and not exists (
        select from broadcast_recipients m
        where m.account_id = r.account_id and m.broadcast_id = ${DraftBroadcastID} and m.person_id = r.person_id)
      and not exists (
        select from broadcast_recipients e
        where e.account_id = r.account_id and e.broadcast_id in (${steps}) and e.problem is null and e.phone = r.phone
          and e.recipient_id < r.recipient_id)`;
    rows.push(...(await read(later, { where, most: most - rows.length })));
  }
  return rows.map(({ problem, ...row }) => ({
    ...row,
    LeftOutBecause: problem === null ? '' : recipientProblemMessages[problem],
  }));
}
