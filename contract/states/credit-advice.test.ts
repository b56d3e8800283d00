import { testRuleTable } from '../testing/test-rule-table.ts';
import { creditAdviceCases, purchaseDoorCases, registrationAllowedCases } from './credit-advice.cases.ts';
import { creditAdvice, purchaseDoor } from './credit-advice.ts';
import { createRegistrationRequest } from './registration-allowed.ts';
import { textNumberAdviceCases } from './text-number-advice.cases.ts';
import { textNumberAdvice } from './text-number-advice.ts';

testRuleTable(creditAdviceCases, ({ isOwner, AccountTypeID }) =>
  creditAdvice({ IsMasterUser: isOwner }, { AccountTypeID }),
);
testRuleTable(purchaseDoorCases, ({ role, ...account }) =>
  purchaseDoor({ IsMasterUser: role === 'owner', IsAccountAdmin: role === 'admin' }, account),
);
testRuleTable(registrationAllowedCases, (question) => {
  const { allowed, reasons } = createRegistrationRequest(question);
  if (allowed !== (reasons.length === 0)) throw new Error('allowed with a reason against it');
  return reasons.map(({ type }) => type);
});
testRuleTable(textNumberAdviceCases, ({ isOwner, IsFreeTrial = false, CountryID = 1, numbers }) =>
  textNumberAdvice({ IsMasterUser: isOwner }, { IsFreeTrial, CountryID }, numbers),
);
