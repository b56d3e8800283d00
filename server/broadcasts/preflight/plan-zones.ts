import type { OpenHours, Opening } from '../../../contract/time/calling-window.ts';
import { nextAllowed } from '../../../contract/time/quiet-hours.ts';
import { maxStartAheadMs } from '../../../contract/time/start-date.ts';
import { dayMs, dayNumber, minuteMs, momentOnDay, wallMsAt } from '../../../contract/time/wall-clock.ts';

/** The input of the plan. */
export interface Sending {
  startMs: number;
  /** The recipients by zone: the values of `broadcast_recipients.zone`, '' for the account's own. */
  zones: readonly { zone: string; count: number }[];
  /** Texts per minute: the chosen speed, the limit of the number's carrier, or the maximum. */
  perMinute: number;
  /** Hours in which people may be texted, on their own clocks; undefined when quiet hours are off. */
  hours: OpenHours | undefined;
  /** The account's own zone: for phones of unknown location, and for where a day ends. */
  accountZone: string;
  /** The number's cap, in texts; undefined without one. */
  cap: Cap | undefined;
}

/** Toll-free numbers have caps by the day, by seven days and by thirty. */
export interface Cap {
  perDay: number;
  perWeek: number;
  perMonth: number;
  /** The number's texts on the last thirty days of the account's calendar, today last. */
  used: readonly number[];
}

interface PlannedZone {
  zone: string;
  count: number;
  /** The first moment at which its hours and the start allow it. */
  opensMs: number;
  /** Time when the last text has been sent. */
  doneMs: number;
}

export interface Plan {
  startsMs: number;
  endsMs: number;
  zones: PlannedZone[];
}

/**
 * Texts per minute at Max where the number's carrier sets no limit. Our choice: the 8,000 per second that
 * bench/ requires of the bulk protocol, the 3,000 per second that it requires of SMPP, and 100 per second
 * where each text is a request.
 */
export function fastestPerMinute(aggregatorId: number): number {
  return aggregatorId === 5 ? 480_000 : aggregatorId === 6 ? 180_000 : 6_000;
}

/** The zones that a recipient's row names. */
export function zonesOf(zone: string, accountZone: string): string[] {
  return zone === '' ? [accountZone] : zone.split(',');
}

interface Lane extends PlannedZone {
  zones: string[];
  left: number;
  opening: Opening;
}

const always: Opening = { opensMs: Number.NEGATIVE_INFINITY, closesMs: Number.POSITIVE_INFINITY };

/**
 * Times when each zone gets it, and the end. Goes from one event to the next (a zone opens, closes or is done, a
 * day's cap is used up), as feeding does: of the open zones the one that closes first goes first. Beyond a year, the
 * plan is extrapolated from the speed of that year.
 */
export function planZones(sending: Sending): Plan {
  const { startMs, accountZone } = sending;
  const perMs = sending.perMinute / minuteMs;
  const lanes = sending.zones.filter(({ count }) => count > 0).map((zone) => laneOf(zone, sending));
  const untilMs = startMs + maxStartAheadMs;
  let left = lanes.reduce((sum, lane) => sum + lane.left, 0);
  const total = left;
  const days = sending.cap === undefined ? undefined : countDays(sending.cap);
  let dayEndsMs = days === undefined ? Number.POSITIVE_INFINITY : nextDayMs(startMs, accountZone);
  let atMs = startMs;
  while (left > 0 && atMs < untilMs) {
    if (atMs >= dayEndsMs) {
      days?.next();
      dayEndsMs = nextDayMs(atMs, accountZone);
    }
    const ofDay = days?.left() ?? Number.POSITIVE_INFINITY;
    for (const lane of lanes) reopen(lane, atMs, sending.hours);
    const lane = ofDay >= 1 ? nextLane(lanes, atMs) : undefined;
    const nextEventMs = Math.min(dayEndsMs, ...lanes.map((other) => eventOf(other, atMs)));
    if (lane === undefined) {
      if (nextEventMs === Number.POSITIVE_INFINITY) break;
      atMs = nextEventMs;
      continue;
    }
    // At least one, so that a pace slower than the distance between two events also advances.
    const room = Math.max(1, Math.floor((nextEventMs - atMs) * perMs));
    const sent = Math.min(lane.left, room, ofDay);
    lane.left -= sent;
    left -= sent;
    days?.add(sent);
    atMs += sent / perMs;
    if (lane.left === 0) lane.doneMs = atMs;
  }
  if (left > 0) extrapolate(lanes, { startMs, atMs, sent: total - left });
  const zones = lanes.map(({ zone, count, opensMs, doneMs }) => ({
    zone,
    count,
    opensMs,
    doneMs: Math.ceil(doneMs),
  }));
  return {
    startsMs: Math.min(
      ...zones.map(({ opensMs }) => opensMs),
      zones.length === 0 ? startMs : Number.POSITIVE_INFINITY,
    ),
    endsMs: Math.max(startMs, ...zones.map(({ doneMs }) => doneMs)),
    zones,
  };
}

