import { expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import * as cases from './transfer.cases.ts';
import { transferForm } from './transfer.ts';

const TransferNumber = '423-555-0143';

testRuleTable(cases.transferLines, (TransferLines) =>
  fieldErrors(transferForm(), { TransferNumber, TransferLines }),
);

it('leaves the form as numbers', () => {
  expect(transferForm().parse({ TransferNumber, TransferLines: ' 12 ' })).toEqual({
    TransferNumber: '14235550143',
    TransferLines: 12,
  });
});

it('asks for the number to connect to', () => {
  expect(fieldErrors(transferForm(), { TransferLines: 1 })).toEqual({
    TransferNumber: 'Enter a Transfer Number',
  });
});
