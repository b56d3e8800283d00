import { describe, expect, it } from 'vitest';
import { consentTypes } from '../../reference/consent-types.ts';
import { testRuleTable } from '../../testing/test-rule-table.ts';
import { validRegistration } from './registration-form.cases.ts';
import { registrationForm } from './registration-form.ts';
import * as cases from './registration-submission.cases.ts';
import {
  registrationFieldErrors,
  registrationOutcome,
  registrationPayload,
  websiteOutcome,
} from './registration-submission.ts';

const form = registrationForm({ hasInfobipNumbers: false, productPrivacyHost: '' }).parse(validRegistration);

testRuleTable(cases.outcomes, (problem) => registrationOutcome(problem, form));
testRuleTable(cases.websites, websiteOutcome);

describe('payload', () => {
  it('has a brand and a campaign', () => {
    expect(registrationPayload(form)).toEqual({
      NewBrand: {
        Country: 'United States',
        Ein: '12-3456789',
        EntityType: 'NON_PROFIT',
        CompanyName: 'Hamilton County Schools',
        DisplayName: 'HCS',
        Vertical: 'EDUCATION',
        Street: '3074 Hickory Valley Rd',
        City: 'Chattanooga',
        State: 'TN',
        PostalCode: '37421',
        Email: 'office@district.example',
        PhoneNumber: '14235550143',
        Website: 'https://www.district.example',
        FirstName: '',
        LastName: '',
      },
      NewCampaign: {
        IsPromotionalRegistration: false,
        ConsentType: 'Written',
        MessageFlow: consentTypes.Written,
        Description: validRegistration.Description,
        Sample1: validRegistration.Sample1,
        Sample2: validRegistration.Sample2,
        PrivacyPolicyUserSelection: 'Not Yet',
      },
    });
  });

  it('keeps stock symbol and exchange only for publicly traded companies', () => {
    const stock = { StockSymbol: 'HCS', StockExchange: 'NYSE', BusinessContactEmail: 'jo@company.example' };
    expect(registrationPayload({ ...form, ...stock, EntityType: 'PUBLIC_PROFIT' }).NewBrand).toMatchObject(
      stock,
    );
    expect(registrationPayload({ ...form, ...stock }).NewBrand).not.toHaveProperty('StockSymbol');
  });

  it('carries the Canadian business number in the Ein field', () => {
    const canadian = { ...form, Country: 'Canada' as const, Ein: '', CanadianBusinessNumber: '123456789' };
    expect(registrationPayload(canadian).NewBrand.Ein).toBe('123456789');
  });

  it('drops PrivacyPolicyUrl unless the user has a privacy policy, and prepends http://', () => {
    const PrivacyPolicyUrl = 'district.example/privacy';
    expect(registrationPayload({ ...form, PrivacyPolicyUrl }).NewCampaign).not.toHaveProperty(
      'PrivacyPolicyUrl',
    );
    const withPolicy = registrationPayload({ ...form, PrivacyPolicyUrl, PrivacyPolicyUserSelection: 'Yes' });
    expect(withPolicy.NewCampaign).toHaveProperty('PrivacyPolicyUrl', 'http://district.example/privacy');
  });

  it('names a sole proprietor as such', () => {
    expect(registrationPayload({ ...form, IsSoleProprietor: true, EntityType: '' }).NewBrand.EntityType).toBe(
      'SOLE_PROPRIETOR',
    );
  });
});

it('puts a Canadian tax ID error where the number was typed', () => {
  const errors = { ein: [{ description: 'Unknown.' }] };
  expect(registrationFieldErrors(errors, { ...form, Country: 'Canada' })).toEqual({
    CanadianBusinessNumber: 'Unknown.',
  });
});
