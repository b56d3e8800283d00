import { type ControlledTransaction, sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { authorizedPrefix } from '../../contract/call-address.ts';
import type {
  downloadExport as downloadDefinition,
  exportContacts as exportDefinition,
  SelectionQuery,
} from '../../contract/contacts.ts';
import { Refusal } from '../../contract/errors.ts';
import { formatE164 } from '../../contract/phone/format-phone.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import { csvDownload } from '../csv.ts';
import type { Database, Trx } from '../db.ts';
import type { DB } from '../schema.types.ts';
import type { Actor, App, Download } from '../serve.ts';
import { contactsSelected, contactsShown } from './queries.ts';
import { xlsxDownload } from './write-xlsx.ts';

/** Contacts that are held in memory at a time. */
const rowsAtOnce = 1_000;
/** Whoever stops reading in the middle doesn't keep a connection for longer than this. */
const idleSeconds = 120;

/** Notes what is to be downloaded. Nothing is made before it is fetched. */
export async function exportContacts(
  trx: Trx,
  actor: Actor,
  { params, query, body }: Input<typeof exportDefinition>,
) {
  // Refuses a list that isn't there.
  await contactsShown(trx, actor, params.ListID, query);
  const { rows } = await sql<{ export_id: number; day: string }>`
    insert into exports (account_id, user_id, list_id, query, selection, format, columns)
    select ${actor.accountId}, ${actor.userId}, ${params.ListID}, ${JSON.stringify(query)}::jsonb,
      ${JSON.stringify(body.Selection)}::jsonb, ${body.Format},
      array(select field_id::text from custom_fields where account_id = ${actor.accountId} order by field_id)
    returning export_id, to_char(created_at at time zone ${actor.timeZone}, 'YYYY-MM-DD') as day`.execute(
    trx,
  );
  const [made] = rows;
  if (made === undefined) throw new Error('an export was not inserted');
  const fileName = `contacts-${made.day}.${body.Format}`;
  return {
    ExportID: made.export_id,
    Uri: `${authorizedPrefix}/exports/${made.export_id}/${fileName}`,
  };
}

/** The file, made while it is sent, in one transaction that sees the contacts as they were when it began. */
export async function downloadExport(
  { database }: App,
  actor: Actor,
  { params }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const trx = await openSnapshot(database, actor.accountId);
  try {
    const { format, header, rows, rowCount, fileName } = await prepare(trx, actor, params.ExportID);
    const download =
      format === 'xlsx'
        ? xlsxDownload(fileName, header, rows, rowCount)
        : csvDownload(fileName, header, rows);
    // Read to its end, broken off or failed: in each case the stream closes, and the connection goes back.
    download.stream.once(
      'close',
      () =>
        void trx
          .rollback()
          .execute()
          .catch(() => undefined),
    );
    return download;
  } catch (error) {
    await trx.rollback().execute();
    throw error;
  }
}

async function openSnapshot(database: Database, accountId: number): Promise<ControlledTransaction<DB>> {
  const trx = await database.app
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    await sql`select set_config('app.account_id', ${String(accountId)}, true),
      set_config('idle_in_transaction_session_timeout', ${`${idleSeconds}s`}, true)`.execute(trx);
    return trx;
  } catch (error) {
    await trx.rollback().execute();
    throw error;
  }
}

async function prepare(trx: Trx, actor: Actor, exportId: number) {
  const wanted = await trx
    .selectFrom('exports')
    .select([
      'list_id',
      'query',
      'selection',
      'format',
      'columns',
      sql<string>`to_char(created_at at time zone ${actor.timeZone}, 'YYYY-MM-DD')`.as('day'),
    ])
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
  const condition = sql`c.account_id = ${actor.accountId} and ${chosen}`;
  await sql`declare exported no scroll cursor for
    select c.person_id from contacts c where ${condition} order by c.sort_name, c.person_id`.execute(trx);
  const fields = await trx
    .selectFrom('custom_fields')
    .select(['field_id', 'name'])
    .where('account_id', '=', actor.accountId)
    .where('field_id', 'in', wanted.columns.map(Number).concat(0))
    .orderBy('field_id')
    .execute();
  return {
    format: wanted.format,
    fileName: `contacts-${wanted.day}.${wanted.format}`,
    header: [...firstColumns, ...fields.map(({ name }) => name), 'Text Consent'],
    rows: exportedRows(
      trx,
      actor,
      fields.map(({ field_id }) => String(field_id)),
    ),
    // Only a workbook has to know beforehand how many sheets there will be.
    rowCount: wanted.format === 'xlsx' ? await countRows(trx, condition) : 0,
  };
}

async function countRows(trx: Trx, condition: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from contacts c where ${condition}`.execute(trx);
  return rows[0]?.many ?? 0;
}

/** Names that an import reads back without being told. */
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

async function* exportedRows(trx: Trx, actor: Actor, fieldIds: string[]): AsyncGenerator<string[]> {
  for (;;) {
    const fetched = await sql<{ person_id: number }>`fetch ${sql.lit(rowsAtOnce)} from exported`.execute(trx);
    if (fetched.rows.length === 0) return;
    const personIds = fetched.rows.map(({ person_id }) => person_id);
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
    for (const row of rows) yield cellsOf(row, fieldIds);
  }
}

function cellsOf(row: ExportedRow, fieldIds: string[]): string[] {
  const shown = (phone: string | null) => (phone === null ? '' : formatE164(phone));
  return [
    row.first_name,
    row.last_name,
    shown(row.primary_phone),
    shown(row.secondary_phone),
    shown(row.tertiary_phone),
    row.notes,
    row.groups.join('; '),
    ...fieldIds.map((fieldId) => row.custom_data[fieldId] ?? ''),
    row.text_state === null ? '' : consentWords[row.text_state],
  ];
}
