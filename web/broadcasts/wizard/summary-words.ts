import type { DraftBroadcast } from '../../../contract/drafts.ts';
import { placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { describeSchedule } from '../../../contract/time/describe-schedule.ts';
import { daysProblem } from '../../../contract/time/repeating-schedule.ts';
import { parseWall } from '../../../contract/time/wall-clock.ts';
import { clockWords } from '../../ui/clock-words.ts';
import { countOf, formatCount, formatDay, formatTime } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import { reachedBy } from './draft-type.ts';
import { creditsPerCall } from './voice/voice-state.ts';

/** A line of the summary: its value, and a sentence below it. */
export interface SummaryWords {
  value: string;
  note: string;
  /** False while there is no value. */
  isKnown?: boolean;
}

const unknown = (value: string): SummaryWords => ({ value, note: '' });

/** "120 people are called, 80 texted." */
export function reachWords(draft: DraftBroadcast): string {
  const { BroadcastType, TextNumberCount: texted, VoiceNumberCount: called } = draft;
  const calls = countOf(called, 'person is called', 'people are called');
  return sendsTexts(BroadcastType) ? `${calls}, ${formatCount(texted)} texted.` : `${calls}.`;
}

export function recipientsWords(draft: DraftBroadcast): SummaryWords {
  const { TotalTextNumberCount: total, IsAdding } = draft;
  const going = reachedBy(draft);
  if (total === 0) return unknown(IsAdding ? 'Being added…' : 'Nobody yet');
  const leftOut = total - going;
  return {
    value: countOf(going, 'person', 'people'),
    note: IsAdding
      ? 'More are being added'
      : leftOut > 0
        ? `${formatCount(leftOut)} left out`
        : 'Nobody left out',
  };
}

interface Clock {
  now: number;
  zone: string;
}

/** "Wednesday, March 11" and "8:00 AM"; "When you press Send" for one that starts at once. */
export function startsWords(draft: DraftBroadcast, { now, zone }: Clock): SummaryWords {
  const { startOption, StartDate, RepeatingBroadcastSchedule: schedule } = draft;
  if (startOption === 'START_IMMEDIATELY') return unknown('When you press Send');
  const wallMs = StartDate === null ? undefined : parseWall(StartDate);
  if (wallMs === undefined) return unknown('Not set yet');
  // A reading of the user's own clock: shown as it is, whatever the zone.
  const day = formatDay(wallMs, wallNow(now, zone), 'UTC');
  const time = formatTime(wallMs, 'UTC');
  if (startOption === 'REPEATING' && schedule)
    return {
      value: `${day}, ${time}`,
      note: daysProblem(schedule) === undefined ? clockWords(describeSchedule(schedule, wallMs, zone)) : '',
    };
  return { value: day, note: time };
}

function wallNow(now: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(now);
  return Date.parse(`${parts}T12:00:00Z`);
}

export function endsWords(draft: DraftBroadcast, { now, zone }: Clock): SummaryWords {
  const { Starts, Ends } = draft;
  if (Starts === null || Ends === null) return unknown('Not known yet');
  const isSameDay = formatDay(Starts, now, zone) === formatDay(Ends, now, zone);
  const day = isSameDay ? 'Same day' : formatDay(Ends, now, zone);
  return {
    value: say(`About ${formatTime(Ends, zone)}`),
    note: placesCalls(draft.BroadcastType) ? `${isSameDay ? '' : `${day}, `}${linesWords(draft)}` : day,
  };
}

/** "40 calls at a time, 1 retry". */
function linesWords({ CallThrottle, Retries }: DraftBroadcast): string {
  const lines = CallThrottle === 0 ? 'as many calls as possible' : countOf(CallThrottle, 'call', 'calls');
  return `${lines} at a time, ${Retries === 0 ? 'no retry' : countOf(Retries, 'retry', 'retries')}`;
}

/** Credits that it takes; nothing while there is no text or nobody to get it. */
export function costWords(draft: DraftBroadcast): SummaryWords {
  if (placesCalls(draft.BroadcastType)) return callCostWords(draft);
  const { TextNumberCount: going, TextNumberCredits: credits, TextMessage, Media } = draft;
  if (going === 0 || (TextMessage.trim() === '' && Media.length === 0)) return unknown('Not known yet');
  if (credits === 0) return { value: 'No credits', note: 'Texts are included in your plan', isKnown: true };
  const each = credits / going;
  const note = Number.isInteger(each) ? `${formatCount(each)} each` : 'Varies by person';
  return { value: countOf(credits, 'credit', 'credits'), note, isKnown: true };
}

/** For calls, the cost of the more expensive message is reserved, and unused credits are released. */
function callCostWords(draft: DraftBroadcast): SummaryWords {
  const credits = draft.MinCallUnitsRequired;
  if (reachedBy(draft) === 0 || (draft.Audio === null && !draft.RecordLater)) return unknown('Not known yet');
  if (credits === 0) return { value: 'No credits', note: 'Calls are included in your plan', isKnown: true };
  return {
    value: say(`Up to ${countOf(credits, 'credit', 'credits')}`),
    note: callCostNote(draft),
    isKnown: true,
  };
}

function callCostNote(draft: DraftBroadcast): string {
  const forTexts = sendsTexts(draft.BroadcastType) ? draft.TextNumberCredits : 0;
  const forCalls = draft.MinCallUnitsRequired - forTexts;
  if (forTexts > 0) return `${formatCount(forCalls)} for calls, ${formatCount(forTexts)} for texts`;
  const { least, most } = creditsPerCall(draft);
  return least === most
    ? `${countOf(most, 'credit', 'credits')} per call`
    : `${least} to ${most} credits per call`;
}
