/**
 * The only place that reads the time in this program. Rows get their times from PostgreSQL's now();
 * what has to be computed here (time-outs, day boundaries) starts from this.
 */
let shiftMs = 0;

export function nowMs(): number {
  return Date.now() + shiftMs;
}

/** The machine's own time, which no test moves: what others have stamped is compared with it. */
export function machineNowMs(): number {
  return Date.now();
}

export function now(): Date {
  return new Date(nowMs());
}

/** Tests move time; nothing else does. */
export function shiftClock(byMs: number): void {
  shiftMs += byMs;
}
