import { ruleTable } from '../testing/rule-table.ts';
import type { CallResultCode } from './call-result.ts';
import type { DeliveryKind, TextStatusCode } from './text-status.ts';

export const textLabels = ruleTable<TextStatusCode, { label: string; kind: DeliveryKind; rank: number }>({
  about: 'Text delivery statuses',
  file: 'contract/delivery/text-status.ts',
  rows: [
    {
      rule: 'Delivered, Read, Sent To Carrier',
      cases: [
        ['delivered', { label: 'Delivered', kind: 'good', rank: 4 }],
        ['read', { label: 'Read', kind: 'good', rank: 5 }],
        ['sent', { label: 'Sent To Carrier', kind: 'with-carrier', rank: 2 }],
      ],
    },
    {
      rule: 'Carrier Limit Exceeded, Carrier Rejected Message, Rejected by handset, Rejected for possible SPAM, Disallowed URL, Text Number Unavailable, Unsupported Media, Phone Unreachable, Opted Out, Blacklisted, Attempts Exceeded, Not Delivered',
      cases: [
        ['carrier_limit_exceeded', { label: 'Carrier Limit Exceeded', kind: 'bad', rank: 3 }],
        ['carrier_rejected', { label: 'Carrier Rejected Message', kind: 'bad', rank: 3 }],
        ['handset_rejected', { label: 'Rejected by handset', kind: 'bad', rank: 3 }],
        ['spam_rejected', { label: 'Rejected for possible SPAM', kind: 'bad', rank: 3 }],
        ['disallowed_url', { label: 'Disallowed URL', kind: 'bad', rank: 3 }],
        ['number_unavailable', { label: 'Text Number Unavailable', kind: 'bad', rank: 3 }],
        ['unsupported_media', { label: 'Unsupported Media', kind: 'bad', rank: 3 }],
        ['phone_unreachable', { label: 'Phone Unreachable', kind: 'bad', rank: 3 }],
        ['opted_out', { label: 'Opted Out', kind: 'bad', rank: 3 }],
        ['blacklisted', { label: 'Blacklisted', kind: 'bad', rank: 3 }],
        ['attempts_exceeded', { label: 'Attempts Exceeded', kind: 'bad', rank: 3 }],
        ['not_delivered', { label: 'Not Delivered', kind: 'bad', rank: 3 }],
      ],
    },
    { rule: 'Unknown', cases: [['unknown', { label: 'Unknown', kind: 'unknown', rank: 3 }]] },
    {
      rule: 'Ours: before the carrier has it, and when it never gets it',
      cases: [
        ['waiting', { label: 'Waiting', kind: 'waiting', rank: 0 }],
        ['canceled', { label: 'Canceled', kind: 'bad', rank: 3 }],
      ],
    },
  ],
});

export const textMoves = ruleTable<readonly [TextStatusCode, TextStatusCode], boolean>({
  about: 'Text delivery statuses only move forward',
  file: 'contract/delivery/text-status.ts',
  rows: [
    {
      rule: 'Ours: statuses only move forward',
      cases: [
        [['waiting', 'sent'], true],
        [['sent', 'delivered'], true],
        [['sent', 'unknown'], true],
        [['unknown', 'delivered'], true],
        [['not_delivered', 'delivered'], true],
        [['delivered', 'read'], true],
        [['delivered', 'sent'], false],
        [['delivered', 'not_delivered'], false],
        [['read', 'delivered'], false],
        [['opted_out', 'unknown'], false],
        [['sent', 'sent'], false],
      ],
    },
  ],
});

export const callLabels = ruleTable<CallResultCode, { label: string; kind: DeliveryKind; mayRetry: boolean }>(
  {
    about: 'Call results',
    file: 'contract/delivery/call-result.ts',
    rows: [
      {
        rule: 'Voicemail, Live Answer, No Answer, Busy, Canceled, Do Not Call, Call Failed, Not Yet Called, Expired, Invalid, Message Rejected',
        cases: [
          ['voicemail', { label: 'Voicemail', kind: 'good', mayRetry: false }],
          ['live_answer', { label: 'Live Answer', kind: 'good', mayRetry: false }],
          ['no_answer', { label: 'No Answer', kind: 'bad', mayRetry: true }],
          ['busy', { label: 'Busy', kind: 'bad', mayRetry: true }],
          ['canceled', { label: 'Canceled', kind: 'bad', mayRetry: false }],
          ['do_not_call', { label: 'Do Not Call', kind: 'bad', mayRetry: false }],
          ['call_failed', { label: 'Call Failed', kind: 'bad', mayRetry: true }],
          ['not_yet_called', { label: 'Not Yet Called', kind: 'waiting', mayRetry: false }],
          ['expired', { label: 'Expired', kind: 'bad', mayRetry: false }],
          ['invalid', { label: 'Invalid', kind: 'bad', mayRetry: false }],
          ['message_rejected', { label: 'Message Rejected', kind: 'bad', mayRetry: false }],
        ],
      },
    ],
  },
);

export const failureWarnings = ruleTable<{ failed: number; total: number }, boolean>({
  about: 'Failure warning',
  file: 'contract/delivery/failure-warning.ts',
  rows: [
    {
      rule: 'A failure warning shows when at least 75 percent of texts failed',
      cases: [
        [{ failed: 75, total: 100 }, true],
        [{ failed: 74, total: 100 }, false],
        [{ failed: 3, total: 4 }, true],
        [{ failed: 2, total: 3 }, false],
        [{ failed: 0, total: 0 }, false],
      ],
    },
  ],
});
