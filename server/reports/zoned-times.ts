import { zonedTime } from '../consents/rules.ts';

const dayMs = 86_400_000;
/** Every zone changes its clocks at a quarter of an hour. */
const quarterMs = 900_000;

/**
 * `zonedTime` for a file of many sorted rows. The UTC offset of a zone is determined twice a day: if it is
 * the same at the day's end as at its beginning, it was constant. On days with a change, it is determined
 * every quarter of an hour. The rest is arithmetic.
 */
export function zonedTimes(zone: string): (at: Date) => string {
  const days = new Map<number, Clock | undefined>();
  const quarters = new Map<number, Clock>();
  const remember = <T>(known: Map<number, T>, key: number, find: () => T): T => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as T;
    // Rows are sorted, so the last few are enough.
    if (known.size > 1000) known.clear();
    const value = find();
    known.set(key, value);
    return value;
  };
  return (at) => {
    const ms = at.getTime();
    const day = Math.floor(ms / dayMs);
    const quarter = Math.floor(ms / quarterMs);
    const { offsetMs, suffix } =
      remember(days, day, () => {
        const first = clockAt(day * dayMs, zone);
        return first.suffix === clockAt((day + 1) * dayMs - 1000, zone).suffix ? first : undefined;
      }) ?? remember(quarters, quarter, () => clockAt(quarter * quarterMs, zone));
    const local = new Date(ms + offsetMs).toISOString();
    return `${local.slice(0, 10)} ${local.slice(11, 19)}${suffix}`;
  };
}

interface Clock {
  offsetMs: number;
  /** " (UTC-04:00)" */
  suffix: string;
}

function clockAt(ms: number, zone: string): Clock {
  const shown = zonedTime(new Date(ms), zone);
  return {
    offsetMs: Date.parse(`${shown.slice(0, 10)}T${shown.slice(11, 19)}Z`) - ms,
    suffix: shown.slice(19),
  };
}
