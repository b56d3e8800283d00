import { type RawBuilder, sql } from 'kysely';
import { contactLimits, type SelectionQuery, specialGroups } from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { SelectionOfIds } from '../../../contract/selection.ts';
import type { Trx } from '../../db.ts';
import { keepsItself } from '../../keep-itself.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { keepChanged, keepSet, openUndo } from '../../undo.ts';
import { createWork } from '../../work.ts';
import { keepContacts, keepMembers, rowsWritten } from '../keep-written.ts';
import { contactsSelected, type Within } from '../queries.ts';
import { markSelection } from './mark-changed.ts';

/** The kind of all undos of contacts and groups. */
export const undoKind = 'contacts';

/** State that an undo restores in addition to its rows. */
export interface ContactsUndo {
  /** A group that was deleted, or whose deletion was undone: its state before. */
  group?: { groupId: number; isDeleted: boolean };
}

/**
 * A change of many contacts. Each is one statement over any number of rows, and each except purge and
 * clearField saves in every row's undo what restores it:
 *   { deleted }        whether it was deleted
 *   { joined, left }   groups that it joined and left
 *   { fields, custom } the values before, of what was changed
 */
export type ContactChange =
  | { kind: 'delete' }
  /** Out of Deleted, back into the groups they were in; isUnfiled: into none; groupId: also into this one. */
  | { kind: 'restore'; groupId: number | null; isUnfiled: boolean }
  /** Out of Deleted permanently. */
  | { kind: 'purge' }
  | { kind: 'join'; groupId: number; leavesGroupId: number | null }
  | { kind: 'leave'; groupId: number }
  /** Out of all groups. */
  | { kind: 'unfile' }
  /** Custom values by field id; null removes one. */
  | { kind: 'edit'; notes: string | null; custom: Record<string, string | null> }
  | { kind: 'clearField'; fieldId: number };

/**
 * The contacts to change: a selection in a list, contacts that the caller has found, the members a group had
 * when it was deleted, or all that have a value in a field.
 */
type ChangeSource =
  | { listId: number; query: SelectionQuery; selection: SelectionOfIds }
  | { personIds: number[] }
  | { membersOf: number }
  | { fieldId: number };

export interface PlannedChange {
  change: ContactChange;
  from: ChangeSource;
}

/** The rows of a source as a condition on `c`; `within` narrows it to a slice of ids. */
async function rowsOf(
  trx: Trx,
  actor: Actor,
  from: ChangeSource,
  within?: Within,
): Promise<RawBuilder<unknown>> {
  if ('personIds' in from) return sql`c.person_id = any(${from.personIds}::bigint[])`;
  if ('membersOf' in from) {
    return sql`exists (select from group_members m
      where m.account_id = c.account_id and m.group_id = ${from.membersOf} and m.person_id = c.person_id)`;
  }
  if ('fieldId' in from) return sql`c.custom_data ? ${String(from.fieldId)}`;
  return contactsSelected(trx, actor, from, within);
}

interface Changed {
  /** Number of rows that were selected, and of those that changed. */
  chosen: number;
  changed: number;
}

/** Makes the change, in one statement: to all rows of the source, or to those within a slice. */
export async function changeRows(
  trx: Trx,
  actor: Actor,
  { change, from }: PlannedChange,
  { undoId, within }: { undoId: number | null; within?: Within | undefined },
): Promise<Changed> {
  await refuseUnlessGroupLives(trx, actor, change);
  const condition = await rowsOf(trx, actor, from, within);
  const slice =
    within === undefined ? sql`` : sql`and c.person_id between ${within.firstId} and ${within.lastId}`;
  const isLargeJoin = within !== undefined && isOnlyJoin(change);
  // Changes of one contact, and merges, have an event for each.
  const marked = 'personIds' in from ? undefined : markSelection(actor, change);
  const { rows } = await sql<Changed>`
    with chosen as materialized (
      select c.person_id, c.sort_name, c.deleted_at is not null as is_deleted
      from contacts c where c.account_id = ${actor.accountId} and ${condition} ${slice}
    ),
    ${isLargeJoin ? joinSlice(actor.accountId, change.groupId, within) : statementOf(actor.accountId, change)}
    ${undoId === null ? sql`` : sql`, kept as (${keep(actor, undoId, change)})`}
    ${marked === undefined ? sql`` : sql`, marked as (${marked})`}
    select (select count(*) from chosen) as chosen, (select count(*) from changed) as changed
    from ${isLargeJoin ? sql`(select ${keepsItself}) counted_above` : keepWritten(change)}`.execute(trx);
  return rows[0] ?? { chosen: 0, changed: 0 };
}

function keep(actor: Actor, undoId: number, change: ContactChange): RawBuilder<unknown> {
  const before = imageOfAll(change);
  return before === undefined ? keepChanged(actor, undoId) : keepSet(actor, undoId, before);
}

