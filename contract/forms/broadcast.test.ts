import { describe, expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { firstFailure } from '../fields/rule.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { defaultCallingWindow } from '../time/calling-window.ts';
import * as cases from './broadcast.cases.ts';
import { broadcastMessagesForm, broadcastSettingsForm, broadcastText, startWall } from './broadcast.ts';

const { nowMs, zone } = cases;
const settings = { countryId: 1, nowMs, zone, window: defaultCallingWindow };
const messages = {
  type: 'SMSAndAnnouncement' as const,
  isRepeating: true,
  maxLength: 160,
  signature: '-Office',
};

testRuleTable(cases.broadcastSettings, (change) =>
  fieldErrors(broadcastSettingsForm(settings), { ...cases.validSettings, ...change }),
);
testRuleTable(cases.broadcastMessages, (change) =>
  fieldErrors(broadcastMessagesForm(messages), { ...cases.validMessages, ...change }),
);

describe('start', () => {
  it('at once is held to the calling window too', () => {
    const atNight = broadcastSettingsForm({ ...settings, nowMs: Date.parse('2026-11-16T03:00:00Z') });
    const now = { ...cases.validSettings, startOption: 'START_IMMEDIATELY' };
    expect(fieldErrors(atNight, now)).toEqual({
      startTimeText: 'Choose a Start Time within your Calling Window',
    });
    expect(fieldErrors(atNight, { ...now, BroadcastType: 'GroupSMS' })).toEqual({});
  });

  it('leaves as a wall clock reading', () => {
    expect(startWall(cases.validSettings)).toBe('2026-11-16T09:30:00');
    expect(startWall({ StartDate: '', startTimeText: '9:30 AM' })).toBeUndefined();
  });
});

describe('messages', () => {
  it('of a text broadcast need no audio, of a call no text', () => {
    expect(
      fieldErrors(broadcastMessagesForm({ ...messages, type: 'SMS' }), { TextMessage: 'Hello' }),
    ).toEqual({});
    const { Audio, AudioVM } = cases.validMessages;
    expect(fieldErrors(broadcastMessagesForm({ ...messages, type: 'Survey' }), { Audio, AudioVM })).toEqual(
      {},
    );
  });

  it('may be recorded later by a broadcast that does not repeat', () => {
    const once = broadcastMessagesForm({ ...messages, isRepeating: false });
    expect(fieldErrors(once, { TextMessage: 'Hello', RecordLater: true, RecordLaterVM: true })).toEqual({});
  });
});

describe('length when editing', () => {
  const saved = 'x'.repeat(200);
  const rules = broadcastText({ maxLength: 160, hasMedia: false, saved });

  it('is checked only if the text changed', () => {
    expect(firstFailure(saved, rules)).toBeUndefined();
    expect(firstFailure(`${saved}y`, rules)).toBe("Can't exceed 160 characters.");
  });

  it('is not checked while the account’s setting is unknown', () => {
    expect(firstFailure(saved, broadcastText({ hasMedia: false }))).toBeUndefined();
  });
});
