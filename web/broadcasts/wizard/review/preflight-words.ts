import type { RecipientProblem } from '../../../../contract/draft-recipients.ts';
import type { DraftBroadcast, Preflight } from '../../../../contract/drafts.ts';
import { charsetOf } from '../../../../contract/text/segments.ts';
import { countOf, dayKey, formatCount, formatDay, formatTime } from '../../../ui/format.ts';
import { say } from '../../../ui/say.ts';

/** "1 segment each", "1 to 3 segments each". */
export function segmentsWords(segments: Preflight['Cost']['Segments']): string {
  const counts = segments.map(({ Segments }) => Segments);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (counts.length === 0) return 'no texts';
  return least === most
    ? `${countOf(least, 'segment', 'segments')} each`
    : `${formatCount(least)} to ${countOf(most, 'segment', 'segments')} each`;
}

/** "Plain text, 1 segment" under the message. */
export function sampleWords({ TextMessage, Segments }: NonNullable<Preflight['Sample']>): string {
  const kind = charsetOf(TextMessage) === 'GSM' ? 'Plain text' : 'Unicode text';
  return `${kind}, ${countOf(Segments, 'segment', 'segments')}`;
}

interface Clock {
  now: number;
  zone: string;
}

type Going = Pick<DraftBroadcast, 'startOption'>;

/** People who get anything: a text, a call or both. */
export function reachedCount({ Calls, Summary }: Preflight): number {
  return Calls ? Calls.Reached : Summary.Good;
}

/** The label of the button: "Send now to 1,871 people", "Send Wednesday at 8:00 AM". */
export function sendWords({ startOption }: Going, preflight: Preflight, clock: Clock): string {
  const { Calls, Starts } = preflight;
  if (startOption === 'START_IMMEDIATELY')
    return Calls && Calls.Texted === 0
      ? `Call ${countOf(Calls.Called, 'person', 'people')} now`
      : `Send now to ${countOf(reachedCount(preflight), 'person', 'people')}`;
  const when = momentWords(Starts, clock);
  return startOption === 'REPEATING' ? `Repeat from ${when}` : `Send ${when}`;
}

/**
 * "today at 8:00 AM", "Wednesday at 8:00 AM", "March 24 at 8:00 AM" when the day's name would be ambiguous.
 */
function momentWords(at: string, { now, zone }: Clock): string {
  const days = Math.round((Date.parse(dayKey(at, zone)) - Date.parse(dayKey(now, zone))) / 86_400_000);
  const [weekday = '', date = ''] = formatDay(at, now, zone).split(', ');
  const day = days === 0 ? say('today') : days === 1 ? say('tomorrow') : days < 7 ? weekday : date;
  return `${day} at ${formatTime(at, zone)}`;
}

/** "Eastern", "Eastern & Central": everything here is a time. */
export function placeWords(label: string): string {
  return label.replaceAll(' Time', '').replace(' and ', ' & ');
}

interface PlanRow {
  Zones: readonly string[];
  Opens: string;
  Done: string;
}

export interface PlanWords {
  /** The recipients’ local time. */
  time: string;
  rest: string;
}

/** "8:00 AM" and ", done by 8:05" where it is the sender's own time, otherwise " there, 9:00 AM for you". */
export function planWords({ Zones, Opens, Done }: PlanRow, { now, zone }: Clock): PlanWords {
  const own = formatTime(Opens, zone);
  const there = formatTime(Opens, Zones[0] ?? zone);
  const isOtherDay = dayKey(Opens, zone) !== dayKey(now, zone);
  const day =
    isOtherDay && dayKey(Opens, zone) !== dayKey(Done, zone) ? `${formatDay(Opens, now, zone)} ` : '';
  if (there === own && Date.parse(Done) - Date.parse(Opens) < 60_000)
    return { time: `${day}${own}`, rest: ', done within a minute' };
  if (there === own)
    return { time: `${day}${own}`, rest: `, done by ${doneWords(Done, Opens, { now, zone })}` };
  return { time: `${day}${there}`, rest: ` there, ${own} for you` };
}

function doneWords(done: string, opens: string, { now, zone }: Clock): string {
  const time = formatTime(done, zone);
  if (dayKey(done, zone) !== dayKey(opens, zone)) return `${formatDay(done, now, zone)} ${time}`;
  // AM or PM is left out if the time beside it has the same.
  const halfOf = (words: string) => words.replace(/^[\d:]+/, '');
  return halfOf(time) === halfOf(formatTime(opens, zone)) ? time.replace(halfOf(time), '') : time;
}

/** Reasons why a number of people get nothing, shown beside that number. */
export const leftOutMessages: Readonly<Record<RecipientProblem, string>> = {
  duplicate: 'One phone, one message. The first name in the group is used.',
  opted_out: 'They replied STOP, or your team opted them out.',
  not_opted_in: 'They haven’t opted in to receiving texts.',
  not_textable: 'Landlines and similar numbers can’t receive texts.',
  unreachable: 'The last three texts weren’t delivered.',
  invalid: 'Not a valid number in the US, Puerto Rico, or Canada.',
  not_verified: 'During the free trial, you can text only verified numbers.',
  excluded: 'Someone on your team left them out.',
  too_long: 'The text is too long once it’s personalized.',
  invalid_field: 'The text can’t be personalized for them.',
  missing_data: 'They have no value for a personalized field in the text.',
  do_not_call: 'They pressed 9 in a call, or your team opted them out of calls.',
  too_often: 'They’ve had as many broadcasts as your settings allow.',
};
