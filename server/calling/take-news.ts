/**
 * Events from providers during a call. A step is answered with the next step of the call; everything else is
 * applied in one transaction and then acknowledged: an acknowledged event is stored.
 */

import {
  bindAttempt,
  bindStep,
  bindVerdict,
  endTransfer,
  noteAbandoned,
  noteKeys,
  noteOptOut,
  noteRecorded,
  takeLine,
} from '../calls/bind-attempt.ts';
import { endAttempt } from '../calls/end-attempt.ts';
import { type CallInFlow, findEndedAttempt, findFlow } from '../calls/queries.ts';
import {
  type CallEffect,
  type CallKey,
  type Moment,
  type NextSteps,
  nextSteps,
  readCallKey,
  secondsToEnd,
  stopsCalls,
  surveyKeyOf,
  verdictIn,
} from '../calls/rules.ts';
import { now, nowMs } from '../clock.ts';
import { recordConsents } from '../consents/record-consents.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import type { Log } from '../log.ts';
import { notify } from '../notify.ts';
import type { CallNews, CallProvider, CallStep } from '../outside/calls.ts';
import { beginKeeping } from './close-recordings.ts';

interface Context {
  database: Database;
  publicUrl: string;
  log: Log;
}

const hangUp: CallStep[] = [{ do: 'hangUp' }];

/** The next step of a call. A call without an attempt of ours, or a second one of an attempt, is hung up. */
export async function takeStep(
  { database, publicUrl }: Context,
  news: Extract<CallNews, { kind: 'step' }>,
): Promise<CallStep[]> {
  const key = readCallKey(news.key);
  if (key === undefined) return hangUp;
  const lookSeconds = secondsToEnd(news);
  const found = await bindStep(database.system, key, {
    sid: news.sid,
    publicUrl,
    progress: {
      ...(lookSeconds === undefined ? {} : { lookSeconds }),
      isUp: true,
      isHeard: news.at === 'answered',
      isVoicemail: news.at === 'voicemail',
      isLeft: news.at === 'left',
      isPlayed: news.at === 'keys',
    },
  });
  if (found === undefined) {
    if (news.dial !== undefined) await takeLateTransfer(database, key, { sid: news.sid, dial: news.dial });
    return hangUp;
  }
  if (isWithdrawn(found, news)) return hangUp;
  const moment = momentOf(found, news);
  const next = nextSteps(found.flow, moment);
  if (news.keys === '' && next.effects.length === 0) return orHangUp(next.steps);
  return asSystem(database, (trx) => answerStep(trx, key, found, { news, moment, next }));
}

/**
 * The broadcast was canceled before anybody heard its message: nobody hears it now. Some providers can't stop a phone
 * that rings, and somebody may answer before one that can has done it.
 */
function isWithdrawn({ row }: CallInFlow, { at }: Extract<CallNews, { kind: 'step' }>): boolean {
  const isFirst = at === 'answered' || at === 'voicemail';
  return isFirst && row.heard_at === null && row.voicemail_at === null;
}

/**
 * The transferred person hung up first: the call had ended before the provider reported the end of the
 * transfer.
 */
async function takeLateTransfer(
  database: Database,
  key: CallKey,
  { sid, dial }: { sid: string; dial: { isBridged: boolean; seconds: number; status: string } },
): Promise<void> {
  await asSystem(database, async (trx) => {
    const ended = await findEndedAttempt(trx, key, sid);
    if (ended === undefined) return;
    await endTransfer(trx, key, dial);
    if (ended.broadcastId !== null)
      await notify(trx, key.accountId, [{ type: 'broadcast.changed', BroadcastID: ended.broadcastId }]);
  });
}

const orHangUp = (steps: CallStep[]) => (steps.length === 0 ? hangUp : steps);

function momentOf({ row }: CallInFlow, news: Extract<CallNews, { kind: 'step' }>): Moment {
  const kept = row.task?.kind === 'record' ? row.task.recordedUrl : undefined;
  const recording = news.recording ?? (kept === undefined ? undefined : { url: kept, seconds: 1 });
  return {
    at: news.at,
    keys: news.keys,
    repeats: row.repeats,
    dial: news.dial,
    verdictInSeconds: verdictIn(row, nowMs()),
    recording: news.at === 'answered' ? undefined : recording,
  };
}

/** The side effects of a step: keys are saved, lines reserved, an opt-out recorded. */
async function answerStep(
  trx: Trx,
  key: CallKey,
  found: CallInFlow,
  { news, moment, next }: { news: Extract<CallNews, { kind: 'step' }>; moment: Moment; next: NextSteps },
): Promise<CallStep[]> {
  const { flow, row } = found;
  if (news.keys !== '') {
    const answer = flow.kind === 'survey' && news.at === 'keys' ? surveyKeyOf(news.keys, flow) : undefined;
    await noteKeys(trx, key, { keys: news.keys, answer: answer ?? null });
  }
  let decided = next;
  if (next.effects.some(({ kind }) => kind === 'takeLine')) {
    const isTaken =
      row.broadcast_id !== null &&
      (await takeLine(trx, key, { broadcastId: row.broadcast_id, lines: row.transfer_lines ?? 1 }));
    decided = nextSteps(flow, { ...moment, line: isTaken ? 'taken' : 'none' });
  }
  await apply(trx, key, found, { next: decided, news });
  return orHangUp(decided.steps);
}