/** The undo data of every row, if it is the same for all. */
function imageOfAll(change: ContactChange): object | undefined {
  if (change.kind === 'delete') return { deleted: false };
  if (change.kind === 'restore') {
    return { deleted: true, ...(change.groupId === null ? {} : { joined: [change.groupId] }) };
  }
  if (change.kind === 'leave') return { left: [change.groupId] };
  return isOnlyJoin(change) ? { joined: [change.groupId] } : undefined;
}

/** Into a group without leaving any. */
export function isOnlyJoin(change: ContactChange): change is Extract<ContactChange, { kind: 'join' }> {
  return change.kind === 'join' && change.leavesGroupId === null;
}

/** Keeps what depends on the rows that `statementOf` writes. */
function keepWritten({ kind }: ContactChange): RawBuilder<unknown> {
  switch (kind) {
    case 'join':
      return keepMembers(
        sql`(select old_row, new_row from joined union all select old_row, new_row from gone)`,
      );
    case 'leave':
      return keepMembers(sql`changed`);
    case 'unfile':
      return keepMembers(sql`gone`);
    default:
      return keepContacts(sql`changed`);
  }
}

/** The change of the rows named `chosen`, ending in `changed (row_id)`, with `before` if each has its own. */
function statementOf(accountId: number, change: ContactChange): RawBuilder<unknown> {
  const image = (before: object) => sql`${JSON.stringify(before)}::jsonb`;
  const isChosen = sql`c.account_id = ${accountId} and c.person_id = chosen.person_id`;
  switch (change.kind) {
    case 'delete':
      return sql`changed as (
        update contacts c set deleted_at = now(), deleted_from_groups = array(
          select m.group_id from group_members m
          where m.account_id = c.account_id and m.person_id = c.person_id and m.group_id > 0)
        from chosen where ${isChosen} and c.deleted_at is null
        returning c.person_id as row_id, ${rowsWritten})`;
    case 'restore':
      // They return to the groups in deleted_from_groups, so the target group is added there.
      return sql`changed as (
        update contacts c set deleted_at = null, deleted_from_groups = array(
          select distinct g from unnest(
            case when ${change.isUnfiled} then '{}' else c.deleted_from_groups end || ${change.groupId}::bigint) g
          where g is not null)
        from chosen where ${isChosen} and c.deleted_at is not null
        returning c.person_id as row_id, ${rowsWritten})`;
    case 'purge':
      return sql`changed as (
        delete from contacts c using chosen where ${isChosen} and c.deleted_at is not null
        returning c.person_id as row_id, ${rowsWritten})`;
    case 'join':
      return sql`joined as (
        insert into group_members (account_id, group_id, person_id, sort_name)
        select ${accountId}::bigint, ${change.groupId}::bigint, person_id, sort_name
        from chosen where not is_deleted
        on conflict do nothing
        returning person_id, ${rowsWritten}
      ),
      gone as (
        delete from group_members c using chosen where ${isChosen} and c.group_id = ${change.leavesGroupId}
        returning c.person_id, ${rowsWritten}
      ),
      changed as (
        select coalesce(j.person_id, g.person_id) as row_id,
          case when j.person_id is null then '{}' else ${image({ joined: [change.groupId] })} end
          || case when g.person_id is null then '{}' else ${image({ left: [change.leavesGroupId] })} end as before
        from joined j full join gone g on g.person_id = j.person_id
      )`;
    case 'leave':
      return sql`changed as (
        delete from group_members c using chosen where ${isChosen} and c.group_id = ${change.groupId}
        returning c.person_id as row_id, ${rowsWritten})`;
    case 'unfile':
      return sql`gone as (
        delete from group_members c using chosen where ${isChosen} and c.group_id > 0
        returning c.person_id, c.group_id, ${rowsWritten}
      ),
      changed as (
        select person_id as row_id, jsonb_build_object('left', jsonb_agg(group_id)) as before
        from gone group by person_id
      )`;
    case 'edit':
      return editStatement(accountId, change, isChosen);
    case 'clearField':
      return sql`changed as (
        update contacts c set custom_data = c.custom_data - ${String(change.fieldId)}
        from chosen where ${isChosen}
        returning c.person_id as row_id, ${rowsWritten})`;
  }
}

/**
 * A slice of a large join. keepMembers would look up each person among the unfiled; here that, who is already in the
 * group, and the counts are done once per slice. Nobody else adds people to groups in the meantime, see lockContacts.
 * If a lane that was cut off is still working, the slice fails and is retried.
 */
