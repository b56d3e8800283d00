import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { newOrganization, newPassword } from './forms/sign-in.ts';
import { sizedList } from './list.ts';

const noUserName = 'Enter a Username';
const noPassword = 'Enter a Password';

const signedIn = z.object({ UserID: z.number(), AccountID: z.number() });

export const login = call({
  method: 'POST',
  path: '/login',
  summary: 'Signs in and sets the session cookie.',
  allow: 'public',
  event: 'session.started',
  body: z.object({
    UserName: z.string({ error: noUserName }).trim().min(1, noUserName).max(200),
    Password: z.string({ error: noPassword }).min(1, noPassword).max(1000),
    KeepSignedIn: z.boolean().default(false),
  }),
  reply: signedIn.extend({
    /** The organization asks for a second factor and this user has none: nothing else is open until there is one. */
    MustSetUpSecondFactor: z.boolean(),
  }),
  errors: ['wrongSignIn', 'tooManyAttempts', 'passwordExpired', 'secondFactorNeeded', 'refused'],
});

export const replaceExpiredPassword = call({
  method: 'POST',
  path: '/login/expired',
  summary: 'Replaces an expired password and signs in.',
  allow: 'public',
  event: 'password.changed',
  body: z.object({
    UserName: z.string().trim().min(1, noUserName).max(200),
    Password: z.string().min(1, noPassword).max(1000),
    NewPassword: newPassword,
  }),
  reply: signedIn,
  errors: ['wrongSignIn', 'tooManyAttempts', 'secondFactorNeeded'],
});

export const logout = call({
  method: 'GET',
  path: '/logout',
  summary: 'Ends this browser’s session. Succeeds even if there is no session.',
  allow: 'public',
  reply: z.object({}),
});

export const getSetup = call({
  method: 'GET',
  path: '/setup',
  summary:
    'Says whether this installation still needs its first organization, and whether others can sign up.',
  allow: 'public',
  reply: z.object({ NeedsOrganization: z.boolean(), CanSignUp: z.boolean() }),
});

export const createOrganization = call({
  method: 'POST',
  path: '/setup',
  summary: 'Creates the first organization and its owner, and signs the owner in. Works only once.',
  allow: 'public',
  event: 'account.created',
  body: newOrganization,
  reply: signedIn,
  errors: ['conflict', 'tooManyAttempts'],
});

const signInSession = z.object({
  SessionID: z.number().int(),
  IsCurrent: z.boolean(),
  Device: z.string(),
  /** "Chrome on Windows". */
  Browser: z.string(),
  Address: z.string(),
  /** The network that the address belongs to, if it is known without a lookup elsewhere. */
  Place: z.string(),
  Method: z.enum(['password', 'totp', 'recovery', 'passkey', 'sso']),
  CreateTimestamp: moment,
  LastSeenTimestamp: moment,
});

export const listSessions = call({
  method: 'GET',
  path: '/user/sessions',
  summary: 'Lists the user’s sessions, newest first.',
  allow: 'editOwnProfile',
  reply: sizedList(signInSession),
});

export const revokeSession = call({
  method: 'DELETE',
  path: '/user/sessions/:SessionID',
  summary: 'Ends one of the user’s sessions.',
  allow: 'editOwnProfile',
  event: 'session.ended',
  params: z.object({ SessionID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});

export const revokeOtherSessions = call({
  method: 'DELETE',
  path: '/user/sessions',
  summary: 'Ends all of the user’s sessions except this one.',
  allow: 'editOwnProfile',
  event: 'session.ended',
  reply: z.object({ Ended: z.number().int() }),
});

export const getSocketKey = call({
  method: 'GET',
  path: '/websocket/key',
  summary: 'Returns a key for the real-time socket handshake. It’s valid for one minute.',
  allow: 'useMuster',
  reply: z.object({ Key: z.string() }),
});
