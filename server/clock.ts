/**
 * The only place that reads the time in this program. Rows get their times from PostgreSQL's now();
 * what has to be computed here (time-outs, day boundaries) starts from this.
 */
let shiftMs = 0;

export function nowMs(): number {
  return Date.now() + shiftMs;
}

export function now(): Date {
  return new Date(nowMs());
}

/** Tests move time; nothing else does. */
export function shiftClock(byMs: number): void {
  shiftMs += byMs;
}
