import type { ErrorBody } from './error-body.ts';
import { pageCodes } from './page-codes.ts';
import { mfaMessage } from './reference/error-codes.ts';

/** The specification's message for something that a person may not do. */
export const accessDenied =
  'You do not have access to this feature. If you believe this is a mistake, please contact us.';

interface ErrorKind {
  status: number;
  ErrorCode: number;
  ErrorType: ErrorBody['ErrorType'];
  Message: string;
}

/**
 * Every refusal the server knows, by name. Codes 4000-4003 are product-level errors (status 500, the
 * Message is shown); 4100 is not enough credits; the rest carry their HTTP status as code.
 */
export const errorKinds = {
  invalid: { status: 400, ErrorCode: 400, ErrorType: 'Display', Message: 'Please check the marked fields.' },
  signInRequired: { status: 401, ErrorCode: 401, ErrorType: 'Informational', Message: 'Please sign in.' },
  wrongSignIn: {
    status: 400,
    ErrorCode: 1001,
    ErrorType: 'Display',
    Message: 'That username and password don’t match. Check both and try again.',
  },
  tooManyAttempts: {
    status: 429,
    ErrorCode: pageCodes.tooManyAttempts,
    ErrorType: 'Display',
    Message: 'Too many attempts. Wait a moment before you try again.',
  },
  passwordExpired: {
    status: 403,
    ErrorCode: pageCodes.passwordExpired,
    ErrorType: 'Informational',
    Message: 'Your password has expired. Choose a new one.',
  },
  secondFactorNeeded: {
    status: 403,
    ErrorCode: pageCodes.secondFactorNeeded,
    ErrorType: 'Informational',
    Message: 'Enter the code from your authenticator app, or use your passkey.',
  },
  confirmationNeeded: {
    status: 403,
    ErrorCode: pageCodes.confirmationNeeded,
    ErrorType: 'Informational',
    Message: 'Confirm that it’s you to continue.',
  },
  secondFactorRequired: {
    status: 403,
    ErrorCode: pageCodes.secondFactorRequired,
    ErrorType: 'Informational',
    Message: 'Your organization asks everybody for a second step at sign-in. Set one up to continue.',
  },
  wrongCode: {
    status: 400,
    ErrorCode: 1016,
    ErrorType: 'Display',
    Message: 'That code isn’t right. Enter the newest code that your app shows.',
  },
  forbidden: {
    status: 403,
    ErrorCode: 403,
    ErrorType: 'Display',
    Message: accessDenied,
  },
  crossSite: {
    status: 403,
    ErrorCode: 1005,
    ErrorType: 'Display',
    Message: 'This request didn’t come from Muster’s own pages, so it was blocked.',
  },
  wrongHost: {
    status: 421,
    ErrorCode: 421,
    ErrorType: 'Display',
    Message: 'Muster isn’t available at this address. Use the address you were given.',
  },
  notFound: { status: 404, ErrorCode: 404, ErrorType: 'Display', Message: 'This item no longer exists.' },
  linkExpired: {
    status: 410,
    ErrorCode: 410,
    ErrorType: 'Display',
    Message: 'This link has expired. Open the page it came from, or repeat the API call, to get a new one.',
  },
  conflict: {
    status: 409,
    ErrorCode: pageCodes.conflict,
    ErrorType: 'Display',
    Message: 'Someone else changed this in the meantime.',
  },
  keyReused: {
    status: 409,
    ErrorCode: 1011,
    ErrorType: 'Display',
    Message: 'This Idempotency-Key was used before with a different request.',
  },
  /** With an API key: the specification's code, and the status that programs expect. */
  keyBodyDiffers: {
    status: 422,
    ErrorCode: 1017,
    ErrorType: 'Display',
    Message:
      'This Idempotency-Key was used before with a different request. Use a new key for a new request, and the same key only to repeat one.',
  },
  repeatRunning: {
    status: 409,
    ErrorCode: 1018,
    ErrorType: 'Display',
    Message:
      'A request with this Idempotency-Key is still running, or was cut off. Try again in a few seconds. If this goes on, check what the first request did before you use a new key.',
  },
  apiKeyMissing: {
    status: 401,
    ErrorCode: 1020,
    ErrorType: 'Display',
    Message:
      'Send an API key in the header “Authorization: Bearer mk_live_…”. Make one in Muster under Settings, Developers.',
  },
  apiKeyMistyped: {
    status: 401,
    ErrorCode: 1021,
    ErrorType: 'Display',
    Message: 'This API key isn’t complete. Copy all of it, from mk_live_ to the last character.',
  },
  apiKeyUnknown: {
    status: 401,
    ErrorCode: 1022,
    ErrorType: 'Display',
    Message:
      'This API key doesn’t work: it was revoked or has a new secret. Make a new one under Settings, Developers.',
  },
  apiKeyExpired: {
    status: 401,
    ErrorCode: 1023,
    ErrorType: 'Display',
    Message: 'This API key has expired. Change its end or make a new one under Settings, Developers.',
  },
  apiKeyElsewhere: {
    status: 403,
    ErrorCode: 1024,
    ErrorType: 'Display',
    Message:
      'This API key can’t be used from this address. Add the address to the key under Settings, Developers.',
  },
  scopeMissing: {
    status: 403,
    ErrorCode: 1025,
    ErrorType: 'Display',
    Message: 'This API key isn’t allowed to do this. Give it the scope it needs under Settings, Developers.',
  },
  apiSwitchedOff: {
    status: 403,
    ErrorCode: 1026,
    ErrorType: 'Display',
    Message: 'API access isn’t switched on for this organization. Please contact us.',
  },
  tooManyCalls: {
    status: 429,
    ErrorCode: 1027,
    ErrorType: 'Display',
    Message: 'This API key has made too many calls. Wait as many seconds as Retry-After says, then go on.',
  },
  tooLarge: { status: 413, ErrorCode: 413, ErrorType: 'Display', Message: 'This is too large to send.' },
  unsupportedMedia: { status: 415, ErrorCode: 415, ErrorType: 'Display', Message: 'Send JSON.' },
  refused: { status: 422, ErrorCode: 422, ErrorType: 'Display', Message: 'This can’t be done.' },
  mfaDoNotCall: { status: 422, ErrorCode: 1003, ErrorType: 'Display', Message: mfaMessage(1003) },
  mfaInvalid: { status: 422, ErrorCode: 1006, ErrorType: 'Display', Message: mfaMessage(1006) },
  mfaNotSupported: { status: 422, ErrorCode: 1007, ErrorType: 'Display', Message: mfaMessage(1007) },
  mfaBlocked: { status: 422, ErrorCode: 1008, ErrorType: 'Display', Message: mfaMessage(1008) },
  mfaNotTextable: { status: 422, ErrorCode: 1009, ErrorType: 'Display', Message: mfaMessage(1009) },
  mfaTooMany: { status: 429, ErrorCode: 1010, ErrorType: 'Display', Message: mfaMessage(1010) },
  mfaWrongCode: { status: 422, ErrorCode: 1012, ErrorType: 'Display', Message: mfaMessage(1012) },
  notEnoughCredits: {
    status: 402,
    ErrorCode: 4100,
    ErrorType: 'Display',
    Message: 'You don’t have enough credits to send this.',
  },
  groupSizeExceeded: {
    status: 402,
    ErrorCode: 4101,
    ErrorType: 'Display',
    Message: 'This would reach more people than your subscription allows in a billing period.',
  },
  /** The card, not the request: ExtendedData is { isCcError: true }, and the purchase dialog shows it. */
  cardRefused: {
    status: 402,
    ErrorCode: 4102,
    ErrorType: 'Display',
    Message: 'Your card was declined.',
  },
  /** ExtendedData is { SalesTaxError }, one of contract/reference/error-codes.ts. */
  salesTax: {
    status: 422,
    ErrorCode: 4103,
    ErrorType: 'Display',
    Message: 'Cannot calculate sales tax at this time.',
  },
  product: { status: 500, ErrorCode: 4000, ErrorType: 'Display', Message: 'Something went wrong.' },
  unknown: { status: 500, ErrorCode: 500, ErrorType: 'Unknown', Message: 'Unknown error' },
  unavailable: {
    status: 503,
    ErrorCode: 503,
    ErrorType: 'Informational',
    Message: 'Muster can’t reach its database right now. Please try again.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorName = keyof typeof errorKinds;

/** The error with which a call is refused. Verbs and rules throw it; one place turns it into a reply. */
export class Refusal extends Error {
  readonly kind: ErrorName;
  readonly fields: { Field: string; Message: string }[];
  readonly extendedData: unknown;

  constructor(
    kind: ErrorName,
    message?: string,
    more: { fields?: Refusal['fields']; extendedData?: unknown } = {},
  ) {
    super(message ?? errorKinds[kind].Message);
    this.name = 'Refusal';
    this.kind = kind;
    this.fields = more.fields ?? [];
    this.extendedData = more.extendedData;
  }

  get status(): number {
    return errorKinds[this.kind].status;
  }

  get body(): ErrorBody {
    const { ErrorCode, ErrorType } = errorKinds[this.kind];
    return {
      ErrorCode,
      ErrorType,
      Message: this.message,
      ...(this.fields.length > 0 ? { Errors: this.fields } : {}),
      ...(this.extendedData === undefined ? {} : { ExtendedData: this.extendedData }),
    };
  }
}

/** A refusal at one field, in the specification's words. */
export function refuseField(Field: string, Message: string): Refusal {
  return new Refusal('invalid', Message, { fields: [{ Field, Message }] });
}
