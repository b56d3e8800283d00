import type { AnsweredBy, CallEnd, CallNews, CallStep } from './calls.ts';
import { parseObject } from './carrier-line.ts';
import { type SaidWords, wordsOf } from './words-of-calls.ts';

/** A step at which a call continues, with the keys and actions so far. */
export type Moment = Pick<Extract<CallNews, { kind: 'step' }>, 'at' | 'keys' | 'dial' | 'recording'>;

/** The contents of a channel's variable: what it plays now, and the steps after that. */
export interface Kept {
  count: number;
  playbackId: string | null;
  rest: CallStep[];
  /** The target of the transfer, and since when they talk. */
  leg?: { id: string; bridgedMs: number | null };
}

export function readKept(text: string): Kept | undefined {
  const kept = parseObject(text);
  return Array.isArray(kept?.rest) ? (kept as unknown as Kept) : undefined;
}

/** A leg's id is its call's id followed by a number. */
export const isLegId = (id: string) => /\.leg\d+$/.test(id);

/** Steps that are only heard, as Asterisk's sounds. It fetches them from us as plain telephone sound. */
export function mediaOf(
  steps: readonly CallStep[],
  {
    publicUrl,
    wordsUrl,
    recordingName,
  }: {
    publicUrl: string;
    wordsUrl: (said: SaidWords) => string;
    recordingName: (url: string) => string | undefined;
  },
): string[] {
  return steps.flatMap((step) => {
    if (step.do === 'say') return [`sound:${wordsUrl(wordsOf(step))}`];
    if (step.do === 'pause') return [`sound:${publicUrl}/media/silence/${step.seconds}.ulaw`];
    if (step.do !== 'play') return [];
    const name = recordingName(step.url);
    if (name !== undefined) return [`recording:${name}`];
    const isOurs = step.url.startsWith(`${publicUrl}/media/audio/`);
    return [`sound:${isOurs ? step.url.replace(/\.wav(?=\?|$)/, '.ulaw') : step.url}`];
  });
}

/**
 * AMD's result. A person who answers and waits silently may look like a machine, so every unclear case counts
 * as a person.
 */
export function readVerdict(status: string, cause: string): AnsweredBy {
  if (status === 'HUMAN') return 'human';
  return status === 'MACHINE' && !cause.startsWith('INITIALSILENCE') ? 'machine' : 'unknown';
}

const endOfSip: Readonly<Record<number, CallEnd>> = {
  403: 'message_rejected',
  404: 'invalid',
  408: 'no_answer',
  410: 'invalid',
  480: 'no_answer',
  484: 'invalid',
  486: 'busy',
  487: 'no_answer',
  600: 'busy',
  603: 'message_rejected',
  604: 'invalid',
  607: 'message_rejected',
  608: 'message_rejected',
};

/** By Q.850's numbers, which Asterisk returns if the other side gives no details. */
const endOfCause: Readonly<Record<number, CallEnd>> = {
  0: 'no_answer',
  1: 'invalid',
  16: 'no_answer',
  17: 'busy',
  18: 'no_answer',
  19: 'no_answer',
  20: 'no_answer',
  21: 'message_rejected',
  22: 'invalid',
  28: 'invalid',
};

/** The end of a channel, in our terms. */
export function endOfChannel({
  cause,
  techCause,
  isUp,
  wasHungUp,
  failure,
}: {
  cause: number;
  techCause: number | null;
  isUp: boolean;
  wasHungUp: boolean;
  failure: string | null;
}): { end: CallEnd; error: string | null } {
  if (failure !== null) return { end: 'call_failed', error: failure };
  if (isUp) return { end: 'completed', error: null };
  if (wasHungUp) return { end: 'canceled', error: null };
  const end = endOfSip[techCause ?? 0] ?? endOfCause[cause] ?? 'call_failed';
  return { end, error: techCause === null ? `cause ${cause}` : String(techCause) };
}
