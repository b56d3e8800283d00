import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type {
  createDraft as createDefinition,
  updateDraftType as typeDefinition,
  updateDraft as updateDefinition,
} from '../../../contract/drafts.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { neverOpens } from '../../../contract/forms/calling-window.ts';
import { type BroadcastType, placesCalls } from '../../../contract/money/units.ts';
import { formatClockTime } from '../../../contract/time/clock-time.ts';
import { startDateMessages } from '../../../contract/time/start-date.ts';
import { parseWall } from '../../../contract/time/wall-clock.ts';
import { usableTextNumbers } from '../../access/queries.ts';
import { requireAudio } from '../../audio/queries.ts';
import type { Trx } from '../../db.ts';
import { refuseUnlessSeesMedia } from '../../media/queries.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { requireTemplate } from '../../templates/queries.ts';
import { setLinkBase } from '../links/keep-links.ts';
import { draftRefusals } from '../preflight/judge-draft.ts';
import { keepSecondText } from '../second-text/keep-second-text.ts';
import { dropOldMerge } from './merge-draft.ts';
import { lockDraft } from './queries.ts';
import { readDraft } from './read-draft.ts';
import { readNames } from './read-names.ts';
import { readSending } from './read-sending.ts';

type Form = Input<typeof createDefinition>['body'];

/** Saves the wizard's current state. It is checked as a whole when Send is pressed, not before. */
export async function updateDraft(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof updateDefinition>,
  publicUrl: string,
) {
  const draft = await lockDraft(trx, actor, params.DraftBroadcastID);
  const { ShortenLinks: isOn } = body;
  const of = { accountId: actor.accountId, broadcastId: draft.broadcast_id };
  if (isOn !== undefined) await setLinkBase(trx, of, { isOn, publicUrl });
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
    ...switchedTo(body.BroadcastTypeDesc),
  });
  return readDraft(trx, actor, draft.broadcast_id);
}

/**
 * SMS clears audio, transfer and caller ID and turns off the calling-window check. Announcement and survey
 * types turn it on.
 */
function switchedTo(type: BroadcastType): Form {
  // Two texts are possible only in broadcasts without calls.
  if (placesCalls(type)) return { CheckCallingWindow: true, SecondText: null };
  return {
    CheckCallingWindow: false,
    Audio: null,
    AudioVM: null,
    RecordLater: false,
    RecordLaterVM: false,
    IsTransfer: false,
    TransferNumber: null,
    TransferLines: null,
  };
}

export async function keepForm(trx: Trx, actor: Actor, broadcastId: number, form: Form): Promise<void> {
  await trx
    .updateTable('broadcasts')
    .set({ ...(await readForm(trx, actor, form)), ...confirmation(form), updated_at: sql`now()` })
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', broadcastId)
    .execute();
  await keepSecondText(trx, { accountId: actor.accountId, broadcastId }, form.SecondText);
  await dropOldMerge(trx, await readSending(trx, actor.accountId, broadcastId));
  await notify(trx, actor.accountId, [{ type: 'draft.changed', DraftBroadcastID: broadcastId }]);
}

/** Recipients are confirmed for a type: for another one somebody has to confirm them again. */
function confirmation({ RecipientsConfirmed, BroadcastType }: Form) {
  if (RecipientsConfirmed !== undefined) return { recipients_confirmed: RecipientsConfirmed };
  if (BroadcastType === undefined) return {};
  return {
    recipients_confirmed: sql<boolean>`recipients_confirmed and broadcast_type = ${BroadcastType}`,
  };
}

/**
 * The columns of the form's fields. Referenced objects have to exist, and this actor has to be allowed to use
 * them.
 */
export async function readForm(trx: Trx, actor: Actor, named: Form) {
  const form = await readNames(trx, actor, named);
  if (typeof form.TextNumberID === 'number') await refuseUnlessUsable(trx, actor, form.TextNumberID);
  if (typeof form.TemplateID === 'number') await requireTemplate(trx, actor, form.TemplateID);
  if (typeof form.StartDate === 'string' && parseWall(form.StartDate) === undefined) {
    throw refuseField('StartDate', startDateMessages.failed);
  }
  await refuseUnlessCallable(trx, actor, form);
  return {
    ...columnsOf(form, form.Media && (await requireMedia(trx, actor, form.Media))),
    ...callColumns(form),
  };
}

/** The recordings and the transfer number have to exist, and this actor has to be allowed to use them. */
async function refuseUnlessCallable(trx: Trx, actor: Actor, form: Form): Promise<void> {
  for (const audio of [form.Audio, form.AudioVM]) {
    if (audio) await requireAudio(trx, actor, audio.AudioID);
  }
  if (form.TransferNumber) {
    const number = await trx
      .selectFrom('transfer_numbers')
      .select('transfer_number_id')
      .where('account_id', '=', actor.accountId)
      .where('transfer_number_id', '=', form.TransferNumber.ID)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (number === undefined) throw new Refusal('notFound', 'That transfer number is no longer here.');
  }
  if (form.StartTimeOfDay && form.StopTimeOfDay) {
    const error = neverOpens(formatClockTime(form.StartTimeOfDay), formatClockTime(form.StopTimeOfDay));
    if (error !== undefined) throw refuseField('StartTimeOfDay', error);
  }
}

/** The columns of a broadcast that calls, in addition to its texts. */
function callColumns(form: Form) {
  const time = (value: Form['StartTimeOfDay']) =>
    value && `${String(value.Hour).padStart(2, '0')}:${String(value.Minute).padStart(2, '0')}`;
  const idOf = <Value>(value: Value | null | undefined, pick: (value: Value) => number) =>
    value === undefined ? undefined : value === null ? null : pick(value);
  return {
    ...given('caller_id', form.CallerID),
    ...given('call_throttle', form.CallThrottle),
    ...given('retries', form.Retries),
    ...given('check_calling_window', form.CheckCallingWindow),
    ...given('calling_days', form.CallingWindowDays),
    ...given('calling_start', time(form.StartTimeOfDay)),
    ...given('calling_stop', time(form.StopTimeOfDay)),
    ...given('continue_on_next_day', form.ContinueOnNextDay),
    ...given('max_message_length', form.MaxMessageLength),
    ...given('country_id', form.CountryID),
    ...given(
      'audio_id',
      idOf(form.Audio, ({ AudioID }) => AudioID),
    ),
    ...given(
      'audio_vm_id',
      idOf(form.AudioVM, ({ AudioID }) => AudioID),
    ),
    ...given('record_later', form.RecordLater),
    ...given('record_later_vm', form.RecordLaterVM),
    ...given('voice_option', form.voiceOption),
    ...given('voice_type', form.voiceType),
    ...given('is_transfer', form.IsTransfer),
    ...given(
      'transfer_number_id',
      idOf(form.TransferNumber, ({ ID }) => ID),
    ),
    ...given('transfer_lines', form.TransferLines),
  };
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

/** A column that is set only if the form contains it. */
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
