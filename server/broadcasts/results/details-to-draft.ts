import { sql } from 'kysely';
import type {
  detailsToDraft as detailsDefinition,
  repliesToDraft as repliesDefinition,
} from '../../../contract/broadcast-results.ts';
import type { Input } from '../../../contract/call.ts';
import type { createDraft } from '../../../contract/drafts.ts';
import { Refusal } from '../../../contract/errors.ts';
import { placesCalls } from '../../../contract/money/units.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { beginDraft } from '../draft/create-draft.ts';
import { detailsSelected, type SelectedDetails } from '../queries.ts';
import { addRecipients } from '../recipients/add-recipients.ts';
import { repliesName } from '../rules.ts';
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

/** The same for those who answered. */
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

/** The number it went out from, if it is still this actor's to use; and with the message what else was sent. */
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
  const calls: Form = placesCalls(before.BroadcastType)
    ? {
        BroadcastType: before.BroadcastType,
        CheckCallingWindow: true,
        CallerID: before.CallerID,
        CallThrottle: before.CallThrottle,
        Retries: before.Retries,
      }
    : {};
  if (!withMessage) {
    // With a name, so that one begins with the words.
    return {
      ...calls,
      TextNumberID: number,
      ...(kind === 'replies' ? { BroadcastName: repliesName(before.BroadcastName) } : {}),
    };
  }
  return {
    ...calls,
    ...(before.Audio === null ? {} : { Audio: { AudioID: before.Audio.AudioID } }),
    ...(before.AudioVM === null ? {} : { AudioVM: { AudioID: before.AudioVM.AudioID } }),
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
