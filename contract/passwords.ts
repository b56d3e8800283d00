import { z } from 'zod';
import { call } from './call.ts';
import { newPassword } from './forms/sign-in.ts';

/** The token in the link of a mail. */
export const linkToken = z.string({ error: 'The link is not complete' }).trim().min(20).max(200);

export const forgotPassword = call({
  method: 'POST',
  path: '/password/forgot',
  summary:
    'Mails a link to choose a new password to whoever has this username or email. Answers the same if nobody does.',
  allow: 'public',
  event: 'password.resetAsked',
  body: z.object({
    UserName: z
      .string({ error: 'Enter a Username or Email' })
      .trim()
      .min(1, 'Enter a Username or Email')
      .max(200),
  }),
  reply: z.object({}),
  errors: ['tooManyAttempts'],
});

export const resetPassword = call({
  method: 'POST',
  path: '/password/reset',
  summary:
    'Sets a new password with the token of a mailed link, which works once, and ends all sessions of the user.',
  allow: 'public',
  event: 'password.changed',
  body: z.object({ Token: linkToken, NewPassword: newPassword }),
  reply: z.object({ UserName: z.string() }),
  errors: ['refused', 'tooManyAttempts'],
});

/** Validated by contract/forms/profile.ts: the password is the specification's PIN code. */
const passwordPart = z.string().max(1000).default('');

export const changePassword = call({
  method: 'POST',
  path: '/user/passwordchange',
  summary:
    'Changes the signed-in user’s password and ends their other sessions. The AuthToken goes to POST /passport/reset-session.',
  allow: 'editOwnProfile',
  event: 'password.changed',
  body: z.object({
    UserID: z.number().int().positive().optional(),
    ExistingPinCode: passwordPart,
    PinCode: passwordPart,
    ConfirmPinCode: passwordPart,
  }),
  reply: z.object({ AuthToken: z.string() }),
  errors: ['refused', 'tooManyAttempts'],
});

export const resetSession = call({
  method: 'POST',
  path: '/passport/reset-session',
  summary:
    'Gives this browser a new session in return for the AuthToken of a password change, and ends all others.',
  allow: 'public',
  event: 'session.started',
  body: z.object({ AuthToken: linkToken }),
  reply: z.object({ UserID: z.number(), AccountID: z.number() }),
  errors: ['refused'],
});
