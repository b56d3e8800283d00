import { ruleTable } from '../testing/rule-table.ts';

export const transferLines = ruleTable<string | number | null, Record<string, string>>({
  about: 'Transfer lines',
  file: 'contract/forms/transfer.ts',
  rows: [
    {
      rule: 'TransferLines: required ("Enter the number of calls we can transfer at a time"), numeric',
      message: 'Enter the number of calls we can transfer at a time',
      cases: [
        ['', { TransferLines: 'Enter the number of calls we can transfer at a time' }],
        [null, { TransferLines: 'Enter the number of calls we can transfer at a time' }],
        ['two', { TransferLines: 'Use only numbers' }],
        ['1.5', { TransferLines: 'Use only numbers' }],
        [12, {}],
      ],
    },
    {
      rule: 'min 1 ("Available lines must be at least 1")',
      message: 'Available lines must be at least 1',
      cases: [
        ['0', { TransferLines: 'Available lines must be at least 1' }],
        ['1', {}],
      ],
    },
    {
      rule: 'max 5000 ("Available lines cannot be more than 5,000")',
      message: 'Available lines cannot be more than 5,000',
      cases: [
        ['5000', {}],
        ['5001', { TransferLines: 'Available lines cannot be more than 5,000' }],
      ],
    },
  ],
});
