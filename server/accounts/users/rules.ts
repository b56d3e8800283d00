import { Refusal } from '../../../contract/errors.ts';
import { onlyOwnersChangeOwners, type Role, roleOf } from '../../../contract/permissions.ts';
import { may } from '../../access/refuse-unless.ts';
import type { Actor } from '../../serve.ts';

const onlyOwnersMakeOwners = 'Only an account owner can make somebody an account owner.';
export const lastOwner =
  'Your organization needs at least one active account owner. Make somebody else an account owner first.';
const notYourself = 'You can’t deactivate yourself. Ask another owner or admin to do it.';
const stillInvited = 'This person hasn’t accepted the invitation yet. You can send it again or withdraw it.';

/** The role that the two flags of the API mean, given the current role. */
export function roleFrom(
  given: { IsMasterUser?: boolean | undefined; IsAccountAdmin?: boolean | undefined },
  before: Role,
): Role {
  return roleOf({
    IsMasterUser: given.IsMasterUser ?? before === 'owner',
    IsAccountAdmin: given.IsAccountAdmin ?? before === 'admin',
  });
}

/** Admins can create admins and users; only owners can create owners. */
export function refuseUnlessMayMake(actor: Actor, role: Role): void {
  if (role === 'owner' && !may(actor, 'manageOwners')) throw new Refusal('forbidden', onlyOwnersMakeOwners);
}

/** Reason why this actor can't activate or deactivate this user, if so. */
export function whyNotSwitch(
  actor: Actor,
  user: { userId: number; role: Role; isInvited: boolean },
  isActive: boolean,
): string | undefined {
  if (user.isInvited) return stillInvited;
  if (user.role === 'owner' && !may(actor, 'manageOwners')) return onlyOwnersChangeOwners;
  return !isActive && user.userId === actor.userId ? notYourself : undefined;
}
