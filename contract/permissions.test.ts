import { describe, expect, it } from 'vitest';
import { features } from './accounts.ts';
import { capabilityCases, denialCases, reportCases, type WhoCase } from './permissions.cases.ts';
import {
  can,
  capabilities,
  capabilityNames,
  effectivePermissions,
  isInternalStaff,
  type Role,
  reportsFor,
  roleOf,
  type Who,
  whyNot,
} from './permissions.ts';
import { testRuleTable } from './testing/test-rule-table.ts';

function whoOf({
  role = 'owner',
  type = 0,
  isFreeTrial = false,
  user,
  account,
  hasRegisteredUsNumber = true,
}: WhoCase): Who {
  return {
    user: {
      IsMasterUser: role === 'owner',
      IsAccountAdmin: role === 'admin',
      IsActive: true,
      CanCreateBroadcast: true,
      Permissions: { CanSeeAllBroadcasts: true, CanSeeAllRoster: true, CanSeeGroupAudio: true },
      Features: features.filter((feature) => feature !== 'FreeTrialABTestNoText'),
      HasTextNumberAssigned: true,
      ...user,
    },
    account: {
      AccountTypeID: type,
      IsFreeTrial: isFreeTrial,
      CountryID: 1,
      maySend: true,
      VoiceAllowed: true,
      IsApiAuthorized: true,
      InvoiceSelfService: true,
      hasCardOnFile: true,
      EmergenciesByEveryone: false,
      ...account,
    },
    hasRegisteredUsNumber,
  };
}

const roles: Role[] = ['owner', 'admin', 'user'];
const holders = (name: (typeof capabilityNames)[number], isFreeTrial: boolean) =>
  roles.filter((role) => can(name, whoOf({ role, isFreeTrial }))).join(' ');

testRuleTable(capabilityCases, (name) => ({ paid: holders(name, false), trial: holders(name, true) }));
testRuleTable(denialCases, ([name, who]) => whyNot(name, whoOf(who)));
testRuleTable(reportCases, (who) => reportsFor(whoOf(who)));

describe('permissions', () => {
  it('every capability is in the table of cases', () => {
    const tested = capabilityCases.rows.flatMap((row) => row.cases.map(([name]) => name));
    expect([...tested].sort()).toEqual([...capabilityNames].sort());
  });

  it('an owner may do whatever an admin may, and an admin whatever a user may, with the same flags', () => {
    for (const name of capabilityNames) {
      for (const type of [0, 1, 2, 3] as const) {
        for (const isFreeTrial of [false, true]) {
          const [byOwner, byAdmin, byUser] = roles.map((role) =>
            can(name, whoOf({ role, type, isFreeTrial })),
          );
          expect([name, byOwner || !byAdmin, byAdmin || !byUser]).toEqual([name, true, true]);
        }
      }
    }
  });

  it('names only feature flags that exist, and uses every one', () => {
    const used = Object.values(capabilities).flatMap(({ feature }) =>
      feature === undefined ? [] : [feature],
    );
    expect(new Set([...used, 'FreeTrialABTestNoText'])).toEqual(new Set(features));
  });

  it('Account Owner (IsMasterUser), Admin (IsAccountAdmin and not master), User (neither)', () => {
    expect(roleOf({ IsMasterUser: true, IsAccountAdmin: true })).toBe('owner');
    expect(roleOf({ IsMasterUser: true, IsAccountAdmin: false })).toBe('owner');
    expect(roleOf({ IsMasterUser: false, IsAccountAdmin: true })).toBe('admin');
    expect(roleOf({ IsMasterUser: false, IsAccountAdmin: false })).toBe('user');
  });

  it('the owner automatically has all three permissions', () => {
    const none = { CanSeeAllBroadcasts: false, CanSeeAllRoster: false, CanSeeGroupAudio: false };
    expect(effectivePermissions({ IsMasterUser: false, Permissions: none })).toEqual(none);
    expect(Object.values(effectivePermissions({ IsMasterUser: true, Permissions: none }))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('Internal staff are detected by the company e-mail domain', () => {
    expect(isInternalStaff('Ann@Muster.example', 'muster.example')).toBe(true);
    expect(isInternalStaff('ann@notmuster.example', 'muster.example')).toBe(false);
    expect(isInternalStaff('ann@muster.example.org', 'muster.example')).toBe(false);
    expect(isInternalStaff('ann@', '')).toBe(false);
  });
});
