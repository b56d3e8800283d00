import { expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import * as cases from './contact.cases.ts';
import { contactForm, groupForm } from './contact.ts';
import { integrationLoginForm } from './integration-login.ts';
import { mfaCodeForm, mfaPhoneForm } from './mfa.ts';

testRuleTable(cases.contact, (values) => fieldErrors(contactForm(), values));
testRuleTable(cases.group, (ListName) => fieldErrors(groupForm({ existing: ['Bus 7'] }), { ListName }));
testRuleTable(cases.mfaCodes, (Code) => fieldErrors(mfaCodeForm, { Code }));

const model = [{ Name: 'SchoolUrl' }, { Name: 'api_key', Label: 'API key' }];
testRuleTable(cases.integrationLogins, (values) => fieldErrors(integrationLoginForm(model), values));

it('keeps a contact abroad as it is', () => {
  expect(contactForm({ countryId: 24 }).parse({ PrimaryPhone: '06 12345678' })).toMatchObject({
    PrimaryPhone: '31612345678',
    SecondaryPhone: '',
  });
});

it('asks where a code is sent', () => {
  expect(fieldErrors(mfaPhoneForm(), {})).toEqual({ PhoneNumber: 'Enter a Phone Number' });
  expect(mfaPhoneForm().parse({ PhoneNumber: '(423) 555-0143' })).toEqual({ PhoneNumber: '14235550143' });
});

it('bounds a model that another company describes', () => {
  const huge = Array.from({ length: 10_000 }, (_, index) => ({ Name: `field${index}` }));
  expect(Object.keys(integrationLoginForm(huge).shape)).toHaveLength(30);
});
