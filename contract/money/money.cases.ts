import { ruleTable } from '../testing/rule-table.ts';
import type { PricingTier } from './pricing.ts';
import type { CreditCaps } from './toll-free-caps.ts';

const payAsYouGo: PricingTier[] = [
  { LowerLimit: 300, UpperLimit: 999, Cost: 0.09 },
  { LowerLimit: 1000, UpperLimit: 4999, Cost: 0.075 },
  { LowerLimit: 5000, UpperLimit: null, Cost: 0.0455 },
];
const monthly: PricingTier[] = [
  { LowerLimit: 1, UpperLimit: 100, Cost: 18 },
  { LowerLimit: 101, UpperLimit: 500, Cost: 49.95 },
  { LowerLimit: 501, UpperLimit: 1000, Cost: 89 },
];

export const creditStepCases = ruleTable<PricingTier[], number[]>({
  about: 'Credits on offer',
  file: 'contract/money/credit-steps.ts',
  rows: [
    {
      rule: 'Credits are offered at steps around 1.67 times the lowest tier, rounded to hundreds. (the first three)',
      cases: [
        [payAsYouGo, [500, 1000, 1500]],
        [[{ LowerLimit: 600, UpperLimit: null, Cost: 0.08 }], [1000, 2000, 3000]],
        [[...payAsYouGo].reverse(), [500, 1000, 1500]],
      ],
    },
    {
      rule: 'Ours: a lowest tier that begins at nothing counts by its end; a step is never under a hundred',
      cases: [
        [[{ LowerLimit: 1, UpperLimit: 300, Cost: 0.1 }], [500, 1000, 1500]],
        [[{ LowerLimit: 0, UpperLimit: null, Cost: 0.1 }], [100, 200, 300]],
        [[{ LowerLimit: 10, UpperLimit: 20, Cost: 0.1 }], [100, 200, 300]],
        [[], [100, 200, 300]],
      ],
    },
  ],
});

export const creditFlagCases = ruleTable<number, boolean>({
  about: 'Amounts of credits that are flagged',
  file: 'contract/money/credit-steps.ts',
  rows: [
    {
      rule: 'Invoice self-service payment threshold 100 credits; amounts under 100 flagged',
      cases: [
        [99, true],
        [100, false],
      ],
    },
  ],
});

export const creditPriceCases = ruleTable<number, number | undefined>({
  about: 'Tiered pricing of credits, in cents',
  file: 'contract/money/pricing.ts',
  rows: [
    {
      rule: 'PricingDetails tiers (LowerLimit, UpperLimit, Cost); here 300-999 at $0.09, 1000-4999 at $0.075, from 5000 at $0.0455: the tier of the total prices all of it',
      cases: [
        [500, 4500],
        [999, 8991],
        [1000, 7500],
        [5000, 22_750],
        [5001, 22_755],
        [1_000_000, 4_550_000],
      ],
    },
    {
      rule: 'Ours: fewer than the lowest tier begins with are priced by it; half a cent is rounded up',
      cases: [
        [100, 900],
        [1001, 7508],
      ],
    },
  ],
});

export const monthlyFeeCases = ruleTable<
  number,
  { feeCents: number | undefined; maxPeople: number | undefined }
>({
  about: 'Monthly fees by group size',
  file: 'contract/money/pricing.ts',
  rows: [
    {
      rule: 'Monthly tiers sell a group size for a fee (here up to 100 $18, 500 $49.95, 1000 $89); a larger group has no price',
      cases: [
        [1, { feeCents: 1800, maxPeople: 100 }],
        [100, { feeCents: 1800, maxPeople: 100 }],
        [101, { feeCents: 4995, maxPeople: 500 }],
        [1000, { feeCents: 8900, maxPeople: 1000 }],
        [1001, { feeCents: undefined, maxPeople: 1000 }],
      ],
    },
  ],
});

export const casePrices = { payAsYouGo, monthly };

export const voiceUnitCases = ruleTable<number | undefined, number>({
  about: 'Units of a call',
  file: 'contract/money/units.ts',
  rows: [
    {
      rule: 'Voice credit estimate: 30 per message, with message length divided by 30; longer messages use more credits',
      cases: [
        [1, 1],
        [30, 1],
        [30.1, 2],
        [60, 2],
        [61, 3],
        [120, 4],
      ],
    },
    {
      rule: 'Ours: a message that isn’t recorded yet is estimated at 30 seconds',
      cases: [
        [undefined, 1],
        [0, 1],
      ],
    },
  ],
});

export const textUnitCases = ruleTable<
  { characters: number; international?: boolean; extraCredit?: boolean },
  number
