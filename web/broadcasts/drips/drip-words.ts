import { dripStepMs } from '../../../contract/forms/drip.ts';
import type { SequenceStatus, WholeSequence } from '../../../contract/sequences.ts';
import { formatClockTime } from '../../../contract/time/clock-time.ts';
import { formatWall, wallMsAt } from '../../../contract/time/wall-clock.ts';
import { countOf } from '../../ui/format.ts';

/** A step as it is written on the page. */
export interface EditedStep {
  /** Stays with it while others are put before it or taken out. */
  key: number;
  message: string;
  date: string;
  time: string;
  hasWait: boolean;
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
  if (before === undefined) return { key, message: '', date: '', time: '', hasWait: false };
  const wallMs = wallMsAt((beforeMs ?? now) + nextStepMs, zone);
  const wall = formatWall(wallMs);
  const [, hour = '', minute = ''] = /T(\d\d):(\d\d)/.exec(wall) ?? [];
  return {
    key,
    message: '',
    date: wall.slice(0, 10),
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

/** The steps of a saved campaign, to be edited. */
export function editedSteps({ Steps }: Pick<WholeSequence, 'Steps'>): EditedStep[] {
  return Steps.map(({ Position, Message, Date: date, Time, HasWait }) => ({
    key: Position,
    message: Message,
    date,
    time: Time,
    hasWait: HasWait,
  }));
}

export const statusWords: Record<SequenceStatus, string> = {
  draft: 'Draft',
  running: 'Running',
  paused: 'Paused',
  completed: 'Completed',
  canceled: 'Canceled',
};

export const stateWords: Record<WholeSequence['Steps'][number]['State'], string> = {
  waiting: 'Waiting',
  preparing: 'Going out',
  sent: 'Sent',
  failed: 'Not sent',
  skipped: 'Skipped',
};
