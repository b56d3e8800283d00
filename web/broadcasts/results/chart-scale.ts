/** Positions and labels of the chart's lines. Nothing here draws. */

import { locale } from '../../ui/locale.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const timeSteps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28].map((count) => count * DAY),
];

/**
 * Moments at round times of the zone's clock, at most the given number. `wallMs` gives the reading of that
 * clock.
 */
export function timeTicks(
  fromMs: number,
  toMs: number,
  most: number,
  wallMs: (at: number) => number,
): { at: number; stepMs: number }[] {
  const span = Math.max(1, toMs - fromMs);
  const stepMs = timeSteps.find((step) => span / step <= most + 0.5) ?? span / most;
  const shift = wallMs(fromMs) - fromMs;
  const ticks: { at: number; stepMs: number }[] = [];
  for (let wall = Math.ceil((fromMs + shift) / stepMs) * stepMs; wall - shift <= toMs; wall += stepMs)
    ticks.push({ at: wall - shift, stepMs });
  return ticks;
}

/** Round counts below the total, which has a line of its own. */
export function countTicks(total: number, most: number): number[] {
  if (total <= 0) return [0];
  const rough = total / most;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 2.5, 5, 10]
    .map((factor) => factor * power)
    .find((each) => each >= rough && Number.isInteger(each));
  const ticks: number[] = [];
  // Too close to the total: the labels would overlap.
  for (let count = 0; count <= total * 0.9; count += step ?? total) ticks.push(count);
  return ticks;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** "10:37" where lines are minutes apart, with seconds for shorter distances, and dates beyond a day. */
export function tickWords(at: number, stepMs: number, zone: string): string {
  const kind = stepMs < MINUTE ? 'seconds' : stepMs < DAY ? 'minutes' : 'days';
  const key = `${zone} ${kind}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone: zone, ...parts[kind] });
  formats.set(key, format);
  // The axis should be readable at a glance: AM and PM are in the sentence above it.
  return format
    .format(at)
    .replaceAll('\u202f', ' ')
    .replace(/ [AP]M$/, '');
}

const parts = {
  seconds: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
  minutes: { hour: 'numeric', minute: '2-digit' },
  days: { month: 'short', day: 'numeric' },
} as const;
