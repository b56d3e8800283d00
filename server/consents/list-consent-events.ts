import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type {
  ConsentEvent,
  downloadConsentEvents as downloadDefinition,
  listConsentEvents as listDefinition,
} from '../../contract/consents.ts';
import { formatE164 } from '../../contract/phone/format-phone.ts';
import { domesticDigits } from '../../contract/phone/normalize-phone.ts';
import { isOfUsableNumber } from '../access/queries.ts';
import { csvDownload } from '../csv.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { asAccount, type Trx } from '../db.ts';
import type { Actor, App, Download } from '../serve.ts';
import { requireSeenNumber } from './queries.ts';
import { channelWords, sourceWords, stateWords, zonedTime } from './rules.ts';

interface EventRow extends Omit<ConsentEvent, 'Timestamp'> {
  Timestamp: Date;
  at: string;
  fileId: number | null;
  /** Their words, if an inbound text is the proof. */
  message: string;
}

export async function listConsentEvents(
  trx: Trx,
  actor: Actor,
  { params, query }: Input<typeof listDefinition>,
) {
  const phone = await requireSeenNumber(trx, actor, params.Number);
  const { rows, next } = await listEventRows(trx, actor, phone, query);
  return {
    // A person's own words are the wording; an added note comes first.
    Items: rows.map((row) => ({ ...row, Wording: row.Wording || row.message })),
    Next: next,
  };
}

/**
 * A phone's ledger, the latest first. The words of a text only for those who may use the number that it came
 * to.
 */
async function listEventRows(
  trx: Trx,
  actor: Actor,
  phone: string,
  page: { pagesize: number; next?: string | undefined },
) {
  const after = page.next === undefined ? undefined : readCursor(page.next);
  const beyond =
    after === undefined
      ? sql``
      : sql`and (e.created_at, e.consent_event_id) < (${after.at}::timestamptz, ${after.id}::bigint)`;
  const { rows } = await sql<EventRow>`
    select e.consent_event_id as "ConsentEventID", e.created_at as "Timestamp", to_json(e.created_at) #>> '{}' as at,
      e.channel as "Channel", e.state as "State", e.source as "Source",
      coalesce(e.wording, f.consent_wording, '') as "Wording", coalesce(e.address, f.consent_address, '') as "Address",
      e.message_id as "TextMessageID", e.file_id as "fileId",
      coalesce(u.first_name || ' ' || u.last_name, '') as "UserName", coalesce(f.file_name, '') as "FileName",
      coalesce(m.body, '') as message
    from consent_events e
    left join file_uploads f on f.account_id = e.account_id and f.file_id = e.file_id
    left join users u on u.account_id = e.account_id and u.user_id = coalesce(e.user_id, f.user_id)
    left join messages m on m.account_id = e.account_id and m.message_id = e.message_id and m.is_inbound
      and ${isOfUsableNumber(actor, sql`m.text_number_id`)}
    where e.account_id = ${actor.accountId} and e.phone = ${phone} ${beyond}
    order by e.created_at desc, e.consent_event_id desc
    limit ${page.pagesize + 1}`.execute(trx);
  const kept = rows.slice(0, page.pagesize);
  const last = kept.at(-1);
  const isMore = rows.length > page.pagesize && last !== undefined;
  return { rows: kept, next: isMore ? writeCursor({ at: last.at, id: last.ConsentEventID }) : null };
}

const batch = 1000;

/** The evidence: every recorded event of one phone. */
export async function downloadConsentEvents(
  app: App,
  actor: Actor,
  { params }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const { timeZone } = actor;
  const { phone, fileRows } = await asAccount(app.database, actor.accountId, async (trx) => {
    const phone = await requireSeenNumber(trx, actor, params.Number);
    return {
      phone,
      fileRows: await findFileRows(trx, actor, phone),
    };
  });
  const header = [
    'Phone Number',
    'Time (UTC)',
    `Time (${timeZone})`,
    'About',
    'What',
    'How',
    'Wording',
    'Text Message',
    'Declared By',
    'Declared From',
    'File',
    'Row in File',
  ];
  async function* rows() {
    let next: string | undefined;
    do {
      const page = await asAccount(app.database, actor.accountId, (trx) =>
        listEventRows(trx, actor, phone, { pagesize: batch, next }),
      );
      for (const row of page.rows) {
        yield [
          formatE164(phone),
          row.Timestamp.toISOString(),
          zonedTime(row.Timestamp, timeZone),
          channelWords[row.Channel],
          stateWords[row.State],
          sourceWords[row.Source],
          row.Wording,
          row.message,
          row.UserName,
          row.Address,
          row.FileName,
          fileRows.get(row.fileId ?? 0) ?? '',
        ];
      }
      next = page.next ?? undefined;
    } while (next !== undefined);
  }
  return csvDownload(`consent-${domesticDigits(phone)}.csv`, header, rows(), actor);
}

/** The row of its file that contained the phone; rows of old files are gone. */
async function findFileRows(trx: Trx, actor: Actor, phone: string): Promise<Map<number, string>> {
  const { rows } = await sql<{ file_id: number; row_number: number }>`
    select r.file_id, min(r.row_number) as row_number from file_rows r
    where r.account_id = ${actor.accountId} and ${phone} in (r.phone1, r.phone2, r.phone3)
      and r.file_id in (
        select e.file_id from consent_events e
        where e.account_id = ${actor.accountId} and e.phone = ${phone} and e.file_id is not null)
    group by r.file_id`.execute(trx);
  return new Map(rows.map((row) => [row.file_id, String(row.row_number)]));
}
