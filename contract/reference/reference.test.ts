import { getCountryCallingCode } from 'libphonenumber-js/min';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { broadcastTypes } from './broadcast-types.ts';
import { campaignDetails, suggestCampaign } from './campaign-details.ts';
import { consentTypeNames, messageFlow } from './consent-types.ts';
import { countries, isInternational, phoneHint } from './countries.ts';
import { entityTypesFor } from './entity-types.ts';
import {
  createBroadcastError,
  genericError,
  imageError,
  invoicePreviewError,
  sendMessageError,
  shownMessage,
} from './error-catalog.ts';
import {
  cardErrorMessage,
  isProductError,
  localNumberMessage,
  mfaMessage,
  repeatingFailureMessage,
  salesTaxMessage,
} from './error-codes.ts';
import { freeMailDomains, isFreeMail } from './free-mail-domains.ts';
import { industries } from './industries.ts';
import { limits, tabTitle } from './limits.ts';
import { contactAddPageSize, pageSizeOf } from './paging.ts';
import * as cases from './reference.cases.ts';
import { callThrottleLabel, callThrottles, retries } from './sending-options.ts';
import { findState, states, statesOf } from './states.ts';
import { stockExchanges } from './stock-exchanges.ts';

testRuleTable(cases.phoneHints, phoneHint);
testRuleTable(cases.stateNames, (text) => findState(text)?.code);
testRuleTable(cases.pageSizes, pageSizeOf);
testRuleTable(cases.contactPages, contactAddPageSize);
testRuleTable(cases.mfaErrors, mfaMessage);
testRuleTable(cases.salesTax, ([error, options]) => salesTaxMessage(error, options));
testRuleTable(cases.cardErrors, cardErrorMessage);
testRuleTable(cases.productErrors, ([status, code]) => isProductError(status, code));
testRuleTable(cases.createBroadcastErrors, createBroadcastError);
testRuleTable(cases.sendErrors, sendMessageError);
testRuleTable(cases.invoicePreviews, invoicePreviewError);
testRuleTable(cases.tabTitles, (count) => tabTitle('Inbox', count));

describe('countries', () => {
  it('are 23, with the calling codes that libphonenumber knows', () => {
    expect(countries).toHaveLength(23);
    for (const { code, callingCode } of countries)
      expect(getCountryCallingCode(code as 'US')).toBe(callingCode);
  });

  it('any country above 2 is international', () => {
    expect(countries.filter(({ id }) => isInternational(id))).toHaveLength(21);
  });
});

describe('states', () => {
  it('are 50, the district, 5 territories, 3 military mail regions and 13 provinces, each code once', () => {
    const kinds = Object.groupBy(states, ({ kind }) => kind);
    expect(Object.fromEntries(Object.entries(kinds).map(([kind, list]) => [kind, list?.length]))).toEqual({
      state: 50,
      district: 1,
      territory: 5,
      military: 3,
      province: 13,
    });
    expect(new Set(states.map(({ code }) => code)).size).toBe(states.length);
    for (const { code, name } of states)
      expect([findState(code)?.code, findState(name)?.code]).toEqual([code, code]);
  });

  it('are listed by name', () => {
    expect(statesOf('CA')[0]?.name).toBe('Alberta');
    expect(statesOf('US').at(-1)?.name).toBe('Wyoming');
  });
});

describe('registration data', () => {
  it('excludes GOVERNMENT when the country is Canada', () => {
    expect(entityTypesFor('Canada').map(({ value }) => value)).toEqual([
      'PUBLIC_PROFIT',
      'PRIVATE_PROFIT',
      'NON_PROFIT',
    ]);
    expect(entityTypesFor('United States').map(({ value }) => value)).toContain('GOVERNMENT');
  });

  it('has 23 industries, 27 stock exchanges, 6 consent types and 11 free-mail domains', () => {
    expect(Object.keys(industries)).toHaveLength(23);
    expect(new Set(stockExchanges).size).toBe(27);
    expect(consentTypeNames).toHaveLength(6);
    expect(new Set(freeMailDomains).size).toBe(11);
  });

  it('describes a message flow for each consent type that says how to stop', () => {
    for (const name of consentTypeNames) {
      expect(messageFlow(name).length).toBeGreaterThan(200);
      expect(messageFlow(name)).toMatch(/STOP.*HELP/s);
    }
    expect(new Set(consentTypeNames.map(messageFlow)).size).toBe(6);
    expect(messageFlow('Telepathy')).toBe('');
  });

  it('knows free mail by its whole domain', () => {
    expect([isFreeMail('a@gmail.com'), isFreeMail('a@uk.Yahoo.com')]).toEqual([true, true]);
    expect([isFreeMail('a@notgmail.com'), isFreeMail('a@gmail.com.example')]).toEqual([false, false]);
  });
});

