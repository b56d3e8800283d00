import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Input } from '../../contract/call.ts';
import type {
  ConsentEvent,
  downloadOptOuts as downloadDefinition,
  listOptOuts as listDefinition,
  OptOut,
} from '../../contract/consents.ts';
import { formatE164 } from '../../contract/phone/format-phone.ts';
import { dayBounds } from '../../contract/time/local-day.ts';
import { isOfUsableNumber } from '../access/queries.ts';
import { csvDownload, readAhead } from '../csv.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { asAccount, type Trx } from '../db.ts';
import { digitsToFind, likeText } from '../search-text.ts';
import type { Actor, App, Download } from '../serve.ts';
import { wirePhone } from '../wire-phone.ts';
import { contactsWith } from './queries.ts';
import { sourceWords, zonedTime } from './rules.ts';

type Filter = z.output<typeof listDefinition.query>;
type Channel = 'text' | 'voice';

interface OptOutRow extends Omit<OptOut, 'TextTimestamp' | 'VoiceTimestamp' | 'Source'> {
  TextTimestamp: Date | null;
  VoiceTimestamp: Date | null;
  Source: ConsentEvent['Source'] | '';
  phone: string;
  at: string;
}

export function listOptOuts(trx: Trx, actor: Actor, { query }: Input<typeof listDefinition>) {
  return listOptOutRows(trx, actor, query);
}

/**
 * A page of opted-out phones, the latest first. Each channel has an index of its own; in a list of both, a
 * phone is found by the channel that changed last within the days, so that it is found once and in its place.
 */
async function listOptOutRows(trx: Trx, actor: Actor, filter: Filter) {
  const offset = filter.next === undefined ? (filter.page - 1) * filter.pagesize : 0;
  const most = offset + filter.pagesize + 1;
  const scans = scanChannels(actor, filter, most);
  const { rows } = await sql<OptOutRow>`
    -- "materialized": the page first, and related data only for its rows.
    with page as materialized (
      select * from (${sql.join(scans, sql` union all `)}) found
      order by changed_at desc, phone limit ${filter.pagesize + 1} offset ${offset}
    )
    select p.phone, to_json(p.changed_at) #>> '{}' as at, ${wirePhone(actor, sql`p.phone`)} as "PhoneNumber", person.person_id as "PersonID",
      coalesce(person.first_name, '') as "FirstName", coalesce(person.last_name, '') as "LastName",
      p.text_state is not distinct from 'out' as "TextOptedOut",
      case when p.text_state = 'out' then p.text_changed_at end as "TextTimestamp",
      p.voice_state is not distinct from 'out' as "VoiceOptedOut",
      case when p.voice_state = 'out' then p.voice_changed_at end as "VoiceTimestamp",
      coalesce(e.source, '') as "Source", coalesce(nullif(e.wording, ''), m.body, '') as "Wording"
    from page p
    left join lateral (select * from (${contactsWith(actor, sql`p.phone`)}) c limit 1) person on true
    -- The current event has the time at which the state changed.
    left join lateral (
      select e.source, e.wording, e.message_id from consent_events e
      where e.account_id = p.account_id and e.phone = p.phone and e.state = 'out' and e.created_at = p.changed_at
        and e.channel in (p.channel, 'both')
      order by e.consent_event_id desc limit 1
    ) e on true
    left join messages m on m.account_id = p.account_id and m.message_id = e.message_id and m.is_inbound
      and ${isOfUsableNumber(actor, sql`m.text_number_id`)}
    order by p.changed_at desc, p.phone`.execute(trx);
  const Items = rows.slice(0, filter.pagesize);
  const last = Items.at(-1);
  const isMore = rows.length > filter.pagesize && last !== undefined;
  return { Items, Next: isMore ? writeCursor({ at: last.at, id: Number(last.phone) }) : null };
}

/** Number of phones of a list. */
export async function countOptOuts(
  trx: Trx,
  actor: Actor,
  filter: Pick<Filter, 'filter' | 'q' | 'date-from' | 'date-to'>,
): Promise<number> {
  const all = { ...filter, page: 1, pagesize: 1, sortby: 'latest' as const };
  const { rows } = await sql<{ phones: number }>`
    select count(*)::int as phones from (${sql.join(scanChannels(actor, all, null), sql` union all `)}) found`.execute(
    trx,
  );
  return rows[0]?.phones ?? 0;
}

