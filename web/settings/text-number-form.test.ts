import { describe, expect, it } from 'vitest';
import type { TextNumber } from '../../contract/numbers.ts';
import { updateTextNumber } from '../../contract/numbers.ts';
import {
  changesOf,
  periodChoices,
  settingsOf,
  settingsProblems,
  withAllDay,
  withPeriod,
} from './text-number-form.ts';

const number: TextNumber = {
  TextNumberID: 1,
  Name: 'Main office',
  TextPhoneNumber: '4235550100',
  Description: 'Front desk',
  RegistrationStatus: 'Registered',
  IsDefault: false,
  IsBlocked: false,
  CanCreateBroadcast: true,
  CanText: true,
  FlatRateConversation: false,
  FlatRateConversationStatus: null,
  FlatRateSubscriptionEndDate: null,
  AggregatorID: 5,
  RcsAgent: null,
  ReleaseDate: null,
  Notifications: {
    IsActive: true,
    Type: 'TextUnread',
    PeriodMinutes: 15,
    Method: 'Email',
    NotificationWindow: {
      Days: ['Monday', 'Sunday'],
      StartTimeOfDay: { Hour: 9, Minute: 0 },
      StopTimeOfDay: { Hour: 17, Minute: 30 },
    },
  },
  BrowserNotificationsEnabled: true,
  AudioNotificationsEnabled: false,
};
const settings = settingsOf(number);

it('goes to the dialog and back unchanged', () => {
  const { Name, Description, Notifications, BrowserNotificationsEnabled, AudioNotificationsEnabled } = number;
  const personal = { Notifications, BrowserNotificationsEnabled, AudioNotificationsEnabled };
  expect(changesOf(settings, number, true)).toEqual({ Name, Description, ...personal });
  expect(changesOf(settings, number, false)).toEqual(personal);
});

it('says the default only when it becomes this one, and only for admins', () => {
  const chosen = { ...settings, IsDefault: true };
  expect(changesOf(chosen, number, true)).toMatchObject({ IsDefault: true });
  expect(changesOf(chosen, number, false)).not.toHaveProperty('IsDefault');
  expect(changesOf(chosen, { ...number, IsDefault: true }, true)).not.toHaveProperty('IsDefault');
});

describe('the specification’s sentences', () => {
  it.each([
    [{ Name: 'x'.repeat(51) }, 'Name', 'Name must be at most 50 characters'],
    [{ Description: 'x'.repeat(201) }, 'Description', 'Description must be at most 200 characters'],
    [{ Days: [] }, 'Days', 'Select at least one Notification Window Day'],
    [{ startTimeText: '6:00 PM' }, 'startTimeText', 'Start Time must be before stop time'],
  ])('%j', (change, field, sentence) => {
    expect(settingsProblems({ ...settings, ...change }, number)).toEqual({ [field]: sentence });
  });

  it('nothing to say of all day, nor of any time once a day', () => {
    expect(settingsProblems(withAllDay(settings, true), number)).toEqual({});
    for (const startTimeText of ['12:00 AM', '6:00 PM', '11:30 PM']) {
      const daily = { ...withPeriod(settings, 1440), startTimeText };
      expect(settingsProblems(daily, number)).toEqual({});
      expect(updateTextNumber.body.safeParse(changesOf(daily, number, true)).success).toBe(true);
    }
  });
});

it('keeps the saved window while notifications are off: it is hidden, and may be half changed', () => {
  const off = { IsActive: false, Method: 'Text' as const };
  for (const change of [{ Days: [] }, { startTimeText: '6:00 PM' }, { PeriodMinutes: 1440 }]) {
    const changed = { ...settings, ...change, ...off };
    expect(settingsProblems(changed, number)).toEqual({});
    expect(changesOf(changed, number, false).Notifications).toEqual({ ...number.Notifications, ...off });
  }
});

it('once a day after all day has a time again', () => {
  expect(withPeriod(withAllDay(settings, true), 1440)).toMatchObject({ startTimeText: '9:00 AM' });
  expect(withPeriod(withAllDay(settings, true), 30)).toMatchObject({ startTimeText: '12:00 AM' });
});

it('offers a period that was set elsewhere beside its own', () => {
  expect(periodChoices(15).map(({ label }) => label)).toEqual([
    'Every 15 minutes',
    'Every 30 minutes',
    'Every hour',
    'Every 4 hours',
    'Once a day',
  ]);
  expect(periodChoices(45)[2]).toEqual({ value: '45', label: 'Every 45 minutes' });
});
