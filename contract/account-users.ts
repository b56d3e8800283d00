import { z } from 'zod';
import { refusingOthers, user, userSettings } from './accounts.ts';
import { call, flag, id, moment } from './call.ts';
import { newPassword } from './forms/sign-in.ts';
import { sizedList } from './list.ts';
import { pageSizes } from './reference/paging.ts';
import { selection } from './selection.ts';

/** The part of a user that all others may see: enough to assign conversations. */
const accountUser = z.object({
  UserID: z.number().int(),
  FirstName: z.string(),
  LastName: z.string(),
  UserName: z.string(),
  IsActive: z.boolean(),
  /** Ids of the text numbers that they may use. */
  TextNumbers: z.array(z.number().int()),
  PictureUrl: z.string().nullable(),
});
export type AccountUser = z.output<typeof accountUser>;

/** The whole user, for those who manage users. */
const member = user.omit({ UserHash: true, Denied: true }).extend({
  /** Ours: when they last did something; null for never. */
  LastSeenTimestamp: moment.nullable(),
  /** Ours: whether they have an authenticator app or a passkey, which a manager can reset. */
  HasSecondFactor: z.boolean(),
  /** Ours: an invitation that nobody has accepted yet. */
  Invitation: z
    .object({
      SentTimestamp: moment,
      ExpireTimestamp: moment,
      IsExpired: z.boolean(),
      /** The mail server’s reason for not delivering the mail. */
      Problem: z.string().nullable(),
    })
    .nullable(),
});
export type Member = z.output<typeof member>;

export const userSorts = ['name', '-name', 'lastseen', '-lastseen'] as const;
const roles = ['owner', 'admin', 'user'] as const;

/** Filters of the list. An invited person is neither enabled nor disabled yet. */
const userFilters = {
  q: z.string().trim().max(200).default(''),
  enabled: flag.optional(),
  invited: flag.optional(),
  role: z.enum(roles).optional(),
};
const userFilter = z.object(userFilters);
export type UserFilter = z.output<typeof userFilter>;

export const listAccountUsers = call({
  method: 'GET',
  path: '/account/users',
  summary:
    'Lists the organization’s users by name. page=all returns everyone, enabled=true only active users. Those who manage users get the whole user, others what they need to assign conversations.',
  allow: 'seeColleagues',
  query: z.object({
    page: z.union([z.literal('all'), z.coerce.number().int().min(1).max(1_000_000)]).default(1),
    pagesize: z.coerce.number().int().min(1).max(100).default(pageSizes.users),
    sortby: z.enum(userSorts).default('name'),
    ...userFilters,
  }),
  reply: sizedList(z.union([member, accountUser])),
});

export const getUsersSummary = call({
  method: 'GET',
  path: '/account/users/summary',
  summary: 'Counts the organization’s users.',
  allow: 'manageUsers',
  reply: z.object({
    All: z.number().int(),
    Enabled: z.number().int(),
    Disabled: z.number().int(),
    Invited: z.number().int(),
  }),
});

export const getAccountUser = call({
  method: 'GET',
  path: '/account/users/:UserID',
  summary: 'Returns one of the organization’s users.',
  allow: 'manageUsers',
  params: z.object({ UserID: id }),
  reply: member,
  errors: ['notFound'],
});

/**
 * Fields that only the dialog sets, in addition to those that people set themselves. Judged by
 * contract/forms/user-dialog.ts.
 */
const managed = {
  ...userSettings,
  PinCode: z.string().max(200).optional(),
  TextNumbers: z.array(z.int()).max(1000).optional(),
  IsMasterUser: z.boolean().optional(),
  IsAccountAdmin: z.boolean().optional(),
  CanCreateBroadcast: z.boolean().optional(),
  Permissions: refusingOthers({
    CanSeeAllBroadcasts: z.boolean().optional(),
    CanSeeAllRoster: z.boolean().optional(),
    CanSeeGroupAudio: z.boolean().optional(),
  }).optional(),
};

