/**
 * The one statement that judges recipients. Every person who is added to a broadcast is inserted here, a
 * thousand or twenty thousand at a time. `problem` is null for those who get it, otherwise the first reason
 * in this order:
 *   invalid → not_textable → opted_out → not_opted_in → not_verified → unreachable → too_often → duplicate
 * When the text is created, opt-outs and the account's rules are checked again (feed-broadcast.ts); the others aren't.
 */
import { type RawBuilder, sql } from 'kysely';
import type { RecipientProblem } from '../../../contract/draft-recipients.ts';
import { areaCodes } from '../../../contract/phone/area-codes.ts';
import type { Trx } from '../../db.ts';
import { findGuard, isTooOften } from './judge-frequency.ts';

/** Number of added recipients by result: the change of the broadcast's counts. */
export interface Tally {
  zone: string;
  problem: RecipientProblem | null;
  segments: number | null;
  sourceId: number | null;
  count: number;
}

/** The zones that area codes belong to, and for each code from 000 on the index of its zone; 0 for none. */
const zoneNames = [...new Set(areaCodes.map(({ zones }) => zones.join(',')))];
const zoneOfCode = Array<number>(1000).fill(0);
for (const { code, zones } of areaCodes) zoneOfCode[Number(code)] = zoneNames.indexOf(zones.join(',')) + 1;

/** The account's settings that decide who may be texted. */
interface AccountRules {
  requiresOptIn: boolean;
  isFreeTrial: boolean;
  numberIds: number[];
}

async function readRules(trx: Trx, accountId: number): Promise<AccountRules> {
  const { rows } = await sql<AccountRules>`
    select require_text_opt_in or explicit_opt_in_required as "requiresOptIn", is_free_trial as "isFreeTrial",
      array(select text_number_id from text_numbers n where n.account_id = a.account_id order by 1) as "numberIds"
    from accounts a where account_id = ${accountId}`.execute(trx);
  return rows[0] ?? { requiresOptIn: true, isFreeTrial: true, numberIds: [] };
}

/** The candidates with their phone and the first problem, duplicates aside, as a list of common table expressions. */
async function judgedOf(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  candidates: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const { requiresOptIn, isFreeTrial, numberIds } = await readRules(trx, accountId);
  const guard = await findGuard(trx, accountId, broadcastId);
  const tooOften =
    guard === undefined
      ? sql`false`
      : isTooOften(guard, { accountId, broadcastId, numberIds, phone: sql`r.phone` });
  return sql`
    candidates as materialized (${candidates}),
    phones as materialized (
      select array(
        select phone1 from candidates where phone1 is not null
        union all select phone2 from candidates where phone2 is not null
        union all select phone3 from candidates where phone3 is not null) as list
    ),
    bad as materialized (
      select phone from phone_lookups
      where account_id = ${accountId} and ${isKnown} and (not is_valid or line_type = 'landline')
    ),
    consents as materialized (
      select phone, text_state from phone_consents
      where account_id = ${accountId} and ${isKnown} and text_state is not null
    ),
    -- One text per person: to the first phone, or if that is known not to accept texts, to the first that
    -- does. "offset 0": chosen once, not again for each use below.
    reached as (
      select c.*, case
        when c.phone1 not in (select phone from bad) then c.phone1
        when c.phone2 not in (select phone from bad) then c.phone2
        when c.phone3 not in (select phone from bad) then c.phone3
        else coalesce(c.phone1, c.phone2, c.phone3)
      end as phone
      from candidates c offset 0
    ),
    judged as (
      select r.*, case
        when r.phone is null then 'invalid'
        when r.phone in (select phone from bad) then 'not_textable'
        when r.phone in (select phone from consents where text_state = 'out') then 'opted_out'
        when ${requiresOptIn} and r.phone not in (select phone from consents where text_state = 'in') then 'not_opted_in'
        when ${isFreeTrial} and not exists (
          select from verified_phones v where v.account_id = ${accountId} and v.phone = r.phone) then 'not_verified'
        when ${isUnreachable(accountId, numberIds)} then 'unreachable'
        when ${tooOften} then 'too_often'
      end as problem
      from reached r
    )`;
}

const isKnown = sql`phone = any((select list from phones)::text[])`;

/**
 * Of people who were left out, those for whom judging them now has another result: their recipient_id is `place` of
 * `candidates`.
 */
export async function listJudgedOtherwise(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  { candidates }: { candidates: RawBuilder<unknown> },
): Promise<number[]> {
  const { rows } = await sql<{ place: number }>`
    with ${await judgedOf(trx, accountId, broadcastId, candidates)}
    select j.place from judged j
    join broadcast_recipients r on r.account_id = ${accountId} and r.broadcast_id = ${broadcastId}
      and r.recipient_id = j.place
    where j.phone is distinct from r.phone or r.problem is distinct from coalesce(j.problem, (
      select 'duplicate' from broadcast_recipients o
      where o.account_id = ${accountId} and o.broadcast_id = ${broadcastId} and o.phone = j.phone
        and o.problem is null))`.execute(trx);
  return rows.map(({ place }) => place);
}

