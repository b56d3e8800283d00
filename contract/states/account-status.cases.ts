import { ruleTable } from '../testing/rule-table.ts';
import type { AccountCondition, AccountTypeLabel } from './account-status.ts';

const past = '2026-11-14T00:00:00Z';
const future = '2026-12-14T00:00:00Z';

/** Now is 2026-11-15T12:00Z. */
export const accountConditionCases = ruleTable<
  { AccountStatusID: number; SubscriptionEndDate: string | null },
  AccountCondition
>({
  about: 'Account status and reactivation',
  file: 'contract/states/account-status.ts',
  rows: [
    { rule: '0 is active', cases: [[{ AccountStatusID: 0, SubscriptionEndDate: null }, 'active']] },
    {
      rule: '1 and 6 are treated as one condition',
      cases: [
        [{ AccountStatusID: 1, SubscriptionEndDate: null }, 'suspended'],
        [{ AccountStatusID: 6, SubscriptionEndDate: future }, 'suspended'],
      ],
    },
    {
      rule: '2, 3, 4 and the lapsed-subscription case of 8 allow reactivation',
      cases: [
        [{ AccountStatusID: 2, SubscriptionEndDate: null }, 'reactivatable'],
        [{ AccountStatusID: 3, SubscriptionEndDate: future }, 'reactivatable'],
        [{ AccountStatusID: 4, SubscriptionEndDate: past }, 'reactivatable'],
        [{ AccountStatusID: 8, SubscriptionEndDate: past }, 'reactivatable'],
        [{ AccountStatusID: 8, SubscriptionEndDate: null }, 'reactivatable'],
      ],
    },
    {
      rule: '8 depends on SubscriptionEndDate (expired versus still running)',
      cases: [[{ AccountStatusID: 8, SubscriptionEndDate: future }, 'ending']],
    },
    {
      rule: '7 is also used in reactivation logic',
      cases: [[{ AccountStatusID: 7, SubscriptionEndDate: null }, 'reactivatable']],
    },
    {
      rule: 'Ours: any other status is closed',
      cases: [
        [{ AccountStatusID: 5, SubscriptionEndDate: null }, 'closed'],
        [{ AccountStatusID: 9, SubscriptionEndDate: null }, 'closed'],
      ],
    },
  ],
});

export const endingSoonCases = ruleTable<string | null, boolean>({
  about: 'Subscriptions that end soon',
  file: 'contract/states/account-status.ts',
  rows: [
    {
      rule: 'Subscription end within 31 days counts as ending soon (now is 2026-11-15T12:00Z)',
      cases: [
        ['2026-12-16T12:00:00Z', true],
        ['2026-12-16T12:00:01Z', false],
        ['2026-11-15T12:00:01Z', true],
        ['2026-11-15T12:00:00Z', false],
        ['2026-11-01T00:00:00Z', false],
        [null, false],
      ],
    },
  ],
});

export const endsWithoutRenewalCases = ruleTable<
  { AccountTypeID: number; AccountStatusID?: number; end: string; renews?: boolean },
  boolean
>({
  about: 'Subscriptions that end and nothing follows',
  file: 'contract/states/account-status.ts',
  rows: [
    {
      rule: 'Ours: months paid by invoice that end within 31 days and don’t renew (now is 2026-11-15T12:00Z)',
      cases: [
        [{ AccountTypeID: 3, end: '2026-12-16T12:00:00Z' }, true],
        [{ AccountTypeID: 3, end: '2026-12-16T12:00:01Z' }, false],
        [{ AccountTypeID: 3, end: '2026-12-16T12:00:00Z', renews: true }, false],
        [{ AccountTypeID: 3, end: '2026-12-16T12:00:00Z', AccountStatusID: 8 }, false],
        [{ AccountTypeID: 1, end: '2026-12-16T12:00:00Z' }, false],
      ],
    },
  ],
});

export const accountTypeCases = ruleTable<{ AccountTypeID: number; IsFreeTrial: boolean }, AccountTypeLabel>({
  about: 'Account types',
  file: 'contract/states/account-status.ts',
  rows: [
    {
      rule: 'Account type labels: Free Account, Credits, Monthly, Invoiced Credits, Invoiced Monthly',
      cases: [
        [{ AccountTypeID: 0, IsFreeTrial: true }, 'Free Account'],
        [{ AccountTypeID: 1, IsFreeTrial: true }, 'Free Account'],
        [{ AccountTypeID: 0, IsFreeTrial: false }, 'Credits'],
        [{ AccountTypeID: 1, IsFreeTrial: false }, 'Monthly'],
        [{ AccountTypeID: 2, IsFreeTrial: false }, 'Invoiced Credits'],
        [{ AccountTypeID: 3, IsFreeTrial: false }, 'Invoiced Monthly'],
      ],
    },
  ],
});

export const purchaseToGoOnCases = ruleTable<number, 'credits' | 'plan' | 'invoice'>({
  about: 'What an account pays for to go on',
  file: 'contract/states/account-status.ts',
  rows: [
    {
      rule: 'Ours: credits, a monthly plan, or, where it pays by invoice, the next invoice (by AccountTypeID)',
      cases: [
        [0, 'credits'],
        [1, 'plan'],
        [2, 'invoice'],
        [3, 'invoice'],
      ],
    },
  ],
});
