import { ruleTable } from '../testing/rule-table.ts';

/** Sunday, 10:00 AM in New York; the window is 9:00 AM to 9:00 PM on every day. */
export const nowMs = Date.parse('2026-11-15T15:00:00Z');
export const zone = 'America/New_York';

export const validSettings = {
  BroadcastName: 'Snow day',
  BroadcastType: 'Announcement',
  CallerID: '423-555-0199',
  startOption: 'START_LATER',
  StartDate: '2026-11-16',
  startTimeText: '9:30 AM',
};

export const broadcastSettings = ruleTable<Record<string, string>, Record<string, string>>({
  about: 'Broadcast settings',
  file: 'contract/forms/broadcast.ts',
  rows: [
    {
      rule: 'BroadcastName: required, max 50, must contain a non-whitespace character',
      cases: [
        [{}, {}],
        [{ BroadcastName: '' }, { BroadcastName: 'Enter a Broadcast Name' }],
        [{ BroadcastName: '   ' }, { BroadcastName: 'Enter a Broadcast Name' }],
        [{ BroadcastName: 'x'.repeat(50) }, {}],
        [
          { BroadcastName: 'x'.repeat(51) },
          { BroadcastName: 'Broadcast Name must be at most 50 characters' },
        ],
      ],
    },
    {
      rule: 'CallerID: required for voice',
      message: 'Enter a Caller ID',
      cases: [
        [{ CallerID: '' }, { CallerID: 'Enter a Caller ID' }],
        [{ CallerID: '', BroadcastType: 'SMS' }, {}],
        [{ CallerID: '', BroadcastType: 'SMSAndSurvey' }, { CallerID: 'Enter a Caller ID' }],
        [{ CallerID: '12' }, { CallerID: 'Must be 10 digits; use only numbers' }],
      ],
    },
    {
      rule: 'Start time must match a time format',
      message: 'Start Time must follow the format h:mm A (Ex: 5:00 PM).',
      cases: [
        [{ startTimeText: '' }, { startTimeText: 'Enter a Start Time' }],
        [
          { startTimeText: '930' },
          { startTimeText: 'Start Time must follow the format h:mm A (Ex: 5:00 PM).' },
        ],
        [{ StartDate: '2026-02-30' }, { StartDate: 'Enter a Start Date' }],
        [{ StartDate: '2026-11-16T10:00' }, { StartDate: 'Enter a Start Date' }],
      ],
    },
    {
      rule: 'The first calling time is at least 5 minutes from now',
      message: 'Start Time must be at least 5 minutes from now',
      cases: [
        [
          { StartDate: '2026-11-15', startTimeText: '10:04 AM' },
          { startTimeText: 'Start Time must be at least 5 minutes from now' },
        ],
        [{ StartDate: '2026-11-15', startTimeText: '10:05 AM' }, {}],
      ],
    },
    {
      rule: 'and must fall inside the calling window',
      message: 'Choose a Start Time within your Calling Window',
      cases: [
        [{ startTimeText: '8:59 AM' }, { startTimeText: 'Choose a Start Time within your Calling Window' }],
        [{ startTimeText: '9:00 PM' }, { startTimeText: 'Choose a Start Time within your Calling Window' }],
        [{ startTimeText: '8:59 AM', BroadcastType: 'SMS' }, {}],
      ],
    },
    {
      rule: 'A start date must be valid and after the current time',
      message: 'Your start date and time cannot be in the past.',
      cases: [
        [
          { StartDate: '2026-11-15', startTimeText: '9:59 AM' },
          { startTimeText: 'Your start date and time cannot be in the past.' },
        ],
        [
          { StartDate: '2030-01-01' },
          { startTimeText: 'Your start date and time is too far in the future.' },
        ],
      ],
    },
    {
      rule: 'Start options: start immediately, start later, repeating',
      cases: [
        [{ startOption: 'START_IMMEDIATELY', StartDate: '', startTimeText: '' }, {}],
        [{ startOption: 'REPEATING', StartDate: '' }, { StartDate: 'Enter a Start Date' }],
        [{ startOption: 'SOMETIME' }, { startOption: 'Select when to start' }],
      ],
    },
  ],
});

