import { hourMs, minuteMs } from './wall-clock.ts';
import { offsetMsAt } from './zone-offset.ts';
import type { ZoneChoice } from './zones.ts';

/** "UTC-05:00", "UTC+09:30", "UTC+00:00". */
export function formatOffset(offsetMs: number): string {
  const size = Math.abs(offsetMs);
  const hours = String(Math.floor(size / hourMs)).padStart(2, '0');
  const minutes = String(Math.floor((size % hourMs) / minuteMs)).padStart(2, '0');
  return `UTC${offsetMs < 0 ? '-' : '+'}${hours}:${minutes}`;
}

/** "(UTC-05:00) Eastern Time", with the offset of the moment, so that it is right in summer too. */
export function zoneLabelAt(choice: ZoneChoice, epochMs: number): string {
  return `(${formatOffset(offsetMsAt(epochMs, choice.iana))}) ${choice.label}`;
}

/** DaylightSavings of the user: whether clocks are ahead of the zone's standard offset at the moment. */
export function isDaylightSavings(choice: ZoneChoice, epochMs: number): boolean {
  return offsetMsAt(epochMs, choice.iana) > choice.offset * hourMs;
}
