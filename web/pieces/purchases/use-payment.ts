import { CardCvcElement, CardNumberElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { createCardSetup, createCharge, getCharge } from '../../../contract/addresses/purchases.gen.ts';
import type { ChargeReply } from '../../../contract/purchases.ts';
import { ApiError, callApi, newIdempotencyKey } from '../../api.ts';
import type { BillingValues } from './billing-fields.tsx';
import { processorMessage } from './card-words.ts';

/** A card that the processor or its script didn't take: shown in the dialog. */
export class CardRefused extends Error {
  override name = 'CardRefused';
}

const noFields = 'The card fields could not be loaded. Close this and try again.';

/** A purchase as the call names it. */
export interface Purchase {
  ChargeType:
    | 'SubscriptionUpgrade'
    | 'CreditPurchase'
    | 'AddFlatRate'
    | 'MonthlyAddOnCharges'
    | 'InvoicePayment';
  NumberOfCredits?: number;
  MaxPeople?: number;
  TextNumberID?: number;
  InvoiceID?: number;
  Amount?: number;
}

/** Saves the card in the processor's fields there and returns the id that stands for it. */
export function useCardSetup() {
  const stripe = useStripe();
  const elements = useElements();
  return async (billing: BillingValues): Promise<string> => {
    const card = elements?.getElement(CardNumberElement);
    if (!stripe || !card) throw new CardRefused(noFields);
    const setup = await callApi(createCardSetup, { body: {} }, { missing: 'refuse' });
    const { error, setupIntent } = await stripe.confirmCardSetup(setup.ClientSecret, {
      payment_method: {
        card,
        billing_details: {
          name: `${billing.FirstName} ${billing.LastName}`,
          address: {
            line1: billing.BillingAddress1,
            city: billing.BillingCity,
            state: billing.BillingState,
            postal_code: billing.BillingZipCode,
          },
        },
      },
    });
    if (error) throw new CardRefused(processorMessage(error));
    return setupIntent.id;
  };
}

const pendingTries = 8;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export interface Payment {
  purchase: Purchase;
  /** The total that the person has seen and agreed to. */
  totalAmount: number;
  consentText: string | undefined;
  /** A new card; without it, the card on file pays. */
  billing: BillingValues | undefined;
  /** Nothing is charged, so no card is needed. */
  isFree: boolean;
}

/** Pays: with the card on file and its CVN, or with a new card. One press is charged once, however often it is sent. */
export function usePayment() {
  const stripe = useStripe();
  const elements = useElements();
  const setUp = useCardSetup();

  async function cardOf({ billing, isFree }: Payment) {
    if (isFree) return {};
    if (billing) return { CreditCard: { ...billing, SetupIntentID: await setUp(billing) } };
    const cvc = elements?.getElement(CardCvcElement);
    if (!stripe || !cvc) throw new CardRefused(noFields);
    const { error, token } = await stripe.createToken('cvc_update', cvc);
    if (error) throw new CardRefused(processorMessage(error));
    return { CVNToken: token.id };
  }

  return async (payment: Payment): Promise<ChargeReply> => {
    const { purchase, totalAmount, consentText } = payment;
    const body = {
      ...purchase,
      ...(await cardOf(payment)),
      ...(purchase.ChargeType === 'InvoicePayment' ? { PaidByCC: true } : {}),
      ...(consentText === undefined ? {} : { ConsentText: consentText }),
      TotalAmount: totalAmount,
    };
    let charge = await sendOnce(body);
    if (charge.Status === 'Action' && charge.ClientSecret) {
      // The server reads the bank's answer itself; what the page says of it doesn't count.
      await stripe?.handleNextAction({ clientSecret: charge.ClientSecret });
      charge = await lookAt(charge.ChargeID);
    }
    for (let tries = 0; charge.Status === 'Pending' && tries < pendingTries; tries++) {
      await pause(1_500);
      charge = await lookAt(charge.ChargeID);
    }
    if (charge.Status === 'Action')
      throw new CardRefused('Your bank did not confirm the payment. Nothing was charged.');
    if (charge.Status !== 'Paid') throw new CardRefused(charge.Message ?? 'Your card was declined.');
    return charge;
  };
}

function lookAt(ChargeID: number): Promise<ChargeReply> {
  return callApi(getCharge, { params: { ChargeID } }, { missing: 'refuse' });
}

const unreachable = (error: unknown) =>
  !(error instanceof ApiError) || error.status === 502 || error.status === 503 || error.status === 504;

/** If the answer is lost on the way, the same request with the same key asks what happened to it. */
async function sendOnce(body: Parameters<typeof sendCharge>[0]): Promise<ChargeReply> {
  const key = newIdempotencyKey();
  for (let tries = 1; ; tries++) {
    try {
      return await sendCharge(body, key);
    } catch (error) {
      if (!unreachable(error) || tries === 3) throw error;
      await pause(1_000 * tries);
    }
  }
}

function sendCharge(body: Purchase & { TotalAmount: number }, key: string): Promise<ChargeReply> {
  return callApi(createCharge, { body }, { idempotencyKey: key, missing: 'refuse' });
}
