import { ruleTable } from '../testing/rule-table.ts';
import type { CreditAdvice, PurchaseDoor } from './credit-advice.ts';
import type { RegistrationDisallowedReason, RegistrationQuestion } from './registration-allowed.ts';

export const creditAdviceCases = ruleTable<{ isOwner: boolean; AccountTypeID: number }, CreditAdvice>({
  about: 'Not-enough-credits dialogs',
  file: 'contract/states/credit-advice.ts',
  rows: [
    {
      rule: 'A pay-as-you-go owner can buy credits',
      cases: [[{ isOwner: true, AccountTypeID: 0 }, 'buy credits']],
    },
    {
      rule: 'Non-owners are told to contact an account owner',
      cases: [
        [{ isOwner: false, AccountTypeID: 0 }, 'contact an account owner'],
        [{ isOwner: false, AccountTypeID: 1 }, 'contact an account owner'],
        [{ isOwner: false, AccountTypeID: 3 }, 'contact an account owner'],
      ],
    },
    {
      rule: 'Monthly owners can update the subscription or contact for a new invoice when group size is exceeded',
      cases: [
        [{ isOwner: true, AccountTypeID: 1 }, 'update subscription'],
        [{ isOwner: true, AccountTypeID: 3 }, 'contact us for a new invoice'],
        [{ isOwner: true, AccountTypeID: 2 }, 'contact us for a new invoice'],
      ],
    },
  ],
});

export const purchaseDoorCases = ruleTable<
  { role: 'owner' | 'admin' | 'user'; hasCardOnFile: boolean; InvoiceSelfService: boolean },
  PurchaseDoor
>({
  about: 'Who a purchase is opened to',
  file: 'contract/states/credit-advice.ts',
  rows: [
    {
      rule: 'Admins without a card see a no-credit-card dialog',
      cases: [
        [{ role: 'admin', hasCardOnFile: false, InvoiceSelfService: false }, 'no-credit-card dialog'],
        [{ role: 'admin', hasCardOnFile: true, InvoiceSelfService: false }, 'purchase'],
        [{ role: 'owner', hasCardOnFile: false, InvoiceSelfService: false }, 'purchase'],
        [{ role: 'user', hasCardOnFile: true, InvoiceSelfService: true }, 'ask the owner'],
      ],
    },
    {
      rule: 'Invoice self-service applies to admins with no card on file',
      cases: [
        [{ role: 'admin', hasCardOnFile: false, InvoiceSelfService: true }, 'own invoice'],
        [{ role: 'admin', hasCardOnFile: true, InvoiceSelfService: true }, 'purchase'],
      ],
    },
  ],
});

const free = {
  IsMasterUser: true,
  IsFreeTrial: false,
  hasRegisteredNumber: false,
  isInRegistrationGroup: false,
};

export const registrationAllowedCases = ruleTable<RegistrationQuestion, RegistrationDisallowedReason[]>({
  about: 'Reasons against a registration request',
  file: 'contract/states/registration-allowed.ts',
  rows: [
    {
      rule: 'Registration-disallowed reasons: USER_NOT_AUTHORIZED, HAS_REGISTERED_NUMBER, IN_REGISTRATION_GROUP, NOT_PAYING_CUSTOMER',
      cases: [
        [free, []],
        [{ ...free, IsMasterUser: false }, ['USER_NOT_AUTHORIZED']],
        [{ ...free, hasRegisteredNumber: true }, ['HAS_REGISTERED_NUMBER']],
        [{ ...free, isInRegistrationGroup: true }, ['IN_REGISTRATION_GROUP']],
        [{ ...free, IsFreeTrial: true }, ['NOT_PAYING_CUSTOMER']],
        [{ ...free, IsMasterUser: false, IsFreeTrial: true }, ['USER_NOT_AUTHORIZED', 'NOT_PAYING_CUSTOMER']],
      ],
    },
  ],
});
