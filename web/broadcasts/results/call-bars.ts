/** Calls that ended in one stretch of time. */
export interface CallBar {
  at: number;
  LiveAnswer: number;
  Voicemail: number;
  BusyNoAnswer: number;
  Other: number;
}

/** A stretch that is still to come, with the calls that are expected in it. */
interface ExpectedBar {
  at: number;
  count: number;
}

interface Bars {
  done: CallBar[];
  expected: ExpectedBar[];
}

interface Known {
  items: readonly {
    At: string;
    LiveAnswer: number;
    Voicemail: number;
    BusyNoAnswer: number;
    Other: number;
  }[];
  stepMs: number;
  now: number;
  /** Calls that are not over, and when the last one will end; undefined when no calls are in progress. */
  left: number;
  end: number | undefined;
}

/** More bars than this don't fit side by side. */
const MOST_BARS = 60;

/**
 * Every interval from the first call to now, including those without a call, and then the remaining calls,
 * distributed evenly.
 */
export function callBars({ items, stepMs, now, left, end }: Known): Bars {
  const byTime = new Map(items.map((item) => [Date.parse(item.At), item]));
  const first = Math.min(...byTime.keys());
  const isLive = end !== undefined;
  const last = isLive ? Math.floor(now / stepMs) * stepMs : Math.max(...byTime.keys());
  const done: CallBar[] = [];
  for (let at = first; Number.isFinite(at) && at <= last && done.length < MOST_BARS * 2; at += stepMs) {
    const { LiveAnswer = 0, Voicemail = 0, BusyNoAnswer = 0, Other = 0 } = byTime.get(at) ?? {};
    done.push({ at, LiveAnswer, Voicemail, BusyNoAnswer, Other });
  }
  const steps = isLive ? Math.max(1, Math.min(MOST_BARS, Math.ceil((end - now) / stepMs))) : 0;
  const expected = Array.from({ length: left > 0 ? steps : 0 }, (_, n) => ({
    at: last + (n + 1) * stepMs,
    // Whole calls that add up to the number left.
    count: Math.round(((n + 1) * left) / steps) - Math.round((n * left) / steps),
  }));
  return { done, expected };
}

export function totalOfBar({ LiveAnswer, Voicemail, BusyNoAnswer, Other }: CallBar): number {
  return LiveAnswer + Voicemail + BusyNoAnswer + Other;
}
