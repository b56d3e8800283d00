import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db.ts';
import { mayHaveEarlierBeside } from '../may-have-earlier-beside.ts';

/**
 * Number of phones that opted out, or agreed to texts themselves, by quarter of an hour (consent_counts). A phone
 * counts by the current state of its row: if it opts out and comes back, it is subtracted where it opted out. Every
 * statement that writes a phone's state (phone_consents) returns `movedConsents`, and `countMoved` adds them in the
 * same statement.
 *
 * Rows are locked by their key, after those of the phones: the last in the order of locks in docs/sending.md.
 */
export interface ConsentCounts {
  accountId: number;
  /** The start of a quarter of an hour, in PostgreSQL's UTC format. */
  quarter: string;
  textsOut: number;
  callsOut: number;
  textsIn: number;
}

/** The columns that `countMoved` needs of each written row. */
export const movedConsents = sql`returning new.account_id, new.declared_at,
  old.text_state as was_text, old.text_changed_at as was_text_at, old.voice_state as was_voice, old.voice_changed_at as was_voice_at,
  new.text_state as is_text, new.text_changed_at as is_text_at, new.voice_state as is_voice, new.voice_changed_at as is_voice_at`;

const quarterOf = (at: RawBuilder<unknown>) => sql`date_bin('15 minutes', ${at}, 'epoch')`;
const isOne = (condition: RawBuilder<unknown>) => sql`(${condition} is true)::int`;
/**
 * A consent that an import declared for a new phone (declared_at) is not listed and does not count. One that a file
 * declares for a known phone is listed with the others and counts.
 */
const agreed = (state: RawBuilder<unknown>, at: RawBuilder<unknown>) =>
  isOne(sql`(${state} = 'in' and ${at} is distinct from declared_at)`);

/** The statement that counts the rows of its part named `moved`. */
export const countMoved = sql`
  insert into consent_counts as c (account_id, quarter, texts_out, calls_out, texts_in)
  select m.account_id, ${quarterOf(sql`v.at`)}, sum(v.texts_out), sum(v.calls_out), sum(v.texts_in)
  from moved m cross join lateral (values
    (was_text_at, -${isOne(sql`(was_text = 'out')`)}, 0, -${agreed(sql`was_text`, sql`was_text_at`)}),
    (was_voice_at, 0, -${isOne(sql`(was_voice = 'out')`)}, 0),
    (is_text_at, ${isOne(sql`(is_text = 'out')`)}, 0, ${agreed(sql`is_text`, sql`is_text_at`)}),
    (is_voice_at, 0, ${isOne(sql`(is_voice = 'out')`)}, 0)
  ) as v(at, texts_out, calls_out, texts_in)
  where v.at is not null
  group by 1, 2
  having sum(v.texts_out) <> 0 or sum(v.calls_out) <> 0 or sum(v.texts_in) <> 0
  order by 1, 2
  on conflict (account_id, quarter) do update set texts_out = c.texts_out + excluded.texts_out,
    calls_out = c.calls_out + excluded.calls_out, texts_in = c.texts_in + excluded.texts_in`;

/** The `moved` rows of phones that are new and were not counted when they were written. */
export function newConsents(accountId: number, phones: readonly string[]): RawBuilder<unknown> {
  const [nothing, never] = [sql`null::text`, sql`null::timestamptz`];
  return sql`
    select account_id, declared_at, ${nothing} as was_text, ${never} as was_text_at, ${nothing} as was_voice,
      ${never} as was_voice_at, text_state as is_text, text_changed_at as is_text_at, voice_state as is_voice,
      voice_changed_at as is_voice_at
    from phone_consents where account_id = ${accountId} and phone = any(${[...phones]}::text[])`;
}

/** Counts the current consents by account and quarter of an hour, from the indexes of the three lists. */
export function countPhones(accountId: number | undefined): RawBuilder<unknown> {
  const ofAccount = accountId === undefined ? sql`true` : sql`account_id = ${accountId}`;
  return sql`
    select account_id, ${quarterOf(sql`at`)} as quarter, sum(texts_out) as texts_out, sum(calls_out) as calls_out,
      sum(texts_in) as texts_in
    from (
      select account_id, text_changed_at as at, 1 as texts_out, 0 as calls_out, 0 as texts_in
      from phone_consents where ${ofAccount} and text_state = 'out' and text_changed_at is not null
      union all
      select account_id, voice_changed_at, 0, 1, 0
      from phone_consents where ${ofAccount} and voice_state = 'out' and voice_changed_at is not null
      union all
      select account_id, text_changed_at, 0, 0, 1
      from phone_consents where ${ofAccount} and text_state = 'in' and text_changed_at is distinct from declared_at
        and text_changed_at is not null
    ) p
    group by 1, 2`;
}

/** Adds to the existing counts. */
export async function addConsentCounts(trx: Trx, rows: readonly ConsentCounts[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <T>(pick: (row: ConsentCounts) => T) => rows.map(pick);
  await sql`
    insert into consent_counts as c (account_id, quarter, texts_out, calls_out, texts_in)
    select * from unnest(
      ${column((r) => r.accountId)}::bigint[], ${column((r) => r.quarter)}::timestamptz[], ${column((r) => r.textsOut)}::integer[],
      ${column((r) => r.callsOut)}::integer[], ${column((r) => r.textsIn)}::integer[]
    ) as t(account_id, quarter, texts_out, calls_out, texts_in)
    order by account_id, quarter
    on conflict (account_id, quarter) do update set texts_out = c.texts_out + excluded.texts_out,
      calls_out = c.calls_out + excluded.calls_out, texts_in = c.texts_in + excluded.texts_in`.execute(trx);
}

/**
 * Adds what processes of an earlier version beside this one didn't count, as long as there may be any: afterwards a count
 * that is wrong is a mistake, and stays until `muster figures` has named it.
 */
export async function mendConsentCountsBeside(trx: Trx): Promise<void> {
  if (await mayHaveEarlierBeside(trx, '0225_consent_counts.sql')) await mendConsentCounts(trx);
}

/** Both sides are read at one moment, and what others write meanwhile they count themselves. */
export async function mendConsentCounts(trx: Trx): Promise<void> {
  await sql`
    insert into consent_counts as c (account_id, quarter, texts_out, calls_out, texts_in)
    select account_id, quarter, coalesce(n.texts_out, 0) - coalesce(k.texts_out, 0),
      coalesce(n.calls_out, 0) - coalesce(k.calls_out, 0), coalesce(n.texts_in, 0) - coalesce(k.texts_in, 0)
    from (${countPhones(undefined)}) n full join consent_counts k using (account_id, quarter)
    where (coalesce(n.texts_out, 0), coalesce(n.calls_out, 0), coalesce(n.texts_in, 0))
      <> (coalesce(k.texts_out, 0), coalesce(k.calls_out, 0), coalesce(k.texts_in, 0))
    order by 1, 2
    on conflict (account_id, quarter) do update set texts_out = c.texts_out + excluded.texts_out,
      calls_out = c.calls_out + excluded.calls_out, texts_in = c.texts_in + excluded.texts_in`.execute(trx);
}
