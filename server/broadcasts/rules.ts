import { Refusal } from '../../contract/errors.ts';
import { languageCode } from '../../contract/reference/languages.ts';
import { limits } from '../../contract/reference/limits.ts';
import {
  type BroadcastEvent,
  type BroadcastStatus,
  broadcastMachine,
} from '../../contract/states/broadcast-status.ts';
import { next } from '../../contract/states/machine.ts';
import { cutText } from '../../contract/text/cut-text.ts';

/** The states of a row that was sent. */
export type SentStatus =
  | 'needs_message'
  | 'scheduled'
  | 'broadcasting'
  | 'paused'
  | 'sent'
  | 'completed'
  | 'canceled';

/** The API's name of each. */
export const wireStatus = {
  needs_message: 'NeedsMessage',
  scheduled: 'Scheduled',
  broadcasting: 'Broadcasting',
  paused: 'Paused',
  sent: 'Sent',
  completed: 'Completed',
  canceled: 'Canceled',
} as const satisfies Record<SentStatus, BroadcastStatus>;

/** The action that a user wants when they request this status. */
const eventFor = {
  Paused: 'pause',
  Broadcasting: 'resume',
  Canceled: 'cancel',
} as const satisfies Partial<Record<BroadcastStatus, BroadcastEvent>>;
export type WantedStatus = keyof typeof eventFor;

const over: Partial<Record<SentStatus, string>> = {
  sent: 'All texts of this broadcast have been sent already.',
  completed: 'This broadcast has ended already.',
  canceled: 'This broadcast has been canceled already.',
};

/**
 * The state after pause, resume or cancel. Unchanged if it is already there: two users who press the same
 * button have one effect. A finished one can't be changed.
 */
export function statusAfter(status: SentStatus, wanted: WantedStatus): SentStatus {
  // A broadcast that waits for its start isn't paused.
  if (wireStatus[status] === wanted || (wanted === 'Broadcasting' && status === 'scheduled')) return status;
  const after = next(broadcastMachine, wireStatus[status], eventFor[wanted]);
  if (after === wireStatus[status]) throw new Refusal('conflict', over[status]);
  if (after === 'Broadcasting') return 'broadcasting';
  return after === 'Paused' ? 'paused' : 'canceled';
}

/** The name of an occurrence of a repeating broadcast ends with its day: "Lunch menu, Nov 16". */
export function occurrenceName(name: string, atMs: number, zone: string, languageId = 1): string {
  const locale = `${languageCode(languageId)}-US`;
  const day = new Intl.DateTimeFormat(locale, { timeZone: zone, month: 'short', day: 'numeric' }).format(
    atMs,
  );
  return withEnding(name, `, ${day}`);
}

/** The name is cut where both would be too long. */
export function withEnding(name: string, ending: string): string {
  const room = limits.broadcastName - ending.length;
  return (name.length <= room ? name : `${cutText(name, room - 1)}…`) + ending;
}
