import { zonedTime } from '../consents/rules.ts';

/** No zone changes its clocks elsewhere than at a quarter of an hour. */
const quarterMs = 900_000;

/**
 * `zonedTime` for a file of many rows: what the clocks of a zone say is found out once a quarter of an hour, and the
 * minutes are filled in.
 */
export function zonedTimes(zone: string): (at: Date) => string {
  const known = new Map<number, string>();
  return (at) => {
    const ms = at.getTime();
    const quarter = Math.floor(ms / quarterMs);
    let begins = known.get(quarter);
    if (begins === undefined) {
      // Rows come in order, so the last few are enough.
      if (known.size > 1000) known.clear();
      begins = zonedTime(new Date(quarter * quarterMs), zone);
      known.set(quarter, begins);
    }
    const seconds = Math.floor((ms - quarter * quarterMs) / 1000);
    const minute = Number(begins.slice(14, 16)) + Math.floor(seconds / 60);
    const two = (value: number) => (value < 10 ? `0${value}` : String(value));
    return `${begins.slice(0, 14)}${two(minute)}:${two(seconds % 60)}${begins.slice(19)}`;
  };
}
