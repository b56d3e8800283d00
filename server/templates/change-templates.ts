import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type {
  deleteTemplate as deleteDefinition,
  deleteTemplates as deleteManyDefinition,
  undoTemplates as undoDefinition,
  updateTemplateSelection as updateDefinition,
} from '../../contract/templates.ts';
import { changeLibrary, undoLibrary } from '../change-library.ts';
import type { Trx } from '../db.ts';
import { selectedRows } from '../selection.ts';
import type { Actor } from '../serve.ts';
import { mayChange, requireOwnTemplate, shownTemplates } from './queries.ts';

export async function updateTemplateSelection(
  trx: Trx,
  actor: Actor,
  { query, body: { Selection, Update } }: Input<typeof updateDefinition>,
) {
  const rows = selectedRows(sql`t.template_id`, Selection, shownTemplates(actor, query));
  if ('IsFavorite' in Update) {
    return changeLibrary(trx, actor, library, { field: 'isFavorite', value: Update.IsFavorite, rows });
  }
  return changeLibrary(trx, actor, library, {
    field: 'isShared',
    value: Update.IsShared,
    rows: sql`${rows} and ${mayChange(actor)}`,
  });
}

export async function deleteTemplates(
  trx: Trx,
  actor: Actor,
  { query, body: { Selection } }: Input<typeof deleteManyDefinition>,
) {
  const rows = selectedRows(sql`t.template_id`, Selection, shownTemplates(actor, query));
  return changeLibrary(trx, actor, library, {
    field: 'isDeleted',
    value: true,
    rows: sql`${rows} and ${mayChange(actor)}`,
  });
}

export async function deleteTemplate(trx: Trx, actor: Actor, { params }: Input<typeof deleteDefinition>) {
  const { TemplateID } = await requireOwnTemplate(trx, actor, params.TemplateID);
  return changeLibrary(trx, actor, library, {
    field: 'isDeleted',
    value: true,
    rows: sql`t.template_id = ${TemplateID}`,
  });
}

export async function undoTemplates(trx: Trx, actor: Actor, { params }: Input<typeof undoDefinition>) {
  return undoLibrary(trx, actor, library, params.UndoID);
}

/** Stars saved texts for this user, or removes the stars; returns what changed. */
export function starTemplates(actor: Actor, rows: RawBuilder<unknown>, isStarred: boolean) {
  if (isStarred) {
    return sql`
      insert into template_favorites (account_id, user_id, template_id)
      select t.account_id, ${actor.userId}::bigint, t.template_id from templates t
      where t.account_id = ${actor.accountId} and ${rows}
      on conflict do nothing returning template_id as row_id`;
  }
  return sql`
    delete from template_favorites f using templates t
    where f.account_id = ${actor.accountId} and f.user_id = ${actor.userId}
      and t.account_id = f.account_id and t.template_id = f.template_id and ${rows}
    returning f.template_id as row_id`;
}

const remove = (actor: Actor, rows: RawBuilder<unknown>) => sql`
  update templates t set deleted_at = now()
  where t.account_id = ${actor.accountId} and ${rows} and t.deleted_at is null
  returning t.template_id as row_id`;

/** Its shortcut may have been given to another meanwhile: that one keeps it. */
const putBack = (actor: Actor, rows: RawBuilder<unknown>) => sql`
  update templates t set deleted_at = null, shortcut = case when exists (
      select from templates o
      where o.account_id = t.account_id and o.user_id = t.user_id and lower(o.shortcut) = lower(t.shortcut)
        and o.deleted_at is null)
    then '' else t.shortcut end
  where t.account_id = ${actor.accountId} and ${rows} and t.deleted_at is not null
  returning t.template_id as row_id`;

const library = {
  kind: 'templates',
  changed: { type: 'templates.changed' },
  id: sql`t.template_id`,
  updates: {
    isFavorite: starTemplates,
    isShared: (actor: Actor, rows: RawBuilder<unknown>, value: boolean) => sql`
    update templates t set is_shared = ${value}, updated_at = now()
    where t.account_id = ${actor.accountId} and ${rows} and t.is_shared <> ${value}
    returning t.template_id as row_id`,
    isDeleted: (actor: Actor, rows: RawBuilder<unknown>, value: boolean) =>
      value ? remove(actor, rows) : putBack(actor, rows),
  },
} as const;
