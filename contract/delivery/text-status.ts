/** What a state tells people at a glance; the interface picks colour and sign by it. */
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
    tooltip: 'This text waits for its turn and has not been handed to the carrier yet.',
    kind: 'waiting',
    rank: WAITING,
  },
  sent: {
    label: 'Sent To Carrier',
    tooltip:
      'The carrier has taken this text. We will show here whether it reached the phone as soon as they tell us.',
    kind: 'with-carrier',
    rank: SENT,
  },
  delivered: {
    label: 'Delivered',
    tooltip: 'The carrier says that this text reached the phone.',
    kind: 'good',
    rank: DELIVERED,
  },
  read: {
    label: 'Read',
    tooltip: 'The phone says that this text was opened.',
    kind: 'good',
    rank: READ,
  },
  carrier_limit_exceeded: {
    label: 'Carrier Limit Exceeded',
    tooltip:
      'Your text number sent more than the carrier allows in a day or a minute. Send again later, or spread the broadcast over more time.',
    kind: 'bad',
    rank: ENDED,
  },
  carrier_rejected: {
    label: 'Carrier Rejected Message',
    tooltip:
      'The recipient’s carrier refused this text, most often because the text number isn’t registered for this kind of message.',
    kind: 'bad',
    rank: ENDED,
  },
  handset_rejected: {
    label: 'Rejected by handset',
    tooltip:
      'The text reached the phone, but the phone didn’t take it. It may be full, or block your number.',
    kind: 'bad',
    rank: ENDED,
  },
  spam_rejected: {
    label: 'Rejected for possible SPAM',
    tooltip:
      'The carrier’s filter took this text for spam. Say who you are, write as you would to one person, and use full web addresses.',
    kind: 'bad',
    rank: ENDED,
  },
  disallowed_url: {
    label: 'Disallowed URL',
    tooltip:
      'The text has a web address that carriers block. Use your own full address instead of a shortened one.',
    kind: 'bad',
    rank: ENDED,
  },
  number_unavailable: {
    label: 'Text Number Unavailable',
    tooltip:
      'This number can’t get texts: it isn’t in service, or it is a landline. Check it in your contacts.',
    kind: 'bad',
    rank: ENDED,
  },
  unsupported_media: {
    label: 'Unsupported Media',
    tooltip:
      'This phone or its carrier doesn’t take the picture you sent. Send a smaller .jpg or .png, or text only.',
    kind: 'bad',
    rank: ENDED,
  },
  phone_unreachable: {
    label: 'Phone Unreachable',
    tooltip: 'The phone is switched off or out of reach.',
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
    tooltip: 'The carrier doesn’t let texts through to this number. Reach this person in another way.',
    kind: 'bad',
    rank: ENDED,
  },
  attempts_exceeded: {
    label: 'Attempts Exceeded',
    tooltip: 'We tried several times and the carrier never took this text. It isn’t tried again by itself.',
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
      'The carrier never told us what became of this text. It may have arrived, so it isn’t sent again by itself.',
    kind: 'unknown',
    rank: ENDED,
  },
  canceled: {
    label: 'Canceled',
    tooltip: 'This text was canceled before it was sent. Nothing was charged for it.',
    kind: 'bad',
    rank: ENDED,
  },
} as const satisfies Record<string, DeliveryStatus>;

export type TextStatusCode = keyof typeof textStatuses;

export const textStatusCodes = Object.keys(textStatuses) as readonly TextStatusCode[];

export function isTextStatusCode(code: string): code is TextStatusCode {
  return Object.hasOwn(textStatuses, code);
}

/** Whether a message may go from one status to another: only forward. */
export function movesForward(from: TextStatusCode, to: TextStatusCode): boolean {
  return textStatuses[to].rank > textStatuses[from].rank;
}
