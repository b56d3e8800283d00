import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { listFileRows as definition, FileRow } from '../../contract/imports.ts';
import { csvDownload } from '../csv.ts';
import { asAccount, type Trx } from '../db.ts';
import type { Actor, App, Download } from '../serve.ts';
import { wirePhone } from '../wire-phone.ts';
import { choiceOf, headingsOf, refuseUnlessStage, requireFile } from './queries.ts';

type Kind = FileRow['Kind'];

/** Rows of a file in the API's format. Rejected rows show their phones as they are in the file. */
export async function fileRows(
  trx: Trx,
  actor: Actor,
  fileId: number,
  which: { condition: RawBuilder<unknown>; limit: number; kind?: Kind | undefined },
): Promise<FileRow[]> {
  const phone = (name: string) => sql`
    coalesce(case when state in ('rejected', 'removed') then ${sql.ref(name)} else ${wirePhone(actor, sql.ref(name))} end, '')`;
  const { rows } = await sql<FileRow>`
    select row_number as "RowNumber", ${which.kind === 'existing' ? sql`'existing'` : sql`state`} as "Kind",
      first_name as "FirstName", last_name as "LastName", notes as "Notes", ${phone('phone1')} as "PrimaryPhone",
      ${phone('phone2')} as "SecondaryPhone", ${phone('phone3')} as "TertiaryPhone",
      coalesce(group_names, '{}') as "Groups", custom_data as "CustomData", coalesce(problem, '') as "Problem",
      first_row as "FirstRow", person_id as "PersonID", coalesce(cells, '{}') as "Cells"
    from file_rows
    where account_id = ${actor.accountId} and file_id = ${fileId} and ${which.condition}
    order by row_number
    limit ${which.limit}`.execute(trx);
  return rows;
}

const conditions: Record<Kind | 'all', RawBuilder<unknown>> = {
  all: sql`state <> 'removed'`,
  good: sql`state = 'good'`,
  repaired: sql`state = 'repaired'`,
  duplicate: sql`state = 'duplicate'`,
  rejected: sql`state = 'rejected'`,
  existing: sql`person_id is not null and state in ('good', 'repaired')`,
};

export async function listFileRows(trx: Trx, actor: Actor, { params, query }: Input<typeof definition>) {
  const file = await requireFile(trx, actor, params.FileID);
  refuseUnlessStage(file, ['review', 'importing', 'imported']);
  const after = query.next === undefined ? 0 : Number(query.next);
  if (!Number.isSafeInteger(after) || after < 0) throw new Refusal('invalid', 'This page can’t be found.');
  const condition = sql`row_number > ${Math.min(after, 2 ** 31 - 1)} and ${conditions[query.kind ?? 'all']}`;
  const found = await fileRows(trx, actor, params.FileID, {
    condition,
    limit: query.pagesize + 1,
    kind: query.kind,
  });
  const Items = found.slice(0, query.pagesize);
  const isMore = found.length > query.pagesize;
  return { Items, Next: isMore ? String(Items.at(-1)?.RowNumber) : null };
}

const rowsAtOnce = 1_000;

/** The rejected rows, as they are in the file, followed by the row number and the reason. */
export async function downloadRejectedRows(app: App, actor: Actor, fileId: number): Promise<Download> {
  const file = await asAccount(app.database, actor.accountId, (trx) => requireFile(trx, actor, fileId));
  const choice = choiceOf(file);
  const headings = choice === null ? [] : (headingsOf(file, choice) ?? []);
  async function* rows() {
    for (let after = 0; ; ) {
      const found = await asAccount(app.database, actor.accountId, (trx) =>
        fileRows(trx, actor, fileId, {
          condition: sql`row_number > ${after} and ${conditions.rejected}`,
          limit: rowsAtOnce,
        }),
      );
      for (const { Cells, RowNumber, Problem } of found) {
        const cells = Array.from({ length: Math.max(width, Cells.length) }, (_, at) => Cells[at] ?? '');
        yield [...cells, String(RowNumber), Problem];
      }
      if (found.length < rowsAtOnce) return;
      after = found.at(-1)?.RowNumber ?? 0;
    }
  }
  const width = columnsOf(file, choice?.TabNumber);
  const header = Array.from({ length: width }, (_, at) => headings[at] || `Column ${at + 1}`);
  const name = file.file_name.replace(/\.[^.]{1,5}$/, '');
  return csvDownload(`${name} left out.csv`, [...header, 'Row', 'Reason'], rows());
}

function columnsOf(file: { structure: unknown }, tabNumber: number | undefined): number {
  const { Tabs } = file.structure as { Tabs: { TabNumber: number; Columns: unknown[] }[] };
  return Tabs.find(({ TabNumber }) => TabNumber === tabNumber)?.Columns.length ?? 0;
}
