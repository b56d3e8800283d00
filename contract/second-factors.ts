import { z } from 'zod';
import { call, id, moment } from './call.ts';

/** The factors that can follow the password: a code from an app, a recovery code, or a passkey. */
export type FactorMethod = 'totp' | 'recovery' | 'passkey';

const enterCode = 'Enter the code';
/** Digits of an app or letters of a recovery code, with or without the spaces and dashes between them. */
const code = z
  .string({ error: enterCode })
  .trim()
  .min(1, enterCode)
  .max(40, 'That code is too long')
  .transform((text) => text.replace(/[\s-]/g, '').toLowerCase());
const token = z.string().min(1).max(200);

/** The result of navigator.credentials, as @simplewebauthn/browser serializes it. The server checks it. */
const credential = z.looseObject({
  id: z.string().min(1).max(2000),
  rawId: z.string().min(1).max(2000),
  type: z.literal('public-key'),
  response: z.looseObject({}),
});
/** The options for navigator.credentials. */
const credentialOptions = z.looseObject({ challenge: z.string() });

/**
 * The details of a refused sign-in when a second factor is needed: the token for the next step, and the
 * factors that can be used.
 */
export interface FactorAsked {
  Token: string;
  Methods: FactorMethod[];
  /** For navigator.credentials.get, where a passkey can be used. */
  Passkey?: Record<string, unknown>;
}

export const finishSignIn = call({
  method: 'POST',
  path: '/login/secondfactor',
  summary: 'The second step of sign-in: takes a code or a passkey and sets the session cookie.',
  allow: 'public',
  event: 'session.started',
  body: z.object({ Token: token, Code: code.optional(), Passkey: credential.optional() }),
  reply: z.object({ UserID: z.number(), AccountID: z.number(), RecoveryCodesLeft: z.number().int() }),
  errors: ['wrongCode', 'tooManyAttempts', 'refused'],
});

const secondFactors = z.object({
  Totp: z.object({ CreateTimestamp: moment, LastUsedTimestamp: moment.nullable() }).nullable(),
  Passkeys: z.array(
    z.object({
      PasskeyID: z.number().int(),
      Name: z.string(),
      CreateTimestamp: moment,
      LastUsedTimestamp: moment.nullable(),
    }),
  ),
  RecoveryCodesLeft: z.number().int(),
  /** Passkeys belong to a host name: an installation that is reached by an IP address has none. */
  CanUsePasskeys: z.boolean(),
  /** True if the organization asks everybody for a second factor. */
  IsRequired: z.boolean(),
});

export const listSecondFactors = call({
  method: 'GET',
  path: '/user/secondfactors',
  summary: 'Lists the user’s second factors for sign-in.',
  allow: 'editOwnProfile',
  beforeSecondFactor: true,
  reply: secondFactors,
});

export const beginTotp = call({
  method: 'POST',
  path: '/user/secondfactors/totp',
  summary: 'Makes a secret for an authenticator app. It counts once a code of it was given.',
  allow: 'editOwnProfile',
  event: 'none',
  confirm: true,
  beforeSecondFactor: true,
  reply: z.object({ Token: z.string(), Secret: z.string(), Uri: z.string() }),
});

/** Given once, when the first factor is added; null where the user has them already. */
const recoveryCodes = z.array(z.string()).nullable();

export const activateTotp = call({
  method: 'POST',
  path: '/user/secondfactors/totp/activate',
  summary: 'Turns the authenticator app on with the first code that it shows.',
  allow: 'editOwnProfile',
  event: 'secondFactor.added',
  confirm: true,
  beforeSecondFactor: true,
  body: z.object({ Token: token, Code: code }),
  reply: z.object({ RecoveryCodes: recoveryCodes }),
  errors: ['wrongCode', 'tooManyAttempts', 'refused'],
});

export const removeTotp = call({
  method: 'DELETE',
  path: '/user/secondfactors/totp',
  summary: 'Turns the authenticator app off.',
  allow: 'editOwnProfile',
  event: 'secondFactor.removed',
  confirm: true,
  reply: z.object({}),
  errors: ['notFound', 'refused'],
});

