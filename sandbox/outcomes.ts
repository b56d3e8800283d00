// Possible ends of a message, in the words of the product and in the codes of each carrier. The order is the value
// that is stored: append, never reorder.

type InfobipStatus = { groupId: number; groupName: string; id: number; name: string; description: string };
type InfobipError = InfobipStatus & { permanent: boolean };

export type Outcome = {
  label: string;
  /** pending: more will follow; delivered, failed: the end; silent: the end, and nobody is told. */
  kind: 'pending' | 'delivered' | 'failed' | 'silent';
  infobip: { status: InfobipStatus; error: InfobipError };
  twilio: { status: string; errorCode: number | null };
};

const groups = {
  PENDING: 1,
  UNDELIVERABLE: 2,
  DELIVERED: 3,
  EXPIRED: 4,
  REJECTED: 5,
  OK: 0,
  HANDSET_ERRORS: 1,
  USER_ERRORS: 2,
  OPERATOR_ERRORS: 3,
} as const;

export function infobipStatus(
  groupName: 'PENDING' | 'UNDELIVERABLE' | 'DELIVERED' | 'EXPIRED' | 'REJECTED',
  id: number,
  name: string,
  description: string,
): InfobipStatus {
  return { groupId: groups[groupName], groupName, id, name, description };
}

function infobipError(
  groupName: 'HANDSET_ERRORS' | 'USER_ERRORS' | 'OPERATOR_ERRORS',
  id: number,
  { name, description, permanent }: { name: string; description: string; permanent: boolean },
): InfobipError {
  return { groupId: groups[groupName], groupName, id, name, description, permanent };
}

const noError: InfobipError = {
  groupId: 0,
  groupName: 'OK',
  id: 0,
  name: 'NO_ERROR',
  description: 'No Error',
  permanent: false,
};
const notDelivered = infobipStatus(
  'UNDELIVERABLE',
  9,
  'UNDELIVERABLE_NOT_DELIVERED',
  'Message not delivered',
);
const rejectedByOperator = infobipStatus(
  'UNDELIVERABLE',
  4,
  'UNDELIVERABLE_REJECTED_OPERATOR',
  'Message rejected by operator',
);

function failed(
  label: string,
  twilioCode: number,
  status: InfobipStatus,
  error: InfobipError = noError,
): Outcome {
  return {
    label,
    kind: 'failed',
    infobip: { status, error },
    twilio: { status: 'undelivered', errorCode: twilioCode },
  };
}

// Ids decide what a receiver makes of a report; names of ids above 600 follow the provider's EC_ pattern.
export const outcomes: readonly Outcome[] = [
  {
    label: 'Pending',
    kind: 'pending',
    infobip: {
      status: infobipStatus('PENDING', 26, 'PENDING_ACCEPTED', 'Message sent to next instance'),
      error: noError,
    },
    twilio: { status: 'queued', errorCode: null },
  },
  {
    label: 'With the carrier',
    kind: 'pending',
    infobip: {
      status: infobipStatus('PENDING', 7, 'PENDING_ENROUTE', 'Message sent to next instance'),
      error: noError,
    },
    twilio: { status: 'sent', errorCode: null },
  },
  {
    label: 'Delivered',
    kind: 'delivered',
    infobip: {
      status: infobipStatus('DELIVERED', 5, 'DELIVERED_TO_HANDSET', 'Message delivered to handset'),
      error: noError,
    },
    twilio: { status: 'delivered', errorCode: null },
  },
  {
    // Twilio's last word is `sent`; Infobip's is "delivered to operator", which it calls not final.
    label: 'Sent To Carrier',
    kind: 'silent',
    infobip: {
      status: infobipStatus('DELIVERED', 2, 'DELIVERED_TO_OPERATOR', 'Message delivered to operator'),
      error: noError,
    },
    twilio: { status: 'sent', errorCode: null },
  },
  {
    label: 'Unknown',
    kind: 'silent',
    infobip: {
      status: infobipStatus(
        'PENDING',
        3,
        'PENDING_WAITING_DELIVERY',
        'Message sent, waiting for delivery report',
      ),
      error: noError,
    },
    twilio: { status: 'queued', errorCode: null },
  },
  failed(
    'Carrier Limit Exceeded',
    30022,
    infobipStatus('REJECTED', 20, 'REJECTED_FLOODING_FILTER', 'Message flooding filter'),
    infobipError('USER_ERRORS', 4104, {
      name: 'EC_DESTINATION_TXT_FLOODING',
      description: 'Destination text flooding',
      permanent: false,
    }),
  ),
  failed('Carrier Rejected Message', 30034, rejectedByOperator),
  failed(
    'Rejected by handset',
    30008, // Twilio has no code of its own for a handset's refusal
    notDelivered,
    infobipError('HANDSET_ERRORS', 32, {
      name: 'EC_SM_DELIVERY_FAILURE',
      description: 'SM delivery failure',
      permanent: false,
    }),
  ),
  failed(
    'Rejected for possible SPAM',
    30007,
    rejectedByOperator,
    infobipError('OPERATOR_ERRORS', 607, {
      name: 'EC_SPAM_CONTENT',
      description: 'Message filtered as spam',
      permanent: true,
    }),
  ),
  failed(
    'Text Number Unavailable',
    30005,
    notDelivered,
    infobipError('HANDSET_ERRORS', 1, {
      name: 'EC_UNKNOWN_SUBSCRIBER',
      description: 'Unknown subscriber',
      permanent: true,
    }),
  ),
  failed(
    'Unsupported Media',
    30011,
    notDelivered,
    infobipError('USER_ERRORS', 15012, {
      name: 'EC_MMS_CONTENT_UNSUPPORTED',
      description: 'Content not supported',
      permanent: true,
    }),
  ),
  failed(
    'Phone Unreachable',
    30003,
    notDelivered,
    infobipError('HANDSET_ERRORS', 27, {
      name: 'EC_ABSENT_SUBSCRIBER',
      description: 'Absent subscriber',
      permanent: false,
    }),
  ),
  failed(
    'Opted Out',
    21610,
    rejectedByOperator,
    infobipError('USER_ERRORS', 603, {
      name: 'EC_RECIPIENT_OPTED_OUT',
      description: 'Recipient has opted out',
      permanent: true,
    }),
  ),
  failed(
    'Blacklisted',
    30004,
    infobipStatus('REJECTED', 14, 'REJECTED_DESTINATION_BLOCKLISTED', 'Destination blocklisted'),
  ),
  failed('Attempts Exceeded', 30036, infobipStatus('EXPIRED', 15, 'EXPIRED_EXPIRED', 'Message expired')),
  failed('Not Delivered', 30008, notDelivered),
  {
    // RCS only.
    label: 'Read',
    kind: 'delivered',
    infobip: {
      status: infobipStatus('DELIVERED', 5, 'DELIVERED_TO_HANDSET', 'Message delivered to handset'),
      error: noError,
    },
    twilio: { status: 'read', errorCode: null },
  },
];

export type OutcomeIndex = number;
export const pending: OutcomeIndex = 0;
export const withCarrier: OutcomeIndex = 1;
export const delivered: OutcomeIndex = 2;

export function getOutcome(index: OutcomeIndex): Outcome {
  const outcome = outcomes[index];
  if (!outcome) throw new Error(`There is no outcome ${index}`);
  return outcome;
}

export function outcomeIndex(label: string): OutcomeIndex {
  const index = outcomes.findIndex((outcome) => outcome.label === label);
  if (index < 0) throw new Error(`There is no outcome "${label}"`);
  return index;
}
