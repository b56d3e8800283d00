import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../../testing/test-rule-table.ts';
import * as cases from './registration-changes.cases.ts';
import {
  applyEinLookup,
  applyRefusedCampaign,
  applyRegisteredBrand,
  changeCountry,
  changeEntityType,
  einToLookUp,
  enterEin,
  filledByEinLookup,
  formatEin,
  switchToSoleProprietor,
} from './registration-changes.ts';
import { validRegistration } from './registration-form.cases.ts';
import { registrationForm } from './registration-form.ts';

testRuleTable(cases.eins, formatEin);
testRuleTable(cases.lookups, einToLookUp);

const context = { hasInfobipNumbers: false, productPrivacyHost: '' };
const form = registrationForm(context).parse(validRegistration);
const user = {
  FirstName: 'Dolores',
  LastName: 'Núñez',
  Email: 'dolores@district.example',
  Phone: '14235550143',
};

describe('changing the country', () => {
  it('from US to Canada clears Ein', () => {
    const changed = changeCountry(form, 'Canada');
    expect(changed).toEqual({ ...form, Country: 'Canada', Ein: '' });
  });

  it('from US to Canada leaves the sole-proprietor form, which Canada does not have', () => {
    const sole = switchToSoleProprietor(form, user);
    expect(changeCountry(sole, 'Canada')).toEqual({
      ...sole,
      Country: 'Canada',
      IsSoleProprietor: false,
      FirstName: '',
      LastName: '',
      Email: '',
      PhoneNumber: '',
    });
  });

  it('clears a government, which Canada does not offer', () => {
    expect(changeCountry({ ...form, EntityType: 'GOVERNMENT' }, 'Canada').EntityType).toBe('');
  });

  it('the reverse clears CanadianBusinessNumber, Sample2 and EntityType', () => {
    const canadian = { ...form, Country: 'Canada' as const, CanadianBusinessNumber: '123456789' };
    expect(changeCountry(canadian, 'United States')).toEqual({
      ...canadian,
      Country: 'United States',
      CanadianBusinessNumber: '',
      Sample2: '',
      EntityType: '',
    });
  });

  it('to itself changes nothing', () => {
    expect(changeCountry(form, 'United States')).toBe(form);
  });
});

describe('changing the entity type', () => {
  it('clears StockExchange, StockSymbol and Sample2', () => {
    const listed = { ...form, EntityType: 'PUBLIC_PROFIT', StockExchange: 'NYSE', StockSymbol: 'HCS' };
    expect(changeEntityType(listed, 'PRIVATE_PROFIT')).toEqual({
      ...listed,
      EntityType: 'PRIVATE_PROFIT',
      StockExchange: '',
      StockSymbol: '',
      Sample2: '',
    });
    expect(changeEntityType(listed, 'PUBLIC_PROFIT')).toBe(listed);
  });
});

describe('the sole-proprietor form', () => {
  it('sets a flag, clears the tax ID and prefills first name, last name, email and phone from the user', () => {
    expect(switchToSoleProprietor(form, user)).toEqual({
      ...form,
      IsSoleProprietor: true,
      Ein: '',
      FirstName: 'Dolores',
      LastName: 'Núñez',
      Email: 'dolores@district.example',
      PhoneNumber: '14235550143',
    });
  });

  it('is left by entering an EIN, which resets its fields', () => {
    const left = enterEin(switchToSoleProprietor(form, user), '123');
    expect(left).toMatchObject({
      IsSoleProprietor: false,
      Ein: '12-3',
      FirstName: '',
      LastName: '',
      Email: '',
      PhoneNumber: '',
    });
  });

  it('stays while no EIN is entered, and an EIN on the other form resets nothing', () => {
    expect(enterEin(switchToSoleProprietor(form, user), '').IsSoleProprietor).toBe(true);
    expect(enterEin(form, '987654321')).toEqual({ ...form, Ein: '98-7654321' });
  });
});

describe('prefilling', () => {
  it('uses the first entry of the EIN lookup and keeps fields that it doesn’t know', () => {
    const found = applyEinLookup(form, [
      { companyName: 'Found Inc', address1: '1 Main St', city: null, state: 'Georgia', zipCode: '30301' },
      { companyName: 'Second' },
    ]);
    expect(found).toEqual({
      ...form,
      CompanyName: 'Found Inc',
      Street: '1 Main St',
      State: 'GA',
      PostalCode: '30301',
    });
    expect(applyEinLookup(form, [])).toBe(form);
  });

  it('lists the fields that still have what the EIN lookup found', () => {
    const entries = [{ companyName: 'Found Inc', city: null, state: 'Georgia', zipCode: '30301' }];
    const found = applyEinLookup(form, entries);
    expect(filledByEinLookup(found, entries)).toEqual(['CompanyName', 'State', 'PostalCode']);
    const corrected = { ...found, CompanyName: 'Found Incorporated' };
    expect(filledByEinLookup(corrected, entries)).toEqual(['State', 'PostalCode']);
    expect(filledByEinLookup(found, [])).toEqual([]);
  });

  it('prefills the brand of a returning user', () => {
    const brand = {
      country: 'CA',
      ein: '123456789',
      entityType: 'PRIVATE_PROFIT',
      displayName: 'Maple',
      website: 'maple.example',
    };
    expect(applyRegisteredBrand(form, brand)).toMatchObject({
      Country: 'Canada',
      Ein: '',
      CanadianBusinessNumber: '123456789',
      EntityType: 'PRIVATE_PROFIT',
      DisplayName: 'Maple',
      BrandWebsite: 'maple.example',
      IsSoleProprietor: false,
      Description: form.Description,
    });
    expect(applyRegisteredBrand(form, { entityType: 'SOLE_PROPRIETOR', ein: '123456789' })).toMatchObject({
      IsSoleProprietor: true,
      EntityType: '',
      Ein: '12-3456789',
    });
  });

  it('fills in the refused texts where nothing was typed', () => {
    const refused = { ConsentType: 'Verbal', Description: 'We text.', Sample1: 'One', Sample2: 'Two' };
    const typed = { ...form, ConsentType: '', Description: '', Sample1: 'Own', Sample2: '' };
    expect(applyRefusedCampaign(typed, refused)).toEqual({ ...typed, ...refused, Sample1: 'Own' });
    expect(applyRefusedCampaign(typed, null)).toBe(typed);
  });
});
