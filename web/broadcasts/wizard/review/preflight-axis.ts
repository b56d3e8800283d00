import type { Preflight } from '../../../../contract/drafts.ts';
import type { OpenHours } from '../../../../contract/time/calling-window.ts';
import { parseClockTime } from '../../../../contract/time/clock-time.ts';
import { isQuiet, recipientHours } from '../../../../contract/time/quiet-hours.ts';
import { dayMs, hourMs, minuteMs } from '../../../../contract/time/wall-clock.ts';
import { offsetMsAt } from '../../../../contract/time/zone-offset.ts';

/** The hours over which it goes out, on the sender's clock. */
export interface Axis {
  startMs: number;
  endMs: number;
  stepMs: number;
  /** The positions of hour labels, the first one at the beginning. */
  ticks: number[];
}

/** The most hour labels that fit side by side. */
const MOST_TICKS = 7;
const steps = [
  15 * minuteMs,
  30 * minuteMs,
  ...[1, 2, 3, 6, 12, 24, 48, 96, 168].map((hours) => hours * hourMs),
];

/**
 * From the round time before the first text to one after the last, with room for words at the end. Round on
 * the sender's clock, which in Newfoundland isn't round in UTC.
 */
export function axisOf(plan: readonly { Opens: string; Done: string }[], zone: string): Axis | undefined {
  const opens = plan.map(({ Opens }) => Date.parse(Opens));
  if (opens.length === 0) return undefined;
  const firstMs = Math.min(...opens);
  const lastMs = Math.max(...plan.map(({ Done }) => Date.parse(Done)));
  const offsetMs = offsetMsAt(firstMs, zone);
  for (const stepMs of steps) {
    // Strictly before, to show that nothing goes out until then. Days begin at midnight.
    const roundMs = Math.min(stepMs, dayMs);
    const startMs = Math.floor((firstMs - 1 + offsetMs) / roundMs) * roundMs - offsetMs;
    const count = Math.max(4, Math.ceil((lastMs - startMs) / stepMs) + 1);
    if (count >= MOST_TICKS && stepMs !== steps.at(-1)) continue;
    const ticks = Array.from({ length: count + 1 }, (_, index) => startMs + index * stepMs);
    return { startMs, endMs: startMs + count * stepMs, stepMs, ticks };
  }
  return undefined;
}

/** The position of a moment on the axis, from 0 to 1. */
export function placeOf(ms: number, { startMs, endMs }: Axis): number {
  return Math.min(1, Math.max(0, (ms - startMs) / (endMs - startMs)));
}

export interface Stretch {
  fromMs: number;
  toMs: number;
}

/** Fine enough to be drawn: an axis is at most 700 px wide. */
const PLACES = 288;

/** The quiet hours of a place within the axis. */
export function quietStretches(
  zones: readonly string[],
  quiet: Preflight['QuietHours'],
  axis: Axis,
): Stretch[] {
  const hours = openHours(quiet);
  if (!quiet.IsOn || !hours) return [];
  const stepMs = Math.max(5 * minuteMs, (axis.endMs - axis.startMs) / PLACES);
  const stretches: Stretch[] = [];
  for (let ms = axis.startMs; ms < axis.endMs; ms += stepMs) {
    if (!isQuiet(zones, ms, hours)) continue;
    const toMs = Math.min(ms + stepMs, axis.endMs);
    const last = stretches.at(-1);
    if (last && last.toMs >= ms) last.toMs = toMs;
    else stretches.push({ fromMs: ms, toMs });
  }
  return stretches;
}

function openHours({ Start, Stop }: Preflight['QuietHours']): OpenHours | undefined {
  const StartTimeOfDay = parseClockTime(Start);
  const StopTimeOfDay = parseClockTime(Stop);
  return StartTimeOfDay && StopTimeOfDay && { ...recipientHours, StartTimeOfDay, StopTimeOfDay };
}
