import { z } from 'zod';
import { maxLength, mustBe } from '../fields/basic-rules.ts';
import { onlyNumbers } from '../fields/character-rules.ts';
import { failures, flagField, trimmedField } from '../fields/form.ts';
import { firstFailure } from '../fields/rule.ts';
import { startTimeBeforeStopTime } from '../fields/time-rules.ts';
import { limits } from '../reference/limits.ts';
import { parseClockTime } from '../time/clock-time.ts';
import {
  defaultNotificationSetting,
  isNotificationAllDay,
  onceADayMinutes,
} from '../time/notification-window.ts';
import { daysField, timeField } from './calling-window.ts';

export const textNumberSettingsForm = z
  .object({
    Name: trimmedField(maxLength('Name', limits.textNumberName)),
    Description: trimmedField(maxLength('Description', limits.textNumberDescription)),
    IsActive: flagField(),
    Method: z
      .enum(['Email', 'Text'], { error: 'Select Email or Text' })
      .default(defaultNotificationSetting.Method),
    PeriodMinutes: z
      .number({ error: onlyNumbers })
      .int(onlyNumbers)
      .min(1, mustBe.atLeast(1))
      .max(onceADayMinutes, mustBe.atMost(onceADayMinutes))
      .default(defaultNotificationSetting.PeriodMinutes),
    Days: daysField('Select at least one Notification Window Day'),
    startTimeText: timeField('Start Time'),
    stopTimeText: timeField('Stop Time'),
    BrowserNotificationsEnabled: flagField(),
    AudioNotificationsEnabled: flagField(),
  })
  .superRefine(failures((values) => ({ startTimeText: stopBeforeStart(values) })));

/** Start before stop, except that equal times are the whole day (unless the notice is a daily one). */
function stopBeforeStart(values: {
  Days: string[];
  startTimeText: string;
  stopTimeText: string;
  PeriodMinutes: number;
}) {
  const StartTimeOfDay = parseClockTime(values.startTimeText);
  const StopTimeOfDay = parseClockTime(values.stopTimeText);
  if (!StartTimeOfDay || !StopTimeOfDay) return undefined;
  const { PeriodMinutes, Days } = values;
  if (isNotificationAllDay({ PeriodMinutes, NotificationWindow: { Days, StartTimeOfDay, StopTimeOfDay } })) {
    return undefined;
  }
  return firstFailure(values.startTimeText, [startTimeBeforeStopTime('Start Time', values.stopTimeText)]);
}
