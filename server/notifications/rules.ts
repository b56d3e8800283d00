import { formatE164 } from '../../contract/phone/format-phone.ts';
import {
  type NotificationSetting,
  nextNotificationMs,
  onceADayMinutes,
} from '../../contract/time/notification-window.ts';
import { inLanguage } from '../in-language.ts';
import { type ComposedMail, composeMail } from '../mails/compose-mail.ts';

/** Once a day means the start time. After an outage it may be this late; after that it is tomorrow's. */
const dailyLateMs = 3_600_000;

/**
 * Time when a notification that was due at `dueMs` may be sent, checked at `atMs`: a time not later than that means
 * now. Undefined if the window never opens.
 */
export function noticeTimeMs(
  setting: Pick<NotificationSetting, 'PeriodMinutes' | 'NotificationWindow'>,
  { dueMs, atMs, lastMs }: { dueMs: number; atMs: number; lastMs: number | undefined },
  zone: string,
): number | undefined {
  const last = lastMs === undefined ? {} : { lastMs };
  if (setting.PeriodMinutes !== onceADayMinutes)
    return nextNotificationMs(setting, { nowMs: atMs, ...last }, zone);
  const timeMs = nextNotificationMs(setting, { nowMs: dueMs, ...last }, zone);
  const isMissed = timeMs !== undefined && timeMs < atMs - dailyLateMs;
  return isMissed ? nextNotificationMs(setting, { nowMs: atMs, ...last }, zone) : timeMs;
}

export interface UnreadNumber {
  company: string;
  /** Its given name; may be empty. */
  name: string;
  phone: string;
  unread: number;
  /** The inbox of the number. */
  url: string;
}

function howMany({ unread }: UnreadNumber): string {
  return unread === 1 ? '1 unread conversation' : `${unread.toLocaleString('en-US')} unread conversations`;
}

function numberLabel({ name, phone }: UnreadNumber): string {
  return name === '' ? formatE164(phone) : `${name} ${formatE164(phone)}`;
}

/**
 * One segment as a rule, in Spanish too: it costs what a text costs. The number’s own name is not translated.
 */
export function noticeText(number: UnreadNumber, languageId: number): string {
  const say = inLanguage(languageId);
  const { unread, name, phone, url } = number;
  const begins =
    unread === 1 ? '1 unread conversation at' : `${unread.toLocaleString('en-US')} unread conversations at`;
  return `${say(begins)} ${name || formatE164(phone)}. ${url}`;
}

/** Never the words of a text: others may read the mail too. */
export function noticeMail(number: UnreadNumber): ComposedMail {
  return composeMail({
    subject: `${howMany(number)} at ${number.name || formatE164(number.phone)}`,
    from: numberLabel(number),
    title: howMany(number),
    paragraphs: [`${number.company} has ${howMany(number)} at ${numberLabel(number)}.`],
    action: { label: 'Open the inbox', url: number.url },
    foot: 'You get this email because you asked to be notified about unread texts to this number. Change how often, or turn it off, under Text numbers.',
  });
}

/** Seconds that the lease of a mail lasts before others assume that its sender is dead. Longer than a slice takes. */
export const mailLeaseSeconds = 60;

/** A notification that could not be mailed in this time is obsolete. */
export const mailLivesHours = 24;

/** Seconds that a mail waits after its nth try: 2 seconds, doubling, at most ten minutes. */
export function mailPauseSeconds(attempts: number): number {
  return Math.min(600, 2 ** Math.min(attempts, 10));
}

/** Time to wait after a mail server could not be reached: a second, doubling, at most half a minute. */
export function serverPauseMs(failuresInARow: number): number {
  return Math.min(30_000, 1_000 * 2 ** Math.min(failuresInARow - 1, 5));
}

export const pushLeaseSeconds = 60;
/** A push is given up after this many tries: it is a hint, and the page itself has the current state. */
export const pushTries = 5;
