import type { ContactSummary } from '../../../contract/draft-recipients.ts';
import { dripStepMoment, dripStepMs } from '../../../contract/forms/drip.ts';
import type { MediaItem } from '../../../contract/media.ts';
import type {
  SequencePersonState,
  SequenceStart,
  SequenceStatus,
  WholeSequence,
  WrittenStep,
} from '../../../contract/sequences.ts';
import { recipientProblemLabels } from '../../../contract/states/recipient-problem.ts';
import { formatClockTime } from '../../../contract/time/clock-time.ts';
import { formatWall, wallMsAt } from '../../../contract/time/wall-clock.ts';
import { countOf, formatCount, formatTime, zoneName } from '../../ui/format.ts';
import { locale } from '../../ui/locale.ts';
import { say } from '../../ui/say.ts';

/** A step as it is written on the page. */
export interface EditedStep {
  /** Stays the same while other steps are inserted before it or removed. */
  key: number;
  message: string;
  date: string;
  time: string;
  hasWait: boolean;
  /** Days after somebody joined, in a campaign that people join. */
  afterDays: number | null;
  picture: MediaItem | undefined;
}

/** As it is sent. */
export function writtenStep({ key: _, picture, ...step }: EditedStep): WrittenStep {
  return { ...step, mediaIds: picture === undefined ? [] : [picture.mediaId] };
}

const minuteMs = 60_000;
/** "Drip next step defaults to 5 minutes after the previous." */
const nextStepMs = 5 * minuteMs;

/** A new step, five minutes after the one before it. */
export function stepAfter(
  before: EditedStep | undefined,
  key: number,
  { now, zone }: { now: number; zone: string },
): EditedStep {
  const beforeMs = before && (before.hasWait ? dripStepMs(before, zone) : now);
  const empty = { key, message: '', picture: undefined };
  if (before === undefined) return { ...empty, date: '', time: '', hasWait: false, afterDays: null };
  const wallMs = wallMsAt((beforeMs ?? now) + nextStepMs, zone);
  const wall = formatWall(wallMs);
  const [, hour = '', minute = ''] = /T(\d\d):(\d\d)/.exec(wall) ?? [];
  return {
    ...empty,
    date: wall.slice(0, 10),
    // The next day at the same time, where people join.
    afterDays: (before.hasWait ? (before.afterDays ?? 0) : 0) + 1,
    time: formatClockTime({ Hour: Number(hour), Minute: Number(minute) }),
    hasWait: true,
  };
}

/** "Wait 2 days, 2 hours 30 minutes"; nothing where a time is missing. */
export function waitWords(
  before: EditedStep | undefined,
  step: EditedStep,
  { now, zone }: { now: number; zone: string },
): string {
  const from = before && (before.hasWait ? dripStepMs(before, zone) : now);
  const to = dripStepMs(step, zone);
  if (from === undefined || to === undefined || to <= from) return '';
  const minutes = Math.round((to - from) / minuteMs);
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor((minutes % 1440) / 60);
  const rest = minutes % 60;
  const parts = [
    days > 0 ? countOf(days, 'day', 'days') : '',
    [hours > 0 ? countOf(hours, 'hour', 'hours') : '', rest > 0 ? countOf(rest, 'minute', 'minutes') : '']
      .filter((part) => part !== '')
      .join(' '),
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `Wait ${parts.join(', ')}`;
}

/** The zone of a step's time, and what a change of clocks does to it. */
export function timeHelp(step: Pick<EditedStep, 'date' | 'time'>, zone: string): string {
  const moment = dripStepMoment(step, zone);
  const help = `In ${zoneName(zone)}.`;
  if (moment?.reading === 'skipped') {
    const goesOut = formatTime(moment.epochMs, zone);
    return `${help} Clocks go forward that day and skip this time, so the step goes out at ${goesOut}.`;
  }
  if (moment?.reading === 'repeated')
    return `${help} Clocks go back that day, so this time comes twice. The step goes out the first time.`;
  return help;
}

/** The steps of a saved campaign, to be edited. */
export function editedSteps({ Steps }: Pick<WholeSequence, 'Steps'>): EditedStep[] {
  return Steps.map(({ Position, Message, Date: date, Time, HasWait, AfterDays, Media }) => ({
    key: Position,
    message: Message,
    date,
    time: Time,
    hasWait: HasWait,
    afterDays: AfterDays,
    picture: Media[0],
  }));
}

/** "3 days after joining at 9:00 AM"; nothing where days are missing. */
export function afterWords({ hasWait, afterDays }: Pick<EditedStep, 'hasWait' | 'afterDays'>): string {
  if (!hasWait) return 'Right away';
  return afterDays === null ? 'No day yet' : `${countOf(afterDays, 'day', 'days')} after joining`;
}

const dayFormat = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
});

