/** The meaning of a state at a glance; the interface picks color and icon by it. */
export type DeliveryKind = 'waiting' | 'with-carrier' | 'good' | 'bad' | 'unknown';

export interface DeliveryStatus {
  /** The specification's words. */
  label: string;
  /** One or two sentences for somebody who has never heard of carriers: what happened, what to do. */
  tooltip: string;
  kind: DeliveryKind;
  /** Statuses only move forward: a receipt with a lower rank, or the same, changes nothing. */
  rank: number;
}

const WAITING = 0;
const SENT = 2;
const ENDED = 3;
const DELIVERED = 4;
const READ = 5;

/**
 * Waiting (0) goes to Sent To Carrier (2), then to a failure or Unknown (3), Delivered (4) or Read (5). A failure
 * may still become Delivered, because carriers correct themselves in that direction; never the other way round.
 */
export const textStatuses = {
  waiting: {
    label: 'Waiting',
    tooltip: 'This text is in the queue and hasn’t been sent to the carrier yet.',
    kind: 'waiting',
    rank: WAITING,
  },
  sent: {
    label: 'Sent To Carrier',
    tooltip:
      'The carrier accepted this text. We’ll update this as soon as they report whether it was delivered.',
    kind: 'with-carrier',
    rank: SENT,
  },
  delivered: {
    label: 'Delivered',
    tooltip: 'The carrier reported that this text was delivered.',
    kind: 'good',
    rank: DELIVERED,
  },
  read: {
    label: 'Read',
    tooltip: 'The phone reported that this text was read.',
    kind: 'good',
    rank: READ,
  },
  carrier_limit_exceeded: {
    label: 'Carrier Limit Exceeded',
    tooltip:
      'Your text number sent more texts than the carrier allows per day or per minute. Try again later, or send the broadcast more slowly.',
    kind: 'bad',
    rank: ENDED,
  },
  carrier_rejected: {
    label: 'Carrier Rejected Message',
    tooltip:
      'The recipient’s carrier rejected this text, usually because the text number isn’t registered for this kind of message.',
    kind: 'bad',
    rank: ENDED,
  },
  handset_rejected: {
    label: 'Rejected by handset',
    tooltip: 'The phone rejected this text. Its storage may be full, or it may block your number.',
    kind: 'bad',
    rank: ENDED,
  },
  spam_rejected: {
    label: 'Rejected for possible SPAM',
    tooltip:
      'The carrier’s filter treated this text as spam. Say who you are, write as you would to one person, and use full web addresses.',
    kind: 'bad',
    rank: ENDED,
  },
  disallowed_url: {
    label: 'Disallowed URL',
    tooltip:
      'This text contains a web address that carriers block. Use your full address instead of a shortened one.',
    kind: 'bad',
    rank: ENDED,
  },
  number_unavailable: {
    label: 'Text Number Unavailable',
    tooltip:
      'This number can’t receive texts because it’s out of service or a landline. Check it in your contacts.',
    kind: 'bad',
    rank: ENDED,
  },
  unsupported_media: {
    label: 'Unsupported Media',
    tooltip:
      'This phone or its carrier doesn’t support the picture you sent. Send a smaller .jpg or .png, or just text.',
    kind: 'bad',
    rank: ENDED,
  },
  phone_unreachable: {
    label: 'Phone Unreachable',
    tooltip: 'The phone is turned off or out of range.',
    kind: 'bad',
    rank: ENDED,
  },
  opted_out: {
    label: 'Opted Out',
    tooltip:
      'This person asked not to get texts from you. They can text START to your number to get them again.',
    kind: 'bad',
    rank: ENDED,
  },
  blacklisted: {
    label: 'Blacklisted',
    tooltip: 'The carrier blocks texts to this number. Contact this person another way.',
    kind: 'bad',
    rank: ENDED,
  },
  attempts_exceeded: {
    label: 'Attempts Exceeded',
    tooltip:
      'We tried several times, but the carrier never accepted this text. We won’t try again automatically.',
    kind: 'bad',
    rank: ENDED,
  },
  not_delivered: {
    label: 'Not Delivered',
    tooltip: 'The carrier couldn’t deliver this text and didn’t say why.',
    kind: 'bad',
    rank: ENDED,
  },
  unknown: {
    label: 'Unknown',
    tooltip:
      'The carrier never reported whether this text was delivered. It may have arrived, so we won’t send it again automatically.',
    kind: 'unknown',
    rank: ENDED,
  },
  canceled: {
    label: 'Canceled',
    tooltip: 'This text was canceled before it was sent. You weren’t charged.',
    kind: 'bad',
    rank: ENDED,
  },
} as const satisfies Record<string, DeliveryStatus>;

export type TextStatusCode = keyof typeof textStatuses;

export const textStatusCodes = Object.keys(textStatuses) as readonly TextStatusCode[];

export function isTextStatusCode(code: string): code is TextStatusCode {
  return Object.hasOwn(textStatuses, code);
}

/** True if a message may go from one status to another: only forward. */
export function movesForward(from: TextStatusCode, to: TextStatusCode): boolean {
  return textStatuses[to].rank > textStatuses[from].rank;
}
