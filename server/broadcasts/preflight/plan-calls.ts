import { type CallHours, nextCall } from '../../../contract/time/call-hours.ts';

interface Planned {
  startMs: number;
  zones: Record<string, number>;
  lines: number;
  startsPerSecond: number;
  /** How long one call takes a line, ringing included. */
  secondsEach: number;
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
/** With transfer, mean seconds that a call goes on with whoever answers for the sender: one in twenty, three minutes. */
export const connectedSeconds = 9;

/** A plan beyond so many stretches is cut off: it would be a broadcast of months. */
const mostStretches = 2_000;

/**
 * When each zone is called and when the last call ends. As the engine does it: of the zones that may be called the one
 * that closes first goes first, as fast as lines and starts a second allow.
 */
export function planCalls({ startMs, zones, lines, startsPerSecond, secondsEach, hours }: Planned): CallPlan {
  const perMs = Math.min(lines / secondsEach, startsPerSecond) / 1000;
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
  let atMs = startMs;
  let expiring = 0;
  for (let stretch = 0; stretch < mostStretches; stretch++) {
    const open: { lane: (typeof lanes)[number]; atMs: number; closesMs: number }[] = [];
    for (const lane of lanes) {
      if (lane.left === 0) continue;
      const next = nextCall(lane.zone, atMs, hours);
      if (next === 'expired') {
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
  return {
    startsMs: begun.length === 0 ? startMs : Math.min(...begun.map(({ opensMs }) => opensMs)),
    // The last one still rings and speaks.
    endsMs: Math.ceil(Math.max(startMs, ...begun.map(({ doneMs }) => doneMs)) + secondsEach * 1000),
    expiring,
    zones: lanes.map(({ zone, count, opensMs, doneMs }) => ({ zone, count, opensMs, doneMs })),
  };
}