const audio = { AudioID: 1, Length: 30 };
export const validMessages = { Audio: audio, AudioVM: audio, TextMessage: 'Schools are closed today.' };

/** A repeating text and voice broadcast of an account with 160 characters. */
export const broadcastMessages = ruleTable<Record<string, unknown>, Record<string, string>>({
  about: 'Broadcast messages',
  file: 'contract/forms/broadcast.ts',
  rows: [
    {
      rule: 'Text message: required unless media is present, non-whitespace, short URLs restricted',
      message: 'Text Message must not contain a shortened URL',
      cases: [
        [{}, {}],
        [{ TextMessage: '' }, { TextMessage: 'Enter a Text Message' }],
        [{ TextMessage: '', Media: [{ MediaID: 1 }] }, {}],
        [{ TextMessage: ' ', Media: [{ MediaID: 1 }] }, { TextMessage: 'Enter a Text Message' }],
        [{ TextMessage: 'See bit.ly/abc' }, { TextMessage: 'Text Message must not contain a shortened URL' }],
      ],
    },
    {
      rule: 'max length per account setting. Messages: "Can\'t exceed max characters." or "Can\'t exceed {n} characters." Length is checked together with the signature',
      message: "Can't exceed {n} characters.",
      cases: [
        [{ TextMessage: 'x'.repeat(161) }, { TextMessage: "Can't exceed 160 characters." }],
        [
          { TextMessage: 'x'.repeat(155), IncludeSignature: true },
          { TextMessage: "Can't exceed 160 characters." },
        ],
        [{ TextMessage: 'x'.repeat(155) }, {}],
      ],
    },
    {
      rule: 'Text survey auto-replies are validated the same way',
      cases: [
        [{ TextSurveyAutoReplies: [{ Label: 'Yes', Message: 'Thanks!' }] }, {}],
        [
          {
            TextSurveyAutoReplies: [
              { Label: 'Yes', Message: '' },
              { Label: 'No', Message: 'x'.repeat(161) },
            ],
          },
          {
            'TextSurveyAutoReplies.0.Message': 'Enter a Text Message',
            'TextSurveyAutoReplies.1.Message': "Can't exceed 160 characters.",
          },
        ],
      ],
    },
    {
      rule: 'Ours: an auto-reply is sent unchanged ("Text cannot contain personalization")',
      message: 'Text cannot contain personalization',
      cases: [
        [
          {
            TextSurveyAutoReplies: [
              { Label: 'Yes', Message: 'Thanks, {{FirstName}}!' },
              { Label: 'No', Message: 'Next time.' },
            ],
          },
          { 'TextSurveyAutoReplies.0.Message': 'Text cannot contain personalization' },
        ],
      ],
    },
    {
      rule: 'Voice option required for both live answer and voicemail',
      message: 'Choose a message for live answers',
      cases: [
        [
          { Audio: null, AudioVM: null },
          { Audio: 'Choose a message for live answers', AudioVM: 'Choose a message for voicemail' },
        ],
      ],
    },
    {
      rule: 'Repeating broadcasts cannot use the call-in recording option',
      message: 'Repeating broadcasts cannot use the call-in recording option.',
      cases: [
        [{ RecordLater: true }, { Audio: 'Repeating broadcasts cannot use the call-in recording option.' }],
        [
          { RecordLaterVM: true },
          { AudioVM: 'Repeating broadcasts cannot use the call-in recording option.' },
        ],
      ],
    },
    {
      rule: 'Voice message over 2 minutes: "Your message cannot exceed 2 minutes. The message you selected is {n} seconds long."',
      message: 'Your message cannot exceed 2 minutes. The message you selected is {n} seconds long.',
      cases: [
        [{ Audio: { AudioID: 1, Length: 120 } }, {}],
        [
          { Audio: { AudioID: 1, Length: 121 } },
          { Audio: 'Your message cannot exceed 2 minutes. The message you selected is 121 seconds long.' },
        ],
      ],
    },
  ],
});
