import { describe, expect, it } from 'vitest';
import { accessDenied } from '../../errors.ts';
import { fieldErrors } from '../../fields/form.ts';
import { testRuleTable } from '../../testing/test-rule-table.ts';
import { cpuMs } from '../../text/testing/cpu-ms.ts';
import * as cases from './registration-form.cases.ts';
import { registrationForm } from './registration-form.ts';

const context = { hasInfobipNumbers: false, productPrivacyHost: 'muster.example' };

testRuleTable(cases.registration, (change) =>
  fieldErrors(registrationForm(context), { ...cases.validRegistration, ...change }),
);

describe('registration', () => {
  it('requires no campaign from an account with Infobip numbers', () => {
    const form = registrationForm({ ...context, hasInfobipNumbers: true });
    const values = { ...cases.validRegistration, Description: '', Sample1: '', Sample2: '', ConsentType: '' };
    expect(fieldErrors(form, values)).toEqual({});
  });

  it('registers promotional texts only with the feature, and says so', () => {
    const errors = (mayPromote: boolean, IsPromotionalRegistration: boolean) =>
      fieldErrors(registrationForm({ ...context, mayPromote }), {
        ...cases.validRegistration,
        IsPromotionalRegistration,
      });
    expect(errors(false, true)).toEqual({ IsPromotionalRegistration: accessDenied });
    expect([errors(true, true), errors(false, false)]).toEqual([{}, {}]);
  });

  it('asks for everything when nothing is given', () => {
    expect(fieldErrors(registrationForm(context), {})).toEqual({
      Ein: 'Enter an EIN',
      EntityType: 'Enter an Organization Type',
      DisplayName: 'Enter a Brand Name',
      CompanyName: 'Enter a Company Name',
      Vertical: 'Enter an Industry',
      Email: 'Enter an Email',
      PhoneNumber: 'Enter a Phone Number',
      BrandWebsite: 'Enter a Website.',
      Street: 'Enter an Address',
      City: 'Enter a City',
      PostalCode: 'Enter a Zip Code',
      State: 'Select a state',
      Description: 'Enter a Description',
      Sample1: 'Enter a Sample Message',
      ConsentType: 'Select a consent type',
      PrivacyPolicyUserSelection: 'Select if you have a privacy policy',
      IsPromotionalRegistration: 'Please select an option.',
    });
  });

  it('takes 100,000 hostile characters in every field at once', () => {
    const ms = cpuMs(() => {
      for (const unit of ['a', ' ', '@', '.', '-', '1', '\u0316\u0301']) {
        const text = unit.repeat(100_000 / unit.length);
        const values = Object.fromEntries(Object.keys(cases.validRegistration).map((field) => [field, text]));
        fieldErrors(registrationForm(context), {
          ...values,
          IsSoleProprietor: false,
          Country: 'Canada',
          IsPromotionalRegistration: true,
        });
      }
    });
    expect(ms).toBeLessThan(900);
  });
});
