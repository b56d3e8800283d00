import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { importLimits } from '../../contract/imports.ts';
import { createFirstRows } from './find-first-rows.ts';
import type { SheetRow } from './parse-csv.ts';
import { type ReadRow, readRow, rowProblems } from './read-row.ts';
import { readTab } from './read-structure.ts';
import { BadFile, emptySummary, sortedReasons, tooManyGroups, tooManyRows } from './rules.ts';
import type { Copied, CopyTask } from './start-copying.ts';

/** Rows per transaction, and bytes: large enough for speed, small enough for memory. */
const batchRows = 10_000;
const batchBytes = 2_000_000;
/** Batches that PostgreSQL processes at a time. */
const lanes = 3;
const mostCellCharacters = 5_000;

/**
 * Reads, maps and checks every row of a file and writes it to file_rows. While PostgreSQL processes three
 * batches the next is read; never more than the four are in memory.
 */
export async function copyRows(
  task: CopyTask,
  onProgress: (done: number, total: number | null) => void,
): Promise<Copied> {
  const summary = { ...emptySummary };
  const reasons = new Map<string, number>();
  const groupNames = new Map<string, string>();
  /** In COPY's format: most rows share the array of an earlier one (readRow). */
  const groupTexts = new WeakMap<readonly string[], string>();
  const firstRows = createFirstRows();
  const stores = await Promise.all(Array.from({ length: lanes }, () => openStore(task)));
  const spare: Buffer[] = [];
  let batch = createBatch(spare);
  let rowsAbove = task.rowsAbove;

  function take(sheetRow: SheetRow): void {
    const row = readRow(sheetRow.cells, task);
    if (sheetRow.fault !== undefined) reject(row, sheetRow, task);
    summary.RowCount += 1;
    if (summary.RowCount > importLimits.rows) throw new BadFile(tooManyRows);
    let firstRow: number | undefined;
    if (row.state === 'rejected') {
      summary.RejectedCount += 1;
      const problem = row.problem ?? '';
      reasons.set(problem, (reasons.get(problem) ?? 0) + 1);
    } else {
      firstRow = firstRows.find(row.phone1 ?? '', sheetRow.number);
      if (firstRow !== undefined) summary.DuplicateCount += 1;
      else {
        summary.GoodRecordCount += 1;
        if (row.state === 'repaired') summary.RepairedCount += 1;
      }
    }
    batch.add(copyLine(sheetRow, row, firstRow, row.groups === null ? '\\N' : textOf(row.groups)));
  }

  function textOf(groups: readonly string[]): string {
    let text = groupTexts.get(groups);
    if (text === undefined) {
      text = escaped(arrayText(groups.map((name) => noteGroup(groupNames, name))));
      groupTexts.set(groups, text);
    }
    return text;
  }

  /** Waits for the next lane in turn, so that memory stays bounded. */
  async function flush(): Promise<void> {
    const store = stores.shift();
    if (store === undefined) return;
    stores.push(store);
    await store.take(batch);
    batch = createBatch(spare);
  }

  try {
    for await (const { rows, part } of readTab(task.path, task.format, task.tabNumber)) {
      for (const row of rows) {
        if (row.cells.every((cell) => cell.trim() === '')) continue;
        if (rowsAbove > 0) rowsAbove -= 1;
        else take(row);
      }
      if (batch.rows() < batchRows && batch.bytes() < batchBytes) continue;
      await flush();
      onProgress(summary.RowCount, part === 0 ? null : Math.round(summary.RowCount / part));
    }
    await flush();
    for (const store of stores) summary.ExistingCount += await store.finish();
    return { summary: { ...summary, Reasons: sortedReasons(reasons) }, groupNames: [...groupNames.values()] };
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
}

interface Batch {
  add(line: string): void;
  rows(): number;
  bytes(): number;
  pieces(): Buffer[];
  /** The buffers are no longer used. */
  release(): void;
}

const pieceBytes = 256 * 1024;

/**
 * Lines of COPY as bytes: as strings they would survive the young heap, and garbage collection took half the
 * time. Buffers are reused, since released ones stay until the next collection.
 */
function createBatch(spare: Buffer[]): Batch {
  const full: { piece: Buffer; used: number }[] = [];
  let piece = spare.pop() ?? Buffer.allocUnsafeSlow(pieceBytes);
  let used = 0;
  let before = 0;
  let rows = 0;
  return {
    add(line) {
      const most = 3 * line.length;
      if (used + most > piece.length) {
        full.push({ piece, used });
        before += used;
        piece =
          (most <= pieceBytes ? spare.pop() : undefined) ??
          Buffer.allocUnsafeSlow(Math.max(pieceBytes, most));
        used = 0;
      }
      used += piece.write(line, used);
      rows += 1;
    },
    rows: () => rows,
    bytes: () => before + used,
    pieces: () =>
      [...full, { piece, used }]
        .filter((each) => each.used > 0)
        .map((each) => each.piece.subarray(0, each.used)),
    release() {
      spare.push(...[...full.map((each) => each.piece), piece].filter(({ length }) => length === pieceBytes));
    },
  };
}

interface Store {
  /** Waits for the previous batch, and starts this one. */
  take(batch: Batch): Promise<void>;
  /** Waits for the last batch; returns how many rows are already contacts. */
  finish(): Promise<number>;
  close(): Promise<void>;
}

async function openStore(task: CopyTask): Promise<Store> {
  const client = new pg.Client({
    connectionString: task.databaseUrl,
    application_name: 'muster_import',
    // Indexes: see preferIndexes.
    options: '-c role=muster_app -c synchronous_commit=off -c enable_seqscan=off',
  });
  await client.connect();
  await client.query(temporaryTable);
  let existing = 0;
  let storing: Promise<void> = Promise.resolve();
  return {
    async take(batch) {
      await storing;
      storing = storeBatch(client, task, batch).then((count) => {
        existing += count;
        batch.release();
      });
      // Its error is handled when it is awaited.
      storing.catch(() => undefined);
    },
    async finish() {
      await storing;
      return existing;
    },
    close: () => client.end(),
  };
}

function reject(row: ReadRow, { cells, fault = 'cutOff' }: SheetRow, { columns }: CopyTask): void {
  row.state = 'rejected';
  row.problem = rowProblems[fault];
  row.phone1 =
    columns.Phone1 === null ? null : (cells[columns.Phone1 - 1] ?? '').slice(0, 100).toWellFormed();
}

/** The name as it was first written: "choir" and "Choir" are one group. */
function noteGroup(names: Map<string, string>, name: string): string {
  const key = name.toLowerCase();
  const known = names.get(key);
  if (known !== undefined) return known;
  if (names.size >= importLimits.groupNames) throw new BadFile(tooManyGroups);
  names.set(key, name);
  return name;
}

/** COPY is refused on tables with row level security, so rows go through this one. */
const temporaryTable = `
  create temporary table read_rows (
    row_number integer, state text, first_row integer, problem text, first_name text, last_name text, notes text,
    phone1 text, phone2 text, phone3 text, group_names text[], custom_data jsonb, cells text[]
  ) on commit delete rows`;

/**
 * Stores a batch, finds the contacts that already have the phones, and returns how many. One transaction,
 * only if the file is still ours. In three round trips: between two of them PostgreSQL waits until this
 * thread is free, and it is busy with the next batch.
 */
async function storeBatch(client: pg.Client, task: CopyTask, batch: Batch): Promise<number> {
  if (batch.rows() === 0) return 0;
  const { accountId, fileId, onlyUserId } = task;
  const begun = await queryAll<{ hasContacts: boolean }>(
    client,
    `begin;
     select set_config('app.account_id', '${accountId}', true);
     -- With deleteRows: rows are added only while the file is ours, and deleting them waits for those being
     -- added.
     select pg_advisory_xact_lock_shared(hashtextextended('file rows', ${fileId}));
     select exists (select from contacts where account_id = ${accountId} and deleted_at is null) as "hasContacts"
     from file_uploads
     where account_id = ${accountId} and file_id = ${fileId} and lease_id = ${client.escapeLiteral(task.leaseId)}
       and stage = 'processing'`,
  );
  const lease = begun.at(-1)?.rows[0];
  if (lease === undefined) throw new Error('the file is no longer ours to read');
  const copy = client.query(copyFrom('copy read_rows from stdin'));
  await pipeline(Readable.from(batch.pieces()), copy);
  const who = (column: string) => `
    select c.person_id from contacts c
    where c.account_id = ${accountId} and c.deleted_at is null and c.${column} = r.phone1
      ${onlyUserId === null ? '' : `and c.created_by_user_id = ${onlyUserId}`}`;
  const matches = `
    left join lateral (
      -- The sum prevents a scan of all contacts in the order of their ids.
      select min(found.person_id + 0) as person_id from (
        ${who('primary_phone')} union all ${who('secondary_phone')} union all ${who('tertiary_phone')}
      ) found
    ) existing on r.state in ('good', 'repaired')`;
  const insert = `
    insert into file_rows (account_id, file_id, row_number, state, first_row, problem, first_name, last_name,
      notes, phone1, phone2, phone3, group_names, custom_data, cells, person_id)
    select ${accountId}, ${fileId}, row_number, state, first_row, problem, first_name, last_name,
      notes, phone1, phone2, phone3, group_names, coalesce(custom_data, '{}'), cells`;
  if (!lease.hasContacts) {
    await client.query(`${insert}, null from read_rows; commit`);
    return 0;
  }
  const [added] = await queryAll<{ existing: string }>(
    client,
    `with added as (
       ${insert}, existing.person_id from read_rows r ${matches}
       returning person_id
     )
     select count(person_id) as existing from added;
     commit`,
  );
  return Number(added?.rows[0]?.existing ?? 0);
}

/** Several statements at once; the types of pg allow only one. */
async function queryAll<T extends pg.QueryResultRow>(
  client: pg.Client,
  statements: string,
): Promise<pg.QueryResult<T>[]> {
  return (await client.query<T>(statements)) as unknown as pg.QueryResult<T>[];
}

/** One row in COPY's text form. The cells are kept if a person may have to review them. */
function copyLine(
  { number, cells }: SheetRow,
  row: ReadRow,
  firstRow: number | undefined,
  groups: string,
): string {
  const isPlain = row.state === 'good' || firstRow !== undefined;
  const state = firstRow === undefined ? row.state : 'duplicate';
  return `${number}\t${state}\t${firstRow ?? '\\N'}\t${escaped(firstRow === undefined ? row.problem : null)}\t${escaped(row.firstName)}\t${escaped(row.lastName)}\t${escaped(row.notes)}\t${escaped(row.phone1)}\t${row.phone2 === null ? '\\N' : escaped(row.phone2)}\t${row.phone3 === null ? '\\N' : escaped(row.phone3)}\t${groups}\t${row.custom === null ? '\\N' : escaped(JSON.stringify(row.custom))}\t${isPlain ? '\\N' : escaped(arrayText(cells))}\n`;
}

function arrayText(items: string[]): string {
  const quoted = items.map(
    (item) => `"${item.slice(0, mostCellCharacters).toWellFormed().replace(/["\\]/g, '\\$&')}"`,
  );
  return `{${quoted.join(',')}}`;
}

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(text: string | null): string {
  if (text === null) return '\\N';
  return special.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? '') : text;
}