/**
 * Adds the rows of `candidates`: (place, person_id, source_id, first_name, last_name, phone1, phone2, phone3,
 * typed_phone, custom_data), in the order of `place`, which is the id in the source. The caller has locked
 * the broadcast's row.
 *
 * What is known about the phones is read in one index scan per key, for all of them at once, and compared
 * with the candidates in memory. One lookup per phone took three times as long, and a plain join would read
 * tables of a million rows completely for every slice.
 */
export async function judgeRecipients(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  { candidates, ids = 'drawn' }: { candidates: RawBuilder<unknown>; ids?: 'drawn' | 'kept' },
): Promise<Tally[]> {
  const recipientId = ids === 'kept' ? sql`j.place` : sql`nextval('broadcast_recipients_recipient_id_seq')`;
  const judged = await judgedOf(trx, accountId, broadcastId, candidates);
  const before = await drawId(trx);
  await sql`
    with ${judged},
    numbered as (
      select ${recipientId} as recipient_id, j.* from (select * from judged order by place) j
    ),
    -- Includes existing recipients: of each phone the first one gets it, and existing recipients come before new ones.
    placed as (
      select n.*, case when n.problem is null then nullif(first_value(n.recipient_id) over (
        partition by n.phone, n.problem order by n.is_new, n.recipient_id), n.recipient_id) end as duplicate_of
      from (
        select recipient_id, person_id, source_id, phone, problem, first_name, last_name, typed_phone, custom_data,
          true as is_new
        from numbered
        union all
        select recipient_id, null, null, phone, null, null, null, null, null, false
        from broadcast_recipients
        where account_id = ${accountId} and broadcast_id = ${broadcastId} and problem is null and ${isKnown}
      ) n
    )
    insert into broadcast_recipients
      (account_id, broadcast_id, recipient_id, person_id, source_id, duplicate_of, phone, problem, zone, first_name,
      last_name, typed_phone, custom_data)
    overriding system value
    select ${accountId}::bigint, ${broadcastId}::bigint, p.recipient_id, p.person_id, p.source_id, p.duplicate_of, p.phone,
      case when p.duplicate_of is null then p.problem else 'duplicate' end, ${zoneOf(sql`p.phone`)}, p.first_name,
      p.last_name, case when p.phone is null then p.typed_phone end, p.custom_data
    from placed p
    where p.is_new`.execute(trx);
  return tally(trx, accountId, broadcastId, before);
}

/** By the area code, from two arrays: a table of codes would be sorted with the recipients for each slice. */
function zoneOf(phone: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(case when length(${phone}) = 11 and ${phone} like '1%'
    then (${zoneNames}::text[])[(${zoneOfCode}::smallint[])[substr(${phone}, 2, 3)::integer + 1]] end, '')`;
}

async function drawId(trx: Trx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval('broadcast_recipients_recipient_id_seq') as id`.execute(trx);
  return rows[0]?.id ?? 0;
}

/**
 * The recipients added after an id. Counted separately: returned from the statement above they took twice as
 * long.
 */
async function tally(trx: Trx, accountId: number, broadcastId: number, afterId: number): Promise<Tally[]> {
  const { rows } = await sql<Tally>`
    select zone, problem, null::smallint as segments, source_id as "sourceId", count(*) as count
    from broadcast_recipients
    where account_id = ${accountId} and broadcast_id = ${broadcastId} and recipient_id > ${afterId}
    group by zone, problem, source_id`.execute(trx);
  return rows;
}

const neverArrived = sql`('number_unavailable', 'phone_unreachable')`;

/**
 * An account with more numbers than this is queried for all of them at once, which takes longer for the first
 * ones.
 */
const numbersApart = 4;

/**
 * True if the last three texts to `r.phone`, from any number, all failed. The last one of each number is checked
 * first: for almost everybody that is all that is read.
 */
function isUnreachable(accountId: number, numberIds: number[]): RawBuilder<unknown> {
  if (numberIds.length === 0) return sql`false`;
  const lastOf = (numberId: RawBuilder<unknown>, count: number, columns: RawBuilder<unknown>) => sql`
    select ${columns} from messages m
    where m.account_id = ${accountId} and m.text_number_id = ${numberId} and m.phone = r.phone and not m.is_inbound
    order by m.created_at desc, m.message_id desc limit ${sql.raw(String(count))}`;
  const all = sql`unnest(${numberIds}::bigint[]) n(id)`;
  const isLastLost = sql`m.status in ${neverArrived}`;
  const isOneLost =
    numberIds.length > numbersApart
      ? sql`exists (select from ${all} cross join lateral (${lastOf(sql`n.id`, 1, sql`m.status`)}) m where ${isLastLost})`
      : sql.join(
          numberIds.map((id) => sql`coalesce((${lastOf(sql`${id}`, 1, isLastLost)}), false)`),
          sql` or `,
        );
  const whole = sql`m.status, m.created_at, m.message_id`;
  return sql`((${isOneLost}) and (
    select count(*) = 3 and bool_and(status in ${neverArrived}) from (
      select m.status from ${all} cross join lateral (${lastOf(sql`n.id`, 3, whole)}) m
      order by m.created_at desc, m.message_id desc limit 3) last_three))`;
}
