import { type SqlBool, sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { FileColumns, FileStage, FileSummary, FileTab, FileUpload } from '../../contract/imports.ts';
import { type MadeGroup, systemGroupNames } from '../contacts/groups/find-or-create-groups.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import type { FileFormat } from './read-structure.ts';
import { progressOf } from './rules.ts';

/** The row's data in addition to the tabs that the page sees. */
export interface FileStructure {
  Tabs: FileTab[];
  format: FileFormat;
}

export interface FileChoice {
  TabNumber: number;
  HasHeader: boolean;
  Columns: FileColumns;
  Duplicates: 'update' | 'skip' | 'add';
  /** Found or created when the import began, by the name in the file. */
  groupIds?: Record<string, number>;
  fieldIds?: Record<string, number>;
  /** The groups that didn't exist before: an undo deletes them if they are empty. */
  madeGroups?: MadeGroup[];
}

/** Pasted contacts are stored like a file, without bytes: they are not listed with the files. */
export const pastedKey = '';

/** In the format of findOrCreateGroups: without names that can't have members. */
const joinedGroups = sql<FileUpload['Groups'] | null>`(
  select json_agg(json_build_object(
      'ListID', g.group_id, 'ListName', coalesce(g.name, named.name),
      'IsNew', g.group_id is null
        or choice -> 'madeGroups' @> jsonb_build_array(jsonb_build_object('groupId', g.group_id)) is true)
    order by lower(coalesce(g.name, named.name)))
  from (
    select distinct on (lower(name)) name from unnest(group_names) name
    where lower(name) not in (${sql.join(systemGroupNames.map((name) => name.toLowerCase()))})
    union select name from groups target
    where target.account_id = file_uploads.account_id and target.group_id = file_uploads.list_id
  ) named
  left join groups g on g.account_id = file_uploads.account_id and lower(g.name) = lower(named.name)
    and g.deleted_at is null
  where g.segment is null)`;

function filesOf(trx: Trx, actor: Actor) {
  return trx
    .selectFrom('file_uploads')
    .selectAll()
    .select(sql<number>`extract(epoch from clock_timestamp() - stage_started_at) * 1000`.as('elapsed_ms'))
    .select(joinedGroups.as('joined_groups'))
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId);
}

export type FileRecord = Awaited<ReturnType<typeof requireFile>>;

/** One of the user's own files, or not found. Locked if it is going to be changed. */
export async function requireFile(trx: Trx, actor: Actor, fileId: number, lock?: 'lock') {
  const file = await filesOf(trx, actor)
    .where('file_id', '=', fileId)
    .where('file_key', '!=', pastedKey)
    .$if(lock !== undefined, (query) => query.forUpdate())
    .executeTakeFirst();
  if (file === undefined) throw new Refusal('notFound');
  return file;
}

export function refuseUnlessStage(file: FileRecord, stages: FileStage[]): void {
  if (stages.includes(file.stage as FileStage)) return;
  const sentences: Partial<Record<FileStage, string>> = {
    mapping: 'Name the columns of the file first.',
    processing: 'The file is still being read.',
    importing: 'The file is being imported.',
    imported: 'The file has been imported.',
    undoing: 'The import is being undone.',
    undone: 'The import was undone.',
    canceled: 'The file was canceled.',
  };
  throw new Refusal('conflict', sentences[file.stage as FileStage]);
}

export async function listFiles(trx: Trx, actor: Actor): Promise<{ Items: FileUpload[] }> {
  const files = await filesOf(trx, actor)
    .where('file_key', '!=', pastedKey)
    .where(sql<SqlBool>`created_at > now() - interval '30 days'`)
    .orderBy('file_id', 'desc')
    .limit(20)
    .execute();
  return { Items: files.map(toFileUpload) };
}

/** A file in the API's format. */
export async function getFile(trx: Trx, actor: Actor, fileId: number): Promise<FileUpload> {
  return toFileUpload(await requireFile(trx, actor, fileId));
}

const underWay = ['processing', 'importing', 'undoing'];

function toFileUpload(file: FileRecord): FileUpload {
  const isUnderWay = underWay.includes(file.stage);
  return {
    FileID: file.file_id,
    FileName: file.file_name,
    FileSize: file.byte_size,
    Status: isUnderWay ? 'InProgress' : file.stage === 'failed' ? 'Error' : 'Complete',
    Stage: file.stage as FileStage,
    ErrorMessage: file.error_message ?? '',
    FileStructure: { Tabs: structureOf(file).Tabs },
    Choice: choiceOf(file),
    Progress: progressOf(file.done, file.total, isUnderWay ? file.elapsed_ms : 0),
    Summary: file.summary as unknown as FileSummary | null,
    ListID: file.list_id,
    Groups: file.joined_groups ?? [],
    UserIndicatedConsentDeclared: file.consent_declared,
    UndoID: file.undo_id,
    CreateTimestamp: file.created_at.toISOString(),
  };
}

export function structureOf(file: { structure: unknown }): FileStructure {
  return file.structure as FileStructure;
}

export function choiceOf(file: { choice: unknown }): FileChoice | null {
  return file.choice as FileChoice | null;
}

/** Number of rows that are above the contacts. If the user says that there are no headings, every row is included. */
export function rowsAbove(file: { structure: unknown }, choice: FileChoice): number {
  const tab = structureOf(file).Tabs.find(({ TabNumber }) => TabNumber === choice.TabNumber);
  return choice.HasHeader ? (tab?.HasHeader ? (tab.TitleRows ?? 0) : 0) + 1 : 0;
}

/** The headings of the chosen tab; undefined when it has none. */
export function headingsOf(file: { structure: unknown }, choice: FileChoice): string[] | undefined {
  if (!choice.HasHeader) return undefined;
  const tab = structureOf(file).Tabs.find(({ TabNumber }) => TabNumber === choice.TabNumber);
  return tab?.Columns.map(({ Header }) => Header);
}

export async function countryOf(trx: Trx, accountId: number): Promise<number> {
  const { country_id } = await trx
    .selectFrom('accounts')
    .select('country_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return country_id;
}
