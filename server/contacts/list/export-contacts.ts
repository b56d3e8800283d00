import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { authorizedPrefix } from '../../../contract/call-address.ts';
import type {
  downloadExport as downloadDefinition,
  exportContacts as exportDefinition,
  SelectionQuery,
} from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import { typedPhone } from '../../../contract/phone/format-phone.ts';
import { wirePhone } from '../../../contract/phone/normalize-phone.ts';
import type { SelectionOfIds } from '../../../contract/selection.ts';
import { localDay } from '../../../contract/time/local-day.ts';
import { csvDownload } from '../../csv.ts';
import { asAccount, type Database, type Trx } from '../../db.ts';
import type { Actor, App, Download } from '../../serve.ts';
import { contactsSelected, contactsShown } from '../queries.ts';
import { xlsxDownload } from './write-xlsx.ts';

/** Contacts in memory at a time. */
const rowsAtOnce = 1_000;
const idsAtOnce = 10_000;

/** Saves what is to be downloaded. The file is generated when it is fetched. */
export async function exportContacts(
  trx: Trx,
  actor: Actor,
  { params, query, body }: Input<typeof exportDefinition>,
) {
  // Refuses a list that doesn't exist.
  await contactsShown(trx, actor, { listId: params.ListID, query });
  const { rows } = await sql<{ export_id: number; created_at: Date }>`
    insert into exports (account_id, user_id, list_id, query, selection, format, columns)
    select ${actor.accountId}, ${actor.userId}, ${params.ListID}, ${JSON.stringify(query)}::jsonb,
      ${JSON.stringify(body.Selection)}::jsonb, ${body.Format},
      array(select field_id::text from custom_fields where account_id = ${actor.accountId} order by field_id)
    returning export_id, created_at`.execute(trx);
  const [made] = rows;
  if (made === undefined) throw new Error('an export was not inserted');
  const fileName = `contacts-${localDay(made.created_at, actor.timeZone)}.${body.Format}`;
  return {
    ExportID: made.export_id,
    Uri: `${authorizedPrefix}/exports/${made.export_id}/${fileName}`,
  };
}

/**
 * The file, generated while it is sent. The contacts and their order are fixed at the beginning; their rows
 * are read batch by batch in separate transactions, so that a slow reader holds no connection.
 */
export async function downloadExport(
  { database }: App,
  actor: Actor,
  { params }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const { format, header, fieldIds, personIds, fileName } = await asAccount(
    database,
    actor.accountId,
    (trx) => prepare(trx, actor, params.ExportID),
  );
  const rows = exportedRows(database, actor, personIds, fieldIds);
  return format === 'xlsx'
    ? xlsxDownload(fileName, { header, rows, rowCount: personIds.length })
    : csvDownload(fileName, header, rows);
}

async function prepare(trx: Trx, actor: Actor, exportId: number) {
  const wanted = await trx
    .selectFrom('exports')
    .select(['list_id', 'query', 'selection', 'format', 'columns', 'created_at'])
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .where('export_id', '=', exportId)
    .executeTakeFirst();
  if (wanted === undefined) throw new Refusal('notFound', 'That export is no longer here. Export again.');
  const chosen = await contactsSelected(trx, actor, {
    listId: wanted.list_id,
    query: wanted.query as SelectionQuery,
    selection: wanted.selection as unknown as SelectionOfIds,
  });
  const fields = await trx
    .selectFrom('custom_fields')
    .select(['field_id', 'name'])
    .where('account_id', '=', actor.accountId)
    .where('field_id', 'in', wanted.columns.map(Number).concat(0))
    .orderBy('field_id')
    .execute();
  return {
    format: wanted.format,
    fileName: `contacts-${localDay(wanted.created_at, actor.timeZone)}.${wanted.format}`,
    header: [...firstColumns, ...fields.map(({ name }) => name), 'Text Consent'],
    fieldIds: fields.map(({ field_id }) => String(field_id)),
    personIds: await readIds(trx, sql`c.account_id = ${actor.accountId} and ${chosen}`),
  };
}

/** Everybody in the export, in order: eight bytes each, fetched in batches to keep memory use short. */
async function readIds(trx: Trx, condition: ReturnType<typeof sql>): Promise<Float64Array> {
  await sql`declare exported no scroll cursor for
    select c.person_id from contacts c where ${condition} order by c.sort_name, c.person_id`.execute(trx);
  let ids = new Float64Array(idsAtOnce);
  let length = 0;
  for (;;) {
    const { rows } = await sql<{ person_id: number }>`fetch ${sql.lit(idsAtOnce)} from exported`.execute(trx);
    if (length + rows.length > ids.length) {
      const larger = new Float64Array(2 * ids.length);
      larger.set(ids);
      ids = larger;
    }
    for (const { person_id } of rows) {
      ids[length] = person_id;
      length += 1;
    }
    if (rows.length < idsAtOnce) return ids.subarray(0, length);
  }
}

/** Names that an import recognizes automatically. */
const firstColumns = [
  'First Name',
  'Last Name',
  'Primary Phone',
  'Secondary Phone',
  'Tertiary Phone',
  'Notes',
  'Groups',
];
const consentWords = { in: 'Opted in', out: 'Opted out' } as const;

interface ExportedRow {
  first_name: string;
  last_name: string;
  primary_phone: string | null;
  secondary_phone: string | null;
  tertiary_phone: string | null;
  notes: string;
  groups: string[];
  custom_data: Record<string, string>;
  text_state: 'in' | 'out' | null;
}

async function* exportedRows(
  database: Database,
  actor: Actor,
  personIds: Float64Array,
  fieldIds: string[],
): AsyncGenerator<string[]> {
  for (let from = 0; from < personIds.length; from += rowsAtOnce) {
    const batch = [...personIds.subarray(from, from + rowsAtOnce)];
    const rows = await asAccount(database, actor.accountId, (trx) => readRows(trx, actor, batch));
    for (const row of rows) yield cellsOf(row, fieldIds, actor.account.CountryID);
  }
}

async function readRows(trx: Trx, actor: Actor, personIds: number[]): Promise<ExportedRow[]> {
  const { rows } = await sql<ExportedRow>`
    select c.first_name, c.last_name, c.primary_phone, c.secondary_phone, c.tertiary_phone, c.notes, c.custom_data,
      a.text_state, array(
        select g.name from group_members m join groups g on g.account_id = m.account_id and g.group_id = m.group_id
        where m.account_id = c.account_id and m.person_id = c.person_id and g.deleted_at is null
        order by g.name collate natural_order) as groups
    from unnest(${personIds}::bigint[]) with ordinality p(person_id, place)
    join contacts c on c.account_id = ${actor.accountId} and c.person_id = p.person_id
    left join phone_consents a on a.account_id = c.account_id and a.phone = c.primary_phone
    order by p.place`.execute(trx);
  return rows;
}

/** A name with a semicolon or a bar in it is quoted, because they separate the names. */
function groupText(name: string): string {
  return /[;|"\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

function cellsOf(row: ExportedRow, fieldIds: string[], countryId: number): string[] {
  const shown = (phone: string | null) =>
    phone === null ? '' : typedPhone(wirePhone(phone, countryId), countryId);
  return [
    row.first_name,
    row.last_name,
    shown(row.primary_phone),
    shown(row.secondary_phone),
    shown(row.tertiary_phone),
    row.notes,
    row.groups.map(groupText).join('; '),
    ...fieldIds.map((fieldId) => row.custom_data[fieldId] ?? ''),
    row.text_state === null ? '' : consentWords[row.text_state],
  ];
}
