import { z } from 'zod';
import { call } from './call.ts';

/** Codes of partners and promotions that bring free credits. */

const groupCode = z.object({
  Name: z.string(),
  FreeCredits: z.number().int(),
  AccountType: z.number().int(),
  PromoMessage: z.string(),
  IsSsoLoginOnly: z.boolean(),
});

export const useGroupCode = call({
  method: 'POST',
  path: '/groupcode',
  summary: 'Uses a group code: adds its free credits to the account, once.',
  allow: 'viewBilling',
  event: 'groupCode.used',
  body: z.object({ Name: z.string().trim().min(1, 'The group code is not valid.').max(100) }),
  reply: groupCode,
  errors: ['refused'],
  refusesCardNumbers: true,
});

export const validatePromoCode = call({
  method: 'POST',
  path: '/validation/promocode',
  summary: 'Checks a promo code.',
  allow: 'public',
  event: 'none',
  body: z.object({ Source: z.string().trim().max(100) }),
  reply: z.object({ Success: z.boolean(), ErrorMessage: z.string().nullable() }),
});