function joinSlice(accountId: number, groupId: number, { firstId, lastId }: Within): RawBuilder<unknown> {
  const { unfiled } = specialGroups;
  // `+ 0` keeps the planner off the group index, which would read every member. "is true" makes it use a
  // hash, although it expects few rows on either side.
  return sql`standing as materialized (
    select person_id, group_id from group_members
    where account_id = ${accountId} and person_id between ${firstId} and ${lastId}
      and group_id + 0 in (${groupId}::bigint, ${unfiled}::bigint)
  ),
  changed as (
    insert into group_members (account_id, group_id, person_id, sort_name)
    select ${accountId}::bigint, ${groupId}::bigint, person_id, sort_name
    from chosen where not is_deleted
      and person_id not in (select person_id from standing where group_id = ${groupId}::bigint)
    returning person_id as row_id
  ),
  filed as (
    delete from group_members m using standing s
    where s.group_id = ${unfiled}::bigint and (s.person_id in (select row_id from changed)) is true
      and m.account_id = ${accountId} and m.group_id = ${unfiled}::bigint and m.person_id = s.person_id
    returning m.person_id
  ),
  counted as (
    insert into list_counts as kept (account_id, list_id, roster_count)
    select ${accountId}::bigint, list_id, joined from (
      select ${unfiled}::bigint as list_id, -count(*) as joined from filed
      union all select ${groupId}::bigint, count(*) from changed) counts
    where joined <> 0 order by list_id
    on conflict (account_id, list_id) do update set roster_count = kept.roster_count + excluded.roster_count
  )`;
}

function editStatement(
  accountId: number,
  { notes, custom }: Extract<ContactChange, { kind: 'edit' }>,
  isChosen: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const given = JSON.stringify(custom);
  const fieldsBefore = notes === null ? sql`'{}'::jsonb` : sql`jsonb_build_object('notes', old.notes)`;
  return sql`wanted as (
    select c.person_id, coalesce(${notes}::text, c.notes) as notes,
      jsonb_strip_nulls(c.custom_data || ${given}::jsonb) as custom_data
    from contacts c, chosen where ${isChosen}
  ),
  changed as (
    update contacts c set notes = w.notes, custom_data = w.custom_data, updated_at = now()
    from wanted w
    where c.account_id = ${accountId} and c.person_id = w.person_id
      and (c.notes <> w.notes or c.custom_data <> w.custom_data)
    returning c.person_id as row_id, jsonb_build_object('fields', ${fieldsBefore}, 'custom', coalesce(
      (select jsonb_object_agg(field, old.custom_data -> field) from jsonb_object_keys(${given}::jsonb) field), '{}')) as before,
      ${rowsWritten}
  )`;
}

/** The group may have been deleted before a later slice runs: then nobody is added any more. */
async function refuseUnlessGroupLives(trx: Trx, actor: Actor, change: ContactChange): Promise<void> {
  const groupId = change.kind === 'join' || change.kind === 'restore' ? change.groupId : null;
  if (groupId === null) return;
  const group = await trx
    .selectFrom('groups')
    .select('segment')
    .where('account_id', '=', actor.accountId)
    .where('group_id', '=', groupId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (group === undefined) throw new Refusal('notFound', 'That group is no longer here.');
  if (group.segment !== null) throw new Refusal('refused', segmentHasNoMembers);
}

export const segmentHasNoMembers =
  'A segment finds its contacts by its conditions. You can’t add or remove anyone yourself.';

/**
 * Makes a change now if it affects few rows; otherwise stores it as work, which continues when the page is closed. The
 * set is fixed here: contacts created later have larger ids and are not affected. The caller has called lockContacts.
 */
export async function changeOrWork(
  trx: Trx,
  actor: Actor,
  planned: PlannedChange,
  undo: ContactsUndo = {},
): Promise<{ UndoID: number | null; Size: number; WorkID: number | null }> {
  const { kind } = planned.change;
  const canUndo = kind !== 'purge' && kind !== 'clearField';
  const { few, total, lastId } = await countRows(trx, actor, planned.from);
  const undoId = canUndo ? await openUndo(trx, actor, undoKind, undo) : null;
  if (few) {
    const { chosen, changed } = await changeRows(trx, actor, planned, { undoId });
    if (changed > 0) await notify(trx, actor.accountId, [{ type: 'contacts.changed' }]);
    return { UndoID: changed > 0 || undo.group !== undefined ? undoId : null, Size: chosen, WorkID: null };
  }
  await refuseUnlessGroupLives(trx, actor, planned.change);
  const work = { kind, input: planned, total, lastId, undoId };
  const workId = await createWork(trx, actor, work, [{ type: 'contacts.changed' }]);
  return { UndoID: undoId, Size: total, WorkID: workId };
}

async function countRows(trx: Trx, actor: Actor, from: ChangeSource) {
  const condition = sql`c.account_id = ${actor.accountId} and ${await rowsOf(trx, actor, from)}`;
  const bounded = await sql<{ many: number }>`
    select count(*) as many from (
      select from contacts c where ${condition} limit ${contactLimits.rowsAtOnce + 1}) found`.execute(trx);
  const few = (bounded.rows[0]?.many ?? 0) <= contactLimits.rowsAtOnce;
  if (few) return { few, total: 0, lastId: 0 };
  const whole = await sql<{ total: number; lastId: number }>`
    select count(*) as total, max(c.person_id) as "lastId" from contacts c where ${condition}`.execute(trx);
  return { few, total: 0, lastId: 0, ...whole.rows[0] };
}
