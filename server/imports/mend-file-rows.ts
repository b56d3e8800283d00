import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type { mendFileRows as definition, FileSummary } from '../../contract/imports.ts';
import { isSeenContact } from '../access/queries.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { fileRows } from './list-file-rows.ts';
import { countryOf, getFile, refuseUnlessStage, requireFile } from './queries.ts';
import { type ReadRow, readFields } from './read-row.ts';
import { sortedReasons } from './rules.ts';

type Item = Input<typeof definition>['body']['Items'][number];
type State = ReadRow['state'] | 'duplicate' | 'removed';

/** A row before or after the change: the columns that the summary counts. */
interface Counted {
  row_number: number;
  state: State;
  problem: string | null;
  person_id: number | null;
}

/** Fixes rows with typed values. They are parsed by the same rules; a row that is still invalid says why. */
export async function mendFileRows(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  const { accountId } = actor;
  const fileId = params.FileID;
  const file = await requireFile(trx, actor, fileId, 'lock');
  refuseUnlessStage(file, ['review']);
  const items = [...new Map(body.Items.map((item) => [item.RowNumber, item])).values()];
  const numbers = items.map(({ RowNumber }) => RowNumber);
  const countryId = await countryOf(trx, accountId);
  const mended = items.map((item) => ({ item, row: mend(item, countryId) }));
  const before = await countedRows(trx, accountId, fileId, { numbers });
  await writeRows(trx, accountId, fileId, mended);
  await settleDoubles(trx, accountId, fileId, numbers);
  await findExisting(trx, actor, fileId, numbers);
  const touched = before.map(({ row_number }) => row_number);
  const after = await countedRows(trx, accountId, fileId, { numbers: touched, only: 'only these' });
  const summary = recount(file.summary as unknown as FileSummary, before, after);
  await sql`
    update file_uploads set summary = ${JSON.stringify(summary)}::jsonb
    where account_id = ${accountId} and file_id = ${fileId}`.execute(trx);
  await notify(trx, accountId, [{ type: 'file.changed', FileID: fileId }]);
  return {
    Items: await fileRows(trx, actor, fileId, {
      condition: sql`row_number = any(${numbers}::integer[]) and state <> 'removed'`,
      limit: numbers.length,
    }),
    File: await getFile(trx, actor, fileId),
  };
}

function mend(item: Item, countryId: number): ReadRow {
  const tidy = (text: string) => text.replace(/\s+/g, ' ').trim();
  return readFields(
    {
      firstName: tidy(item.FirstName),
      lastName: tidy(item.LastName),
      // Several lines, as they were typed.
      notes: item.Notes.trim(),
      phones: [tidy(item.PrimaryPhone), tidy(item.SecondaryPhone), tidy(item.TertiaryPhone)],
      groups: null,
      custom: null,
    },
    countryId,
  );
}

/** The fixed rows, and their duplicates, which may take their place. */
async function countedRows(
  trx: Trx,
  accountId: number,
  fileId: number,
  { numbers, only }: { numbers: number[]; only?: 'only these' | undefined },
): Promise<Counted[]> {
  const heirs = sql`
    select min(row_number) from file_rows
    where account_id = ${accountId} and file_id = ${fileId} and first_row = any(${numbers}::integer[]) and state = 'duplicate'
    group by first_row`;
  const { rows } = await sql<Counted>`
    select row_number, state, problem, person_id from file_rows
    where account_id = ${accountId} and file_id = ${fileId}
      and (row_number = any(${numbers}::integer[]) ${only === undefined ? sql`or row_number in (${heirs})` : sql``})`.execute(
    trx,
  );
  return rows;
}

/** Names, phones and state as parsed; the groups and custom values of the row stay. */
async function writeRows(
  trx: Trx,
  accountId: number,
  fileId: number,
  mended: { item: Item; row: ReadRow }[],
) {
  const column = <T>(pick: (each: { item: Item; row: ReadRow }) => T) => mended.map(pick);
  await sql`
    update file_rows r
    set state = m.state, problem = m.problem, first_name = m.first_name, last_name = m.last_name, notes = m.notes,
      phone1 = m.phone1, phone2 = m.phone2, phone3 = m.phone3, first_row = null, person_id = null
    from unnest(
      ${column(({ item }) => item.RowNumber)}::integer[],
      ${column(({ item, row }) => (item.IsRemoved ? 'removed' : row.state))}::text[],
      ${column(({ item, row }) => (item.IsRemoved ? null : row.problem))}::text[],
      ${column(({ row }) => row.firstName)}::text[], ${column(({ row }) => row.lastName)}::text[],
      ${column(({ row }) => row.notes)}::text[], ${column(({ row }) => row.phone1)}::text[],
      ${column(({ row }) => row.phone2)}::text[], ${column(({ row }) => row.phone3)}::text[]
    ) as m(row_number, state, problem, first_name, last_name, notes, phone1, phone2, phone3)
    where r.account_id = ${accountId} and r.file_id = ${fileId} and r.row_number = m.row_number`.execute(trx);
}

