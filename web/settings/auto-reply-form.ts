import type { AutoReply, addAutoReply } from '../../contract/auto-replies.ts';
import type { CallInput } from '../../contract/call.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { autoReplyForm } from '../../contract/forms/auto-reply.ts';
import {
  type AutoReplyMode,
  type AutoReplyScheduleType,
  autoReplyMode,
  chooseAutoReplyMode,
  chooseScheduleType,
  type DayHours,
  type DaySchedules,
  defaultAutoReplyHours,
  deriveScheduleType,
} from '../../contract/time/auto-reply-schedule.ts';
import { formatClockTime, parseClockTime } from '../../contract/time/clock-time.ts';
import { describeDays } from '../../contract/time/describe-days.ts';
import { type DayName, dayNames } from '../../contract/time/wall-clock.ts';
import { weekFromMonday } from '../ui/days-field.tsx';
import { say } from '../ui/say.ts';
import { isWholeDay } from './form-parts.tsx';

/** The dialog's values. */
export interface AutoReplyDraft {
  Mode: AutoReplyMode;
  /** Chosen or derived. A custom week that happens to match a preset stays custom while it is edited. */
  scheduleType: AutoReplyScheduleType;
  DaySchedules: DaySchedules;
  Message: string;
  TextNumberIDs: number[];
  /** Kept under Never, so that turning it on again restores it. */
  AutoReplyTypeID: 1 | 2;
}

export function draftOf(reply: AutoReply | undefined): AutoReplyDraft {
  if (!reply)
    return {
      Mode: 'Always',
      scheduleType: 'Weekdays',
      DaySchedules: chooseScheduleType({}, 'Weekdays'),
      Message: '',
      TextNumberIDs: [],
      AutoReplyTypeID: 1,
    };
  const hasHours = dayNames.some((day) => reply.DaySchedules[day]);
  const schedules = hasHours ? reply.DaySchedules : chooseScheduleType({}, 'Weekdays');
  return {
    Mode: autoReplyMode(reply),
    scheduleType: deriveScheduleType(schedules),
    DaySchedules: schedules,
    Message: reply.Message,
    TextNumberIDs: [...reply.TextNumberIDs],
    AutoReplyTypeID: reply.AutoReplyTypeID,
  };
}

/** The contract's errors by field. A number is required, or the auto reply would never be sent. */
export function draftProblems(draft: AutoReplyDraft): Record<string, string> {
  const problems = fieldErrors(autoReplyForm, draft);
  return draft.TextNumberIDs.length === 0
    ? { ...problems, TextNumberIDs: 'Select a Text Phone Number' }
    : problems;
}

export function bodyOf(draft: AutoReplyDraft): CallInput<typeof addAutoReply>['body'] {
  const { Message, TextNumberIDs, AutoReplyTypeID, Mode } = draft;
  const { Active, AutoReplyTypeID: type } = chooseAutoReplyMode({ Active: true, AutoReplyTypeID }, Mode);
  const schedules = dayNames.map((day) => [day, draft.DaySchedules[day] ?? null] as const);
  return {
    Active,
    AutoReplyTypeID: type,
    Message,
    TextNumberIDs,
    DaySchedules: Object.fromEntries(schedules) as Record<DayName, DayHours | null>,
  };
}

/** The hours that all open days share, unless the schedule is custom. */
export function sharedHours(schedules: DaySchedules): DayHours {
  const open = weekFromMonday.find((day) => schedules[day]);
  return (open && schedules[open]) || defaultAutoReplyHours;
}

export function withScheduleType(draft: AutoReplyDraft, type: AutoReplyScheduleType): AutoReplyDraft {
  const DaySchedules = chooseScheduleType(draft.DaySchedules, type, sharedHours(draft.DaySchedules));
  return { ...draft, scheduleType: type, DaySchedules };
}

export function withSharedHours(draft: AutoReplyDraft, hours: DayHours): AutoReplyDraft {
  return { ...draft, DaySchedules: chooseScheduleType(draft.DaySchedules, draft.scheduleType, hours) };
}

export function withDay(draft: AutoReplyDraft, day: DayName, hours: DayHours | null): AutoReplyDraft {
  return { ...draft, DaySchedules: { ...draft.DaySchedules, [day]: hours } };
}

function hoursWords({ StartTime, StopTime }: DayHours): string {
  if (isWholeDay(StartTime, StopTime)) return 'all day';
  const [start, stop] = [StartTime, StopTime].map((text) => {
    const time = parseClockTime(text);
    return time ? formatClockTime(time) : text;
  });
  return `${start} to ${stop}`;
}

/** "Always", "Never", "Monday to Friday, 8:00 AM to 5:00 PM; Saturday, all day". */
export function whenWords(reply: Pick<AutoReply, 'Active' | 'AutoReplyTypeID' | 'DaySchedules'>): string {
  const mode = autoReplyMode(reply);
  if (mode !== 'Custom') return mode === 'Always' ? say('Always') : say('Never');
  const byHours = new Map<string, DayName[]>();
  for (const day of weekFromMonday) {
    const hours = reply.DaySchedules[day];
    if (!hours) continue;
    const words = hoursWords(hours);
    byHours.set(words, [...(byHours.get(words) ?? []), day]);
  }
  const parts = [...byHours].map(([hours, days]) => `${describeDays(days)}, ${hours}`);
  const text = parts.join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
