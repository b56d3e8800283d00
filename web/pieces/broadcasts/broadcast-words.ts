import type { Broadcast } from '../../../contract/broadcasts.ts';
import { type BroadcastLabel, broadcastLabel } from '../../../contract/states/broadcast-status.ts';
import { contactMergeFields } from '../../../contract/text/merge-fields.ts';
import { findPersonalizedFields } from '../../../contract/text/personalized-fields.ts';
import { say } from '../../ui/say.ts';
import { spokenStart } from './start-words.ts';

type Moment = Pick<Broadcast, 'BroadcastStatus' | 'BroadcastStatusCategory' | 'StartDate' | 'EndDate'>;

export function labelOf(
  broadcast: Pick<Broadcast, 'BroadcastStatus' | 'BroadcastStatusCategory' | 'StartDate'>,
  now: number,
): BroadcastLabel {
  return broadcastLabel(broadcast, now);
}

/** The same where there is little room: "Sent Nov 6 at 3:05 PM". */
export function shortMoment(broadcast: Moment, now: number, zone: string): string {
  return withShortDay(momentWords(broadcast, now, zone));
}

/** "Tuesday, November 17 at 9:00 AM" as "Nov 17 at 9:00 AM"; in Spanish "17 nov". */
export function withShortDay(words: string): string {
  return words
    .replace(
      /(?:[A-Z][a-z]+day, )([A-Z][a-z]{2})[a-z]*( \d+)/,
      (_, month: string, day: string) => `${month}${day}`,
    )
    .replace(/\p{L}+, (\d+) de (\p{L}{3})\p{L}*/u, '$1 $2');
}

/** "Started at 10:36 AM", "Starts tomorrow at 8:00 AM", "Canceled yesterday at 4:12 PM". */
export function momentWords(broadcast: Moment, now: number, zone: string): string {
  const { StartDate, EndDate } = broadcast;
  const label = labelOf(broadcast, now);
  if (label === 'Canceled') return EndDate ? `Canceled ${spokenStart(EndDate, now, zone)}` : say('Canceled');
  if (StartDate === null) return say('Written');
  const when = spokenStart(StartDate, now, zone);
  if (label === 'Completed' || label === 'Sent') return `Sent ${when}`;
  if (label === 'Scheduled' || Date.parse(StartDate) > now) return `Starts ${when}`;
  const at = when.replace(/^today /, '');
  return label === 'Needs Message' ? `Sent ${at}` : `Started ${at}`;
}

const contactFieldWords: Record<(typeof contactMergeFields)[number], string> = {
  FirstName: 'First name',
  LastName: 'Last name',
  FullName: 'Full name',
  Notes: say('Notes'),
  PhoneNumber: 'Phone number',
};

/** The name of a personalization field in people's words, however it is written: "First name", "Bus route". */
export function fieldInWords(name: string): string {
  const own = contactMergeFields.find((field) => field.toLowerCase() === name.toLowerCase());
  // A token has underscores where the name of a custom field has spaces.
  return own === undefined ? name.replaceAll('_', ' ').trim() || name : contactFieldWords[own];
}

/** A text in one line: "Hi [First name], no school today." */
export function withFieldsInWords(text: string): string {
  let told = '';
  let from = 0;
  for (const { name, start, end } of findPersonalizedFields(text)) {
    told += `${text.slice(from, start)}[${fieldInWords(name)}]`;
    from = end;
  }
  return told + text.slice(from);
}
