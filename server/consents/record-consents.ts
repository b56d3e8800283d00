import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db.ts';
import { recordBeside } from '../record-events.ts';
import { countMoved, movedConsents } from './count-moved.ts';

/**
 * The ledger of what phones have allowed (consent_events, append-only), and their current consent
 * (phone_consents), which can always be derived from it again:
 *
 * 1. `none` undoes the last active declaration before it, of the same channel, source and declarer (the file,
 *    or else the user). It affects nothing else: a STOP stays, whatever is undone.
 * 2. Of the active events, the latest applies, for each channel; `both` counts for either.
 * 3. An opt-in that came with a file counts only without any other active event. Of several the first counts.
 *    So a file never turns an opt-out into an opt-in.
 */
export interface ConsentChange {
  accountId: number;
  phone: string;
  /** Texts, unless specified. */
  channel?: 'text' | 'voice' | 'both';
  state: 'in' | 'out' | 'none';
  at: Date;
  source: 'inbound' | 'user' | 'carrier' | 'import' | 'web' | 'call';
  messageId?: number;
  userId?: number;
  fileId?: number;
  /** Words that they wrote, or that the person who declared it confirmed. */
  wording?: string;
  /** Network address where it was declared. */
  address?: string;
}

type Phone = Pick<ConsentChange, 'accountId' | 'phone'>;

/**
 * Writes changes into the ledger and updates the current consents: three statements whatever their number, and
 * one if all are opt-ins from a file. Returns the ids in the ledger, in the order of the changes; a `none` that
 * has nothing to undo is not written. `isTrial`: everything is rolled back later, so the rows of counts, for
 * which others would wait, are left alone.
 */
export async function recordConsents(
  trx: Trx,
  changes: ConsentChange[],
  { isTrial = false } = {},
): Promise<number[]> {
  if (changes.length === 0) return [];
  if (changes.every(isFromFile)) return recordFromFile(trx, changes);
  // First, so that the next statements see what others have written about these phones.
  await lockPhones(trx, changes);
  const { rows } = await sql<{ consent_event_id: number }>`
    with change as (${rowsOf(changes)}) ${insertEvents}`.execute(trx);
  await deriveConsents(trx, changes, isTrial);
  await keepConsents(trx, changes);
  return rows.map((row) => row.consent_event_id);
}

/** A phone's declaration as stored in the event: the ledger is ordered by phone, not by its ids. */
export interface KeptConsent {
  phone: string;
  channel: 'text' | 'voice' | 'both';
  state: 'in' | 'out';
  source: string;
  at: string;
}

/** Stored for interested readers; consent from a file is reported with the file. */
async function keepConsents(trx: Trx, changes: ConsentChange[]): Promise<void> {
  const said = changes.filter(({ state, source }) => state !== 'none' && source !== 'import');
  for (const [accountId, some] of Map.groupBy(said, (change) => change.accountId)) {
    const consents = some.map(
      ({ phone, channel, state, source, at }): KeptConsent => ({
        ...{ phone, channel: channel ?? 'text', state: state === 'in' ? 'in' : 'out', source },
        at: at.toISOString(),
      }),
    );
    await recordBeside(trx, { accountId }, [
      { kind: 'consent.recorded', count: consents.length, changes: { consents } },
    ]);
  }
}

function isFromFile({ source, state }: ConsentChange): boolean {
  return source === 'import' && state === 'in';
}

/** Locks the phone's row before writing about it, in the same order everywhere, to avoid deadlocks. */
export async function lockPhones(trx: Trx, phones: Phone[]): Promise<void> {
  await sql`
    insert into phone_consents (account_id, phone)
    ${phonesOf(phones)} order by 1, 2
    on conflict (account_id, phone) do update set phone = excluded.phone`.execute(trx);
}

function phonesOf(phones: Phone[]): RawBuilder<unknown> {
  return sql`
    select distinct account_id, phone from unnest(
      ${phones.map((each) => each.accountId)}::bigint[], ${phones.map((each) => each.phone)}::text[]
    ) as p(account_id, phone)`;
}

function rowsOf(changes: ConsentChange[]): RawBuilder<unknown> {
  const column = <T>(pick: (change: ConsentChange) => T) => changes.map(pick);
  return sql`
    select * from unnest(
      ${column((c) => c.accountId)}::bigint[], ${column((c) => c.phone)}::text[], ${column((c) => c.channel ?? 'text')}::text[],
      ${column((c) => c.state)}::text[], ${column((c) => c.at)}::timestamptz[], ${column((c) => c.source)}::text[],
      ${column((c) => c.messageId ?? null)}::bigint[], ${column((c) => c.userId ?? null)}::bigint[],
      ${column((c) => c.fileId ?? null)}::bigint[], ${column((c) => c.wording ?? '')}::text[], ${column((c) => c.address ?? '')}::text[]
    ) with ordinality as c(account_id, phone, channel, state, at, source, message_id, user_id, file_id, wording, address, place)`;
}

/** Into the ledger, from the rows named `change`. */
const insertEvents = sql`
    insert into consent_ledger
      (account_id, phone, channel, state, source, message_id, user_id, file_id, wording, address, created_at)
    select account_id, phone, channel, state, source, message_id, user_id, file_id, wording, address, at
    from change c
    where c.state <> 'none' or 0 < (
      select sum(case e.state when 'none' then -1 else 1 end) from consent_events e
      where e.account_id = c.account_id and e.phone = c.phone and e.channel = c.channel and e.source = c.source
        and ${declarer(sql`e`)} is not distinct from ${declarer(sql`c`)})
    order by place
    returning consent_event_id`;

/**
 * Source of the declaration, so that it can be undone: the file, or else the user. Ids of files are negative here.
 */