function laneOf({ zone, count }: { zone: string; count: number }, sending: Sending): Lane {
  const zones = zonesOf(zone, sending.accountZone);
  const opening = openingAt(zones, sending.startMs, sending.hours);
  const opensMs = Math.max(sending.startMs, opening.opensMs);
  return { zone, count, opensMs, doneMs: opensMs, zones, left: count, opening };
}

/**
 * Zones that never share an allowed hour are texted at any time; otherwise nobody would get it. Feeding does the same.
 */
function openingAt(zones: string[], atMs: number, hours: OpenHours | undefined): Opening {
  return hours === undefined ? always : (nextAllowed(zones, atMs, hours) ?? always);
}

function reopen(lane: Lane, atMs: number, hours: OpenHours | undefined): void {
  if (lane.left > 0 && lane.opening.closesMs <= atMs) lane.opening = openingAt(lane.zones, atMs, hours);
}

function nextLane(lanes: Lane[], atMs: number): Lane | undefined {
  let next: Lane | undefined;
  for (const lane of lanes) {
    if (lane.left === 0 || lane.opening.opensMs > atMs) continue;
    if (next === undefined || lane.opening.closesMs < next.opening.closesMs) next = lane;
  }
  return next;
}

/** The rest of the day's cap; the last entry of `used` is the day in question. */
function countDays({ perDay, perWeek, perMonth, used }: Cap) {
  const days = [...used];
  const sumOf = (count: number) => days.slice(-count).reduce((sum, texts) => sum + texts, 0);
  return {
    left: () =>
      Math.max(0, Math.floor(Math.min(perDay - sumOf(1), perWeek - sumOf(7), perMonth - sumOf(30)))),
    add: (texts: number) => days.push((days.pop() ?? 0) + texts),
    next: () => days.push(0),
  };
}

/** Number of texts that the cap still allows today. */
export function leftToday(cap: Cap): number {
  return countDays(cap).left();
}

/** Time when the lane next opens or closes. */
function eventOf({ left, opening }: Lane, atMs: number): number {
  if (left === 0) return Number.POSITIVE_INFINITY;
  return opening.opensMs > atMs ? opening.opensMs : opening.closesMs;
}

function extrapolate(
  lanes: Lane[],
  { startMs, atMs, sent }: { startMs: number; atMs: number; sent: number },
): void {
  const msEach = sent === 0 ? dayMs : (atMs - startMs) / sent;
  let endsMs = atMs;
  for (const lane of lanes) {
    if (lane.left === 0) continue;
    endsMs += lane.left * msEach;
    lane.doneMs = endsMs;
  }
}

/** The beginning of the next day on the zone's clocks. */
export function nextDayMs(atMs: number, zone: string): number {
  return momentOnDay(dayNumber(wallMsAt(atMs, zone)) + 1, 0, zone).epochMs;
}
