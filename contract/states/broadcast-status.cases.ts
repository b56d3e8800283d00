import { ruleTable } from '../testing/rule-table.ts';
import type { BroadcastEvent, BroadcastLabel, BroadcastState, BroadcastStatus } from './broadcast-status.ts';

const broadcast = (
  BroadcastStatusCategory: BroadcastState['BroadcastStatusCategory'],
  BroadcastStatus: BroadcastStatus,
  StartDate: string | null = '2026-11-15T11:00:00Z',
): BroadcastState => ({ BroadcastStatusCategory, BroadcastStatus, StartDate });

export const broadcastLabelCases = ruleTable<BroadcastState, BroadcastLabel>({
  about: 'Broadcast status and its displayed label (now is 2026-11-15T12:00:00Z)',
  file: 'contract/states/broadcast-status.ts',
  rows: [
    {
      rule: 'Broadcasting shows Paused when paused',
      cases: [
        [broadcast('Broadcasting', 'Paused'), 'Paused'],
        [broadcast('Broadcasting', 'Broadcasting'), 'Broadcasting'],
      ],
    },
    {
      rule: 'Ours: Sent until every carrier has answered, then Completed',
      cases: [[broadcast('Broadcasting', 'Sent'), 'Sent']],
    },
    {
      rule: 'NeedsMessage shows Processing or Needs Message',
      cases: [
        [broadcast('NeedsMessage', 'Processing'), 'Processing'],
        [broadcast('NeedsMessage', 'NeedsMessage'), 'Needs Message'],
        [broadcast('NeedsMessage', 'PendingMessage'), 'Needs Message'],
      ],
    },
    {
      rule: 'Scheduled with authorization approved shows Broadcasting',
      cases: [
        [broadcast('Scheduled', 'AuthorizationApproved'), 'Broadcasting'],
        [broadcast('Scheduled', 'Scheduled'), 'Scheduled'],
      ],
    },
    {
      rule: 'Completed with canceled shows Canceled',
      cases: [
        [broadcast('Completed', 'Canceled'), 'Canceled'],
        [broadcast('Completed', 'Completed'), 'Completed'],
      ],
    },
    {
      rule: 'Processing with pending message shows Needs Message',
      cases: [
        [broadcast('Processing', 'PendingMessage'), 'Needs Message'],
        [broadcast('Processing', 'Processing'), 'Processing'],
      ],
    },
    {
      rule: 'A Broadcasting broadcast whose start date is more than 10 seconds ahead shows as Scheduled',
      cases: [
        [broadcast('Broadcasting', 'Broadcasting', '2026-11-15T12:00:11Z'), 'Scheduled'],
        [broadcast('Broadcasting', 'Broadcasting', '2026-11-15T12:00:10Z'), 'Broadcasting'],
        [broadcast('Broadcasting', 'Broadcasting', null), 'Broadcasting'],
        [broadcast('Broadcasting', 'Paused', '2026-11-15T12:00:11Z'), 'Paused'],
        [broadcast('Scheduled', 'AuthorizationApproved', '2026-11-16T12:00:00Z'), 'Scheduled'],
      ],
    },
  ],
});

export const awaitingCases = ruleTable<number, string>({
  about: 'A sent broadcast whose carriers owe answers',
  file: 'contract/states/broadcast-status.ts',
  rows: [
    {
      rule: 'Ours: "Sent, 195 awaiting delivery" until every carrier has answered',
      cases: [
        [0, 'Sent'],
        [1, 'Sent, 1 awaiting delivery'],
        [195, 'Sent, 195 awaiting delivery'],
        [1200, 'Sent, 1,200 awaiting delivery'],
      ],
    },
  ],
});

export const broadcastEventCases = ruleTable<
  [status: BroadcastStatus, event: BroadcastEvent],
  BroadcastStatus
>({
  about: 'Pause, resume, cancel',
  file: 'contract/states/broadcast-status.ts',
  rows: [
    {
      rule: 'Pause sets Paused, resume sets Broadcasting, cancel sets Canceled',
      cases: [
        [['Broadcasting', 'pause'], 'Paused'],
        [['Scheduled', 'pause'], 'Paused'],
        [['Paused', 'resume'], 'Broadcasting'],
        [['Paused', 'cancel'], 'Canceled'],
        [['Broadcasting', 'cancel'], 'Canceled'],
        [['Scheduled', 'cancel'], 'Canceled'],
        [['NeedsMessage', 'cancel'], 'Canceled'],
      ],
    },
    {
      rule: 'Ours: what is over stays over, and what is paused neither starts nor finishes',
      cases: [
        [['Completed', 'pause'], 'Completed'],
        [['Completed', 'cancel'], 'Completed'],
        [['Canceled', 'resume'], 'Canceled'],
        [['Paused', 'start'], 'Paused'],
        [['Paused', 'finish'], 'Paused'],
        [['Broadcasting', 'finish'], 'Completed'],
        [['Scheduled', 'start'], 'Broadcasting'],
      ],
    },
  ],
});

export const invoiceResendCases = ruleTable<string, string>({
  about: 'Invoice resend',
  file: 'contract/states/invoice-status.ts',
  rows: [
    {
      rule: 'Invoice resend status mapping: Paid gives SendPaymentReceived, Voided gives SendVoided, otherwise Resent',
      cases: [
        ['Paid', 'SendPaymentReceived'],
        ['Voided', 'SendVoided'],
        ['Unpaid', 'Resent'],
        ['Partially Paid', 'Resent'],
        ['Pending', 'Resent'],
      ],
    },
  ],
});
