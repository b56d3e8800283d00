import {
  type AccountKind,
  type AccountTypeLabel,
  accountTypeLabel,
} from '../../contract/states/account-status.ts';
import { say } from '../ui/say.ts';

const words: Record<AccountTypeLabel, string> = {
  'Free Account': say('Free Account', 'plan'),
  Credits: say('Credits', 'plan'),
  Monthly: say('Monthly', 'plan'),
  'Invoiced Credits': say('Invoiced Credits', 'plan'),
  'Invoiced Monthly': say('Invoiced Monthly', 'plan'),
};

/** "Free Account", "Credits": the specification's label, in the language of the page. */
export function accountTypeWords(account: AccountKind): string {
  return words[accountTypeLabel(account)];
}
