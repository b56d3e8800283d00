import { createContext, useContext } from 'react';
import type { Account, User } from '../../contract/accounts.ts';
import { getAccount } from '../../contract/addresses/accounts.gen.ts';
import type { CapabilityName } from '../../contract/permissions.ts';
import { say } from '../ui/say.ts';
import { callQuery } from './calls.ts';

/** The account with the signed-in user. The signed-in layout loads it. */
export const accountQuery = {
  ...callQuery(getAccount, { query: { include: 'currentuser' } }),
  staleTime: 60_000,
};

/** Every row, bubble and time needs the account: one query in the layout, not one in each. */
export const AccountContext = createContext<Account | undefined>(undefined);

export function useAccount(): Account | undefined {
  return useContext(AccountContext);
}

export function useUser(): User | undefined {
  return useAccount()?.CurrentUser;
}

/**
 * The sentence that explains why the user may not do something; undefined if they may. The server decides it, with the
 * table that it also enforces.
 */
export function useWhyNot(capability: CapabilityName): string | undefined {
  return useUser()?.Denied[capability];
}

/** True if the user may do something. Actions they may not take are hidden. */
export function useCan(capability: CapabilityName): boolean {
  const user = useUser();
  return user !== undefined && user.Denied[capability] === undefined;
}

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The user's time zone. Until it is known, or if the browser doesn't support it, the browser's own. */
export function useTimeZone(): string {
  return knownZone(useUser()?.TimeZone) ?? browserZone;
}

/** Cached: asking the browser takes a third of a millisecond, and every text on the screen asks. */
const askedZones = new Map<string, string | undefined>();

function knownZone(zone: string | undefined): string | undefined {
  if (!zone) return undefined;
  if (!askedZones.has(zone)) askedZones.set(zone, isKnown(zone) ? zone : undefined);
  return askedZones.get(zone);
}

function isKnown(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** The spec's names for the roles. */
export function roleName(user: Pick<User, 'IsMasterUser' | 'IsAccountAdmin'>): string {
  if (user.IsMasterUser) return 'Account Owner';
  return user.IsAccountAdmin ? say('Admin') : say('User');
}

export function fullName(person: { FirstName: string; LastName: string }): string {
  return `${person.FirstName} ${person.LastName}`.trim();
}