async function apply(
  trx: Trx,
  key: CallKey,
  found: CallInFlow,
  { next, news }: { next: NextSteps; news: Extract<CallNews, { kind: 'step' }> },
): Promise<void> {
  for (const effect of next.effects) await applyOne(trx, key, found, { effect, news });
}

async function applyOne(
  trx: Trx,
  key: CallKey,
  found: CallInFlow,
  { effect, news }: { effect: CallEffect; news: Extract<CallNews, { kind: 'step' }> },
): Promise<void> {
  switch (effect.kind) {
    case 'optOut':
      return optOut(trx, key, found);
    case 'repeat':
      await bindAttempt(trx, key, news.sid, { isRepeated: true });
      return;
    case 'abandon':
      return noteAbandoned(trx, key, { wantsCall: false });
    case 'callBack':
      return noteAbandoned(trx, key, { wantsCall: true });
    case 'transferred':
      return endTransfer(trx, key, { ...effect, status: news.dial?.status ?? '' });
    case 'recorded':
      return noteRecorded(trx, key, effect.url);
    case 'keep':
      return keep(trx, key, found, effect.url);
    default:
      return;
  }
}

async function keep(trx: Trx, { accountId, callId }: CallKey, { row }: CallInFlow, url: string) {
  if (row.task?.kind !== 'record') return;
  const { recordingId } = row.task;
  await beginKeeping(trx, { accountId, recordingId, payload: { accountId, callId, url } });
}

/**
 * 9 stops these calls, not the texts: it goes into the consent ledger, with the key and its time as proof.
 */
async function optOut(trx: Trx, key: CallKey, { row }: CallInFlow): Promise<void> {
  await noteOptOut(trx, key);
  await recordConsents(trx, [
    {
      accountId: key.accountId,
      phone: row.phone,
      channel: 'voice',
      state: 'out',
      source: 'call',
      at: now(),
      wording: `Pressed 9 in the call “${row.broadcast_name ?? ''}” (call ${key.callId}, attempt ${key.attempt}).`,
    },
  ]);
  await notify(trx, key.accountId, [{ type: 'contacts.changed' }]);
}

/** Applies a webhook that expects no reply. */
export async function takeNews(context: Context, provider: CallProvider, news: CallNews): Promise<void> {
  const key = readCallKey(news.key);
  if (key === undefined || news.kind === 'step' || news.kind === 'callerId') return;
  if (news.kind === 'progress') {
    await bindAttempt(context.database.system, key, news.sid, { isUp: news.state === 'up' });
    return;
  }
  if (news.kind === 'machine') return takeVerdict(context, provider, key, news);
  await takeEnd(context, key, news);
}

/**
 * After the beep the voicemail message is played; a fax is hung up; a person keeps hearing the current
 * message.
 */
async function takeVerdict(
  { database, log }: Context,
  provider: CallProvider,
  key: CallKey,
  { sid, answeredBy: said, key: text }: Extract<CallNews, { kind: 'machine' }>,
): Promise<void> {
  const verdict = await bindVerdict(database.system, key, sid, said);
  if (verdict === undefined) return;
  if (verdict.isPlaying) return;
  const done =
    verdict.answeredBy === 'machine'
      ? await provider.playVoicemail(sid, text)
      : verdict.answeredBy === 'fax'
        ? await provider.hangUp(sid)
        : true;
  if (!done) log.warn({ provider: provider.name }, 'a call that a machine answered could not be changed');
}

async function takeEnd(
  { database, publicUrl }: Context,
  key: CallKey,
  news: Extract<CallNews, { kind: 'ended' }>,
): Promise<void> {
  await asSystem(database, async (trx) => {
    const isToldAfterwards = news.keys !== undefined;
    if (isToldAfterwards) {
      if (!(await bindAttempt(trx, key, news.sid))) return;
      await tellAfterwards(trx, key, news, publicUrl);
    }
    await endAttempt(trx, key, {
      by: { sid: news.sid, nonce: key.nonce },
      end: news.end,
      answeredBy: news.answeredBy,
      seconds: news.seconds,
      error: news.error,
      isToldAfterwards,
      isVoicemailPlayed: news.isVoicemailPlayed ?? false,
    });
  });
}

/** From a provider that runs the flow by itself: the pressed keys and the length of the transfer. */
async function tellAfterwards(
  trx: Trx,
  key: CallKey,
  { keys = '', transferSeconds }: Extract<CallNews, { kind: 'ended' }>,
  publicUrl: string,
): Promise<void> {
  const found = await findFlow(trx, key, publicUrl);
  if (found === undefined) return;
  const answer = found.flow.kind === 'survey' ? surveyKeyOf(keys, found.flow) : undefined;
  if (keys !== '') await noteKeys(trx, key, { keys, answer: answer ?? null });
  if (stopsCalls(keys) && answer === undefined) await optOut(trx, key, found);
  if (transferSeconds !== undefined && transferSeconds > 0) {
    await endTransfer(trx, key, { isBridged: true, seconds: transferSeconds, status: 'completed' });
  }
}
