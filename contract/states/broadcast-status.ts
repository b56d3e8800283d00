import { machine } from './machine.ts';

/**
 * A broadcast has a category, which lists group by, and within it a status. The label that people see comes
 * from both and from the clock; it never says Broadcasting before the start.
 */
export const broadcastStatusCategories = [
  'Scheduled',
  'NeedsMessage',
  'Processing',
  'Broadcasting',
  'Completed',
] as const;
export type BroadcastStatusCategory = (typeof broadcastStatusCategories)[number];

export const broadcastStatuses = [
  'Scheduled',
  'AuthorizationApproved',
  'PendingMessage',
  'NeedsMessage',
  'Processing',
  'Broadcasting',
  'Paused',
  // Ours: every text is with a carrier, and some carriers haven't reported a result yet.
  'Sent',
  'Completed',
  'Canceled',
] as const;
export type BroadcastStatus = (typeof broadcastStatuses)[number];

export type BroadcastLabel =
  | 'Scheduled'
  | 'Needs Message'
  | 'Processing'
  | 'Broadcasting'
  | 'Paused'
  | 'Sent'
  | 'Completed'
  | 'Canceled';

export interface BroadcastState {
  BroadcastStatusCategory: BroadcastStatusCategory;
  BroadcastStatus: BroadcastStatus;
  StartDate: string | null;
}

/**
 * Ours: "Sent, 195 awaiting delivery" until every carrier has answered or its validity period is over. Completed means
 * that nothing changes any more.
 */
export function awaitingWords(awaiting: number): string {
  return awaiting === 0 ? 'Sent' : `Sent, ${awaiting.toLocaleString('en-US')} awaiting delivery`;
}

/**
 * Broadcasting shows Paused when paused. NeedsMessage shows Processing or Needs Message. Scheduled with
 * authorization approved shows Broadcasting. Completed with canceled shows Canceled. Processing with pending
 * message shows Needs Message. A Broadcasting broadcast whose start date is more than 10 seconds ahead shows as
 * Scheduled.
 */
export function broadcastLabel(state: BroadcastState, nowMs: number): BroadcastLabel {
  const label = labelOf(state);
  return label === 'Broadcasting' && startsLater(state.StartDate, nowMs) ? 'Scheduled' : label;
}

function labelOf({
  BroadcastStatusCategory: category,
  BroadcastStatus: status,
}: BroadcastState): BroadcastLabel {
  switch (category) {
    case 'Broadcasting':
      return status === 'Paused' || status === 'Sent' ? status : 'Broadcasting';
    case 'NeedsMessage':
      return status === 'Processing' ? 'Processing' : 'Needs Message';
    case 'Scheduled':
      return status === 'AuthorizationApproved' ? 'Broadcasting' : 'Scheduled';
    case 'Completed':
      return status === 'Canceled' ? 'Canceled' : 'Completed';
    case 'Processing':
      return status === 'PendingMessage' ? 'Needs Message' : 'Processing';
  }
}

/** Scheduled status tolerance 10 s: a start that near is already under way. */
const scheduledToleranceMs = 10_000;

function startsLater(StartDate: string | null, nowMs: number): boolean {
  return StartDate !== null && Date.parse(StartDate) > nowMs + scheduledToleranceMs;
}

export type BroadcastEvent =
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'start'
  | 'prepared'
  | 'message given'
  | 'handed over'
  | 'finish';

/** Pause sets Paused, resume sets Broadcasting, cancel sets Canceled. A finished broadcast stays finished. */
export const broadcastMachine = machine<BroadcastStatus, BroadcastEvent>({
  initial: 'Processing',
  transitions: {
    Processing: { prepared: 'Scheduled', cancel: 'Canceled' },
    PendingMessage: { 'message given': 'Scheduled', cancel: 'Canceled' },
    NeedsMessage: { 'message given': 'Scheduled', cancel: 'Canceled' },
    Scheduled: { start: 'Broadcasting', pause: 'Paused', cancel: 'Canceled' },
    AuthorizationApproved: { start: 'Broadcasting', pause: 'Paused', cancel: 'Canceled' },
    Broadcasting: { pause: 'Paused', cancel: 'Canceled', 'handed over': 'Sent', finish: 'Completed' },
    Paused: { resume: 'Broadcasting', cancel: 'Canceled' },
    Sent: { finish: 'Completed' },
    Completed: {},
    Canceled: {},
  },
});

/** The category that a status belongs to. A paused broadcast that hasn't started is still under way. */
export function categoryOf(status: BroadcastStatus): BroadcastStatusCategory {
  switch (status) {
    case 'Scheduled':
    case 'AuthorizationApproved':
      return 'Scheduled';
    case 'PendingMessage':
    case 'Processing':
      return 'Processing';
    case 'NeedsMessage':
      return 'NeedsMessage';
    case 'Broadcasting':
    case 'Paused':
    case 'Sent':
      return 'Broadcasting';
    case 'Completed':
    case 'Canceled':
      return 'Completed';
  }
}
