import type { TextStatusCode } from '../../contract/delivery/text-status.ts';

type Codes = readonly (number | readonly [first: number, last: number])[];

function table(rows: readonly (readonly [TextStatusCode, Codes])[]): ReadonlyMap<number, TextStatusCode> {
  const statuses = new Map<number, TextStatusCode>();
  for (const [status, codes] of rows) {
    for (const code of codes) {
      const [first, last] = typeof code === 'number' ? [code, code] : code;
      for (let each = first; each <= last; each++) statuses.set(each, status);
    }
  }
  return statuses;
}

/** Twilio's codes, in responses and receipts alike. It has none for a link or a handset's refusal. */
const twilioErrors = table([
  ['carrier_limit_exceeded', [30022, 30023, 30027, 30017, 30001, 21611, 30454, 14107, 63017, 63018, 63038]],
  [
    'carrier_rejected',
    [
      30018,
      30024,
      [30032, 30035],
      30037,
      [30040, 30042],
      30002,
      30450,
      30453,
      30485,
      30610, // outside the permitted hours: not an opt-out
      21606,
      21703,
    ],
  ],
  ['spam_rejected', [30007, 21618, 63026]],
  ['number_unavailable', [30005, 30006, 21211, 21612, 21614, 21635, 21408]],
  ['unsupported_media', [30011, 30019, 11751, 12300, 21620, 21623, 63019, 63021]],
  ['phone_unreachable', [30003]],
  ['opted_out', [21610, 63033, 63014]],
  ['blacklisted', [30004]],
  ['attempts_exceeded', [30036]],
  ['not_delivered', [30008, 30410, 30500]],
]);

const infobipErrors = table([
  ['carrier_limit_exceeded', [541, 542, 4202, 609, 51, 630, 4103, 4104]],
  ['carrier_rejected', [632, 571, 572, [562, 564], 368, 375, 488, 592, 2053, 15010, 15020, 15021, 608]],
  ['handset_rejected', [32, [256, 262], 21, 12, 7, 31, 628, 15007]],
  ['spam_rejected', [607, 561, 2051, 15013]],
  ['number_unavailable', [1, 5, 11, 345, 351, 352, 568, 569, 629, 3041, 15003, 15009, [15016, 15018], 15201]],
  ['unsupported_media', [15012, 15019, 15022, [15024, 15026], 15200]],
  ['phone_unreachable', [6, 27, 2, 8, 13, 33, 502, 1031, [1152, 1159], 15004]],
  ['opted_out', [603, 573, 15015]],
  ['blacklisted', [604, 2049, 2050, 2052, 560, 566, 9, 15011]],
  ['attempts_exceeded', [811, 4098, 4101, 15006]],
  ['not_delivered', [810, 815, 4097]],
  ['unknown', [255, 633]],
]);

const infobipStatuses = table([
  ['delivered', [5]],
  ['sent', [2, 3, 7, 26]],
  ['carrier_limit_exceeded', [20]],
  ['carrier_rejected', [4, 6, 11, 12, 13, 17, 19, 24, 25, 77, 87, 100]],
  ['number_unavailable', [8, 51, 52, 18]],
  ['blacklisted', [14, 10]],
  ['attempts_exceeded', [15]],
  ['not_delivered', [9, 31, 21]],
  ['unknown', [29]],
]);

const infobipGroups: ReadonlyMap<string, TextStatusCode> = new Map<string, TextStatusCode>([
  ['ACCEPTED', 'sent'],
  ['PENDING', 'sent'],
  ['DELIVERED', 'delivered'],
  ['UNDELIVERABLE', 'not_delivered'],
  ['EXPIRED', 'attempts_exceeded'],
  ['REJECTED', 'not_delivered'],
]);

/** The status for "this message id was used before": a response to a repeat, never the result of a text. */
export const infobipDuplicate = 23;

/**
 * The error decides before the status, the status before the group. An unknown error means Not Delivered if
 * the group says that it failed. An error with a group that isn't a failure is only the reason of the last
 * try, and says nothing. Undefined: none of the three is known.
 */
export function infobipTextStatus(
  group: string,
  statusId: number,
  errorId: number,
): TextStatusCode | undefined {
  const byGroup = infobipGroups.get(group);
  if (byGroup === 'sent') return 'sent';
  if (errorId !== 0 && byGroup !== 'delivered') {
    const byError = infobipErrors.get(errorId);
    if (byError !== undefined) return byError;
    if (byGroup === 'not_delivered') return 'not_delivered';
  }
  return infobipStatuses.get(statusId) ?? byGroup;
}

/** The highest code of GSM's own (3GPP TS 29.002); Infobip's begin with them and continue with its own. */
const lastGsmError = 36;

/** The network's own result for a text, in a receipt of an SMPP carrier. */
export function gsmErrorStatus(code: number): TextStatusCode | undefined {
  return code <= lastGsmError ? infobipErrors.get(code) : undefined;
}

export function twilioErrorStatus(code: number): TextStatusCode {
  return twilioErrors.get(code) ?? 'not_delivered';
}

/**
 * Undefined for a status without new information: queued, accepted, scheduled, sending, or an unknown one.
 */
export function twilioTextStatus(messageStatus: string, errorCode: number): TextStatusCode | undefined {
  switch (messageStatus) {
    case 'sent':
    case 'delivered':
    case 'read':
      return messageStatus;
    case 'failed':
    case 'undelivered':
    case 'canceled':
    case 'partially_delivered':
      return twilioErrorStatus(errorCode);
    default:
      return undefined;
  }
}
