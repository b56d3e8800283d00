import { expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import * as cases from './onboarding.cases.ts';
import { areaCodeForm, companyErrorField, onboardingForm } from './onboarding.ts';

const everything = {
  countryId: 1,
  CollectInvoiceBillingAddress: true,
  CollectAmazonInfo: true,
  CollectOnboardingRepublicInfo: true,
  CollectPO: true,
};

testRuleTable(cases.onboarding, (change) =>
  fieldErrors(onboardingForm(everything), { ...cases.validCompany, ...change }),
);
testRuleTable(cases.areaCode, (LocalNumberAreaCode) => fieldErrors(areaCodeForm, { LocalNumberAreaCode }));
testRuleTable(cases.companyErrors, companyErrorField);

it('requires nothing that the account isn’t asked for', () => {
  const { Address3: _, City: __, PostalCode: ___, ...company } = cases.validCompany;
  expect(fieldErrors(onboardingForm({ countryId: 1 }), { ...company, LawsonNumber: 'abcde' })).toEqual({});
});

it('doesn’t require a state from an organization abroad', () => {
  const abroad = { ...cases.validCompany, State: '', Phone: '+44 20 7946 0958', PostalCode: 'SW1A 1AA' };
  expect(fieldErrors(onboardingForm({ ...everything, countryId: 4 }), abroad)).toEqual({});
});
