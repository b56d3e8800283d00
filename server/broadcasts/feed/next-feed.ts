import type { OpenHours, Opening } from '../../../contract/time/calling-window.ts';
import { formatClockTime, timeOfMinutes } from '../../../contract/time/clock-time.ts';
import { nextAllowed } from '../../../contract/time/quiet-hours.ts';
import { minuteMs, timeOfDayMs, wallMsAt } from '../../../contract/time/wall-clock.ts';
import { zones as knownZones } from '../../../contract/time/zones.ts';
import { nextDayMs, zonesOf } from '../preflight/plan-zones.ts';

/** Everything that decides how many texts of a broadcast may be created now. */
export interface FeedState {
  atMs: number;
  /** The largest slice. */
  size: number;
  /**
   * Texts per minute: the broadcast's own speed and its share of the number's limit at the carrier; undefined
   * is Max.
   */
  perMinute: number | undefined;
  /** Start of the pace, and the number of texts fed since; undefined before the first. */
  pace: { fromMs: number; fed: number } | undefined;
  /** Hours in which people may be texted; undefined when quiet hours are off. */
  hours: OpenHours | undefined;
  accountZone: string;
  /** The remainder of the number's caps, in texts of this broadcast; undefined without one. */
  cap: { left: number; name: string } | undefined;
  zones: readonly { zone: string; left: number }[];
  /** An emergency uses the full limit of the number's carrier; the others wait for it. */
  isBehindEmergency?: boolean;
}

export type NextFeed =
  /** This many of this zone now; the pace before them. */
  | { kind: 'feed'; zone: string; count: number; pace: { fromMs: number; fed: number } | undefined }
  /** None before that time. With a reason, unless it is just the pace. */
  | { kind: 'wait'; untilMs: number; reason: string; opensMs: Map<string, number> }
  /** Nobody is left. */
  | { kind: 'done' };

/** Seconds' worth of texts that are caught up at once after a late check; more would be a burst. */
const mostLateSeconds = 5;

/** Time until a broadcast that waits for an emergency is checked again. */
const emergencyLookMs = 2_000;
const emergencyFirst = 'An emergency goes first';

/**
 * Decides how much the next feeding of a broadcast takes. Of the open zones the one that closes first goes
 * first.
 */
export function nextFeed(state: FeedState): NextFeed {
  const { atMs, cap } = state;
  const left = state.zones.filter((zone) => zone.left > 0);
  if (left.length === 0) return { kind: 'done' };
  const openings = left.map((zone) => ({ ...zone, opening: openingOf(zone.zone, state) }));
  const [open] = openings
    .filter(({ opening }) => opening.opensMs <= atMs)
    .sort((a, b) => a.opening.closesMs - b.opening.closesMs);
  if (open === undefined) return waitForOpening(openings, state);
  if (state.isBehindEmergency) {
    return { kind: 'wait', untilMs: atMs + emergencyLookMs, reason: emergencyFirst, opensMs: new Map() };
  }
  if (cap !== undefined && cap.left < 1) {
    const untilMs = nextDayMs(atMs, state.accountZone);
    return { kind: 'wait', untilMs, reason: `${cap.name}: goes on tomorrow`, opensMs: new Map() };
  }
  const pace = keepPace(state);
  const allowed = Math.min(state.size, open.left, cap?.left ?? Number.POSITIVE_INFINITY, pace.allowed);
  if (allowed < 1) {
    return { kind: 'wait', untilMs: nextPaceMs(state.perMinute, pace), reason: '', opensMs: new Map() };
  }
  const { fromMs, fed } = pace;
  return {
    kind: 'feed',
    zone: open.zone,
    count: allowed,
    pace: state.perMinute === undefined ? undefined : { fromMs, fed },
  };
}

type Pace = { fromMs: number; fed: number; allowed: number };

/**
 * The first text is sent at once. A late check catches up a few seconds; after a longer stop the pace starts
 * over.
 */
function keepPace({ atMs, perMinute, pace }: FeedState): Pace {
  if (perMinute === undefined) return { fromMs: atMs, fed: 0, allowed: Number.POSITIVE_INFINITY };
  const { fromMs, fed } = pace ?? { fromMs: atMs, fed: 0 };
  const allowed = Math.floor((perMinute * (atMs - fromMs)) / minuteMs) + 1 - fed;
  const most = Math.max(1, Math.ceil((perMinute * mostLateSeconds) / 60));
  return allowed <= most ? { fromMs, fed, allowed } : { fromMs: atMs, fed: 1 - most, allowed: most };
}

/** Time when the next second's worth of texts is due. */
export function nextPaceMs(
  perMinute: number | undefined,
  pace: { fromMs: number; fed: number } | undefined,
): number {
  if (perMinute === undefined || pace === undefined) return 0;
  const secondsWorth = Math.max(1, Math.ceil(perMinute / 60));
  return pace.fromMs + Math.ceil(((pace.fed + secondsWorth - 1) * minuteMs) / perMinute);
}

function waitForOpening(zones: { zone: string; opening: Opening }[], { accountZone }: FeedState): NextFeed {
  const opensMs = new Map(zones.map(({ zone, opening }) => [zone, opening.opensMs]));
  const [first] = zones.toSorted((a, b) => a.opening.opensMs - b.opening.opensMs);
  const untilMs = first?.opening.opensMs ?? 0;
  // A phone that may be in several zones waits for the zone with the latest morning.
  const [zone = accountZone] = zonesOf(first?.zone ?? '', accountZone).toSorted(
    (a, b) => timeOfDayMs(wallMsAt(untilMs, a)) - timeOfDayMs(wallMsAt(untilMs, b)),
  );
  return { kind: 'wait', untilMs, reason: `Quiet hours until ${describeMoment(untilMs, zone)}`, opensMs };
}

/** "8:00 AM Eastern". */
export function describeMoment(atMs: number, zone: string): string {
  const minutes = Math.round(timeOfDayMs(wallMsAt(atMs, zone)) / minuteMs);
  const label = knownZones.find(({ iana }) => iana === zone)?.label.replace(/ Time$/, '');
  return `${formatClockTime(timeOfMinutes(minutes))} ${label ?? (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')}`;
}

const always: Opening = { opensMs: Number.NEGATIVE_INFINITY, closesMs: Number.POSITIVE_INFINITY };
/** Calendar calculations are slow, and the answer is the same all day. */
const known = new Map<string, { fromMs: number; opening: Opening }>();
const mostKnown = 2_000;

/**
 * The allowed period that contains this time, or the next one. Zones that never share an allowed hour are texted at any
 * time.
 */
function openingOf(zone: string, { atMs, hours, accountZone }: FeedState): Opening {
  if (hours === undefined) return always;
  const zones = zonesOf(zone, accountZone);
  const { StartTimeOfDay: start, StopTimeOfDay: stop, CallingWindowDays: days } = hours;
  const key = `${zones} ${days.length} ${start.Hour}:${start.Minute} ${stop.Hour}:${stop.Minute}`;
  const found = known.get(key);
  if (found !== undefined && found.fromMs <= atMs && atMs < found.opening.closesMs) return found.opening;
  const opening = nextAllowed(zones, atMs, hours) ?? always;
  if (known.size >= mostKnown) known.clear();
  known.set(key, { fromMs: atMs, opening });
  return opening;
}
