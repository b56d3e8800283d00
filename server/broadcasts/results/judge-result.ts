import type { RecipientTimeline } from '../../../contract/broadcast-results.ts';
import {
  isTextStatusCode,
  type TextStatusCode,
  textStatuses,
} from '../../../contract/delivery/text-status.ts';
import type { RecipientProblem } from '../../../contract/draft-recipients.ts';
import {
  recipientProblemLabels,
  recipientProblemMessages,
} from '../../../contract/states/recipient-problem.ts';
import type { SentStatus } from '../rules.ts';

/** Everything that is known about one recipient of a broadcast. */
export interface Recipient {
  /** The person's usual name: their name, otherwise their phone. */
  name: string;
  typedPhone: string;
  problem: RecipientProblem | null;
  /** For a duplicate: who gets it instead. */
  duplicateOf: string;
  addedAt: Date | null;
  source: string;
  broadcast: {
    status: SentStatus;
    heldReason: string;
    confirmedAt: Date | null;
    startAt: Date | null;
    endedAt: Date | null;
  };
  /** Time when quiet hours end at the phone's location; null when they hold nothing. */
  opensAt: Date | null;
  credits: number;
  /** Null until it became a text. */
  text: {
    status: TextStatusCode;
    createdAt: Date;
    statusAt: Date | null;
    /** Time when the carrier accepted it; null when none did. */
    handedAt: Date | null;
    carrierError: string;
    isInDoubt: boolean;
  } | null;
  repliedAt: Date | null;
  answer: 'Yes' | 'No' | null;
  /** Time when the phone opted out; null when it hasn't. */
  optedOutAt: Date | null;
}

/** Formats a time for the reader: "Nov 16, 5:00 PM". */
export type Say = (at: Date) => string;

/** In one or two sentences: whether they got it, and if not why not. */
export function verdictOf(recipient: Recipient, say: Say): string {
  if (recipient.problem !== null) return leftOut(recipient, recipient.problem);
  const { text } = recipient;
  const said = text === null ? inLine(recipient, say) : ofText(recipient, text);
  return [said, ...afterwards(recipient, text)].join(' ');
}

function leftOut({ name, typedPhone, duplicateOf }: Recipient, problem: RecipientProblem): string {
  if (problem === 'invalid') return `Left out: “${typedPhone}” is not a phone number that can be texted.`;
  if (problem === 'duplicate' && duplicateOf !== '') {
    return `${name} was left out: ${duplicateOf} has the same phone. ${recipientProblemMessages.duplicate}`;
  }
  return `${name} was left out. ${recipientProblemMessages[problem]}`;
}

/** No text has been created for it yet, or ever will be. */
function inLine({ name, broadcast, opensAt, optedOutAt }: Recipient, say: Say): string {
  const { status, startAt, heldReason } = broadcast;
  if (status === 'canceled') {
    return `${name} got nothing: the broadcast was canceled before their turn. Nothing was charged for it.`;
  }
  if (status === 'completed' || status === 'sent')
    return `${name} got nothing: the broadcast ended before their turn.`;
  if (optedOutAt !== null)
    return `${name} will get nothing: they have opted out since the broadcast was sent.`;
  if (status === 'paused') return `${name} is in line. The broadcast is paused until somebody resumes it.`;
  if (status === 'scheduled' && startAt !== null) {
    return `${name} is in line. The broadcast starts ${say(startAt)}.`;
  }
  if (opensAt !== null) {
    return `${name} is in line. Quiet hours hold this text until ${say(opensAt)}.`;
  }
  if (heldReason !== '') return `${name} is in line. The broadcast is held: ${heldReason}.`;
  return `${name} is in line. The broadcast has not come to them yet.`;
}

type Text = NonNullable<Recipient['text']>;

function ofText({ name, broadcast }: Recipient, { status, handedAt, isInDoubt }: Text): string {
  const { label, tooltip } = textStatuses[status];
  switch (status) {
    case 'waiting':
      if (isInDoubt) {
        return `We don’t know yet whether ${name} got it: the carrier didn’t answer when we sent it. We are asking again.`;
      }
      if (broadcast.status === 'paused') return `The text to ${name} waits: the broadcast is paused.`;
      return `The text to ${name} is about to be handed to the carrier.`;
    case 'sent':
      return `The text to ${name} is with the carrier, which hasn’t said yet whether it arrived.`;
    case 'delivered':
      return `${name} got it.`;
    case 'read':
      return `${name} got it and opened it.`;
    case 'opted_out':
      return handedAt === null
        ? `${name} got nothing: they had opted out before their turn came. Nothing was charged for it.`
        : `${name} got nothing: the carrier says that they have opted out.`;
    case 'canceled':
      return `${name} got nothing: the text was canceled before it was sent. Nothing was charged for it.`;
    case 'unknown':
      return `Nobody can say whether ${name} got it. ${tooltip}`;
    default:
      return `${name} did not get it: ${label}. ${tooltip}`;
  }
}

