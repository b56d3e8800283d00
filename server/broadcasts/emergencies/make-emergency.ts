import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import {
  type AskedEmergency,
  type EmergencyChannel,
  emergencyRefusals,
} from '../../../contract/emergencies.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { firstFailure } from '../../../contract/fields/rule.ts';
import { emergencyTextRules } from '../../../contract/forms/emergency.ts';
import type { BroadcastType } from '../../../contract/money/units.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { textToSend } from '../../../contract/text/normalize-text.ts';
import { dayNames } from '../../../contract/time/wall-clock.ts';
import { asAccount, type Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { beginDraft } from '../draft/create-draft.ts';
import { recipientsOf } from '../draft/queries.ts';
import { addAtOnce, addRecipients, noteChange } from '../recipients/add-recipients.ts';
import { joinByHash } from '../recipients/judge-calls.ts';
import { type Channels, findChannels } from './find-channels.ts';
import { emergencyLabels } from './name-emergency.ts';
import {
  findDrillList,
  listOffered,
  listSame,
  listStaff,
  readSettings,
  requireMessage,
  seeingEverybody,
} from './queries.ts';
import { type EmergencyContext, type Spoken, speakWords, unspoken } from './speak-words.ts';

/** Its words: in the list of broadcasts, in texts and in calls. */
export interface EmergencyWords {
  name: string;
  body: string;
  spoken: string;
  /** The text without what Muster adds to a drill, in the characters that are sent: the same for everybody. */
  plain: string;
}

/** The prepared words, or those that were typed instead. Calls also say the typed ones. */
async function findWords(trx: Trx, actor: Actor, asked: AskedEmergency): Promise<EmergencyWords> {
  const prepared =
    asked.EmergencyMessageID === null
      ? undefined
      : await requireMessage(trx, actor, asked.EmergencyMessageID);
  const typed = asked.TextMessage === prepared?.TextMessage ? '' : asked.TextMessage;
  const body = typed === '' ? (prepared?.TextMessage ?? '') : typed;
  if (body === '') throw refuseField('TextMessage', emergencyRefusals.noMessage);
  const error = firstFailure(body, emergencyTextRules);
  if (error !== undefined) throw refuseField('TextMessage', error);
  const spoken = typed === '' ? (prepared?.SpokenText ?? body) : typed;
  const labels = emergencyLabels(actor.languageId);
  const title = prepared?.Title ?? labels.ownMessage;
  const plain = textToSend(body, { keepCharacters: false });
  return asked.IsDrill
    ? {
        name: `${labels.drill}: ${title}`,
        body: `${labels.drillWords} ${body}`,
        spoken: `${labels.drillWords} ${spoken}`,
        plain,
      }
    : { name: `${labels.emergency}: ${title}`, body, spoken, plain };
}

/** The choices made, to recognize a confirmation that is repeated. Prepared words may change in between. */
export function choicesOf({ EmergencyMessageID, TextMessage, Lists, ...rest }: AskedEmergency): string {
  const { IsDrill, Channel, IgnoreHours } = rest;
  const listIds = Lists.map(({ ListID }) => ListID).toSorted((a, b) => a - b);
  const chosen = JSON.stringify([EmergencyMessageID, TextMessage, listIds, IsDrill, Channel, IgnoreHours]);
  return createHash('sha256').update(chosen).digest('base64url');
}

/** Its words, and their recording where it may call. */
export async function prepareWords(
  context: EmergencyContext,
  actor: Actor,
  asked: AskedEmergency,
  { isPreview }: { isPreview: boolean },
): Promise<{ words: EmergencyWords; spoken: Spoken }> {
  const { words, channels } = await asAccount(context.app.database, actor.accountId, async (trx) => ({
    words: await findWords(trx, actor, asked),
    channels: await findChannels(trx, actor),
  }));
  const isTextOnly = channels.callProblem !== '' || (asked.Channel === 'Text' && channels.textProblem === '');
  // Outside of a transaction: nobody waits for a voice while holding locks.
  const spoken = isTextOnly
    ? unspoken
    : await speakWords(context, actor, { name: words.name, words: words.spoken, isPreview });
  return { words, spoken };
}

export interface MadeEmergency {
  broadcastId: number;
  channel: EmergencyChannel;
  textProblem: string;
  callProblem: string;
  /** The same emergency, started by another user just now. People whom it reaches aren't reached again. */
  same: Awaited<ReturnType<typeof listSame>>;
}

const types: Record<EmergencyChannel, BroadcastType> = {
  TextAndCall: 'SMSAndAnnouncement',
  Text: 'SMS',
  Call: 'Announcement',
};

/**
 * A draft that is ready for Send: to as many recipients as there are, as fast as number and lines allow, past
 * the account's limit of broadcasts per person. Opt-outs are checked as always. The caller sends it or rolls
 * it back.
 */
export async function makeEmergency(
  trx: Trx,
  actor: Actor,
  asked: AskedEmergency,
  { words, spoken, key }: { words: EmergencyWords; spoken: Spoken; key: string | null },
): Promise<MadeEmergency> {
  const channels = await findChannels(trx, actor);
  const callProblem = channels.callProblem || spoken.problem;
  const channel = channelOf(asked.Channel, {
    canText: channels.textProblem === '',
    canCall: callProblem === '',
  });
  const same = await listSame(trx, actor.accountId, {
    messageId: asked.EmergencyMessageID,
    words: words.plain,
    isDrill: asked.IsDrill,
  });
  const broadcastId = await beginEmergency(trx, actor, asked, {
    ...{ words, key, channels, channel },
    audioId: channel === 'Text' ? null : await spoken.insert(trx),
  });
  await addPeople(trx, actor, broadcastId, asked);
  if (same.length > 0) await leaveOut(trx, actor.accountId, broadcastId, same);
  return { broadcastId, channel, textProblem: channels.textProblem, callProblem, same };
}

/**
 * The requested channels, as far as they work: with the number blocked calls still go out, and vice versa.
 */
function channelOf(
  wanted: EmergencyChannel,
  { canText, canCall }: { canText: boolean; canCall: boolean },
): EmergencyChannel {
  if (!canText && !canCall) throw new Refusal('refused', emergencyRefusals.noChannel);
  if (!canText) return 'Call';
  if (!canCall) return 'Text';
  return wanted;
}

async function beginEmergency(
  trx: Trx,
  actor: Actor,
  asked: AskedEmergency,
  by: {
    words: EmergencyWords;
    key: string | null;
    channels: Channels;
    channel: EmergencyChannel;
    audioId: number | null;
  },
): Promise<number> {
  const { words, key, channels, channel } = by;
  const calls = channel !== 'Text';
  const broadcastId = await beginDraft(trx, actor, {
    BroadcastName: words.name.slice(0, limits.broadcastName),
    BroadcastType: types[channel],
    TextNumberID: channel === 'Call' ? null : channels.textNumberId,
    TextMessage: channel === 'Call' ? '' : words.body,
    // Ignores the sender's own pace: uses all lines and the full speed.
    PerMinute: null,
    ...(calls
      ? { CallerID: channels.callerId ?? '', CallThrottle: 0, MaxMessageLength: 120, ContinueOnNextDay: true }
      : {}),
    ...(calls && asked.IgnoreHours
      ? {
          CallingWindowDays: [...dayNames],
          StartTimeOfDay: { Hour: 0, Minute: 0 },
          StopTimeOfDay: { Hour: 23, Minute: 59 },
        }
      : {}),
  });
  await trx
    .updateTable('broadcasts')
    .set({
      is_emergency: true,
      is_drill: asked.IsDrill,
      emergency_key: key,
      emergency_message_id: asked.EmergencyMessageID,
      emergency_words: words.plain,
      emergency_choices: choicesOf(asked),
      audio_id: by.audioId,
      audio_vm_id: by.audioId,
      frequency_set_aside_by: actor.userId,
      frequency_set_aside_at: sql`now()`,
      ...(asked.IgnoreHours ? { hours_set_aside_by: actor.userId, hours_set_aside_at: sql`now()` } : {}),
    })
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', broadcastId)
    .execute();
  return broadcastId;
}

async function addPeople(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  { IsDrill, Lists }: AskedEmergency,
): Promise<void> {
  const settings = await readSettings(trx, actor.accountId);
  const all = seeingEverybody(actor);
  if (IsDrill) {
    const drill = await findDrillList(trx, actor, settings);
    if (drill !== undefined) {
      await addAtOnce(trx, all, broadcastId, { kind: 'lists', listIds: [drill.ListID] });
      return;
    }
    const people = await listStaff(trx, actor);
    await addRecipients(trx, all, broadcastId, { kind: 'typed', people });
    await nameSource(trx, actor.accountId, broadcastId, emergencyLabels(actor.languageId).team);
    return;
  }
  const listIds = [...new Set(Lists.map(({ ListID }) => ListID))];
  if (listIds.length === 0) throw refuseField('Lists', emergencyRefusals.nobody);
  const offered = new Set((await listOffered(trx, actor, settings)).map(({ ListID }) => ListID));
  if (listIds.some((listId) => !offered.has(listId)))
    throw new Refusal('notFound', emergencyRefusals.notPrepared);
  await addAtOnce(trx, all, broadcastId, { kind: 'lists', listIds });
}

async function nameSource(trx: Trx, accountId: number, broadcastId: number, name: string): Promise<void> {
  await trx
    .updateTable('broadcast_sources')
    .set({ name })
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .execute();
}

/** Removes the people whom the other emergencies reach with a text or a call. */
async function leaveOut(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  others: MadeEmergency['same'],
): Promise<void> {
  const ids = others.map(({ BroadcastID }) => BroadcastID);
  const texting = others.filter(({ Channel }) => Channel !== 'Call').map(({ BroadcastID }) => BroadcastID);
  await joinByHash(trx, () =>
    sql`
    update broadcast_recipients r set problem = 'excluded', duplicate_of = null
    where ${recipientsOf(accountId, broadcastId)} and r.phone is not null and exists (
      select from broadcast_recipients o
      where o.account_id = r.account_id and o.broadcast_id = any(${ids}::bigint[]) and o.phone = r.phone
        and (o.call_state = 'called' or (o.problem is null and o.broadcast_id = any(${texting}::bigint[]))))`.execute(
      trx,
    ),
  );
  await noteChange(trx, accountId, broadcastId);
}
