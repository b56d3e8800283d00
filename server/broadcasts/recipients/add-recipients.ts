import { type RawBuilder, sql } from 'kysely';
import type { Added } from '../../../contract/draft-recipients.ts';
import { draftLimits } from '../../../contract/draft-recipients.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { Within } from '../../contacts/queries.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { createWork } from '../../work.ts';
import { recipientWork } from '../draft/queries.ts';
import { countedName, selectionName, typedName } from '../name-broadcast.ts';
import { declareFileConsents } from './declare-file-consents.ts';
import {
  type AddedList,
  type AskedSource,
  candidatesOf,
  type GivenPerson,
  givenCandidates,
  requireLists,
  type Walk,
  walkOf,
} from './find-candidates.ts';
import { judgeRecipients, type Tally } from './judge-recipients.ts';
import { emptySummary, type KeptSummary, withTallies } from './summarize-recipients.ts';

/** The people to add: a source that can be queried again, or people as typed or pasted. */
export type RecipientSource =
  | AskedSource
  | { kind: 'typed' | 'pasted'; people: GivenPerson[] }
  | { kind: 'integration'; people: GivenPerson[]; name: string };

/** The input for a slice of an addition in the background. */
export interface PlannedAddition {
  broadcastId: number;
  adds: AskedSource;
  sourceIds: number[];
  walk: Walk;
}

/**
 * Adds people to a broadcast that nobody has sent: a few at once, many in the background (then Status is InProgress,
 * and isChangingRecipients says when it is over). For contacts, the set is fixed here: contacts created later have
 * larger ids and are not added. Works on any row with the status draft or model; the caller checks who may do so.
 */
export async function addRecipients(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  source: RecipientSource,
): Promise<Added> {
  await lockRecipients(trx, actor.accountId, broadcastId);
  const lists = await listsOf(trx, actor, source);
  const sourceIds = await keepSources(trx, actor, broadcastId, { source, lists });
  if ('people' in source) {
    const candidates = givenCandidates(source.people, sourceIds[0] ?? 0);
    return addedAtOnce(broadcastId, await addRows(trx, actor.accountId, broadcastId, candidates));
  }
  const { total, lastId } = await countCandidates(trx, actor, source, sourceIds);
  const planned: PlannedAddition = { broadcastId, adds: source, sourceIds, walk: walkOf(source, lists) };
  if (total <= draftLimits.rowsAtOnce) return addedAtOnce(broadcastId, await addSlice(trx, actor, planned));
  const work = { kind: recipientWork, input: planned, total, lastId, undoId: null };
  const WorkID = await createWork(trx, actor, work, [
    { type: 'draft.changed', DraftBroadcastID: broadcastId },
  ]);
  return { DraftBroadcastID: broadcastId, Status: 'InProgress', WorkID, AddedCount: total, LeftOutCount: 0 };
}

/** Adds everybody of a source now, however many they are: an emergency doesn't wait for a job. */
export async function addAtOnce(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  source: AskedSource,
): Promise<void> {
  await lockRecipients(trx, actor.accountId, broadcastId);
  const lists = await listsOf(trx, actor, source);
  const sourceIds = await keepSources(trx, actor, broadcastId, { source, lists });
  await addSlice(trx, actor, { broadcastId, adds: source, sourceIds, walk: walkOf(source, lists) });
}

function addedAtOnce(DraftBroadcastID: number, tallies: Tally[]): Added {
  const sum = (counted: Tally[]) => counted.reduce((total, { count }) => total + count, 0);
  return {
    DraftBroadcastID,
    Status: 'Complete',
    WorkID: null,
    AddedCount: sum(tallies),
    LeftOutCount: sum(tallies.filter(({ problem }) => problem !== null)),
  };
}

