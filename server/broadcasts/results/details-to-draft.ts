import { sql } from 'kysely';
import type {
  detailsToDraft as detailsDefinition,
  repliesToDraft as repliesDefinition,
} from '../../../contract/broadcast-results.ts';
import type { Input } from '../../../contract/call.ts';
import type { createDraft } from '../../../contract/drafts.ts';
import { Refusal } from '../../../contract/errors.ts';
import { placesCalls } from '../../../contract/money/units.ts';
import { requireAudio } from '../../audio/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { beginDraft } from '../draft/create-draft.ts';
import { readCalling } from '../draft/read-calling.ts';
import { repliesName } from '../name-broadcast.ts';
import { detailsSelected, type SelectedDetails } from '../queries.ts';
import { addRecipients } from '../recipients/add-recipients.ts';
import { getWholeBroadcast } from './read-broadcast.ts';

type Form = Input<typeof createDraft>['body'];

/** Begins a broadcast to selected recipients of this one: those that failed, or did not reply; with the text or without. */
export async function detailsToDraft(
  trx: Trx,
  actor: Actor,
  { params, query, body }: Input<typeof detailsDefinition>,
) {
  const details: SelectedDetails = { filter: query, selection: body.Selection };
  return beginWith(trx, actor, params.BroadcastID, {
    ...{ kind: 'results', details },
    withMessage: body.WithMessage,
  });
}

/** The same for people who replied. */
export async function repliesToDraft(
  trx: Trx,
  actor: Actor,
  { params, query }: Input<typeof repliesDefinition>,
) {
  const { textsurveyresponse } = query;
  const details: SelectedDetails = {
    filter: { q: '', textresultcategory: 'Replied', textsurveyresponse },
    selection: { Type: 'SelectedAll', Items: [] },
    isWithoutOptedOut: query.textresultcategory === 'NotOptedOut',
  };
  return beginWith(trx, actor, params.BroadcastID, { ...{ kind: 'replies', details }, withMessage: false });
}

const nobody = 'Nobody here could be sent to.';

interface Begun {
  kind: 'results' | 'replies';
  details: SelectedDetails;
  withMessage: boolean;
}

async function beginWith(trx: Trx, actor: Actor, broadcastId: number, { kind, details, withMessage }: Begun) {
  await refuseUnlessSomebody(trx, actor, broadcastId, details);
  const form = await formOf(trx, actor, broadcastId, { kind, withMessage });
  const draftId = await beginDraft(trx, actor, form);
  const { AddedCount } = await addRecipients(trx, actor, draftId, { kind, broadcastId, details });
  return { DraftBroadcastID: draftId, AddedCount };
}

async function refuseUnlessSomebody(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  details: SelectedDetails,
): Promise<void> {
  const chosen = await detailsSelected(trx, actor, broadcastId, details);
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from broadcast_recipients r where ${chosen}) as found`.execute(trx);
  if (rows[0]?.found !== true) throw new Refusal('refused', nobody);
}

/**
 * The number it was sent from, if this actor may still use it; and with the message the other sent content.
 */
async function formOf(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  { kind, withMessage }: Pick<Begun, 'kind' | 'withMessage'>,
): Promise<Form> {
  const before = await getWholeBroadcast(trx, actor, broadcastId);
  const usable = actor.textNumberIds;
  const number =
    before.TextNumberID !== null && usable.includes(before.TextNumberID) ? before.TextNumberID : null;
  // People who replied are texted, whatever reached them before.
  const isCalling = kind === 'results' && placesCalls(before.BroadcastType);
  const calls = isCalling ? await callsOf(trx, actor, before) : {};
  if (!withMessage) {
    // With a name, so that the user starts with the text.
    return {
      ...calls,
      TextNumberID: number,
      ...(kind === 'replies' ? { BroadcastName: repliesName(before.BroadcastName, actor.languageId) } : {}),
    };
  }
  return {
    ...calls,
    ...(await usableMessages(trx, actor, before)),
    TextNumberID: number,
    BroadcastName: before.BroadcastName,
    BroadcastType: before.BroadcastType,
    IsTextSurvey: before.IsTextSurvey,
    TextMessage: before.TextMessage,
    Media: before.Media.map(({ mediaId }) => ({ MediaID: mediaId })),
    IncludeSignature: before.IncludeSignature,
    TextSurveyAutoReplies: before.TextSurveyAutoReplies,
  };
}

type Before = Awaited<ReturnType<typeof getWholeBroadcast>>;

/**
 * The settings of its calls. A message that says "press 0" needs the number that 0 connects to, unless it was
 * deleted.
 */
async function callsOf(trx: Trx, { accountId }: Actor, before: Before): Promise<Form> {
  const row = await trx
    .selectFrom('broadcasts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', before.BroadcastID)
    .executeTakeFirstOrThrow();
  const { TransferNumber: number, ...calling } = await readCalling(trx, row);
  return {
    BroadcastType: before.BroadcastType,
    CheckCallingWindow: true,
    CallerID: calling.CallerID,
    CallThrottle: calling.CallThrottle,
    Retries: calling.Retries,
    CallingWindowDays: calling.CallingWindowDays,
    StartTimeOfDay: calling.StartTimeOfDay,
    StopTimeOfDay: calling.StopTimeOfDay,
    ContinueOnNextDay: calling.ContinueOnNextDay,
    MaxMessageLength: calling.MaxMessageLength,
    ...(calling.IsTransfer && number !== null
      ? { IsTransfer: true, TransferNumber: { ID: number.ID }, TransferLines: calling.TransferLines }
      : {}),
  };
}

/** The recordings that this actor may still use: a deleted one has to be chosen again. */
async function usableMessages(trx: Trx, actor: Actor, before: Before): Promise<Form> {
  const usable = async (message: Before['Audio']) => {
    try {
      return message === null ? null : await requireAudio(trx, actor, message.AudioID);
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  };
  const [live, voicemail] = [await usable(before.Audio), await usable(before.AudioVM)];
  return {
    ...(live === null ? {} : { Audio: { AudioID: live.AudioID } }),
    ...(voicemail === null ? {} : { AudioVM: { AudioID: voicemail.AudioID } }),
  };
}
