import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { refuseField } from '../../contract/errors.ts';
import {
  type processFile as definition,
  type FileColumns,
  type FileTab,
  type FileUpload,
  fileColumns,
} from '../../contract/imports.ts';
import { fieldNameError } from '../contacts/change/custom-fields.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { shapeHash } from './guess-columns.ts';
import {
  choiceOf,
  type FileChoice,
  getFile,
  headingsOf,
  refuseUnlessStage,
  requireFile,
  structureOf,
} from './queries.ts';

/**
 * Reads the whole file with these columns. With other columns it is read again; with the same ones the rows
 * stay, including fixed ones.
 */
export async function processFile(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof definition>,
): Promise<FileUpload> {
  const file = await requireFile(trx, actor, params.FileID, 'lock');
  refuseUnlessStage(file, ['mapping', 'review', 'failed']);
  const tab = structureOf(file).Tabs.find(({ TabNumber }) => TabNumber === body.TabNumber);
  if (tab === undefined) throw refuseField('TabNumber', 'The file has no such tab.');
  refuseColumns(body.Columns, tab);
  const choice: FileChoice = { ...body };
  if (file.stage === 'review' && isReadAlike(choiceOf(file), choice)) {
    await sql`update file_uploads set choice = ${JSON.stringify(choice)}::jsonb
      where account_id = ${actor.accountId} and file_id = ${params.FileID}`.execute(trx);
    return getFile(trx, actor, params.FileID);
  }
  await sql`
    update file_uploads
    set stage = 'processing', stage_started_at = clock_timestamp(), choice = ${JSON.stringify(choice)}::jsonb,
      error_message = null, summary = null, group_names = '{}', done = 0, total = null, lease_id = null, lease_until = null
    where account_id = ${actor.accountId} and file_id = ${params.FileID}`.execute(trx);
  const headings = headingsOf({ structure: file.structure }, choice);
  if (headings !== undefined && tab.HasHeader) await rememberColumns(trx, actor, headings, body.Columns);
  await enqueue(trx, 'advance_files', {});
  await notify(trx, actor.accountId, [{ type: 'file.changed', FileID: params.FileID }]);
  return getFile(trx, actor, params.FileID);
}

/** The handling of existing contacts is chosen later, and changes no row. */
function isReadAlike(before: FileChoice | null, now: FileChoice): boolean {
  const read = ({ TabNumber, HasHeader, Columns }: FileChoice) => ({
    TabNumber,
    HasHeader,
    Columns: fileColumns.parse(Columns),
  });
  return before !== null && isDeepStrictEqual(read(before), read(now));
}

const noPhoneColumn = 'Choose the column with the phone numbers.';
const columnTwice = 'A column can be used only once.';

function refuseColumns(columns: FileColumns, tab: FileTab): void {
  if (columns.Phone1 === null && columns.Phone2 === null && columns.Phone3 === null)
    throw refuseField('Columns.Phone1', noPhoneColumn);
  const { CustomData, ...targets } = columns;
  const used = new Map<number, string>();
  const fieldOf = (name: string) => `Columns.CustomData.${name}`;
  const all = [
    ...Object.entries(targets).map(([name, column]) => ({ name: `Columns.${name}`, column })),
    ...CustomData.map(({ ColumnNumber, Name }) => ({ name: fieldOf(Name), column: ColumnNumber })),
  ];
  for (const { name, column } of all) {
    if (column === null) continue;
    if (column > tab.Columns.length) throw refuseField(name, 'The file has no such column.');
    if (used.has(column)) throw refuseField(name, columnTwice);
    used.set(column, name);
  }
  for (const { Name } of CustomData) {
    const error = fieldNameError(Name);
    if (error !== undefined) throw refuseField(fieldOf(Name), error);
  }
  const names = new Set(CustomData.map(({ Name }) => Name.toLowerCase()));
  if (names.size < CustomData.length)
    throw refuseField('Columns.CustomData', 'Two columns can’t go into the same custom field.');
}

async function rememberColumns(
  trx: Trx,
  actor: Actor,
  headings: string[],
  columns: FileColumns,
): Promise<void> {
  await sql`
    insert into file_shapes (account_id, shape_hash, columns)
    values (${actor.accountId}, ${shapeHash(headings)}, ${JSON.stringify(columns)}::jsonb)
    on conflict (account_id, shape_hash) do update set columns = excluded.columns, used_at = now()`.execute(
    trx,
  );
}