>({
  about: 'Units of a text',
  file: 'contract/money/units.ts',
  rows: [
    {
      rule: 'An SMS segment is 160 characters; segment counts round up',
      cases: [
        [{ characters: 1 }, 1],
        [{ characters: 160 }, 1],
        [{ characters: 161 }, 2],
        [{ characters: 320 }, 2],
      ],
    },
    {
      rule: 'Or 150 for international accounts when over 160',
      cases: [
        [{ characters: 160, international: true }, 1],
        [{ characters: 300, international: true }, 2],
        [{ characters: 301, international: true }, 3],
      ],
    },
    {
      rule: 'A minimum of 2 units applies when the extra-credit rule is on',
      cases: [
        [{ characters: 10, extraCredit: true }, 2],
        [{ characters: 321, extraCredit: true }, 3],
      ],
    },
    { rule: 'Ours: a picture without a text is one unit', cases: [[{ characters: 0 }, 1]] },
  ],
});

export const tollFreeCapCases = ruleTable<{ number: string; status: string; at: string }, CreditCaps>({
  about: 'Toll-free credit caps',
  file: 'contract/money/toll-free-caps.ts',
  rows: [
    {
      rule: 'Daily/weekly/monthly credit caps: default 2000/12000/25000',
      cases: [
        [
          { number: '8005550143', status: 'Registered', at: '2023-03-31' },
          { DailyCredits: 2000, WeeklyCredits: 12_000, MonthlyCredits: 25_000 },
        ],
        [
          { number: '8005550143', status: 'Not Registered', at: '2023-03-31' },
          { DailyCredits: 2000, WeeklyCredits: 12_000, MonthlyCredits: 25_000 },
        ],
      ],
    },
    {
      rule: 'Registered toll-free after the date 2000/6000/10000',
      cases: [
        [
          { number: '18335550143', status: 'Registered', at: '2023-04-01' },
          { DailyCredits: 2000, WeeklyCredits: 6000, MonthlyCredits: 10_000 },
        ],
      ],
    },
    {
      rule: 'Unregistered after the date 500/1000/2000',
      cases: [
        [
          { number: '8885550143', status: 'Not Registered', at: '2026-11-15' },
          { DailyCredits: 500, WeeklyCredits: 1000, MonthlyCredits: 2000 },
        ],
        [
          { number: '8885550143', status: 'Pending', at: '2026-11-15' },
          { DailyCredits: 500, WeeklyCredits: 1000, MonthlyCredits: 2000 },
        ],
        [
          { number: '8885550143', status: 'Rejected', at: '2026-11-15' },
          { DailyCredits: 500, WeeklyCredits: 1000, MonthlyCredits: 2000 },
        ],
      ],
    },
    {
      rule: 'Unlimited in one case (ours: local numbers, which have no toll-free cap)',
      cases: [
        [
          { number: '4235550143', status: 'Registered', at: '2026-11-15' },
          {
            DailyCredits: Number.POSITIVE_INFINITY,
            WeeklyCredits: Number.POSITIVE_INFINITY,
            MonthlyCredits: Number.POSITIVE_INFINITY,
          },
        ],
      ],
    },
  ],
});

export const messagesPerDayCases = ruleTable<
  [estimated: number, allocated: number, limit: number | undefined],
  boolean
>({
  about: 'Messages a day',
  file: 'contract/money/credit-check.ts',
  rows: [
    {
      rule: 'Sending blocked when estimated credits plus allocated credits exceed the messages-per-day limit',
      cases: [
        [[1500, 500, 2000], false],
        [[1500, 501, 2000], true],
        [[1, 0, 0], true],
        [[1_000_000, 0, undefined], false],
      ],
    },
  ],
});

export const groupSizeCases = ruleTable<
  { reached: number; level: number; newPeople: number },
  { isWithin: boolean; exceededBy: number }
>({
  about: 'Group size',
  file: 'contract/money/group-size.ts',
  rows: [
    {
      rule: 'Group size limits apply per billing period',
      cases: [
        [
          { reached: 400, level: 500, newPeople: 100 },
          { isWithin: true, exceededBy: 0 },
        ],
        [
          { reached: 400, level: 500, newPeople: 101 },
          { isWithin: false, exceededBy: 1 },
        ],
        [
          { reached: 600, level: 500, newPeople: 0 },
          { isWithin: false, exceededBy: 100 },
        ],
      ],
    },
  ],
});

export const creditCheckCases = ruleTable<
  [needed: number, available: number],
  { isEnough: boolean; needed: number; missing: number }
>({
  about: 'Not enough credits',
  file: 'contract/money/credit-check.ts',
  rows: [
    {
      rule: 'Not enough credits: states the minimum needed and the additional amount',
      cases: [
        [[100, 100], { isEnough: true, needed: 100, missing: 0 }],
        [[101, 100], { isEnough: false, needed: 101, missing: 1 }],
        [[0, 0], { isEnough: true, needed: 0, missing: 0 }],
      ],
    },
  ],
});
