import { getCreditCard } from '../../contract/addresses/purchases.gen.ts';
import { isExpiredOn } from '../../contract/forms/card.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { CardMark } from '../pieces/purchases/card-mark.tsx';
import { formatExpiration } from '../pieces/purchases/money-words.ts';
import { useCallQuery } from '../queries/calls.ts';
import { useCan } from '../queries/current-user.ts';
import { useNow } from '../ui/now.ts';
import { say } from '../ui/say.ts';
import { CardButton, FactCard } from './fact-card.tsx';

/** The card on file, in words. */
export function useCardFacts() {
  const canManage = useCan('manageCard');
  const { data: card, isError } = useCallQuery(getCreditCard, {});
  const now = useNow();
  if (isError)
    return { name: 'No answer', brand: undefined, lines: [errorCatalog.creditCard], isExpired: false };
  if (card?.NumberMasked === undefined)
    return {
      name: card ? 'No card' : '',
      brand: undefined,
      lines: [canManage ? 'Add a card to buy at any time.' : 'Ask an account owner to add a card.'],
      isExpired: false,
    };
  // Holder, date and address are for owners.
  if (card.ExpirationDate === undefined)
    return {
      name: `${card.Brand} ending in ${card.LastFour}`,
      brand: card.Brand,
      lines: ['Only account owners see and change its details.'],
      isExpired: false,
    };
  const isExpired = isExpiredOn(card.ExpirationDate, now);
  const name = `${card.FirstName} ${card.LastName}`;
  const expiration = formatExpiration(card.ExpirationDate);
  return {
    name: `${card.Brand} ending in ${card.LastFour}`,
    brand: card.Brand,
    lines: [
      isExpired ? `${name}, expired ${expiration}` : `${name}, expires ${expiration}`,
      `${card.BillingAddress1}, ${card.BillingCity}, ${card.BillingState}`,
    ],
    isExpired,
  };
}

export function CardCard({ onChange }: { onChange: () => void }) {
  const canManage = useCan('manageCard');
  const { name, brand, lines, isExpired } = useCardFacts();
  return (
    <FactCard
      title="Card"
      action={
        canManage && <CardButton label={brand ? 'Update' : 'Add'} of={say('card')} onPress={onChange} />
      }
      value={
        <>
          {brand && <CardMark brand={brand} />}
          {isExpired ? 'Credit card is expired.' : name.replace(`${brand} `, '')}
        </>
      }
      lines={lines}
    />
  );
}
