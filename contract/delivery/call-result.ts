import type { DeliveryKind } from './text-status.ts';

export interface CallResult {
  /** The specification's words. */
  label: string;
  tooltip: string;
  kind: DeliveryKind;
  /** True if another attempt is made while retries are left. */
  mayRetry: boolean;
}

/** The result of calling one number; the last attempt counts. */
export const callResults = {
  not_yet_called: {
    label: 'Not Yet Called',
    tooltip: 'This number is in the queue and hasn’t been called yet.',
    kind: 'waiting',
    mayRetry: false,
  },
  live_answer: {
    label: 'Live Answer',
    tooltip: 'A person answered and your message was played.',
    kind: 'good',
    mayRetry: false,
  },
  voicemail: {
    label: 'Voicemail',
    tooltip: 'Voicemail or an answering machine answered, and we left your message.',
    kind: 'good',
    mayRetry: false,
  },
  no_answer: {
    label: 'No Answer',
    tooltip: 'Nobody answered. If you chose retries, we call again after a few minutes.',
    kind: 'bad',
    mayRetry: true,
  },
  busy: {
    label: 'Busy',
    tooltip: 'The line was busy. If you chose retries, we call again after a few minutes.',
    kind: 'bad',
    mayRetry: true,
  },
  canceled: {
    label: 'Canceled',
    tooltip: 'The broadcast was canceled before anybody answered. You weren’t charged.',
    kind: 'bad',
    mayRetry: false,
  },
  do_not_call: {
    label: 'Do Not Call',
    tooltip: 'This person asked not to be called, so we didn’t call.',
    kind: 'bad',
    mayRetry: false,
  },
  call_failed: {
    label: 'Call Failed',
    tooltip: 'The call could not be connected. If you chose retries, we call again after a few minutes.',
    kind: 'bad',
    mayRetry: true,
  },
  expired: {
    label: 'Expired',
    tooltip:
      'The calling window closed before we called this number, and calling didn’t continue the next day.',
    kind: 'bad',
    mayRetry: false,
  },
  invalid: {
    label: 'Invalid',
    tooltip: 'This number is not in service. Check it in your contacts.',
    kind: 'bad',
    mayRetry: false,
  },
  message_rejected: {
    label: 'Message Rejected',
    tooltip: 'The carrier rejected this call, usually because of your caller ID or a block on this number.',
    kind: 'bad',
    mayRetry: false,
  },
} as const satisfies Record<string, CallResult>;

export type CallResultCode = keyof typeof callResults;

export const callResultCodes = Object.keys(callResults) as readonly CallResultCode[];

export function isCallResultCode(code: string): code is CallResultCode {
  return Object.hasOwn(callResults, code);
}
