import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { contactLimits, type undoContacts as definition } from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { keepChanged, keptRows, openUndo, takeUndo } from '../../undo.ts';
import { createWork, endWork } from '../../work.ts';
import { groupNameTaken } from '../groups/find-or-create-groups.ts';
import { writeContacts, writeMembers } from '../keep-written.ts';
import { lockContacts } from '../lock-contacts.ts';
import type { Within } from '../queries.ts';
import { type ContactsUndo, undoKind } from './change-selection.ts';
import { markChanged } from './mark-changed.ts';

/**
 * Undoes any change of contacts and groups. The replaced state is saved under its own undo, so that this can
 * be undone too. Many rows are restored in the background.
 */
export async function undoContacts(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  await lockContacts(trx, actor.accountId);
  const before = await takeUndo<ContactsUndo>(trx, actor, undoKind, params.UndoID);
  if (before === undefined) return { UndoExecuted: false, UndoID: null };
  // The change may still be running: its result so far is undone.
  await endWork(trx, actor, params.UndoID);
  const { group } = before;
  if (group !== undefined) await setGroupDeleted(trx, actor, group);
  const undoId = await openUndo(trx, actor, undoKind, {
    ...(group === undefined ? {} : { group: { ...group, isDeleted: !group.isDeleted } }),
  });
  const all = await rowsOfUndo(trx, actor, params.UndoID);
  if (all.many > contactLimits.rowsAtOnce) {
    const input = { undoId: params.UndoID };
    const work = { kind: 'undo', input, total: all.many, lastId: all.lastId, undoId };
    await createWork(trx, actor, work, [{ type: 'contacts.changed' }]);
  } else {
    await putBack(trx, actor, {
      undoId: params.UndoID,
      nextUndoId: undoId,
      within: { firstId: 0, lastId: all.lastId },
    });
    await notify(trx, actor.accountId, [{ type: 'contacts.changed' }]);
  }
  // A restored group without members counts as one item, too.
  await recordEvents(trx, actor, [{ kind: 'contacts.restored', count: Math.max(1, all.many) }]);
  return { UndoExecuted: true, UndoID: undoId };
}

async function setGroupDeleted(trx: Trx, actor: Actor, group: { groupId: number; isDeleted: boolean }) {
  const { rows } = await sql<{ isTaken: boolean }>`
    select exists (
      select from groups other where other.account_id = g.account_id and other.deleted_at is null
      and lower(other.name) = lower(g.name) and other.group_id <> g.group_id) as "isTaken"
    from groups g where g.account_id = ${actor.accountId} and g.group_id = ${group.groupId}`.execute(trx);
  const [found] = rows;
  if (found === undefined) throw new Refusal('notFound', 'That group is no longer here.');
  if (!group.isDeleted && found.isTaken) {
    throw new Refusal('refused', groupNameTaken);
  }
  // A list ID that was assigned to another group meanwhile stays there.
  await sql`update groups g set deleted_at = ${group.isDeleted ? sql`now()` : sql`null`},
      phone_list_id = case when exists (
        select from groups other where other.account_id = g.account_id and other.deleted_at is null
          and other.phone_list_id = g.phone_list_id and other.group_id <> g.group_id) then null else g.phone_list_id end
    where account_id = ${actor.accountId} and group_id = ${group.groupId}`.execute(trx);
}

async function rowsOfUndo(trx: Trx, actor: Actor, undoId: number) {
  const { rows } = await sql<{ many: number; lastId: number | null }>`
    select count(*) as many, max(row_id) as "lastId"
    from ${keptRows(actor.accountId, undoId, { firstId: 0, lastId: Number.MAX_SAFE_INTEGER })} kept`.execute(
    trx,
  );
  return { many: rows[0]?.many ?? 0, lastId: rows[0]?.lastId ?? 0 };
}

