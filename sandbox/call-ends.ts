// Ends of calls: the network's refusals, machine detection's verdict, the result, and the words for all of it.
import type { AnsweredBy, Call, CallResult, CallStatus } from './call.ts';
import { beepSeconds, type Person } from './call-people.ts';
import type { Line } from './line.ts';

/** The network's refusals, given at once instead of ringing. */
export const refusals: Partial<Record<Person['picksUp'], [CallStatus, { sip: number; result: CallResult }]>> =
  {
    Busy: ['busy', { sip: 486, result: 'Busy' }],
    NotInService: ['failed', { sip: 404, result: 'NotInService' }],
    Blocked: ['failed', { sip: 603, result: 'Blocked' }],
    Broken: ['failed', { sip: 503, result: 'Failed' }],
  };
/** Machine detection: speech of this length is a machine's, and so much silence ends a greeting. */
const speechThresholdSeconds = 2.4;
const speechEndSeconds = 1.2;

/** Calls with the same key are one attempt: the number and the address, which holds the caller's own key. */
export function attemptKey(call: Call): string {
  const { infobip, url, twiml } = call.order;
  // The caller's own key is the channel's id.
  if (call.provider === 'asterisk') return `${call.to} ${call.sid}`;
  return `${call.to} ${infobip?.messageId ?? url ?? twiml ?? call.sid}`;
}

export function resultOf(call: Call): CallResult {
  if (call.pickedUpBy === 'Machine') return 'Voicemail';
  if (call.pickedUpBy === 'Fax') return 'Fax';
  if (call.pickedUpBy === 'Person') return 'Answered';
  return call.status === 'canceled' ? 'Canceled' : call.status === 'no-answer' ? 'NoAnswer' : 'Failed';
}

export function endWords(call: Call): string {
  switch (call.result) {
    case 'Busy':
      return 'Busy';
    case 'NoAnswer':
      return 'No answer';
    case 'NotInService':
      return 'Not in service';
    case 'Blocked':
      return 'Blocked';
    case 'Failed':
      return 'The call failed';
    case 'Canceled':
      return 'Canceled by the caller';
    case 'MailboxFull':
      return 'The mailbox is full';
    default:
      return 'Ended';
  }
}

export function verdictWords(answeredBy: AnsweredBy): string {
  if (answeredBy === 'human') return 'A person, not a machine';
  if (answeredBy === 'fax') return 'A fax';
  if (answeredBy === 'unknown') return 'Not known whether a person or a machine';
  return 'A machine, not a person';
}

/** Somebody who answers by hand just says hello; whoever is sent to voicemail has the usual greeting. */
export function greetingOf({ call, person }: Line): number {
  if (call.pickedUpBy === 'Machine') return person.picksUp === 'Machine' ? person.greetingSeconds : 7;
  return call.byHand ? 1 : person.greetingSeconds;
}

/** Machine detection's verdict about whoever picked up, and after how many seconds it comes. */
export function judge(line: Line, detects: 'Enable' | 'DetectMessageEnd'): [AnsweredBy, number] {
  const { pickedUpBy } = line.call;
  const greeting = greetingOf(line);
  if (pickedUpBy === 'Fax') return ['fax', 1.5];
  if (greeting < speechThresholdSeconds) return ['human', greeting + speechEndSeconds];
  if (detects === 'Enable') return ['machine_start', speechThresholdSeconds];
  if (pickedUpBy === 'Machine') return ['machine_end_beep', greeting + beepSeconds];
  return ['machine_end_silence', greeting + speechEndSeconds];
}
