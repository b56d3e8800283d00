import { expect, it } from 'vitest';
import { cardFieldMessage, processorMessage } from './card-words.ts';

it('says the specification’s sentences for the processor’s codes', () => {
  expect(cardFieldMessage('invalid_number', 'visa')).toBe('Use a valid Visa card number');
  expect(cardFieldMessage('incomplete_number', 'unknown')).toBe('Use a valid Card Number');
  expect(cardFieldMessage('invalid_expiry_month_past', '')).toBe('Credit card is expired.');
  expect(cardFieldMessage('incomplete_expiry', '')).toBe('Enter a 2 digit month');
  expect(cardFieldMessage('incomplete_cvc', '')).toBe('Only 3-4 digits');
  expect(processorMessage({ code: 'card_declined', message: 'Your card was declined.' })).toBe(
    'Your card was declined.',
  );
  expect(processorMessage({ message: '03 Invalid Merchant ID' })).toMatch(/P card/);
});