/**
 * A phone belongs to one row. Duplicates of a row that gets another phone now move up; a fixed row whose
 * phone another row has becomes its duplicate.
 */
async function settleDoubles(trx: Trx, accountId: number, fileId: number, numbers: number[]): Promise<void> {
  const own = sql`account_id = ${accountId} and file_id = ${fileId}`;
  // The rows that lost their first row: the first of them takes its place.
  await sql`
    -- All successors are found before a row changes place; the fence prevents finding them again for each
    -- row.
    with lost as materialized (
      select d.row_number, d.first_row, min(d.row_number) over (partition by d.first_row) as heir
      from file_rows d
      join file_rows f on f.account_id = d.account_id and f.file_id = d.file_id and f.row_number = d.first_row
      where d.account_id = ${accountId} and d.file_id = ${fileId} and d.state = 'duplicate'
        and d.first_row = any(${numbers}::integer[])
        and (f.state not in ('good', 'repaired') or f.phone1 is distinct from d.phone1)
    )
    update file_rows r
    set state = case when l.row_number = l.heir then 'good' else 'duplicate' end,
      first_row = case when l.row_number = l.heir then null else l.heir end
    from lost l
    where r.account_id = ${accountId} and r.file_id = ${fileId} and r.row_number = l.row_number`.execute(trx);
  await sql`
    with mended as materialized (
      select row_number, phone1 from file_rows
      where ${own} and row_number = any(${numbers}::integer[]) and state in ('good', 'repaired')
    ),
    -- Found once for all fixed rows, not for each of them.
    holders as materialized (
      -- A row that wasn't fixed keeps its phone; among fixed ones the first does.
      select h.phone1, coalesce(min(h.row_number) filter (where h.row_number <> all(${numbers}::integer[])), min(h.row_number)) as row_number
      from file_rows h
      where h.account_id = ${accountId} and h.file_id = ${fileId} and h.state in ('good', 'repaired')
        and h.phone1 in (select phone1 from mended)
      group by h.phone1
    )
    update file_rows r set state = 'duplicate', problem = null, first_row = h.row_number
    from mended m join holders h on h.phone1 = m.phone1 and h.row_number <> m.row_number
    where r.account_id = ${accountId} and r.file_id = ${fileId} and r.row_number = m.row_number`.execute(trx);
}

/** The contacts that already have the phones of fixed rows. */
async function findExisting(trx: Trx, actor: Actor, fileId: number, numbers: number[]): Promise<void> {
  const seen = isSeenContact(actor);
  const known = sql`c.account_id = ${actor.accountId} and c.deleted_at is null and ${seen}`;
  await sql`
    update file_rows r set person_id = found.person_id
    from (
      select m.row_number, who.person_id
      from file_rows m
      cross join lateral (
        -- The sum prevents a scan of all contacts in the order of their ids.
        select min(each.person_id + 0) as person_id from (
          select c.person_id from contacts c where ${known} and c.primary_phone = m.phone1
          union all select c.person_id from contacts c where ${known} and c.secondary_phone = m.phone1
          union all select c.person_id from contacts c where ${known} and c.tertiary_phone = m.phone1
        ) each
      ) who
      where m.account_id = ${actor.accountId} and m.file_id = ${fileId} and m.row_number = any(${numbers}::integer[])
        and m.state in ('good', 'repaired')
    ) found
    where r.account_id = ${actor.accountId} and r.file_id = ${fileId} and r.row_number = found.row_number`.execute(
    trx,
  );
}

/** Updates the summary after some rows changed. */
function recount(summary: FileSummary, before: Counted[], after: Counted[]): FileSummary {
  const reasons = new Map(summary.Reasons.map(({ Problem, Count }) => [Problem, Count]));
  const counts = { ...summary };
  const count = ({ state, problem, person_id }: Counted, by: 1 | -1) => {
    if (state === 'good' || state === 'repaired') {
      counts.GoodRecordCount += by;
      if (state === 'repaired') counts.RepairedCount += by;
      if (person_id !== null) counts.ExistingCount += by;
    } else if (state === 'duplicate') counts.DuplicateCount += by;
    else if (state === 'rejected') {
      counts.RejectedCount += by;
      reasons.set(problem ?? '', (reasons.get(problem ?? '') ?? 0) + by);
    }
  };
  for (const row of before) count(row, -1);
  for (const row of after) count(row, 1);
  return { ...counts, Reasons: sortedReasons(reasons) };
}
