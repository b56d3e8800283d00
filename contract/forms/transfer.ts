import { z } from 'zod';
import { maxValue, minValue, required } from '../fields/basic-rules.ts';
import { number } from '../fields/character-rules.ts';
import { numberField } from '../fields/form.ts';
import { phoneField } from '../fields/phone-rules.ts';
import { limits } from '../reference/limits.ts';

const { min, max } = limits.transferLines;

export const transferLinesField = numberField(
  required('Available lines', 'Enter the number of calls we can transfer at a time'),
  number(),
  minValue('Available lines', min, `Available lines must be at least ${min}`),
  maxValue('Available lines', max, `Available lines cannot be more than ${max.toLocaleString('en-US')}`),
);

/** The number that recipients who press 0 are connected to, and how many at a time. */
export function transferForm({ countryId = 1 }: { countryId?: number } = {}) {
  return z.object({
    TransferNumber: phoneField(countryId, required('Transfer Number')),
    TransferLines: transferLinesField,
  });
}

/** Survey replies use *1 to *9, and 0 for transfer. */
export const surveyReplyKeys = ['*1', '*2', '*3', '*4', '*5', '*6', '*7', '*8', '*9'] as const;
export const transferKey = '0';
