import type { CallResultCode } from '../../contract/delivery/call-result.ts';
import { callResults } from '../../contract/delivery/call-result.ts';
import { surveyReplyKeys } from '../../contract/forms/transfer.ts';
import { voiceUnits } from '../../contract/money/units.ts';
import type { AnsweredBy, CallEnd, CallFlow, CallStep } from '../outside/calls.ts';
import { saidIn } from '../outside/words-of-calls.ts';

/** Seconds that a phone rings: at least four rings, and fewer than most voicemails take to answer. */
export const ringSeconds = 25;
/** Between two attempts. */
export const retryMinutes = 5;
/** After this long without proof an attempt in doubt is Call Failed, not repeated, and free. */
export const doubtSeconds = 120;
export const doubtPauseSeconds = 10;
/** Starts are assigned this far ahead, so that a slow moment loses none of them. */
export const startsAheadSeconds = 0.5;
/** A start that was missed by no more than this is made up for. */
export const startBurstSeconds = 0.02;
/**
 * The pace is the most that may begin in any second, and requests don't all travel for the same time. So starts are
 * assigned 1.8 % further apart than the pace, and no more than the pace are asked for within 1.017 seconds: a request may
 * take 17 ms longer than another before the provider counts one too many. 98 % of the pace is left.
 */
export const startSlack = 0.018;
export const startGuard = 0.017;
/**
 * In a worker's first seconds: its first requests open connections and run code that is still being compiled, and arrive
 * up to an eighth of a second late. The next ones leave room for that.
 */
export const firstGuard = 0.15;
/**
 * Seconds that a claimed call may wait for its attempt to begin. Then it is free again: it was certainly not placed.
 * Not much longer than starts are assigned ahead: until then a killed worker holds the line.
 */
export const claimSeconds = 2;
/** Seconds that placing a call may take; longer than the provider's request time-out. */
export const leaseSeconds = 12;
/**
 * Silence after the expected end of a call: then the provider is asked. A lost final webhook blocks a line
 * for this long, and asking costs one small request.
 */
export const graceSeconds = 10;
/**
 * After the last words of a call its end is reported within a second or two. If it isn't, the webhook was
 * lost, and the line would stay blocked for the length of another message: the provider is asked sooner. Too
 * soon costs one small request.
 */
const lastWordsSeconds = 6;
const hangUpSeconds = 3;
/** A question is asked at most this often. */
const mostAsked = 3;
/**
 * People are distinguished from machines within this; a call without a verdict that lasted longer was a
 * machine's greeting.
 */
const verdictSeconds = 6;
/** Twilio decides within this; the longest greetings end by then. */
const detectionSeconds = 30;
/** The maximum share of answered calls that may press 0 and find no line, in percent. */
export const mostAbandonedPercent = 3;
/** The voicemail message counts as left when the call lasted this long after it began. */
const leftSeconds = 3;
const recordSeconds = 120;
const transferRings = 25;

/**
 * Our own words: the specification has none for what a call says besides the message. Translated in
 * server/languages/.
 */
export const callWords = {
  stopped: 'You will not receive any more of these calls. Goodbye.',
  thanks: 'Thank you. Goodbye.',
  goodbye: 'Goodbye.',
  again: 'Sorry, that is not one of the choices.',
  connecting: 'Please hold while we connect you.',
  allBusy: 'All lines are busy at the moment. Please stay on the line, and we will try once more.',
  stillBusy: 'All lines are still busy. Please call us back later. Goodbye.',
  offerCallback: 'All lines are still busy. To be called back as soon as a line is free, press 1.',
  callbackKept: 'We will call you back. Goodbye.',
  callback: 'You asked us to call you back. To be connected now, press 1.',
  notReached: 'Nobody answered. Please call us back later. Goodbye.',
  optOut: 'To stop these calls, press 9.',
  record: 'Record your message after the beep. When you are done, press the pound key.',
  played: 'Here is your message.',
  keep: 'To keep it, press 1. To record it again, press 2.',
  kept: 'Your message has been saved. Goodbye.',
  tooShort: 'We did not hear anything.',
  code: (code: string) => `Your code is ${[...code].join(', ')}.`,
} as const;

/** Facts that the flow needs to know about the requesting call, besides its flow. */
export interface Moment {
  /** The step of the call that requests: the value of `next`. */
  at: string;
  keys: string;
  /** Number of times that the question was asked before. */
  repeats: number;
  /** Result of reserving a transfer line for it; undefined if that wasn't tried. */
  line?: 'taken' | 'none' | undefined;
  dial?: { isBridged: boolean; seconds: number } | undefined;
  recording?: { url: string; seconds: number } | undefined;
  /** For so long the provider may still say that a machine has answered; undefined once it has said who it was. */
  verdictInSeconds?: number | undefined;
}