/** "Friday, March 13"; where people join, "3 days after joining". */
export function whenWords(step: EditedStep, isRelative: boolean): string {
  if (isRelative) return afterWords(step);
  if (!step.hasWait) return 'Right away';
  const at = Date.parse(`${step.date}T00:00:00Z`);
  return Number.isNaN(at) ? 'No day yet' : dayFormat.format(at);
}

/** "4 steps over 7 days, from Friday, March 13 to Friday, March 20" */
export function courseWords(
  steps: readonly EditedStep[],
  { isRelative, now, zone }: { isRelative: boolean; now: number; zone: string },
): string {
  const many = countOf(steps.length, 'step', 'steps');
  if (isRelative) {
    const days = Math.max(0, ...steps.map(({ hasWait, afterDays }) => (hasWait ? (afterDays ?? 0) : 0)));
    return days === 0 ? many : `${many} over ${countOf(days, 'day', 'days')}`;
  }
  const days = steps.map(({ hasWait, date }) =>
    hasWait ? date : formatWall(wallMsAt(now, zone)).slice(0, 10),
  );
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const [from, to] = [Date.parse(`${first}T00:00:00Z`), Date.parse(`${last}T00:00:00Z`)];
  if (Number.isNaN(from) || Number.isNaN(to)) return many;
  if (from >= to) return `${many} on ${dayFormat.format(from)}`;
  const over = countOf(Math.round((to - from) / (1440 * minuteMs)), 'day', 'days');
  return `${many} over ${over}, from ${dayFormat.format(from)} to ${dayFormat.format(to)}`;
}

export const startWords: Record<SequenceStart, string> = {
  dates: 'On dates you choose',
  group: 'When someone joins a group',
  keyword: 'When someone texts a keyword',
  join: 'When someone texts JOIN',
};

/** The state of a person; nothing for those who are in it. */
export function wordsOfPerson(state: SequencePersonState, startsOn: SequenceStart): string {
  return state === 'left' && startsOn !== 'group' ? 'Contact deleted' : personWords[state];
}

const personWords: Record<SequencePersonState, string> = {
  active: '',
  done: say('Finished'),
  stopped: say('Stopped'),
  replied: say('Replied'),
  opted_out: 'Opted out',
  left: 'Left the group',
};

export const statusWords: Record<SequenceStatus, string> = {
  draft: say('Draft'),
  running: say('Running'),
  paused: say('Paused'),
  completed: say('Completed'),
  canceled: say('Canceled', 'campaign'),
};

export const stateWords: Record<WholeSequence['Steps'][number]['State'], string> = {
  waiting: say('Waiting'),
  preparing: 'Going out',
  sent: say('Sent'),
  failed: 'Not sent',
  skipped: say('Skipped'),
};

/** "4 opted out, 2 with the same phone": why some of the recipients get nothing. */
export function leftOutWords(leftOut: ContactSummary['LeftOut']): string {
  return leftOut
    .map(({ Problem, Count }) =>
      Problem === 'duplicate'
        ? `${formatCount(Count)} with the same phone`
        : `${formatCount(Count)} ${recipientProblemLabels[Problem].toLowerCase()}`,
    )
    .join(', ');
}