function scanChannels(actor: Actor, filter: Filter, most: number | null): RawBuilder<unknown>[] {
  return channelsOf(actor, filter).map(([channel, condition]) =>
    scanChannel(actor, filter, { channel, condition, most }),
  );
}

/** The channel whose index finds a phone: conditions that no phone meets for both. */
function channelsOf(actor: Actor, filter: Filter): [Channel, RawBuilder<unknown>][] {
  if (filter.filter === 'text') return [['text', sql`true`]];
  if (filter.filter === 'voice') return [['voice', sql`true`]];
  const text = sql`p.text_state = 'out' and ${isWithin(actor, filter, sql`p.text_changed_at`)}`;
  const voice = sql`p.voice_state = 'out' and ${isWithin(actor, filter, sql`p.voice_changed_at`)}`;
  const isBoth = filter.filter === 'both' ? sql`p.text_state = 'out' and p.voice_state = 'out'` : sql`true`;
  return [
    ['text', sql`${isBoth} and (${voice} and p.voice_changed_at > p.text_changed_at) is not true`],
    ['voice', sql`${isBoth} and (${text} and p.text_changed_at >= p.voice_changed_at) is not true`],
  ];
}

function scanChannel(
  actor: Actor,
  filter: Filter,
  { channel, condition, most }: { channel: Channel; condition: RawBuilder<unknown>; most: number | null },
): RawBuilder<unknown> {
  const changedAt = sql.ref(`p.${channel}_changed_at`);
  const after = filter.next === undefined ? undefined : readCursor(filter.next);
  const beyond =
    after === undefined
      ? sql`true`
      : sql`${changedAt} <= ${after.at}::timestamptz
          and (${changedAt} < ${after.at}::timestamptz or p.phone > ${String(after.id)})`;
  return sql`(
    select p.*, ${changedAt} as changed_at, ${channel}::text as channel from phone_consents p
    where p.account_id = ${actor.accountId} and ${sql.ref(`p.${channel}_state`)} = 'out'
      and ${condition} and ${beyond} and ${isWithin(actor, filter, changedAt)} and ${searchCondition(actor, filter.q)}
    order by ${changedAt} desc, p.phone limit ${most}::bigint)`;
}

/** On the requested days. */
function isWithin(actor: Actor, filter: Filter, changedAt: RawBuilder<unknown>): RawBuilder<unknown> {
  const { 'date-from': since, 'date-to': until } = filter;
  return sql`true
    ${since === undefined ? sql`` : sql`and ${changedAt} >= ${dayBounds(since, actor.timeZone).begins}`}
    ${until === undefined ? sql`` : sql`and ${changedAt} < ${dayBounds(until, actor.timeZone).ends}`}`;
}

/** By a part of the number, or of the name that is shown with it. */
function searchCondition(actor: Actor, q: string): RawBuilder<unknown> {
  if (q === '') return sql`true`;
  const digits = digitsToFind(q);
  if (digits !== '') return sql`strpos(p.phone, ${digits}) > 0`;
  return sql`exists (
    select from (${contactsWith(actor, sql`p.phone`)}) c
    where fold_text(c.first_name || ' ' || c.last_name) like fold_text(${likeText(q)}))`;
}

const batch = 1000;

export async function downloadOptOuts(
  app: App,
  actor: Actor,
  { query }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const zone = actor.timeZone;
  const time = (at: Date | null) => (at === null ? '' : zonedTime(at, zone));
  /** Each batch has its own transaction: a slow reader keeps none open. */
  async function* rows() {
    const pages = readAhead((next) => {
      const filter: Filter = { ...query, page: 1, pagesize: batch, sortby: 'latest', next };
      return asAccount(app.database, actor.accountId, (trx) => listOptOutRows(trx, actor, filter));
    });
    for await (const { Items } of pages)
      for (const row of Items)
        yield [
          formatE164(row.phone),
          row.FirstName,
          row.LastName,
          row.TextOptedOut ? 'Yes' : 'No',
          time(row.TextTimestamp),
          row.VoiceOptedOut ? 'Yes' : 'No',
          time(row.VoiceTimestamp),
          row.Source === '' ? '' : sourceWords[row.Source],
          row.Wording,
        ];
  }
  return csvDownload(
    'opt-outs.csv',
    [
      ...['Phone Number', 'First Name', 'Last Name', 'Opted Out of Texts', `Opted Out of Texts On (${zone})`],
      ...['Opted Out of Calls', `Opted Out of Calls On (${zone})`, 'How', 'Wording'],
    ],
    rows(),
    actor,
  );
}
