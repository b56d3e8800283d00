import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { refuseField } from '../../contract/errors.ts';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import type {
  addTemplate as addDefinition,
  noteTemplateUse as noteDefinition,
  updateTemplate as updateDefinition,
} from '../../contract/templates.ts';
import { personalizedFieldError } from '../../contract/text/personalized-fields.ts';
import { nowMs } from '../clock.ts';
import { isUniqueViolation, type Trx } from '../db.ts';
import { refuseUnlessSeesMedia } from '../media/queries.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { starTemplates } from './change-templates.ts';
import { readChangedTemplate, requireOwnTemplate, requireTemplate } from './queries.ts';

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
      labels: body.Labels,
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
  if (IsFavorite !== undefined)
    await starTemplates(actor, sql`t.template_id = ${params.TemplateID}`, IsFavorite).execute(trx);
  await notify(trx, actor.accountId, [{ type: 'templates.changed' }]);
  return readChangedTemplate(trx, actor, params.TemplateID);
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
        labels: change.Labels ?? before.Labels,
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

/**
 * A saved text was inserted into a message. Pages are notified once a minute: a text that a whole team uses
 * would keep them busy.
 */
export async function noteTemplateUse(trx: Trx, actor: Actor, { params }: Input<typeof noteDefinition>) {
  const template = await requireTemplate(trx, actor, params.TemplateID);
  await trx
    .updateTable('templates')
    .set({ last_used_at: sql`now()`, use_count: sql`use_count + 1` })
    .where('account_id', '=', actor.accountId)
    .where('template_id', '=', params.TemplateID)
    .execute();
  const { LastUsedTimestamp: last } = template;
  if (last === null || nowMs() - new Date(last).getTime() > 60_000)
    await notify(trx, actor.accountId, [{ type: 'templates.changed' }]);
  return template;
}

/** A saved text has words or a picture, and its fields can be filled in. */
function refuseUnlessText(text: string, mediaIds: number[]): void {
  if (text.trim() === '' && mediaIds.length === 0) throw refuseField('TemplateText', composeMessages.noText);
  const error = personalizedFieldError(text);
  if (error !== undefined) throw refuseField('TemplateText', error);
}
