import { type CallHours, nextCall } from '../../../contract/time/call-hours.ts';
import { callingEndsMs } from '../../../contract/time/calling-window.ts';
import { minuteMs } from '../../../contract/time/wall-clock.ts';
import { retryMinutes, ringSeconds } from '../../calls/rules.ts';

interface Planned {
  startMs: number;
  zones: Record<string, number>;
  lines: number;
  startsPerSecond: number;
  /** Seconds that one call takes a line, ringing included. */
  secondsEach: number;
  /** Number of times that a person who wasn't reached is called again. */
  retries: number;
  hours: CallHours;
}

export interface CallPlan {
  startsMs: number;
  endsMs: number;
  expiring: number;
  zones: { zone: string; count: number; opensMs: number; doneMs: number }[];
}

/** Mean seconds of ringing, by people who answer and those who don't. */
export const ringingSeconds = 15;
/**
 * With transfer, mean seconds that a call lasts after the sender's side answers: one in twenty, three
 * minutes.
 */
export const connectedSeconds = 9;

/** Of a hundred calls fifteen aren't answered, six are busy and four fail: they are made again. */
const retriedShare = 0.25;

/** A plan with more stretches than this is cut off: it would be a broadcast of months. */
const mostStretches = 2_000;

/**
 * Calling times of each zone, and the end of the last call. As in the engine, of the zones that may be called the one
 * that closes first goes first, as fast as lines and starts a second allow.
 */
export function planCalls(planned: Planned): CallPlan {
  const { startMs, zones, lines, startsPerSecond, secondsEach, retries, hours } = planned;
  const callsEach = (1 - retriedShare ** (retries + 1)) / (1 - retriedShare);
  const perMs = Math.min(lines / secondsEach, startsPerSecond) / 1000 / callsEach;
  const lanes = Object.entries(zones)
    .filter(([, count]) => count > 0)
    .map(([zone, count]) => ({
      zone,
      count,
      left: count,
      opensMs: startMs,
      doneMs: startMs,
      isBegun: false,
    }));
  const lastMs = callingEndsMs(hours.window, startMs, hours.senderZone) ?? Number.POSITIVE_INFINITY;
  let atMs = startMs;
  let expiring = 0;
  for (let stretch = 0; stretch < mostStretches; stretch++) {
    const open: { lane: (typeof lanes)[number]; atMs: number; closesMs: number }[] = [];
    for (const lane of lanes) {
      if (lane.left === 0) continue;
      const next = nextCall(lane.zone, atMs, hours);
      if (next === 'expired' || next.atMs >= lastMs) {
        expiring += lane.left;
        lane.left = 0;
      } else open.push({ lane, ...next });
    }
    const now = open.filter((one) => one.atMs <= atMs).toSorted((a, b) => a.closesMs - b.closesMs)[0];
    const soonest = Math.min(...open.map((one) => one.atMs).filter((ms) => ms > atMs));
    if (now === undefined) {
      if (!Number.isFinite(soonest)) break;
      atMs = soonest;
      continue;
    }
    const untilMs = Math.min(now.closesMs, soonest);
    if (!now.lane.isBegun) {
      now.lane.isBegun = true;
      now.lane.opensMs = atMs;
    }
    const called = Math.min(now.lane.left, Math.max(1, Math.floor((untilMs - atMs) * perMs)));
    now.lane.left -= called;
    atMs += called / perMs;
    now.lane.doneMs = Math.ceil(atMs);
  }
  const begun = lanes.filter(({ isBegun }) => isBegun);
  const lastCalls = begun.map(({ zone, doneMs }) => lastAttemptMs(planned, { zone, fromMs: doneMs, lastMs }));
  return {
    startsMs: begun.length === 0 ? startMs : Math.min(...begun.map(({ opensMs }) => opensMs)),
    // The last one still rings and speaks.
    endsMs: Math.ceil(Math.max(startMs, ...lastCalls) + secondsEach * 1000),
    expiring,
    zones: lanes.map(({ zone, count, opensMs, doneMs }) => ({ zone, count, opensMs, doneMs })),
  };
}

/** Time when the last attempt of the last person begins, if nobody answers before. */
function lastAttemptMs(
  { retries, hours }: Planned,
  { zone, fromMs, lastMs }: { zone: string; fromMs: number; lastMs: number },
): number {
  let atMs = fromMs;
  for (let retry = 0; retry < retries; retry++) {
    const next = nextCall(zone, atMs + ringSeconds * 1000 + retryMinutes * minuteMs, hours);
    if (next === 'expired' || next.atMs >= lastMs) break;
    atMs = next.atMs;
  }
  return atMs;
}
