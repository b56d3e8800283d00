import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { RecipientProblem } from '../../../contract/draft-recipients.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { listSequenceRecipients as definition, SequenceRecipient } from '../../../contract/sequences.ts';
import { recipientProblemMessages } from '../../../contract/states/recipient-problem.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { isLeftOut, requireSequence } from './queries.ts';

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

async function readPeople(
  trx: Trx,
  actor: Actor,
  sequenceId: number,
  { where, most, offset = 0 }: { where: RawBuilder<unknown>; most: number; offset?: number },
) {
  const { DraftBroadcastID, SentStepCount } = await requireSequence(trx, actor, sequenceId);
  const { rows } = await sql<Row>`
    select r.recipient_id as "RecipientID", coalesce(c.first_name, r.first_name) as "FirstName",
      coalesce(c.last_name, r.last_name) as "LastName", c.person_id as "PersonID", r.problem,
      coalesce(nullif(wire_phone(r.phone), ''), r.typed_phone, '') as "PhoneNumber",
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
    where r.account_id = ${actor.accountId} and r.broadcast_id = ${DraftBroadcastID} and ${where}
    order by r.recipient_id limit ${most} offset ${offset}`.execute(trx);
  return rows.map(({ problem, ...row }) => ({
    ...row,
    LeftOutBecause: problem === null ? '' : recipientProblemMessages[problem],
  }));
}