/** The side effects of a step. */
export type CallEffect =
  | { kind: 'answer'; key: string }
  | { kind: 'optOut' }
  | { kind: 'takeLine' }
  /** No line was free. Whoever gets one later isn't counted. */
  | { kind: 'abandon' }
  | { kind: 'callBack' }
  | { kind: 'transferred'; isBridged: boolean; seconds: number }
  | { kind: 'repeat' }
  | { kind: 'keep'; url: string }
  | { kind: 'recorded'; url: string };

export interface NextSteps {
  steps: CallStep[];
  effects: CallEffect[];
}

/**
 * The flow of a call as one function: from the current step and the pressed keys to the next step. `takeLine`
 * is requested first and the call returns with its result in `line`. Pure: TwiML, the sandbox and tests share
 * it.
 */
export function nextSteps(flow: CallFlow, moment: Moment): NextSteps {
  const { steps, effects } = decideSteps(flow, moment);
  return { steps: saidIn(flow.languageId, steps), effects };
}

function decideSteps(flow: CallFlow, moment: Moment): NextSteps {
  const just = (...steps: CallStep[]): NextSteps => ({ steps, effects: [] });
  if (flow.kind === 'verify') return just(...verifySteps(flow));
  if (flow.kind === 'record') return recordSteps(moment);
  if (flow.kind === 'test') {
    const url = flow.liveUrl;
    return just({ do: 'pause', seconds: 1 }, ...(url === null ? [] : [{ do: 'play', url } as const]), {
      do: 'hangUp',
    });
  }
  switch (moment.at) {
    case 'voicemail':
      return {
        // Requested once more after it has been played: then it counts as left.
        steps: [...(flow.voicemailUrl === null ? [] : [play(flow.voicemailUrl)]), { do: 'go', next: 'left' }],
        effects: [],
      };
    case 'left':
      return just({ do: 'hangUp' });
    case 'keys':
      return pressed(flow, moment);
    case 'waited':
    case 'connect':
      return connect(flow, moment, moment.at);
    case 'offered':
      return offered(flow, moment);
    case 'calledBack':
      return calledBack(flow, moment);
    case 'transferred':
      return transferred(moment);
    default:
      return just(flow.isCallback ? askCallback(flow) : ask(flow, []));
  }
}

const play = (url: string): CallStep => ({ do: 'play', url });
const say = (text: string): CallStep => ({ do: 'say', text });

/** The message with the keys that it accepts. Without any it is played and the call ends. */
function ask(flow: CallFlow, before: CallStep[]): CallStep {
  const message = flow.liveUrl === null ? [] : [play(flow.liveUrl)];
  const way = flow.mayOptOut ? [say(callWords.optOut)] : [];
  return {
    do: 'ask',
    first: [...before, ...message, ...way],
    // "*1" has two keys; 0 and 9 alone are recognized after a short wait.
    mostKeys: flow.kind === 'survey' ? 2 : 1,
    waitSeconds: flow.kind === 'survey' ? 6 : 4,
    next: 'keys',
  };
}

/**
 * "*1" and "1" are the same answer: people who forget the star mean it too. 9 without a star stops the calls.
 * A key that the message doesn't offer isn't an answer: the person is told so, and hears the question again.
 */
export function surveyKeyOf(keys: string, { answerKeys }: Pick<CallFlow, 'answerKeys'>): string | undefined {
  const pressed = surveyReplyKeys.find((key) => key === keys || (keys !== '9' && key === `*${keys}`));
  return pressed === undefined || answerKeys?.includes(pressed) === false ? undefined : pressed;
}

/** Two keys are taken in a survey: an impatient person presses 0 twice. */
const connects = (keys: string) => /^0+$/.test(keys);

/**
 * The last key was 9, whatever was pressed before it. *9 is an answer of a survey, also where the message doesn't
 * offer it.
 */
export const stopsCalls = (keys: string) => keys.endsWith('9') && !keys.endsWith('*9');

function pressed(flow: CallFlow, moment: Moment): NextSteps {
  const { keys, repeats, verdictInSeconds = 0 } = moment;
  if (connects(keys) && flow.transfer !== null) return connect(flow, moment, 'connect');
  const answer = flow.kind === 'survey' ? surveyKeyOf(keys, flow) : undefined;
  if (answer !== undefined) {
    return { steps: [say(callWords.thanks), { do: 'hangUp' }], effects: [{ kind: 'answer', key: answer }] };
  }
  if (flow.mayOptOut && stopsCalls(keys)) return stop();
  const isOver = repeats + 1 >= mostAsked || (keys === '' && flow.kind !== 'survey');
  // A machine's greeting may be longer than the message: then it would be hung up before its beep.
  const wait: CallStep[] =
    keys === '' && verdictInSeconds > 0 ? [{ do: 'pause', seconds: verdictInSeconds }] : [];
  if (isOver) return { steps: [say(callWords.goodbye), ...wait, { do: 'hangUp' }], effects: [] };
  return {
    steps: [ask(flow, keys === '' ? [] : [say(callWords.again)])],
    effects: [{ kind: 'repeat' }],
  };
}