/** The rows of a source, or a slice of them. */
export async function addSlice(
  trx: Trx,
  actor: Actor,
  { broadcastId, adds, sourceIds }: PlannedAddition,
  within?: Within,
): Promise<Tally[]> {
  if (adds.kind === 'file') await declareFileConsents(trx, actor, adds, within);
  const candidates = await candidatesOf(trx, actor, adds, { sourceIds, within });
  return addRows(trx, actor.accountId, broadcastId, candidates);
}

async function addRows(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  candidates: RawBuilder<unknown>,
): Promise<Tally[]> {
  const kept = await keptCounts(trx, accountId, broadcastId);
  const tallies = await judgeRecipients(trx, accountId, broadcastId, { candidates });
  if (tallies.length === 0) return tallies;
  await sql`
    update broadcast_sources s set added = s.added + t.added
    from (
      select source_id, sum(added) as added from unnest(
        ${tallies.map(({ sourceId }) => sourceId)}::bigint[], ${tallies.map(({ count }) => count)}::bigint[]
      ) t(source_id, added) group by source_id
    ) t
    where s.account_id = ${accountId} and s.broadcast_id = ${broadcastId} and s.source_id = t.source_id`.execute(
    trx,
  );
  await noteChange(trx, accountId, broadcastId, kept === null ? null : withTallies(kept, tallies));
  return tallies;
}

/** Updates the counts if they are current. Otherwise they are counted when somebody asks. */
async function keptCounts(trx: Trx, accountId: number, broadcastId: number): Promise<KeptSummary | null> {
  const row = await lockRecipients(trx, accountId, broadcastId);
  if (row.summary !== null && row.summary_version === row.recipients_version) {
    return row.summary as unknown as KeptSummary;
  }
  const first = await trx
    .selectFrom('broadcast_recipients')
    .select('recipient_id')
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .limit(1)
    .executeTakeFirst();
  return first === undefined ? emptySummary() : null;
}

/**
 * Locks the row of a broadcast whose recipients are about to change: nobody else changes them until this transaction
 * ends.
 */
export async function lockRecipients(trx: Trx, accountId: number, broadcastId: number) {
  const row = await trx
    .selectFrom('broadcasts')
    .select(['recipients_version', 'summary_version', 'summary'])
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('status', 'in', ['draft', 'model'])
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That draft is no longer here.');
  return row;
}

/** The recipients have changed: earlier counts, merges and confirmations are invalid, and pages refetch. */
export async function noteChange(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  summary: KeptSummary | null = null,
): Promise<void> {
  await sql`
    update broadcasts set recipients_version = recipients_version + 1, recipients_confirmed = false, updated_at = now(),
      summary = ${summary === null ? null : JSON.stringify(summary)}::jsonb,
      summary_version = case when ${summary !== null} then recipients_version + 1 end
    where account_id = ${accountId} and broadcast_id = ${broadcastId}`.execute(trx);
  await notify(trx, accountId, [{ type: 'draft.changed', DraftBroadcastID: broadcastId }]);
}

/** Number of candidates, and the last of them. Counts all of them only if they are too many to add at once. */
async function countCandidates(trx: Trx, actor: Actor, source: AskedSource, sourceIds: number[]) {
  const candidates = await candidatesOf(trx, actor, source, { sourceIds });
  const count = async (limit: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ total: number; lastId: number | null }>`
      select count(*) as total, max(place) as "lastId" from (${candidates} ${limit}) found`.execute(trx);
    return { total: rows[0]?.total ?? 0, lastId: rows[0]?.lastId ?? 0 };
  };
  const few = await count(sql`limit ${draftLimits.rowsAtOnce + 1}`);
  return few.total <= draftLimits.rowsAtOnce ? few : count(sql``);
}

async function listsOf(trx: Trx, actor: Actor, source: RecipientSource): Promise<AddedList[]> {
  if (source.kind === 'lists') return requireLists(trx, actor, source.listIds);
  return source.kind === 'contacts' ? requireLists(trx, actor, [source.listId]) : [];
}

interface NewSource {
  kind: string;
  input: object;
  name: string;
}