/** Restores a slice of an undo's contacts, and saves what it replaces under `nextUndoId`. */
export async function putBack(
  trx: Trx,
  actor: Actor,
  { undoId, nextUndoId, within }: { undoId: number; nextUndoId: number; within: Within },
): Promise<number> {
  const { accountId } = actor;
  const ofSlice = keptRows(accountId, undoId, within);
  // The counterpart of each row's image: the current values of everything that it names. Empty if it was
  // purged since.
  const kept = await sql<{ many: number }>`
    with changed as (
      select r.row_id,
        case when r.before ? 'deleted' then jsonb_build_object('deleted', c.deleted_at is not null) else '{}' end
        || case when r.before ? 'left' then jsonb_build_object('joined', r.before -> 'left') else '{}' end
        || case when r.before ? 'joined' then jsonb_build_object('left', r.before -> 'joined') else '{}' end
        || case when r.before ? 'fields' then jsonb_build_object('fields', (
            select coalesce(jsonb_object_agg(field, to_jsonb(c) -> field), '{}')
            from jsonb_object_keys(r.before -> 'fields') field)) else '{}' end
        || case when r.before ? 'custom' then jsonb_build_object('custom', (
            select coalesce(jsonb_object_agg(field, c.custom_data -> field), '{}')
            from jsonb_object_keys(r.before -> 'custom') field)) else '{}' end as before
      from ${ofSlice} r join contacts c on c.account_id = r.account_id and c.person_id = r.row_id
    ),
    kept as (${keepChanged(actor, nextUndoId)}),
    marked as (${markChanged({ accountId, userId: actor.userId, kind: 'undone' }, sql`changed`, 'row_id')})
    select count(*) as many from changed`.execute(trx);
  await writeMembers(
    trx,
    sql`
    delete from group_members m
    using ${ofSlice} r, jsonb_array_elements_text(r.before -> 'joined') g
    where m.account_id = r.account_id and m.person_id = r.row_id and m.group_id = g::bigint`,
  );
  const field = (name: string) => sql`r.before #>> ${sql.lit(`{fields,${name}}`)}`;
  const phone = (name: string) =>
    sql`${sql.ref(name)} = case when r.before -> 'fields' ? ${sql.lit(name)} then ${field(name)} else ${sql.ref(`c.${name}`)} end`;
  await writeContacts(
    trx,
    sql`
    update contacts c set
      updated_at = now(),
      first_name = coalesce(${field('first_name')}, c.first_name),
      last_name = coalesce(${field('last_name')}, c.last_name),
      notes = coalesce(${field('notes')}, c.notes),
      ${sql.join(['primary_phone', 'secondary_phone', 'tertiary_phone'].map(phone))},
      custom_data = jsonb_strip_nulls(c.custom_data || coalesce(r.before -> 'custom', '{}')),
      deleted_at = case r.before ->> 'deleted'
        when 'true' then coalesce(c.deleted_at, now()) when 'false' then null else c.deleted_at end,
      deleted_from_groups = case when r.before ->> 'deleted' = 'true' and c.deleted_at is null then array(
          select m.group_id from group_members m
          where m.account_id = c.account_id and m.person_id = c.person_id and m.group_id > 0)
        else c.deleted_from_groups end
    from ${ofSlice} r
    where r.before ?| array['deleted', 'fields', 'custom']
      and c.account_id = r.account_id and c.person_id = r.row_id`,
  );
  // Looked up row by row: right after a large deletion PostgreSQL assumes that the table is empty, and a join
  // would compare every row with every other.
  await writeMembers(
    trx,
    sql`
    insert into group_members (account_id, group_id, person_id, sort_name)
    select distinct r.account_id, g.group_id, r.row_id, c.sort_name
    from ${ofSlice} r
    cross join jsonb_array_elements_text(r.before -> 'left') l
    join groups g on g.account_id = r.account_id and g.group_id = l::bigint
      and g.deleted_at is null and g.segment is null
    -- "offset 0": each contact is looked up by its key. As a join, PostgreSQL would read every contact of the account.
    cross join lateral (
      select sort_name from contacts
      where account_id = r.account_id and person_id = r.row_id and deleted_at is null offset 0) c
    on conflict do nothing`,
  );
  return kept.rows[0]?.many ?? 0;
}
