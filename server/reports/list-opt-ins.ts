import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type { ConsentEvent } from '../../contract/consents.ts';
import { formatE164 } from '../../contract/phone/format-phone.ts';
import type {
  downloadOptIns as downloadDefinition,
  listOptIns as listDefinition,
  OptIn,
} from '../../contract/reports.ts';
import { isOfUsableNumber } from '../access/queries.ts';
import { contactsWith } from '../consents/queries.ts';
import { sourceWords } from '../consents/rules.ts';
import { csvDownload, readAhead } from '../csv.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { asAccount, type Trx } from '../db.ts';
import type { Actor, App, Download } from '../serve.ts';
import { wirePhone } from '../wire-phone.ts';
import { askedMoments } from './rules.ts';
import { zonedTimes } from './zoned-times.ts';

interface Page {
  pagesize: number;
  next?: string | undefined;
  between: { begins: Date | null; ends: Date | null };
}

interface Row extends Omit<OptIn, 'Timestamp' | 'Source'> {
  Source: ConsentEvent['Source'] | '';
  phone: string;
  changed_at: Date;
  at: string;
}

/** Phones that agreed to texts, the latest first, each with the entry of the consent ledger behind it. */
async function listRows(trx: Trx, actor: Actor, { pagesize, next, between }: Page) {
  const after = next === undefined ? undefined : readCursor(next);
  const { begins, ends } = between;
  const { rows } = await sql<Row>`
    -- "materialized": the page first, and related data only for its rows.
    with page as materialized (
      select p.account_id, p.phone, p.text_changed_at as changed_at from phone_consents p
      where p.account_id = ${actor.accountId} and p.text_state = 'in' and p.text_changed_at is distinct from p.declared_at
        ${begins === null ? sql`` : sql`and p.text_changed_at >= ${begins}`}
        ${ends === null ? sql`` : sql`and p.text_changed_at < ${ends}`}
        ${after === undefined ? sql`` : sql`and p.text_changed_at <= ${after.at}::timestamptz and (p.text_changed_at < ${after.at}::timestamptz or p.phone > ${String(after.id)})`}
      order by p.text_changed_at desc, p.phone limit ${pagesize + 1}
    )
    select p.phone, p.changed_at, to_json(p.changed_at) #>> '{}' as at, ${wirePhone(actor, sql`p.phone`)} as "PhoneNumber",
      person.person_id as "PersonID", coalesce(person.first_name, '') as "FirstName",
      coalesce(person.last_name, '') as "LastName", coalesce(e.source, '') as "Source",
      coalesce(nullif(e.wording, ''), m.body, '') as "Wording"
    from page p
    left join lateral (select * from (${contactsWith(actor, sql`p.phone`)}) c limit 1) person on true
    left join lateral (
      select e.source, e.wording, e.message_id from consent_events e
      where e.account_id = p.account_id and e.phone = p.phone and e.state = 'in' and e.created_at = p.changed_at
        and e.channel in ('text', 'both')
      order by e.consent_event_id desc limit 1
    ) e on true
    left join messages m on m.account_id = p.account_id and m.message_id = e.message_id and m.is_inbound
      and ${isOfUsableNumber(actor, sql`m.text_number_id`)}
    order by p.changed_at desc, p.phone`.execute(trx);
  const found = rows.slice(0, pagesize);
  const last = found.at(-1);
  return {
    rows: found,
    Next:
      rows.length > pagesize && last !== undefined
        ? writeCursor({ at: last.at, id: Number(last.phone) })
        : null,
  };
}

export async function listOptIns(trx: Trx, actor: Actor, { query }: Input<typeof listDefinition>) {
  const { rows, Next } = await listRows(trx, actor, {
    ...query,
    between: askedMoments(query, actor.timeZone),
  });
  return {
    Items: rows.map(({ phone, at, changed_at, ...row }) => ({ ...row, Timestamp: changed_at })),
    Next,
  };
}

const batch = 2000;

export async function downloadOptIns(
  app: App,
  actor: Actor,
  { query }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const zone = actor.timeZone;
  const between = askedMoments(query, zone);
  const time = zonedTimes(zone);
  async function* rows() {
    const pages = readAhead((next) =>
      asAccount(app.database, actor.accountId, (trx) =>
        listRows(trx, actor, { pagesize: batch, next, between }),
      ),
    );
    for await (const page of pages)
      for (const row of page.rows)
        yield [
          formatE164(row.phone),
          row.FirstName,
          row.LastName,
          time(row.changed_at),
          row.Source === '' ? '' : sourceWords[row.Source],
          row.Wording,
        ];
  }
  return csvDownload(
    'opt-ins.csv',
    ['Phone Number', 'First Name', 'Last Name', `Agreed On (${zone})`, 'How', 'Wording'],
    rows(),
    actor,
  );
}