const arrived: readonly TextStatusCode[] = ['sent', 'delivered', 'read'];

/** Their actions afterwards. */
function afterwards({ repliedAt, answer, optedOutAt }: Recipient, text: Recipient['text']): string[] {
  const said: string[] = [];
  if (repliedAt !== null) {
    const despite = text !== null && !arrived.includes(text.status) ? ' all the same' : '';
    said.push(answer === null ? `They replied${despite}.` : `They answered ${answer}${despite}.`);
  }
  if (optedOutAt !== null && text?.handedAt && optedOutAt > text.handedAt) {
    said.push('They have opted out since.');
  }
  return said;
}

export type TimelineEvent = RecipientTimeline['Events'][number];

/** All events so far, except their texts and their consent. */
export function eventsOf(recipient: Recipient): TimelineEvent[] {
  const { addedAt, source, problem, broadcast, text } = recipient;
  const added = event('added', addedAt, 'Added', source);
  if (problem !== null) {
    const note = recipientProblemMessages[problem];
    return [added, event('left out', broadcast.confirmedAt, recipientProblemLabels[problem], note)];
  }
  const reserved = creditEvent(broadcast.confirmedAt, recipient.credits, 'reserved');
  if (text === null) return [added, ...reserved, ...waitEvents(recipient)];
  return [added, ...reserved, ...textEvents(recipient, text)];
}

function waitEvents({ broadcast, opensAt, credits }: Recipient): TimelineEvent[] {
  const { status, heldReason, endedAt } = broadcast;
  if (status === 'canceled' || status === 'completed' || status === 'sent') {
    const [word, how] = status === 'canceled' ? ['Canceled', 'was canceled'] : ['Not sent', 'ended'];
    return [
      event('waiting', endedAt, word, `The broadcast ${how} before their turn.`),
      ...creditEvent(endedAt, credits, 'returned'),
    ];
  }
  // The hold that applies now says nothing about the time of its start.
  if (status === 'scheduled')
    return [event('waiting', null, 'Scheduled', 'The broadcast has not started yet.')];
  if (status === 'paused') return [event('held', null, 'Paused', 'Until somebody resumes the broadcast.')];
  if (opensAt !== null)
    return [event('held', null, 'Quiet hours', 'Held until it is day where this phone is.')];
  if (heldReason !== '') return [event('held', null, 'Held', heldReason)];
  return [event('waiting', null, 'In line', 'The broadcast has not come to them yet.')];
}

function textEvents({ credits }: Recipient, text: Text): TimelineEvent[] {
  const { status, createdAt, statusAt, handedAt, carrierError, isInDoubt } = text;
  const { label, tooltip } = textStatuses[status];
  const events = [event('waiting', createdAt, 'Text written', 'It came up for sending.')];
  if (isInDoubt)
    events.push(event('held', null, 'In doubt', 'The carrier is asked whether it has taken this text.'));
  if (handedAt !== null) {
    events.push(
      event('handed over', handedAt, 'Handed to the carrier', ''),
      ...creditEvent(handedAt, credits, 'paid'),
    );
  }
  if (status === 'waiting' || status === 'sent') return events;
  const note = carrierError === '' ? tooltip : `${tooltip} The carrier’s own code: ${carrierError}`;
  // The carrier's clock may be behind ours; still, it can't report on a text before it has it.
  const at = handedAt !== null && statusAt !== null && statusAt < handedAt ? handedAt : statusAt;
  events.push(event(status === 'opted_out' ? 'opt-out' : 'carrier', at, label, note));
  if (handedAt === null) events.push(...creditEvent(at, credits, 'returned'));
  return events;
}

function creditEvent(
  at: Date | null,
  credits: number,
  what: 'reserved' | 'paid' | 'returned',
): TimelineEvent[] {
  if (credits === 0) return [];
  return [event('credits', at, `${credits} ${credits === 1 ? 'credit' : 'credits'} ${what}`, '')];
}

export function event(
  Kind: TimelineEvent['Kind'],
  at: Date | null,
  Text: string,
  Note: string,
): TimelineEvent {
  return { Kind, At: at?.toISOString() ?? null, Text, Note };
}

/** The oldest first; the current state comes last. */
export function inOrder(events: TimelineEvent[]): TimelineEvent[] {
  return events.toSorted((a, b) => timeOf(a) - timeOf(b));
}

function timeOf({ At }: TimelineEvent): number {
  return At === null ? Number.POSITIVE_INFINITY : Date.parse(At);
}

/**
 * A status as stored in rows. Inbound texts have none, and none of them belongs to a broadcast's recipient.
 */
export function requireStatus(status: string): TextStatusCode {
  if (isTextStatusCode(status)) return status;
  throw new Error(`${status} is no state of a text that was sent`);
}