function declarer(event: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(-${event}.file_id, ${event}.user_id)`;
}

/**
 * Opt-ins of a file, twenty thousand at a time: by the third rule they apply exactly where there is no state
 * yet, which the phone's row shows, so the ledger needn't be read.
 */
async function recordFromFile(trx: Trx, changes: ConsentChange[]): Promise<number[]> {
  const { rows } = await sql<{ consent_event_id: number }>`
    -- "materialized": read by the ledger and by the phones' rows.
    with change as materialized (${rowsOf(changes)}),
    written as (${insertEvents}),
    moved as (
      insert into phone_consents as p (account_id, phone, text_state, text_changed_at, voice_state, voice_changed_at)
      select account_id, phone,
        max(state) filter (where channel <> 'voice'),
        (array_agg(at order by place) filter (where channel <> 'voice'))[1],
        max(state) filter (where channel <> 'text'),
        (array_agg(at order by place) filter (where channel <> 'text'))[1]
      from change
      group by 1, 2 order by 1, 2
      on conflict (account_id, phone) do update set
        text_state = coalesce(p.text_state, excluded.text_state),
        text_changed_at = case when p.text_state is null then excluded.text_changed_at else p.text_changed_at end,
        voice_state = coalesce(p.voice_state, excluded.voice_state),
        voice_changed_at = case when p.voice_state is null then excluded.voice_changed_at else p.voice_changed_at end
      where (p.text_state is null and excluded.text_state is not null)
        or (p.voice_state is null and excluded.voice_state is not null)
      ${movedConsents}
    ),
    counted as (${countMoved})
    select consent_event_id from written`.execute(trx);
  return rows.map((row) => row.consent_event_id);
}

/**
 * All of the ledger about a phone, selected by account_id and phone of `named`. "offset 0" looks up each
 * phone separately: PostgreSQL has no statistics yet for rows of a new import, and would compare each row
 * with every other.
 */
export function eventsOf(named: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select * from consent_events where account_id = ${named}.account_id and phone = ${named}.phone offset 0)`;
}

/**
 * The current state by the ledger alone, a row for each phone and channel that has any; `phones` gives
 * account_id and phone.
 */
export function heldConsents(phones: RawBuilder<unknown>): RawBuilder<unknown> {
  const declared = sql`partition by account_id, phone, channel, source, declarer order by consent_event_id`;
  return sql`
    with counted as (
      select e.*, ${declarer(sql`e`)} as declarer
      from (${phones}) p cross join lateral ${eventsOf(sql`p`)} e
    ),
    -- A declaration opens and its undo closes: like brackets, the last one opened closes first.
    deep as (
      select c.*, sum(case state when 'none' then -1 else 1 end) over (${declared}) as depth from counted c
    ),
    followed as (
      select d.*, min(depth) over (${declared} rows between 1 following and unbounded following) as lowest_later from deep d
    ),
    standing as (
      select f.*, f.source = 'import' and f.state = 'in' as is_from_file from followed f
      where state <> 'none' and coalesce(lowest_later, depth) >= depth
    )
    select distinct on (s.account_id, s.phone, heard.channel)
      s.account_id, s.phone, heard.channel, s.state, s.created_at, s.consent_event_id
    from standing s
    join (values ('text'), ('voice')) as heard(channel) on s.channel in (heard.channel, 'both')
    order by s.account_id, s.phone, heard.channel, s.is_from_file,
      case when not s.is_from_file then s.created_at end desc,
      case when s.is_from_file then s.consent_event_id else -s.consent_event_id end`;
}

/**
 * Writes the current state by the ledger. A state that the ledger doesn't know (written by hand) is replaced
 * by newer events only.
 */
async function deriveConsents(trx: Trx, phones: Phone[], isTrial: boolean): Promise<void> {
  const known = (channel: 'text' | 'voice') => sql`exists (
    select from consent_events e
    where e.account_id = p.account_id and e.phone = p.phone and e.channel in (${channel}, 'both')
      and e.created_at = p.${sql.raw(channel)}_changed_at)`;
  const isDue = (channel: 'text' | 'voice') => {
    const name = sql.raw(channel);
    return sql`(p.${name}_state is null or h.${name}_changed_at >= p.${name}_changed_at or ${known(channel)})`;
  };
  await sql`
    with held as (${heldConsents(phonesOf(phones))}),
    -- A row per phone, also without a state; by grouping, because a join of the two would be planned as a
    -- nested loop.
    holds as (
      select account_id, phone,
        max(state) filter (where channel = 'text') as text_state,
        max(created_at) filter (where channel = 'text') as text_changed_at,
        max(state) filter (where channel = 'voice') as voice_state,
        max(created_at) filter (where channel = 'voice') as voice_changed_at
      from (
        select account_id, phone, channel, state, created_at from held
        union all
        select account_id, phone, null, null, null from (${phonesOf(phones)}) p
      ) h
      group by account_id, phone
    ),
    due as (
      select h.*, ${isDue('text')} as is_text_due, ${isDue('voice')} as is_voice_due
      from holds h join phone_consents p on p.account_id = h.account_id and p.phone = h.phone
    ),
    moved as (
      update phone_consents p set
        text_state = case when d.is_text_due then d.text_state else p.text_state end,
        text_changed_at = case when d.is_text_due then d.text_changed_at else p.text_changed_at end,
        voice_state = case when d.is_voice_due then d.voice_state else p.voice_state end,
        voice_changed_at = case when d.is_voice_due then d.voice_changed_at else p.voice_changed_at end
      from due d
      where p.account_id = d.account_id and p.phone = d.phone
      ${movedConsents}
    )
    ${isTrial ? sql`select from moved` : countMoved}`.execute(trx);
}
