import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { centsOfDollars, dollarsOfCents, formatCents, formatUnitPrice, priceCents } from './cents.ts';
import { checkCredits, currentMessagingLimit, exceedsMessagesPerDay } from './credit-check.ts';
import { creditOffers, creditStep, isCreditAmountFlagged, offerFor } from './credit-steps.ts';
import { checkGroupSize } from './group-size.ts';
import {
  casePrices,
  creditCheckCases,
  creditFlagCases,
  creditPriceCases,
  creditStepCases,
  groupSizeCases,
  messagesPerDayCases,
  monthlyFeeCases,
  textUnitCases,
  tollFreeCapCases,
  voiceUnitCases,
} from './money.cases.ts';
import { creditPriceCents, findTier, maxPeopleOf, monthlyFeeCents } from './pricing.ts';
import { findBrokenCap, registeredCaps, tollFreeCaps, unlimitedCaps } from './toll-free-caps.ts';
import { broadcastUnits, callUnits, textUnits, voiceUnits } from './units.ts';

testRuleTable(creditStepCases, (tiers) => creditOffers(tiers, 3));
testRuleTable(creditFlagCases, isCreditAmountFlagged);
testRuleTable(creditPriceCases, (credits) => creditPriceCents(casePrices.payAsYouGo, credits));
testRuleTable(monthlyFeeCases, (people) => ({
  feeCents: monthlyFeeCents(casePrices.monthly, people),
  maxPeople: maxPeopleOf(casePrices.monthly, people),
}));
testRuleTable(voiceUnitCases, voiceUnits);
testRuleTable(textUnitCases, ({ characters, ...options }) => textUnits(characters, options));
testRuleTable(tollFreeCapCases, ({ number, status, at }) =>
  tollFreeCaps({ TextPhoneNumber: number, RegistrationStatus: status }, Date.parse(at)),
);
testRuleTable(messagesPerDayCases, ([estimated, allocated, limit]) =>
  exceedsMessagesPerDay(estimated, allocated, limit),
);
testRuleTable(groupSizeCases, ({ reached, level, newPeople }) => {
  const { isWithin, exceededBy } = checkGroupSize(
    { UniqueCallCount: reached, MonthlyLevel: level },
    newPeople,
  );
  return { isWithin, exceededBy };
});
testRuleTable(creditCheckCases, ([needed, available]) => checkCredits(needed, available));

const price = fc.integer({ min: 1, max: 100_000 });

describe('money', () => {
  it('has as many digits as the price of one piece needs', () => {
    expect([45, 0.5, 0.03, 0.045, 0.0275, 0.01255, 1234.005].map(formatUnitPrice)).toEqual([
      ...['$45.00', '$0.50', '$0.03', '$0.045', '$0.0275', '$0.01255', '$1,234.005'],
    ]);
  });

  it('is exact: prices in thousandths of a cent, rounded once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), price, (count, thousandthsOfACent) => {
        // A dollar has 100,000 thousandths of a cent. Calculated again in whole numbers.
        const exact = BigInt(count) * BigInt(thousandthsOfACent);
        const cents = Number(exact / 1000n) + (exact % 1000n >= 500n ? 1 : 0);
        expect(priceCents(count, thousandthsOfACent / 100_000)).toBe(cents);
      }),
    );
  });

  it('doesn’t lose cents to floating-point rounding', () => {
    expect(centsOfDollars(1.005)).toBe(101);
    expect(centsOfDollars(0.1 + 0.2)).toBe(30);
    expect(centsOfDollars(19.99)).toBe(1999);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e10 }), (cents) => {
        expect(centsOfDollars(dollarsOfCents(cents))).toBe(cents);
      }),
    );
  });

  it('is written with dollars, thousands and two cents', () => {
    expect([0, 5, 1234_50, 100_000_000, -500].map(formatCents)).toEqual([
      '$0.00',
      '$0.05',
      '$1,234.50',
      '$1,000,000.00',
      '-$5.00',
    ]);
    const platform = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
    fc.assert(
      fc.property(fc.integer({ min: -1e10, max: 1e10 }), (cents) => {
        expect(formatCents(cents)).toBe(platform.format(cents / 100));
      }),
    );
  });

  it('finds the tier whatever order the tiers come in', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 300, max: 20_000 }),
        fc.shuffledSubarray(casePrices.payAsYouGo, { minLength: 3 }),
        (credits, tiers) => {
          const tier = findTier(tiers, credits);
          if (!tier) throw new Error('there is always a tier');
          expect(tier.LowerLimit).toBeLessThanOrEqual(credits);
          expect(tier.UpperLimit ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(credits);
        },
      ),
    );
    expect(findTier([], 5)).toBeUndefined();
    expect(creditPriceCents([], 5)).toBeUndefined();
  });

  it('offers rising amounts in hundreds, about 1.67 times the lowest tier apart', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 61, max: 100_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (lowest, missing) => {
          const tiers = [{ LowerLimit: lowest, UpperLimit: null, Cost: 0.05 }];
          const step = creditStep(tiers);
          expect(step % 100).toBe(0);
          expect(Math.abs(step - lowest * 1.67)).toBeLessThanOrEqual(50.01);
          const offer = offerFor(tiers, missing);
          expect(offer).toBeGreaterThanOrEqual(missing);
          expect(offer - missing).toBeLessThanOrEqual(step);
          expect(offer % step).toBe(0);
        },
      ),
    );
  });
});

describe('units of a broadcast', () => {
  const size = { textNumbers: 100, voiceNumbers: 40, textUnits: 2, voiceUnits: 3 };

  it('are the texts, the calls, or both, by its type', () => {
    expect(broadcastUnits({ ...size, BroadcastType: 'SMS' })).toBe(200);
    expect(broadcastUnits({ ...size, BroadcastType: 'GroupSMS' })).toBe(200);
    expect(broadcastUnits({ ...size, BroadcastType: 'Announcement' })).toBe(120);
    expect(broadcastUnits({ ...size, BroadcastType: 'Survey' })).toBe(120);
    expect(broadcastUnits({ ...size, BroadcastType: 'SMSOrAnnouncement' })).toBe(320);
    expect(broadcastUnits({ ...size, BroadcastType: 'SMSAndSurvey' })).toBe(320);
  });

  it('take the longer of the live and the voicemail message', () => {
    expect(callUnits(20, 65)).toBe(3);
    expect(callUnits(65)).toBe(3);
    expect(callUnits(undefined, undefined)).toBe(1);
  });
});

describe('caps and limits', () => {
  it('name the first cap that would break', () => {
    const used = { DailyCredits: 1000, WeeklyCredits: 5500, MonthlyCredits: 9800 };
    expect(findBrokenCap(registeredCaps, used, 200)).toBeUndefined();
    expect(findBrokenCap(registeredCaps, used, 201)).toBe('monthly');
    expect(findBrokenCap(registeredCaps, used, 501)).toBe('weekly');
    expect(findBrokenCap(registeredCaps, used, 1001)).toBe('daily');
    expect(findBrokenCap(unlimitedCaps, used, 1e9)).toBeUndefined();
  });

  it('Messaging limits: Standard and Registered', () => {
    const both = [
      { limitName: 'Standard', messagesPerDay: 2000 },
      { limitName: 'Registered', messagesPerDay: 40_000 },
    ] as const;
    expect(currentMessagingLimit(both, false)?.messagesPerDay).toBe(2000);
    expect(currentMessagingLimit(both, true)?.messagesPerDay).toBe(40_000);
    expect(currentMessagingLimit([], true)).toBeUndefined();
  });
});