export const addAccountUser = call({
  method: 'POST',
  path: '/account/users',
  summary:
    'Adds a user: with a PinCode, who can sign in at once, or with Invite, who gets a mail to choose one. An invitation lasts a week. Adding an owner or admin has to be confirmed (1014).',
  allow: 'manageUsers',
  event: 'user.created',
  takesIdempotencyKey: true,
  body: refusingOthers({ ...managed, Invite: z.boolean().optional() }),
  reply: member,
  errors: ['refused', 'confirmationNeeded'],
});

export const updateAccountUser = call({
  method: 'PUT',
  path: '/account/users/:UserID',
  summary:
    'Updates a user; what isn’t given stays. With the Version that was read, a change that somebody else made meanwhile is refused instead of overwritten (409). A new role, Email or PinCode has to be confirmed (1014).',
  allow: 'manageUsers',
  event: 'user.updated',
  params: z.object({ UserID: id }),
  body: refusingOthers({
    ...managed,
    IsActive: z.boolean().optional(),
    Version: z.number().int().optional(),
  }),
  reply: member,
  errors: ['notFound', 'refused', 'conflict', 'confirmationNeeded'],
});

export const updateAccountUsers = call({
  method: 'PUT',
  path: '/account/users',
  summary:
    'Activates or deactivates users. Deactivated users are signed out at once. Users who can’t be changed are left out and named.',
  allow: 'manageUsers',
  event: 'users.changed',
  query: userFilter,
  body: z.object({ Selection: selection, Update: z.object({ IsActive: z.boolean() }) }),
  reply: z.object({
    /** Number of users changed. */
    Size: z.number().int(),
    LeftOut: z.array(z.object({ UserID: z.number().int(), Name: z.string(), Message: z.string() })),
  }),
});

export const scheduledKinds = [
  'Scheduled text',
  'Broadcast',
  'Repeating broadcast',
  'Drip campaign',
  'Mailed report',
] as const;

export const listScheduledOfUsers = call({
  method: 'POST',
  path: '/account/users/scheduled',
  summary:
    'Lists what users have scheduled, to see before deactivating them. At most 100, the next ones first.',
  allow: 'manageUsers',
  event: 'none',
  query: userFilter,
  body: z.object({ Selection: selection }),
  reply: sizedList(
    z.object({
      UserID: z.number().int(),
      Name: z.string(),
      Kind: z.enum(scheduledKinds),
      Title: z.string(),
      StartTimestamp: moment.nullable(),
      /** True if it still goes out when the user is deactivated. */
      StillSends: z.boolean(),
    }),
  ),
});

export const resendInvitation = call({
  method: 'POST',
  path: '/account/users/:UserID/invitation',
  summary: 'Sends an invitation again. The link in the earlier mail stops working.',
  allow: 'manageUsers',
  event: 'user.invited',
  params: z.object({ UserID: id }),
  reply: member,
  errors: ['notFound'],
});

export const withdrawInvitation = call({
  method: 'DELETE',
  path: '/account/users/:UserID/invitation',
  summary: 'Withdraws an invitation: its link stops working, and the user is removed.',
  allow: 'manageUsers',
  event: 'invitation.withdrawn',
  params: z.object({ UserID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});

const token = z.object({ Token: z.string().min(1).max(200) });

export const getInvitation = call({
  method: 'GET',
  path: '/invitation/:Token',
  summary: 'Says who is invited to which organization, and by whom.',
  allow: 'public',
  params: token,
  reply: z.object({
    CompanyName: z.string(),
    FirstName: z.string(),
    UserName: z.string(),
    Email: z.string(),
    InvitedBy: z.string(),
    ExpireTimestamp: moment,
    /** Ours: the organization lets nobody in with a password, so there is none to choose. */
    IsSsoLoginOnly: z.boolean(),
  }),
  errors: ['refused'],
});

export const acceptInvitation = call({
  method: 'POST',
  path: '/invitation/:Token',
  summary: 'Accepts an invitation: sets the password, and signs in.',
  allow: 'public',
  event: 'invitation.accepted',
  params: token,
  body: z.object({ Password: newPassword }),
  reply: z.object({ UserID: z.number(), AccountID: z.number(), MustSetUpSecondFactor: z.boolean() }),
  errors: ['refused'],
});
