// Stripe's published test cards, by number and by the names that stand for them, and what each of them does.

export type Decline = { code: string; declineCode?: string; message: string };

export type CardBehavior = {
  brand: 'visa' | 'mastercard' | 'amex' | 'discover' | 'unknown';
  last4: string;
  /** Refused when it is saved. */
  onSetup?: Decline;
  /** Refused when it is charged. */
  onCharge?: Decline;
  /** The bank asks the cardholder: when the card is saved, at every payment, or never. */
  asks?: 'setup' | 'always';
};

const declined = (declineCode: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  declineCode,
  message,
});
const refused = (decline: Decline): Pick<CardBehavior, 'onSetup' | 'onCharge'> => ({
  onSetup: decline,
  onCharge: decline,
});

/** A card that an organization gives to its buyers, and that is good for certain shops only. Ours, not Stripe's. */
const purchasingCard = '4000000000003030';

const behaviors: Readonly<Record<string, Omit<CardBehavior, 'brand' | 'last4'>>> = {
  '4000000000000002': refused(declined('generic_decline')),
  '4000000000009995': refused(declined('insufficient_funds', 'Your card has insufficient funds.')),
  '4000000000009987': refused(declined('lost_card')),
  '4000000000009979': refused(declined('stolen_card')),
  '4000000000000069': refused({ code: 'expired_card', message: 'Your card has expired.' }),
  '4000000000000127': refused({
    code: 'incorrect_cvc',
    message: 'Your card’s security code is incorrect.',
  }),
  '4000000000000119': refused({
    code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  }),
  '4000000000000341': { onCharge: declined('generic_decline') },
  [purchasingCard]: { onCharge: declined('do_not_honor', 'Declined: 03 Invalid Merchant ID') },
  '4000002500003155': { asks: 'setup' },
  '4000002760003184': { asks: 'always' },
};

/** The names that stand for cards where there is no number. */
const named: Readonly<Record<string, string>> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_discover: '6011111111111117',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeDeclinedProcessingError: '4000000000000119',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_purchasing: purchasingCard,
};

export function numberOf(name: string): string | undefined {
  return named[name];
}

export function behaviorOf(number: string): CardBehavior {
  return { brand: brandOf(number), last4: number.slice(-4), ...behaviors[number] };
}

function brandOf(number: string): CardBehavior['brand'] {
  if (/^3[47]/.test(number)) return 'amex';
  if (number.startsWith('4')) return 'visa';
  if (/^(?:5[1-5]|2[2-7])/.test(number)) return 'mastercard';
  if (/^6(?:011|4[4-9]|5)/.test(number)) return 'discover';
  return 'unknown';
}

/** The checksum of card numbers. */
export function hasChecksum(number: string): boolean {
  let sum = 0;
  for (let index = 0; index < number.length; index++) {
    const digit = Number(number[number.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return number.length >= 13 && sum % 10 === 0;
}
