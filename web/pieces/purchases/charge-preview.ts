import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { previewCharge } from '../../../contract/addresses/purchases.gen.ts';
import type { ChargePreview } from '../../../contract/purchases.ts';
import { callApi } from '../../api.ts';
import type { BillingValues } from './billing-fields.tsx';
import type { Purchase } from './use-payment.ts';

/** The cost of a purchase, with sales tax for the typed address, or else the card's. */
export function chargePreviewQuery(purchase: Purchase, address?: BillingValues) {
  const body = { ...purchase, ...(address ? { CreditCard: address } : {}) };
  return queryOptions<ChargePreview>({
    queryKey: [previewCharge.path, body],
    queryFn: ({ signal }) => callApi(previewCharge, { body }, { signal, missing: 'refuse' }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
  });
}
