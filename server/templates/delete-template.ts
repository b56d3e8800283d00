import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type {
  deleteTemplate as definition,
  undoTemplates as undoDefinition,
} from '../../contract/templates.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { changeUndoably, rowsOfUndo, takeUndo } from '../undo.ts';
import { requireOwnTemplate } from './queries.ts';

const kind = 'templates.isDeleted';

export async function deleteTemplate(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const { TemplateID } = await requireOwnTemplate(trx, actor, params.TemplateID);
  const { undoId } = await changeUndoably(trx, actor, {
    kind,
    before: { isDeleted: false },
    update: sql`
      update templates set deleted_at = now()
      where account_id = ${actor.accountId} and template_id = ${TemplateID} and deleted_at is null
      returning template_id as row_id`,
  });
  await notify(trx, actor.accountId, [{ type: 'templates.changed' }]);
  return { UndoID: undoId };
}

export async function undoTemplates(trx: Trx, actor: Actor, { params }: Input<typeof undoDefinition>) {
  const before = await takeUndo<{ isDeleted: boolean }>(trx, actor, kind, params.UndoID);
  if (before === undefined) return { UndoExecuted: false, UndoID: null };
  const rows = rowsOfUndo(actor, params.UndoID);
  const { undoId } = await changeUndoably(trx, actor, {
    kind,
    before: { isDeleted: !before.isDeleted },
    update: before.isDeleted ? remove(actor, rows) : putBack(actor, rows),
  });
  await notify(trx, actor.accountId, [{ type: 'templates.changed' }]);
  return { UndoExecuted: undoId !== null, UndoID: undoId };
}

type Rows = ReturnType<typeof rowsOfUndo>;

const remove = (actor: Actor, rows: Rows) => sql`
  update templates set deleted_at = now()
  where account_id = ${actor.accountId} and template_id in ${rows} and deleted_at is null
  returning template_id as row_id`;

/** Its shortcut may have been given to another meanwhile: that one keeps it. */
const putBack = (actor: Actor, rows: Rows) => sql`
  update templates t set deleted_at = null, shortcut = case when exists (
      select from templates o
      where o.account_id = t.account_id and o.user_id = t.user_id and lower(o.shortcut) = lower(t.shortcut)
        and o.deleted_at is null)
    then '' else t.shortcut end
  where t.account_id = ${actor.accountId} and t.template_id in ${rows} and t.deleted_at is not null
  returning t.template_id as row_id`;
