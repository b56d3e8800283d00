import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type {
  createDraft as createDefinition,
  updateDraftType as typeDefinition,
  updateDraft as updateDefinition,
} from '../../../contract/drafts.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { isTextOnly } from '../../../contract/states/broadcast-wizard.ts';
import { startDateMessages } from '../../../contract/time/start-date.ts';
import { parseWall } from '../../../contract/time/wall-clock.ts';
import { usableTextNumbers } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import { refuseUnlessSeesMedia } from '../../media/queries.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { requireTemplate } from '../../templates/queries.ts';
import { draftRefusals } from '../preflight/judge-draft.ts';
import { dropOldMerge } from './merge-draft.ts';
import { lockDraft } from './queries.ts';
import { readDraft } from './read-draft.ts';
import { readSending } from './read-sending.ts';

type Form = Input<typeof createDefinition>['body'];

/** Keeps what the wizard has so far. It is judged as a whole when Send is pressed, not before. */
export async function updateDraft(trx: Trx, actor: Actor, { params, body }: Input<typeof updateDefinition>) {
  const draft = await lockDraft(trx, actor, params.DraftBroadcastID);
  await keepForm(trx, actor, draft.broadcast_id, body);
  return readDraft(trx, actor, draft.broadcast_id);
}

export async function updateDraftType(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof typeDefinition>,
) {
  const draft = await lockDraft(trx, actor, params.DraftBroadcastID);
  await keepForm(trx, actor, draft.broadcast_id, {
    BroadcastType: body.BroadcastTypeDesc,
    IsTextSurvey: body.IsTextSurvey,
  });
  return readDraft(trx, actor, draft.broadcast_id);
}

async function keepForm(trx: Trx, actor: Actor, broadcastId: number, form: Form): Promise<void> {
  await trx
    .updateTable('broadcasts')
    .set({ ...(await readForm(trx, actor, form)), updated_at: sql`now()` })
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', broadcastId)
    .execute();
  await dropOldMerge(trx, await readSending(trx, actor.accountId, broadcastId));
  await notify(trx, actor.accountId, [{ type: 'draft.changed', DraftBroadcastID: broadcastId }]);
}

/** The columns of what the form names. What it speaks of has to be there and to be this actor's to use. */
export async function readForm(trx: Trx, actor: Actor, form: Form) {
  if (form.BroadcastType !== undefined && !isTextOnly(form.BroadcastType)) {
    throw refuseField('BroadcastType', draftRefusals.notText);
  }
  if (typeof form.TextNumberID === 'number') await refuseUnlessUsable(trx, actor, form.TextNumberID);
  if (typeof form.TemplateID === 'number') await requireTemplate(trx, actor, form.TemplateID);
  if (typeof form.StartDate === 'string' && parseWall(form.StartDate) === undefined) {
    throw refuseField('StartDate', startDateMessages.failed);
  }
  return columnsOf(form, form.Media && (await requireMedia(trx, actor, form.Media)));
}

function columnsOf(form: Form, mediaIds: number[] | undefined) {
  const reply = (label: 'Yes' | 'No') =>
    form.TextSurveyAutoReplies?.find(({ Label }) => Label === label)?.Message ?? '';
  const { RepeatingBroadcastSchedule: schedule, TextSurveyAutoReplies: replies } = form;
  return {
    ...given('name', form.BroadcastName),
    ...given('broadcast_type', form.BroadcastType),
    ...given('is_text_survey', form.IsTextSurvey),
    ...given('text_number_id', form.TextNumberID),
    ...given('body', form.TextMessage),
    ...given('media_ids', mediaIds),
    ...given('include_signature', form.IncludeSignature),
    ...given('keep_characters', form.KeepCharacters),
    ...(replies === undefined ? {} : { yes_reply: reply('Yes'), no_reply: reply('No') }),
    ...given('template_id', form.TemplateID),
    ...given('start_option', form.startOption),
    ...given('start_wall', form.StartDate),
    ...given('repeat_schedule', schedule === null ? null : schedule && JSON.stringify(schedule)),
    ...given('per_minute', form.PerMinute),
    ...given('wizard_step', form.Step),
  };
}

/** A column that is set only where the form says something of it. */
function given<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]?: Value });
}

async function refuseUnlessUsable(trx: Trx, actor: Actor, textNumberId: number): Promise<void> {
  const number = await usableTextNumbers(trx, actor)
    .select('can_create_broadcast')
    .where('text_number_id', '=', textNumberId)
    .executeTakeFirst();
  if (number === undefined) throw new Refusal('notFound', 'That text number is not yours to use.');
  if (!number.can_create_broadcast) {
    throw refuseField('TextNumberID', draftRefusals.notForBroadcasts);
  }
}

async function requireMedia(trx: Trx, actor: Actor, media: { MediaID: number }[]): Promise<number[]> {
  const ids = media.map(({ MediaID }) => MediaID);
  await refuseUnlessSeesMedia(trx, actor, ids);
  return ids;
}
