import { expect, it } from 'vitest';
import type { HomeBroadcast } from '../../contract/home.ts';
import { arrivalOf } from './arrival.ts';

const none = {
  ...{
    DeliveredTexts: 0,
    ReadCount: 0,
    SentTotal: 0,
    WaitingTotal: 0,
    FailedTextTotal: 0,
    InvalidTextCount: 0,
  },
  ...{ TextOptedOut: 0, StoppedTotal: 0, CanceledTotal: 0 },
  ...{ CallTotal: 0, LivePersonTotal: 0, AnsweringMachineTotal: 0 },
};
const sent = (more: object) => ({ ...none, ...more }) as HomeBroadcast;
const texts = { DeliveredTexts: 5, ReadCount: 1, FailedTextTotal: 1 };
const calls = { CallTotal: 3, LivePersonTotal: 1, AnsweringMachineTotal: 1 };

it.each([
  ['GroupSMS', { PhoneNumberCount: 7, ...texts }, [6, 7, '6 of 7 texts delivered']],
  ['Announcement', { PhoneNumberCount: 3, ...calls }, [2, 3, '2 of 3 calls answered']],
  // Seven people are texted, and the three others are called.
  [
    'SMSOrAnnouncement',
    { PhoneNumberCount: 10, ...texts, ...calls },
    [8, 10, '6 of 7 texts delivered, 2 of 3 calls answered'],
  ],
  // Of seven people, three are called too.
  [
    'SMSAndAnnouncement',
    { PhoneNumberCount: 7, ...texts, ...calls },
    [8, 10, '6 of 7 texts delivered, 2 of 3 calls answered'],
  ],
])('what arrived of a %s', (BroadcastType, counts, expected) => {
  const { arrived, total, words } = arrivalOf(sent({ BroadcastType, ...counts }));
  expect([arrived, total, words]).toEqual(expected);
});