export const beginPasskey = call({
  method: 'POST',
  path: '/user/secondfactors/passkeys/options',
  summary: 'Returns what the browser needs to make a passkey.',
  allow: 'editOwnProfile',
  event: 'none',
  confirm: true,
  beforeSecondFactor: true,
  reply: z.object({ Token: z.string(), Options: credentialOptions }),
  errors: ['refused'],
});

export const addPasskey = call({
  method: 'POST',
  path: '/user/secondfactors/passkeys',
  summary: 'Adds a passkey that the browser has made.',
  allow: 'editOwnProfile',
  event: 'secondFactor.added',
  confirm: true,
  beforeSecondFactor: true,
  body: z.object({
    Token: token,
    Name: z.string().trim().min(1, 'Enter a name').max(60, 'At most 60 characters'),
    Response: credential,
  }),
  reply: z.object({ PasskeyID: z.number().int(), RecoveryCodes: recoveryCodes }),
  errors: ['refused', 'conflict'],
});

export const removePasskey = call({
  method: 'DELETE',
  path: '/user/secondfactors/passkeys/:PasskeyID',
  summary: 'Removes a passkey.',
  allow: 'editOwnProfile',
  event: 'secondFactor.removed',
  confirm: true,
  params: z.object({ PasskeyID: id }),
  reply: z.object({}),
  errors: ['notFound', 'refused'],
});

export const createRecoveryCodes = call({
  method: 'POST',
  path: '/user/secondfactors/recoverycodes',
  summary: 'Makes ten new recovery codes. The old ones stop working.',
  allow: 'editOwnProfile',
  event: 'recoveryCodes.created',
  confirm: true,
  reply: z.object({ RecoveryCodes: z.array(z.string()) }),
  errors: ['refused'],
});

export const askConfirmation = call({
  method: 'POST',
  path: '/user/confirmation/options',
  summary: 'Says how the user can confirm that it’s them before a sensitive change.',
  allow: 'editOwnProfile',
  event: 'none',
  beforeSecondFactor: true,
  reply: z.object({
    Methods: z.array(z.enum(['password', 'totp', 'passkey'])),
    Token: z.string(),
    Passkey: credentialOptions.optional(),
  }),
});

export const confirmIdentity = call({
  method: 'POST',
  path: '/user/confirmation',
  summary: 'Confirms that it’s the user, by password, code or passkey. Good for ten minutes in this session.',
  allow: 'editOwnProfile',
  event: 'none',
  beforeSecondFactor: true,
  body: z.object({
    Password: z.string().min(1, 'Enter a Password').max(1000).optional(),
    Code: code.optional(),
    Token: token.optional(),
    Passkey: credential.optional(),
  }),
  reply: z.object({}),
  errors: ['wrongCode', 'tooManyAttempts', 'refused'],
});

export const getAccountSecurity = call({
  method: 'GET',
  path: '/account/security',
  summary: 'How the organization keeps strangers out.',
  allow: 'manageSecurity',
  reply: z.object({
    RequiresSecondFactor: z.boolean(),
    /** Active users, and those of them without a second factor. */
    Users: z.number().int(),
    UsersWithoutSecondFactor: z.number().int(),
  }),
});

export const updateAccountSecurity = call({
  method: 'PUT',
  path: '/account/security',
  summary: 'Asks everybody of the organization for a second factor, or no longer.',
  allow: 'manageSecurity',
  event: 'security.updated',
  confirm: true,
  body: z.object({ RequiresSecondFactor: z.boolean() }),
  reply: z.object({}),
});

export const resetSecondFactors = call({
  method: 'DELETE',
  path: '/account/users/:UserID/secondfactors',
  summary: 'Removes the second factors of a user who lost theirs, and signs the user out everywhere.',
  allow: 'manageUsers',
  event: 'secondFactor.reset',
  confirm: true,
  params: z.object({ UserID: id }),
  reply: z.object({}),
  errors: ['notFound', 'refused'],
});