describe('campaign details', () => {
  const { description, sample } = limits.registration;

  for (const kind of ['Promotional', 'Informational'] as const) {
    it(`${kind}: every industry and the default have a description and two samples that pass the wizard`, () => {
      const keys = [...Object.keys(industries), 'Default'].toSorted();
      expect(Object.keys(campaignDetails.CampaignDescriptions[kind]).toSorted()).toEqual(keys);
      for (const key of keys) {
        for (const text of campaignDetails.CampaignDescriptions[kind][key] ?? []) {
          expect(text.length).toBeGreaterThanOrEqual(description.min);
          expect(text.length).toBeLessThanOrEqual(description.max);
        }
        const samples = campaignDetails.SampleMessages[kind][key] ?? [];
        expect(new Set(samples).size).toBeGreaterThanOrEqual(2);
        for (const text of samples) {
          expect(text.length).toBeGreaterThanOrEqual(sample.min);
          expect(text).toMatch(/^\[Organization\]: .* Reply STOP to opt out\.$/);
        }
      }
    });
  }

  it('suggests two different samples whatever chance says', () => {
    for (const value of [0, 0.34, 0.5, 0.67, 0.999_999]) {
      for (const Vertical of ['EDUCATION', 'LEGAL', 'NO_SUCH', 'constructor']) {
        const suggestion = suggestCampaign(
          { Vertical, IsPromotional: false, DisplayName: 'HCS $& Co' },
          () => value,
        );
        expect(suggestion.Sample1).not.toBe(suggestion.Sample2);
        expect(suggestion.Sample1.startsWith('HCS $& Co: ')).toBe(true);
        expect(suggestion.Description).not.toContain('[Organization]');
      }
    }
  });
});

describe('options', () => {
  it('name the most calls at a time Max', () => {
    expect(callThrottles.map(callThrottleLabel).slice(0, 3)).toEqual(['Max', '250', '200']);
    expect(callThrottles).toHaveLength(18);
    expect(retries.map(({ value }) => value)).toEqual([0, 1, 2, 3]);
    expect(new Set(broadcastTypes).size).toBe(8);
  });
});

describe('errors', () => {
  it('have generic sentences', () => {
    expect(genericError.getting('broadcasts')).toBe('There was an error getting your broadcasts.');
    expect(genericError.adding('contact')).toBe('There was an error adding your contact.');
    expect(genericError.updating('draft')).toBe('There was an error updating your draft.');
    expect(genericError.deleting('group')).toBe('There was an error deleting your group.');
    expect(genericError.undoing('conversation')).toBe(
      'There was an error undoing the change to your conversation',
    );
  });

  it('show the server’s message only when it is meant for people', () => {
    expect(shownMessage({ body: { ErrorType: 'Informational', Message: 'Hello.' } }, 'generic')).toBe(
      'Hello.',
    );
    expect(shownMessage({ body: { ErrorType: 'Unknown', Message: 'stack' } }, 'generic')).toBe('generic');
    expect(shownMessage({ body: { ErrorType: 'Display', Message: '' } }, 'generic')).toBe('generic');
  });

  it('say which pictures are allowed', () => {
    expect(imageError('Unsupported image format.')).toEqual({
      message: 'Unsupported image format. You can send either .png or .jpg images.',
      inDialog: true,
    });
    expect(imageError(undefined)).toEqual({
      message: 'There was an error adding your image.',
      inDialog: false,
    });
  });

  it('have a sentence for every code, known or not', () => {
    expect(repeatingFailureMessage(4100)).toContain('credits');
    expect(repeatingFailureMessage(9)).toBe(repeatingFailureMessage(101));
    expect(localNumberMessage('NoAvailableLocalNumbers')).toContain('area code');
    expect(localNumberMessage('toString')).toBe(localNumberMessage('General'));
  });
});
