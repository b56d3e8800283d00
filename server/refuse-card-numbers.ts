import { Refusal } from '../contract/errors.ts';
import { looksLikeCardNumber } from '../contract/forms/card-number-in-text.ts';

/** The specification's fields for a card, which must stay empty here. */
const cardFields = /^(cardnumber|number|cvn|cvc|cvv|cardcvn)$/i;

/**
 * Refuses anything that looks like a card number, in any field, and the fields made for one. It runs before
 * the request is read or stored; the reply and the log contain nothing of it.
 */
export function refuseCardNumbers(given: unknown): void {
  if (typeof given === 'string') {
    if (looksLikeCardNumber(given)) throw refusal();
  } else if (typeof given === 'number') {
    if (Number.isInteger(given) && looksLikeCardNumber(String(given))) throw refusal();
  } else if (Array.isArray(given)) {
    for (const item of given) refuseCardNumbers(item);
  } else if (typeof given === 'object' && given !== null) {
    for (const [name, value] of Object.entries(given)) {
      if (cardFields.test(name) && value !== null && value !== '') throw refusal();
      if (looksLikeCardNumber(name)) throw refusal();
      refuseCardNumbers(value);
    }
  }
}

function refusal(): Refusal {
  return new Refusal(
    'refused',
    'Card numbers and CVNs are never sent to Muster. Enter the card in the fields of the card processor.',
  );
}