/** First a line; without a free one the person is told, waits once, and the call ends with a message. */
function connect(flow: CallFlow, { line }: Moment, at: 'connect' | 'waited'): NextSteps {
  if (flow.transfer === null) return { steps: [{ do: 'hangUp' }], effects: [] };
  if (line === undefined) return { steps: [], effects: [{ kind: 'takeLine' }] };
  if (line === 'taken') {
    const { to, callerId } = flow.transfer;
    return {
      steps: [
        say(callWords.connecting),
        { do: 'dial', to, callerId, ringSeconds: transferRings, next: 'transferred' },
      ],
      effects: [],
    };
  }
  if (flow.isCallback)
    return { steps: [say(callWords.stillBusy), { do: 'hangUp' }], effects: [{ kind: 'abandon' }] };
  if (at === 'waited') {
    const first = [say(callWords.offerCallback), ...(flow.mayOptOut ? [say(callWords.optOut)] : [])];
    return {
      steps: [{ do: 'ask', first, mostKeys: 1, waitSeconds: 6, next: 'offered' }],
      effects: [{ kind: 'abandon' }],
    };
  }
  return {
    steps: [say(callWords.allBusy), { do: 'pause', seconds: 15 }, { do: 'go', next: 'waited' }],
    // Already: many hang up while they wait.
    effects: [{ kind: 'abandon' }],
  };
}

/** A person who found no line presses 1 to be called back; anything else ends it. */
function offered(flow: CallFlow, { keys }: Moment): NextSteps {
  if (keys === '1') {
    return { steps: [say(callWords.callbackKept), { do: 'hangUp' }], effects: [{ kind: 'callBack' }] };
  }
  if (flow.mayOptOut && stopsCalls(keys)) return stop();
  return { steps: [say(callWords.goodbye), { do: 'hangUp' }], effects: [] };
}

/** First a key: an answering machine must not be connected to the office. */
function askCallback(flow: CallFlow): CallStep {
  const first = [say(callWords.callback), ...(flow.mayOptOut ? [say(callWords.optOut)] : [])];
  return { do: 'ask', first, mostKeys: 1, waitSeconds: 6, next: 'calledBack' };
}

function calledBack(flow: CallFlow, moment: Moment): NextSteps {
  if (moment.keys === '1' || connects(moment.keys)) return connect(flow, moment, 'connect');
  if (flow.mayOptOut && stopsCalls(moment.keys)) return stop();
  return { steps: [say(callWords.goodbye), { do: 'hangUp' }], effects: [] };
}

const stop = (): NextSteps => ({
  steps: [say(callWords.stopped), { do: 'hangUp' }],
  effects: [{ kind: 'optOut' }],
});

function transferred({ dial }: Moment): NextSteps {
  const { isBridged = false, seconds = 0 } = dial ?? {};
  const effects: CallEffect[] = [{ kind: 'transferred', isBridged, seconds }];
  return { steps: isBridged ? [{ do: 'hangUp' }] : [say(callWords.notReached), { do: 'hangUp' }], effects };
}

function verifySteps({ words }: CallFlow): CallStep[] {
  const said = say(words);
  return [{ do: 'pause', seconds: 1 }, said, { do: 'pause', seconds: 1 }, said, said, { do: 'hangUp' }];
}

/** Our call to a user who records: beep, play back, 1 keeps, 2 starts over. */
function recordSteps({ at, keys, recording, repeats }: Moment): NextSteps {
  const record: CallStep[] = [
    say(callWords.record),
    { do: 'record', mostSeconds: recordSeconds, next: 'recorded' },
  ];
  if (at === 'recorded') {
    if (recording === undefined || recording.seconds < 1) {
      return repeats >= mostAsked
        ? { steps: [say(callWords.goodbye), { do: 'hangUp' }], effects: [] }
        : { steps: [say(callWords.tooShort), ...record], effects: [{ kind: 'repeat' }] };
    }
    const choice: CallStep = {
      do: 'ask',
      first: [say(callWords.played), play(recording.url), say(callWords.keep)],
      mostKeys: 1,
      waitSeconds: 10,
      next: 'chosen',
    };
    return { steps: [choice], effects: [{ kind: 'recorded', url: recording.url }] };
  }
  if (at === 'chosen') {
    if (keys === '2') return { steps: record, effects: [] };
    // Hanging up or silence after hearing it means that it is kept.
    return {
      steps: [say(callWords.kept), { do: 'hangUp' }],
      effects: recording === undefined ? [] : [{ kind: 'keep', url: recording.url }],
    };
  }
  return { steps: [{ do: 'pause', seconds: 1 }, ...record], effects: [] };
}

