import { type ZoneAmendment, zoneAmendments } from './zone-amendments.ts';

/**
 * Offset of a zone's clocks from UTC at an instant. Everything else about time in `contract/` is arithmetic on top of
 * this one question, so that Node and every browser (with or without Temporal) give one answer.
 */

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Offsets are remembered a week at a time: asking ICU takes about 2.5 µs, and there may be a million
 * recipients. A week whose two ends agree has one offset throughout (no zone has changed twice within seven
 * days since 1970); a week with a change in it is asked each time.
 */
const chunkMs = 7 * dayMs;
const maxChunksPerZone = 600;
const hasChange = Number.NaN;

interface Zone {
  format: Intl.DateTimeFormat;
  amendment: { fromMs: number; offsetMs: number } | undefined;
  chunks: Map<number, number>;
}

/** An unknown name throws before it is kept; ICU knows about 600, but in any mixture of capitals. */
const known = new Map<string, Zone>();
const maxZones = 1000;

function readOffsetMs(format: Intl.DateTimeFormat, epochMs: number): number {
  const text = format.format(epochMs);
  const at = text.indexOf('GMT');
  const sign = text.charCodeAt(at + 3) === 0x2d || text.charCodeAt(at + 3) === 0x2212 ? -1 : 1;
  const [hours = '0', minutes = '0', seconds = '0'] = text.slice(at + 4).split(':');
  return sign * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

/** True if the runtime's own data gives the amended offset a month after it began. */
function runtimeKnows(format: Intl.DateTimeFormat, amendment: ZoneAmendment): boolean {
  return readOffsetMs(format, Date.parse(amendment.from) + 30 * dayMs) === amendment.offsetMinutes * minuteMs;
}

function formatOf(name: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
}

function zoneOf(name: string): Zone {
  const found = known.get(name);
  if (found) return found;
  const format = formatOf(name);
  const { timeZone } = format.resolvedOptions();
  const amendment = zoneAmendments.find((row) => row.zones.includes(name) || row.zones.includes(timeZone));
  const zone: Zone = {
    format,
    amendment:
      amendment && !runtimeKnows(format, amendment)
        ? { fromMs: Date.parse(amendment.from), offsetMs: amendment.offsetMinutes * minuteMs }
        : undefined,
    chunks: new Map(),
  };
  if (known.size >= maxZones) known.clear();
  known.set(name, zone);
  return zone;
}

function offsetMsIn(zone: Zone, epochMs: number): number {
  if (zone.amendment && epochMs >= zone.amendment.fromMs) return zone.amendment.offsetMs;
  return readOffsetMs(zone.format, epochMs);
}

/** Milliseconds to add to UTC for the zone's wall clock. Throws a RangeError for a name that is no zone. */
export function offsetMsAt(epochMs: number, zoneName: string): number {
  const zone = zoneOf(zoneName);
  const chunk = Math.floor(epochMs / chunkMs);
  let offset = zone.chunks.get(chunk);
  if (offset === undefined) {
    const first = offsetMsIn(zone, chunk * chunkMs);
    offset = first === offsetMsIn(zone, (chunk + 1) * chunkMs - 1) ? first : hasChange;
    if (zone.chunks.size >= maxChunksPerZone) zone.chunks.clear();
    zone.chunks.set(chunk, offset);
  }
  return Number.isNaN(offset) ? offsetMsIn(zone, epochMs) : offset;
}

/** True if the name is an IANA zone that this runtime knows. */
export function isZone(name: string): boolean {
  if (known.has(name)) return true;
  // ICU takes "+05:30" as a zone too; a stored zone must be a place whose rules can change.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

export interface ClockChange {
  /** The first instant of the new offset. */
  atMs: number;
  offsetBeforeMs: number;
  offsetAfterMs: number;
}

/** The first change of the zone's clocks after `fromMs` and not later than `untilMs`. */
export function findClockChange(fromMs: number, untilMs: number, zoneName: string): ClockChange | undefined {
  const offsetBeforeMs = offsetMsAt(fromMs, zoneName);
  // A week's stride can't step over a change and back.
  for (let low = fromMs; low < untilMs; low += chunkMs) {
    let high = Math.min(low + chunkMs, untilMs);
    if (offsetMsAt(high, zoneName) === offsetBeforeMs) continue;
    let still = low;
    while (high - still > 1) {
      const middle = Math.floor((still + high) / 2);
      if (offsetMsAt(middle, zoneName) === offsetBeforeMs) still = middle;
      else high = middle;
    }
    return { atMs: high, offsetBeforeMs, offsetAfterMs: offsetMsAt(high, zoneName) };
  }
  return undefined;
}

export interface ZoneData {
  /** The IANA release of the runtime's own data, where the runtime says it (Node does, browsers don't). */
  release: string | undefined;
  /** Changes that the runtime doesn't know and that this build supplies. */
  supplied: readonly ZoneAmendment[];
}

/** The zone data that this process works with; pass `process.versions.tz` on the server. */
export function zoneData(release: string | undefined): ZoneData {
  return {
    release,
    supplied: zoneAmendments.filter((row) => !row.zones.every((zone) => knowsItself(zone, row))),
  };
}

function knowsItself(zone: string, amendment: ZoneAmendment): boolean {
  return runtimeKnows(formatOf(zone), amendment);
}

/** The same as one sentence, for a log line or a settings page. */
export function describeZoneData({ release, supplied }: ZoneData): string {
  const base = release === undefined ? "Time zones: the browser's own data" : `Time zones: IANA ${release}`;
  if (supplied.length === 0) return `${base}.`;
  return `${base}, with the later rules of ${supplied.map((row) => `${row.place} (${row.release})`).join(', ')}.`;
}
