import { expect, it } from 'vitest';
import { looksLikeCardNumber } from './card-number-in-text.ts';

it.each([
  '4242424242424242',
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  'Visa 4242424242424242 12/27',
  '4242424242424242123',
  'seti_4242424242424242',
  '378282246310005',
  '6011111111111117',
  '3530111333300000',
  '00000000004242424242424242',
])('%s looks like a card number', (text) => expect(looksLikeCardNumber(text)).toBe(true));

it.each([
  '',
  '4242424242424241',
  'Invoice 10498, PO 4417',
  '(423) 555-0143, (423) 555-0144',
  'seti_1Mm8s8LkdIwHu7ix0OXBfTRG',
  'seti_a4242424242424242',
  '1234567890123456',
  '37402-1234',
])('“%s” does not', (text) => expect(looksLikeCardNumber(text)).toBe(false));
