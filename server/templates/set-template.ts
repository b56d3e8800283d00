import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { refuseField } from '../../contract/errors.ts';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import type {
  addTemplate as addDefinition,
  noteTemplateUse as noteDefinition,
  updateTemplate as updateDefinition,
} from '../../contract/templates.ts';
import { personalisedFieldError } from '../../contract/text/personalised-fields.ts';
import { isUniqueViolation, type Trx } from '../db.ts';
import { refuseUnlessSeesMedia } from '../media/queries.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { requireOwnTemplate, requireTemplate } from './queries.ts';

const shortcutTaken = 'You already use this shortcut for another text.';

export async function addTemplate(trx: Trx, actor: Actor, { body }: Input<typeof addDefinition>) {
  const media_ids = body.Media.map((item) => item.MediaID);
  refuseUnlessText(body.TemplateText, media_ids);
  await refuseUnlessSeesMedia(trx, actor, media_ids);
  const made = await trx
    .insertInto('templates')
    .values({
      account_id: actor.accountId,
      user_id: actor.userId,
      name: body.TemplateName,
      body: body.TemplateText,
      media_ids,
      shortcut: body.Shortcut,
      is_shared: body.IsShared,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('template_id')
    .executeTakeFirst();
  if (made === undefined) throw refuseField('Shortcut', shortcutTaken);
  await notify(trx, actor.accountId, [{ type: 'templates.changed' }]);
  return requireTemplate(trx, actor, made.template_id);
}

export async function updateTemplate(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof updateDefinition>,
) {
  const { IsFavorite, ...change } = body;
  const isChange = Object.values(change).some((value) => value !== undefined);
  if (isChange) await changeTemplate(trx, actor, params.TemplateID, change);
  else await requireTemplate(trx, actor, params.TemplateID);
  if (IsFavorite !== undefined) await star(trx, actor, params.TemplateID, IsFavorite);
  await notify(trx, actor.accountId, [{ type: 'templates.changed' }]);
  return requireTemplate(trx, actor, params.TemplateID);
}

type Change = Omit<Input<typeof updateDefinition>['body'], 'IsFavorite'>;

async function changeTemplate(trx: Trx, actor: Actor, templateId: number, change: Change): Promise<void> {
  const before = await requireOwnTemplate(trx, actor, templateId);
  const media_ids = change.Media?.map((item) => item.MediaID) ?? before.Media.map((item) => item.mediaId);
  const text = change.TemplateText ?? before.TemplateText;
  refuseUnlessText(text, media_ids);
  await refuseUnlessSeesMedia(trx, actor, media_ids);
  try {
    await trx
      .updateTable('templates')
      .set({
        name: change.TemplateName ?? before.TemplateName,
        body: text,
        media_ids,
        shortcut: change.Shortcut ?? before.Shortcut,
        is_shared: change.IsShared ?? before.IsShared,
        updated_at: sql`now()`,
      })
      .where('account_id', '=', actor.accountId)
      .where('template_id', '=', templateId)
      .where('deleted_at', 'is', null)
      .execute();
  } catch (error) {
    if (isUniqueViolation(error)) throw refuseField('Shortcut', shortcutTaken);
    throw error;
  }
}

async function star(trx: Trx, actor: Actor, templateId: number, isStarred: boolean): Promise<void> {
  const key = { account_id: actor.accountId, user_id: actor.userId, template_id: templateId };
  if (isStarred) {
    await trx
      .insertInto('template_favorites')
      .values(key)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return;
  }
  await trx
    .deleteFrom('template_favorites')
    .where('account_id', '=', key.account_id)
    .where('user_id', '=', key.user_id)
    .where('template_id', '=', key.template_id)
    .execute();
}

/** Somebody put it into a message. Noted once a minute: a text that a whole team uses is no row to queue for. */
export async function noteTemplateUse(trx: Trx, actor: Actor, { params }: Input<typeof noteDefinition>) {
  const template = await requireTemplate(trx, actor, params.TemplateID);
  const used = await trx
    .updateTable('templates')
    .set({ last_used_at: sql`now()` })
    .where('account_id', '=', actor.accountId)
    .where('template_id', '=', params.TemplateID)
    .where(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`)
    .returning('template_id')
    .executeTakeFirst();
  if (used !== undefined) await notify(trx, actor.accountId, [{ type: 'templates.changed' }]);
  return template;
}

/** A saved text says something or shows something, and its fields can be filled in. */
function refuseUnlessText(text: string, mediaIds: number[]): void {
  if (text.trim() === '' && mediaIds.length === 0) throw refuseField('TemplateText', composeMessages.noText);
  const error = personalisedFieldError(text);
  if (error !== undefined) throw refuseField('TemplateText', error);
}
