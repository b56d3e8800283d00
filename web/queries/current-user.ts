import { createContext, useContext } from 'react';
import { type Account, getAccount, type User } from '../../contract/accounts.ts';
import type { CapabilityName } from '../../contract/permissions.ts';
import { callQuery } from './calls.ts';

/** The organization with the signed-in user in it; loaded by the signed-in layout. */
export const accountQuery = {
  ...callQuery(getAccount, { query: { include: 'currentuser' } }),
  staleTime: 60_000,
};

/** Every row, bubble and time asks for the account: one query in the layout, not one in each of them. */
export const AccountContext = createContext<Account | undefined>(undefined);

export function useAccount(): Account | undefined {
  return useContext(AccountContext);
}

export function useUser(): User | undefined {
  return useAccount()?.CurrentUser;
}

/**
 * Why the user may not do something, in the sentence to show; undefined when they may. The server has decided it, by the
 * same table as it refuses by.
 */
export function useWhyNot(capability: CapabilityName): string | undefined {
  return useUser()?.Denied[capability];
}

/** Whether the user may do something: what they may not is not shown. */
export function useCan(capability: CapabilityName): boolean {
  const user = useUser();
  return user !== undefined && user.Denied[capability] === undefined;
}

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The user's zone; the browser's until it is known, or when the browser doesn't know it. */
export function useTimeZone(): string {
  return knownZone(useUser()?.TimeZone) ?? browserZone;
}

/** Asking the browser takes a third of a millisecond and every text on the screen asks. */
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

/** The spec's names of the roles. */
export function roleName(user: Pick<User, 'IsMasterUser' | 'IsAccountAdmin'>): string {
  if (user.IsMasterUser) return 'Account Owner';
  return user.IsAccountAdmin ? 'Admin' : 'User';
}

export function fullName(person: { FirstName: string; LastName: string }): string {
  return `${person.FirstName} ${person.LastName}`.trim();
}
