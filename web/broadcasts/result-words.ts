import type { WholeBroadcast } from '../../contract/broadcasts.ts';
import { momentWords } from '../ui/broadcast-words.ts';
import { countOf, dayKey, formatCount, formatTime } from '../ui/format.ts';
import { spokenStart } from '../ui/start-words.ts';

/** "Text to 3,847 people from Main office, (423) 555-0100. Started at 10:36 AM by Dana Whitfield." */
export function headSentence(
  broadcast: WholeBroadcast,
  number: string | undefined,
  now: number,
  zone: string,
): string {
  const { IsTextSurvey, PhoneNumberCount, User } = broadcast;
  const people = countOf(PhoneNumberCount, 'person', 'people');
  const what = `${IsTextSurvey ? 'Text survey' : 'Text'} to ${people}${number ? ` from ${number}` : ''}`;
  return `${what}. ${momentWords(broadcast, now, zone)} by ${User.Name}.`;
}

/** "About 4 minutes left, ", and the end it leads to; undefined when nothing goes out. */
export function endWords(
  broadcast: Pick<WholeBroadcast, 'EstimatedEnd'>,
  now: number,
  zone: string,
): { left: string; end: string } | undefined {
  if (broadcast.EstimatedEnd === null) return undefined;
  const at = Date.parse(broadcast.EstimatedEnd);
  const isToday = spokenStart(broadcast.EstimatedEnd, now, zone).startsWith('today');
  const end = isToday
    ? `ends at ${formatTime(at, zone)}`
    : `ends ${spokenStart(broadcast.EstimatedEnd, now, zone)}`;
  return { left: `${leftWords(at - now)} left, `, end };
}

function leftWords(ms: number): string {
  if (ms < 45_000) return 'Less than a minute';
  const minutes = Math.round(ms / 60_000);
  if (minutes < 90) return `About ${countOf(minutes, 'minute', 'minutes')}`;
  const hours = Math.round(ms / 3_600_000);
  return hours < 48 ? `About ${hours} hours` : `About ${Math.round(hours / 24)} days`;
}

/** "2,418 credits settled, 1,381 reserved, 48 released for texts that were not sent." */
export function creditWords({ Credits, IsFree }: Pick<WholeBroadcast, 'Credits' | 'IsFree'>): string {
  const { Reserved, Settled, Released } = Credits;
  if (IsFree || Reserved + Settled + Released === 0) return 'It takes no credits.';
  const parts = [`${countOf(Settled, 'credit', 'credits')} settled`];
  if (Reserved > 0) parts.push(`${formatCount(Reserved)} reserved`);
  if (Released > 0) parts.push(`${formatCount(Released)} released for texts that were not sent`);
  return `${parts.join(', ')}.`;
}

const clocks = new Map<string, { today: Intl.DateTimeFormat; before: Intl.DateTimeFormat }>();

/** "10:40:58 AM" of today, "Mar 10, 4:12 PM" of another day: seconds count while it goes out. */
export function changeWords(at: string, now: number, zone: string): string {
  const known = clocks.get(zone) ?? {
    today: new Intl.DateTimeFormat('en-US', { timeZone: zone, timeStyle: 'medium' }),
    before: new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }),
  };
  clocks.set(zone, known);
  const format = dayKey(at, zone) === dayKey(now, zone) ? known.today : known.before;
  return format.format(new Date(at)).replaceAll('\u202f', ' ');
}
