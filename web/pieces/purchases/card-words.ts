import { cardErrorMessage } from '../../../contract/reference/error-codes.ts';

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'Amex',
  discover: 'Discover',
};

/** The processor's error codes in the specification's words. Undefined for codes that are not of a field. */
export function cardFieldMessage(code: string, brand: string): string | undefined {
  switch (code) {
    case 'invalid_number':
    case 'incomplete_number':
    case 'incorrect_number': {
      const known = brands[brand];
      return known ? `Use a valid ${known} card number` : 'Use a valid Card Number';
    }
    case 'invalid_expiry_year_past':
    case 'invalid_expiry_month_past':
    case 'expired_card':
      return 'Credit card is expired.';
    case 'incomplete_expiry':
    case 'invalid_expiry_month':
      return 'Enter a 2 digit month';
    case 'invalid_expiry_year':
      return 'Enter a year';
    case 'incomplete_cvc':
    case 'invalid_cvc':
    case 'incorrect_cvc':
      return 'Only 3-4 digits';
    case 'incomplete_zip':
    case 'incorrect_zip':
      return 'Use a valid U.S. or Canadian postal code';
    default:
      return undefined;
  }
}

/** The processor's message about a card that it refused. */
export function processorMessage(error: { code?: string; message?: string }): string {
  const field = cardFieldMessage(error.code ?? '', '');
  return field ?? cardErrorMessage(error.message ?? 'Your card was declined.');
}

export const emptyCardMessages = {
  cardNumber: 'Enter a Card Number',
  cardExpiry: 'Enter a 2 digit month',
  cardCvc: 'Enter a CVN',
} as const;
export type CardFieldName = keyof typeof emptyCardMessages;
export const cardFieldNames = ['cardNumber', 'cardExpiry', 'cardCvc'] as const;
