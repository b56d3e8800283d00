import { ruleTable } from '../../testing/rule-table.ts';
import type { RegistrationRoute } from './registration-steps.ts';

interface Way {
  sendsTextsToCanada?: boolean;
  isSoleProprietor?: boolean;
  hasInfobipNumbers?: boolean;
}
type Case = [from: RegistrationRoute, way: Way];

export const forward = ruleTable<Case, RegistrationRoute>({
  about: 'Registration wizard, forward',
  file: 'contract/forms/registration/registration-steps.ts',
  rows: [
    {
      rule: 'Going forward from the first route skips the second when the account does not send texts to Canada',
      cases: [
        [['contacts', {}], 'tax-id'],
        [['contacts', { sendsTextsToCanada: true }], 'apply-for-tfn'],
        [['apply-for-tfn', { sendsTextsToCanada: true }], 'tax-id'],
      ],
    },
    {
      rule: 'The tax ID step is skipped for sole proprietors',
      cases: [
        [['contacts', { isSoleProprietor: true }], 'organization-details'],
        [['apply-for-tfn', { isSoleProprietor: true, sendsTextsToCanada: true }], 'organization-details'],
        [['tax-id', {}], 'organization-details'],
        [['organization-details', {}], 'message-details'],
      ],
    },
    {
      rule: 'Going forward from message details skips one extra step when the account already has Infobip-provider text numbers or the user is on the sole-proprietor form',
      cases: [
        [['message-details', {}], 'review'],
        [['message-details', { hasInfobipNumbers: true }], 'sole-proprietor-review'],
        [['message-details', { isSoleProprietor: true }], 'sole-proprietor-review'],
        [['review', {}], 'review'],
      ],
    },
  ],
});

export const back = ruleTable<Case, RegistrationRoute>({
  about: 'Registration wizard, back',
  file: 'contract/forms/registration/registration-steps.ts',
  rows: [
    {
      rule: 'Going back from review skips two steps in those same cases',
      cases: [
        [['review', {}], 'message-details'],
        [['sole-proprietor-review', { isSoleProprietor: true }], 'message-details'],
        [['sole-proprietor-review', { hasInfobipNumbers: true }], 'message-details'],
      ],
    },
    {
      rule: 'Going back from tax ID also skips two steps',
      cases: [
        [['tax-id', { sendsTextsToCanada: true }], 'contacts'],
        [['tax-id', {}], 'contacts'],
      ],
    },
    {
      rule: 'Ours: back leads where forward came from',
      cases: [
        [['message-details', {}], 'organization-details'],
        [['organization-details', {}], 'tax-id'],
        [['organization-details', { isSoleProprietor: true }], 'contacts'],
        [['apply-for-tfn', { sendsTextsToCanada: true }], 'contacts'],
        [['contacts', {}], 'contacts'],
      ],
    },
  ],
});
