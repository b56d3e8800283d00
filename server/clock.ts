/**
 * The only place that reads the time in this program. Rows get their times from PostgreSQL's now();
 * what has to be computed here (time-outs, day boundaries) starts from this.
 */
let shiftMs = 0;

export function nowMs(): number {
  return Date.now() + shiftMs;
}

/** The machine's own time, which no test changes: for comparison with timestamps from elsewhere. */
export function machineNowMs(): number {
  return Date.now();
}

export function now(): Date {
  return new Date(nowMs());
}

/** Only tests change the time. */
export function shiftClock(byMs: number): void {
  shiftMs += byMs;
}