/** Records where they came from: a row for each list, one for everything else; ids in that order. */
async function keepSources(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  { source, lists }: { source: RecipientSource; lists: AddedList[] },
): Promise<number[]> {
  if (source.kind === 'typed') {
    const typed = await findTypedSource(trx, actor.accountId, broadcastId);
    if (typed !== undefined) return [typed];
  }
  const sources = await describeSource(trx, actor, source, lists);
  const { rows } = await sql<{ source_id: number }>`
    insert into broadcast_sources (account_id, broadcast_id, kind, input, name)
    select ${actor.accountId}::bigint, ${broadcastId}::bigint, kind, input::jsonb, name
    from unnest(
      ${sources.map(({ kind }) => kind)}::text[], ${sources.map(({ input }) => JSON.stringify(input))}::text[],
      ${sources.map(({ name }) => name)}::text[]
    ) with ordinality s(kind, input, name, place)
    order by place
    returning source_id`.execute(trx);
  return rows.map(({ source_id }) => source_id);
}

/** People who are typed one by one share one source, however many there are. */
async function findTypedSource(trx: Trx, accountId: number, broadcastId: number) {
  const row = await trx
    .selectFrom('broadcast_sources')
    .select('source_id')
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('kind', '=', 'typed')
    .executeTakeFirst();
  return row?.source_id;
}

async function describeSource(
  trx: Trx,
  actor: Actor,
  source: RecipientSource,
  lists: AddedList[],
): Promise<NewSource[]> {
  switch (source.kind) {
    case 'lists':
      return lists.map(({ listId, name }) => ({ kind: 'lists', input: { listId }, name }));
    case 'contacts': {
      const { kind, ...input } = source;
      return [{ kind, input, name: selectionName(source, lists[0]?.name ?? '', actor.languageId) }];
    }
    case 'typed':
      return [{ kind: 'typed', input: {}, name: typedName(actor.languageId) }];
    case 'pasted':
      return [
        {
          kind: 'pasted',
          input: {},
          name: countedName(source.people.length, 'pasted number', actor.languageId),
        },
      ];
    case 'integration':
      return [{ kind: 'integration', input: {}, name: source.name }];
    case 'file': {
      const file = await trx
        .selectFrom('file_uploads')
        .select(['file_name', 'choice'])
        .where('account_id', '=', actor.accountId)
        .where('file_id', '=', source.fileId)
        .executeTakeFirstOrThrow();
      const choice = file.choice as { Columns?: { CustomData?: { Name: string }[] } } | null;
      const fields = (choice?.Columns?.CustomData ?? []).map(({ Name }) => Name);
      return [{ kind: 'file', input: { fileId: source.fileId, fields }, name: file.file_name }];
    }
    case 'copy':
      return copiedSources(trx, actor, source);
    case 'results':
    case 'replies': {
      const { kind, ...input } = source;
      return [{ kind, input, name: await nameOfBroadcast(trx, actor, source.broadcastId) }];
    }
  }
}

async function nameOfBroadcast(trx: Trx, actor: Actor, broadcastId: number): Promise<string> {
  const row = await trx
    .selectFrom('broadcasts')
    .select('name')
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', broadcastId)
    .executeTakeFirst();
  return row?.name ?? '';
}

async function copiedSources(
  trx: Trx,
  actor: Actor,
  { broadcastId, ofSources }: Extract<AskedSource, { kind: 'copy' }>,
): Promise<NewSource[]> {
  const rows = await trx
    .selectFrom('broadcast_sources')
    .select(['source_id', 'kind', 'input', 'name'])
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('source_id', '=', sql<number>`any(${ofSources}::bigint[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.source_id, row]));
  return ofSources.map((id) => {
    const row = byId.get(id);
    if (row === undefined) throw new Error(`broadcast ${broadcastId} has no source ${id}`);
    return { kind: row.kind, input: row.input as object, name: row.name };
  });
}
