import { ruleTable } from '../testing/rule-table.ts';
import type { TextNumberAdvice, UsableNumber } from './text-number-advice.ts';

interface AdviceCase {
  isOwner: boolean;
  IsFreeTrial?: boolean;
  CountryID?: number;
  numbers: UsableNumber[];
}

const usable: UsableNumber = { CanText: true, CanCreateBroadcast: true, IsBlocked: false };

export const textNumberAdviceCases = ruleTable<AdviceCase, TextNumberAdvice>({
  about: 'Before one can text',
  file: 'contract/states/text-number-advice.ts',
  rows: [
    {
      rule: 'Only account owners get buttons to set up texting or register a toll-free line. Sub-users are told to ask the owner.',
      cases: [
        [{ isOwner: true, numbers: [] }, 'set up texting'],
        [{ isOwner: false, numbers: [] }, 'ask the owner'],
      ],
    },
    {
      rule: 'Free-trial accounts get a free text number via a flow. International accounts contact support by e-mail.',
      cases: [
        [{ isOwner: true, IsFreeTrial: true, numbers: [] }, 'get a text number for free'],
        [{ isOwner: true, IsFreeTrial: true, CountryID: 4, numbers: [] }, 'contact support'],
        [{ isOwner: true, CountryID: 2, numbers: [] }, 'set up texting'],
      ],
    },
    {
      rule: 'Users with only unusable text numbers are told to get a broadcast-ready one',
      cases: [
        [
          { isOwner: true, numbers: [{ ...usable, CanCreateBroadcast: false }] },
          'get a broadcast-ready text number',
        ],
        [{ isOwner: true, numbers: [{ ...usable, IsBlocked: true }] }, 'get a broadcast-ready text number'],
        [{ isOwner: true, numbers: [{ ...usable, CanText: false }] }, 'get a broadcast-ready text number'],
        [{ isOwner: false, numbers: [{ ...usable, CanCreateBroadcast: false }] }, 'ask the owner'],
        [{ isOwner: false, numbers: [{ ...usable, IsBlocked: true }, usable] }, 'ready'],
      ],
    },
  ],
});