/**
 * Seconds until the time to ask the provider when no more events follow this step; undefined where the call
 * continues. A survey that is asked once more also continues, and is then found to be active.
 */
export function secondsToEnd({ at, keys }: Pick<Moment, 'at' | 'keys'>): number | undefined {
  if (at === 'left') return hangUpSeconds;
  return at === 'keys' && !connects(keys) ? lastWordsSeconds : undefined;
}

/**
 * Seconds that the provider may still take to say who answered. Infobip and Asterisk say so before the message
 * begins.
 */
export function verdictIn(
  row: {
    purpose: string;
    is_callback: boolean;
    provider: number;
    answered_by: string | null;
    answered_at: Date | null;
  },
  atMs: number,
): number | undefined {
  const isDetecting = row.purpose === 'broadcast' && !row.is_callback && row.provider === 2;
  if (!isDetecting || row.answered_by !== null || row.answered_at === null) return undefined;
  return Math.max(0, Math.ceil(detectionSeconds - (atMs - row.answered_at.getTime()) / 1000));
}

/** The data of an attempt when it has ended. */
export interface EndedAttempt {
  end: CallEnd;
  answeredBy: AnsweredBy | null;
  /**
   * The times when the live message was heard, when the voicemail message began, and when it ended, all in
   * ms.
   */
  heardMs: number | null;
  voicemailMs: number | null;
  /** It was played to its end. */
  isLeft: boolean;
  endedMs: number;
  /** The live message was played to its end, or a key was pressed. */
  isPlayed: boolean;
  isPressed: boolean;
  /** Machine detection was on. */
  isDetected: boolean;
  /** The broadcast was canceled. */
  isCanceled: boolean;
  /** As counted by the provider. */
  seconds: number | null;
}

/** The result of an attempt. */
export function resultOfAttempt({
  end,
  answeredBy,
  heardMs,
  voicemailMs,
  isLeft,
  endedMs,
  isPlayed,
  isPressed,
  isDetected,
  isCanceled,
  seconds,
}: EndedAttempt): CallResultCode {
  if (end !== 'completed') return end;
  if (isCanceled && heardMs === null && voicemailMs === null) return 'canceled';
  if (answeredBy === 'fax') return 'call_failed';
  if (isLeft) return 'voicemail';
  if (voicemailMs !== null) return endedMs - voicemailMs >= leftSeconds * 1000 ? 'voicemail' : 'no_answer';
  // A machine that hung up before its beep: nobody has heard anything.
  if (answeredBy === 'machine') return isPressed ? 'live_answer' : 'no_answer';
  if (heardMs === null) return 'call_failed';
  // The same without a verdict: a person would have been recognized long before.
  const isGreeting = answeredBy === null && isDetected && !isPlayed && (seconds ?? 0) >= verdictSeconds;
  return isGreeting ? 'no_answer' : 'live_answer';
}

/** True if another attempt is made. A doubt that was never resolved isn't repeated: somebody may have heard it. */
export function callsAgain(
  result: CallResultCode,
  { attempts, retries, isDoubt }: { attempts: number; retries: number; isDoubt: boolean },
): boolean {
  return callResults[result].mayRetry && attempts <= retries && !isDoubt;
}

/** Credits of a call by what was played; a call that reached nobody costs nothing. */
export function chargeOf(
  result: CallResultCode,
  { reserved, liveMs, voicemailMs }: { reserved: number; liveMs: number | null; voicemailMs: number | null },
): number {
  if (reserved === 0) return 0;
  if (result === 'live_answer') return Math.min(reserved, voiceUnits((liveMs ?? 0) / 1000));
  if (result === 'voicemail') return Math.min(reserved, voiceUnits((voicemailMs ?? liveMs ?? 0) / 1000));
  return 0;
}

export interface CallKey {
  accountId: number;
  callId: number;
  attempt: number;
  nonce: number;
}

export function writeCallKey({ accountId, callId, attempt, nonce }: CallKey): string {
  return `c${accountId}-${callId}-${attempt}-${nonce}`;
}

export function readCallKey(text: string): CallKey | undefined {
  const found = /^c(\d{1,15})-(\d{1,15})-(\d{1,4})-(\d{1,10})$/.exec(text);
  if (found === null) return undefined;
  const [accountId = 0, callId = 0, attempt = 0, nonce = 0] = found.slice(1).map(Number);
  return { accountId, callId, attempt, nonce };
}
