import { describe, expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { firstFailure } from '../fields/rule.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { defaultCallingWindow } from '../time/calling-window.ts';
import * as cases from './broadcast.cases.ts';
import {
  broadcastMessagesForm,
  broadcastSettingsForm,
  broadcastText,
  misleadingKeys,
  startWall,
  voiceHints,
} from './broadcast.ts';

const { nowMs, zone } = cases;
const settings = { countryId: 1, nowMs, zone, window: defaultCallingWindow };
const messages = {
  type: 'SMSAndAnnouncement' as const,
  isRepeating: true,
  isTransfer: false,
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
  it('must also be in the calling window when it goes out at once', () => {
    const atNight = broadcastSettingsForm({ ...settings, nowMs: Date.parse('2026-11-16T03:00:00Z') });
    const now = { ...cases.validSettings, startOption: 'START_IMMEDIATELY' };
    expect(fieldErrors(atNight, now)).toEqual({
      startTimeText: 'Choose a Start Time within your Calling Window',
    });
    expect(fieldErrors(atNight, { ...now, BroadcastType: 'GroupSMS' })).toEqual({});
  });

  it('leaves the form as a wall clock reading', () => {
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

  it('have replies of a limited length, also when the text is merged and its length isn’t known yet', () => {
    const merged = broadcastMessagesForm({ ...messages, type: 'SMS', isMerged: true });
    const TextSurveyAutoReplies = [{ Label: 'Yes', Message: 'x'.repeat(161) }];
    const long = { TextMessage: `{{FirstName}} ${'x'.repeat(160)}`, TextSurveyAutoReplies };
    expect(fieldErrors(merged, long)).toEqual({
      'TextSurveyAutoReplies.0.Message': "Can't exceed 160 characters.",
    });
  });

  it('may be recorded later by a broadcast that does not repeat', () => {
    const once = broadcastMessagesForm({ ...messages, isRepeating: false });
    expect(fieldErrors(once, { TextMessage: 'Hello', RecordLater: true, RecordLaterVM: true })).toEqual({});
  });
});

describe('typed messages for live answers', () => {
  const typed = (
    Text: string | null,
    context: { type?: 'Survey' | 'Announcement'; isTransfer?: boolean } = {},
  ) =>
    fieldErrors(broadcastMessagesForm({ ...messages, type: 'Survey', ...context }), {
      Audio: { AudioID: 7, Length: 20, Text },
      // Machines press no keys.
      AudioVM: { AudioID: 8, Length: 20, Text: 'We are closed.' },
    }).Audio;

  it('name the keys of a survey, and 0 where calls are transferred', () => {
    expect(typed('Will you come on May 4, 2026 at 6 pm?')).toBe(voiceHints.survey);
    expect(typed('Will you come? For yes, press 1.')).toBeUndefined();
    expect(typed('Will you come? For yes, press 1.', { isTransfer: true })).toBe(voiceHints.transfer);
    expect(typed('We have zero seats left.', { type: 'Announcement', isTransfer: true })).toBe(
      voiceHints.transfer,
    );
    expect(typed('Press 0 to talk to us.', { type: 'Announcement', isTransfer: true })).toBeUndefined();
    expect(typed(null, { isTransfer: true })).toBeUndefined();
    expect(typed('Will you come? To stop these calls, press 9.')).toBe(voiceHints.survey);
    expect(typed('Will you come? Press 9 for yes.')).toBe(voiceHints.survey);
    for (const text of ['Come at 6?', 'Tickets are $5.', 'Call 423 555 0100.', 'In 2026?', '¿Viene a las 6?'])
      expect(typed(text)).toBe(voiceHints.survey);
  });

  it('are sent with a warning where a key may be meant', () => {
    const unclear = (text: string, isTransfer = false) => [
      typed(text, { isTransfer }),
      ...misleadingKeys(text, { type: 'Survey', isTransfer }),
    ];
    const keys =
      'The message doesn’t clearly say which keys to press. For example: “Press 1 for yes or 2 for no.”';
    expect(unclear('Option 1 is yes. Option 2 is no.')).toEqual([undefined, keys]);
    expect(unclear('Will you come? Yes: 1. No: 2.')).toEqual([undefined, keys]);
    expect(unclear('Will you come? Any key means yes.')).toEqual([undefined]);
    expect(unclear('Press 1 for yes. For the office, 0.', true)).toEqual([
      undefined,
      'The message doesn’t clearly say to press 0. For example: “To talk to us, press 0.”',
    ]);
    expect(unclear('Will you come?')).toEqual([voiceHints.survey]);
  });

  it('are warned about keys that do something else', () => {
    const misled = (text: string | null, type: 'Survey' | 'Announcement', isTransfer = false) =>
      misleadingKeys(text, { type, isTransfer });
    expect(misled('Press 1 for yes or 9 for no.', 'Survey')).toHaveLength(1);
    expect(misled('Press 1 for yes. To stop these calls, press 9.', 'Survey')).toEqual([]);
    expect(misled('To confirm, press 1.', 'Announcement')).toEqual([
      'The message asks people to press a key. Only surveys count answers.',
    ]);
    expect(misled('Press 0 to talk to us.', 'Announcement')).toHaveLength(1);
    expect(misled('Press 0 to talk to us.', 'Announcement', true)).toEqual([]);
    expect(misled(null, 'Survey')).toEqual([]);
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
