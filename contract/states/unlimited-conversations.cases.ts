import { ruleTable } from '../testing/rule-table.ts';
import type { RegistrationStatus } from './registration-status.ts';
import type { FlatRateStatus, UnlimitedOffer } from './unlimited-conversations.ts';

interface OfferCase {
  status: FlatRateStatus | null;
  AccountTypeID: number;
  registration?: RegistrationStatus;
  phone?: string;
  CountryID?: number;
}

export const unlimitedOfferCases = ruleTable<OfferCase, UnlimitedOffer | undefined>({
  about: 'What is offered of unlimited conversations',
  file: 'contract/states/unlimited-conversations.ts',
  rows: [
    {
      rule: 'Active offers Cancel',
      cases: [
        [{ status: 'Active', AccountTypeID: 0 }, 'Cancel'],
        [{ status: 'Active', AccountTypeID: 2 }, 'Cancel'],
      ],
    },
    {
      rule: 'CancelPending offers Reactivate (nothing is offered when AccountTypeID is 2)',
      cases: [
        [{ status: 'CancelPending', AccountTypeID: 0 }, 'Reactivate'],
        [{ status: 'CancelPending', AccountTypeID: 2 }, undefined],
      ],
    },
    {
      rule: 'Otherwise Enable',
      cases: [
        [{ status: null, AccountTypeID: 0 }, 'Enable'],
        [{ status: 'BillingProblem', AccountTypeID: 2 }, 'Enable'],
      ],
    },
    {
      rule: 'Ours: on a monthly plan, which includes conversations, nothing is offered but Cancel',
      cases: [
        [{ status: 'Active', AccountTypeID: 1 }, 'Cancel'],
        [{ status: 'CancelPending', AccountTypeID: 3 }, undefined],
        [{ status: null, AccountTypeID: 1 }, undefined],
        [{ status: 'BillingProblem', AccountTypeID: 3 }, undefined],
      ],
    },
    {
      rule: 'A Register Now offer also exists (ours: for a number that has to be registered before it can text)',
      cases: [
        [{ status: null, AccountTypeID: 0, registration: 'Not Registered' }, 'Register Now'],
        [{ status: null, AccountTypeID: 0, registration: 'Rejected' }, 'Register Now'],
        [{ status: 'Active', AccountTypeID: 0, registration: 'Not Registered' }, 'Cancel'],
        [
          {
            status: null,
            AccountTypeID: 0,
            registration: 'Not Registered',
            phone: '4235550143',
            CountryID: 2,
          },
          'Register Now',
        ],
      ],
    },
    {
      rule: 'Ours: a number that needs no registration can have them without',
      cases: [
        [{ status: null, AccountTypeID: 0, registration: 'Not Registered', phone: '8335550143' }, 'Enable'],
        [{ status: null, AccountTypeID: 0, registration: 'Pending', phone: '8335550143' }, 'Enable'],
        [
          { status: null, AccountTypeID: 0, registration: 'Pending', phone: '8335550143', CountryID: 2 },
          'Enable',
        ],
        [
          {
            ...{ status: null, AccountTypeID: 0, registration: 'Not Registered' },
            ...{ phone: '447911123456', CountryID: 4 },
          },
          'Enable',
        ],
      ],
    },
  ],
});

/** Now is 2026-11-15T12:00Z. */
export const billingBlockCases = ruleTable<{ status: FlatRateStatus | null; end: string | null }, boolean>({
  about: 'TextNumberBlocked',
  file: 'contract/states/unlimited-conversations.ts',
  rows: [
    {
      rule: 'BillingProblem with an end date in the past blocks texting (TextNumberBlocked)',
      cases: [
        [{ status: 'BillingProblem', end: '2026-11-14T00:00:00Z' }, true],
        [{ status: 'BillingProblem', end: '2026-11-16T00:00:00Z' }, false],
        [{ status: 'BillingProblem', end: null }, false],
        [{ status: 'Active', end: '2026-11-14T00:00:00Z' }, false],
        [{ status: null, end: null }, false],
      ],
    },
  ],
});
