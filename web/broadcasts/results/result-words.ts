import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { hasPersonalizedFields } from '../../../contract/text/personalized-fields.ts';
import { typeName } from '../../pieces/broadcasts/broadcast-type.ts';
import { momentWords } from '../../pieces/broadcasts/broadcast-words.ts';
import { spokenStart } from '../../pieces/broadcasts/start-words.ts';
import { countOf, dayKey, formatCount, formatTime } from '../../ui/format.ts';
import { locale } from '../../ui/locale.ts';
import { say } from '../../ui/say.ts';

/** "Text to 3,847 people from Main office, (423) 555-0100. Started at 10:36 AM by Dana Whitfield." */
export function headSentence(
  broadcast: WholeBroadcast,
  number: string | undefined,
  now: number,
  zone: string,
): string {
  const { PhoneNumberCount, User } = broadcast;
  const people = countOf(PhoneNumberCount, 'person', 'people');
  const from = placesCalls(broadcast.BroadcastType) ? formatPhone(broadcast.CallerID) : number;
  const what = `${typeName(broadcast)} to ${people}${from ? ` from ${from}` : ''}`;
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
  const isToday = dayKey(at, zone) === dayKey(now, zone);
  const end = isToday
    ? `ends at ${formatTime(at, zone)}`
    : `ends ${spokenStart(broadcast.EstimatedEnd, now, zone)}`;
  return { left: `${leftWords(at - now)} left, `, end };
}

/** "in about 2 days"; if it is due at any moment, it says so. */
export function aheadWords(startDate: string, now: number): string {
  const ms = Date.parse(startDate) - now;
  return ms <= 0 ? 'any moment now' : `in ${leftWords(ms).replace(/^./, (letter) => letter.toLowerCase())}`;
}

/** The credits it will take, before any of it has gone out: "1,096 credits", "Reserved, 1 segment each". */
export function costWords(
  broadcast: Pick<WholeBroadcast, 'Credits' | 'IsFree' | 'Segments' | 'TextMessage' | 'BroadcastType'>,
): {
  credits: string;
  each: string;
} {
  const { Credits, IsFree, Segments, TextMessage, BroadcastType } = broadcast;
  // With a personalized text, everybody's count may differ.
  const each =
    sendsTexts(BroadcastType) && Segments > 0 && !hasPersonalizedFields(TextMessage)
      ? `${countOf(Segments, 'segment', 'segments')} each`
      : '';
  if (IsFree || Credits.Reserved === 0) return { credits: 'No credits', each };
  const reserved = each === '' ? say('Reserved') : say(`Reserved, ${each}`);
  return { credits: countOf(Credits.Reserved, 'credit', 'credits'), each: reserved };
}

/** Speed at which it will go out, and the time that it takes where a speed was chosen. */
export function paceWords({
  PerMinute,
  PhoneNumberCount,
}: Pick<WholeBroadcast, 'PerMinute' | 'PhoneNumberCount'>): { speed: string; time: string } {
  if (PerMinute === null) return { speed: say('Max'), time: 'As fast as carriers allow' };
  const lasts = leftWords((PhoneNumberCount / PerMinute) * 60_000);
  return { speed: `${formatCount(PerMinute)} a minute`, time: `${lasts}, not counting quiet hours` };
}

/** Number of calls at a time, and of retries. */
export function callPaceWords({ CallThrottle, Retries }: Pick<WholeBroadcast, 'CallThrottle' | 'Retries'>): {
  speed: string;
  time: string;
} {
  return {
    speed: CallThrottle === 0 ? say('Max') : `${countOf(CallThrottle, 'call', 'calls')} at a time`,
    time: Retries === 0 ? 'No retries' : countOf(Retries, 'retry', 'retries'),
  };
}

function leftWords(ms: number): string {
  if (ms < 45_000) return 'Less than a minute';
  const minutes = Math.round(ms / 60_000);
  if (minutes < 90) return `About ${countOf(minutes, 'minute', 'minutes')}`;
  const hours = Math.round(ms / 3_600_000);
  return hours < 48 ? `About ${hours} hours` : `About ${Math.round(hours / 24)} days`;
}

/** "2,418 credits used, 1,381 reserved, 48 released for unsent texts." */
export function creditWords(
  { Credits, IsFree }: Pick<WholeBroadcast, 'Credits' | 'IsFree'>,
  unused = 'unsent texts',
): string {
  const { Reserved, Settled, Released } = Credits;
  if (IsFree || Reserved + Settled + Released === 0) return 'No credits used.';
  const parts = [`${countOf(Settled, 'credit', 'credits')} used`];
  if (Reserved > 0) parts.push(`${formatCount(Reserved)} reserved`);
  if (Released > 0) parts.push(`${formatCount(Released)} released for ${unused}`);
  return `${parts.join(', ')}.`;
}

const clocks = new Map<string, { today: Intl.DateTimeFormat; before: Intl.DateTimeFormat }>();

/** "10:40:58 AM" of today, "Mar 10, 4:12 PM" of another day: seconds count while it goes out. */
export function changeWords(at: string, now: number, zone: string): string {
  const known = clocks.get(zone) ?? {
    today: new Intl.DateTimeFormat(locale, { timeZone: zone, timeStyle: 'medium' }),
    before: new Intl.DateTimeFormat(locale, {
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
