import { z } from 'zod';
import { required } from '../fields/basic-rules.ts';
import { failures, flagField, trimmedField } from '../fields/form.ts';
import { firstFailure } from '../fields/rule.ts';
import { cvn } from './card.ts';

export const purchaseModes = [
  'credits',
  'monthly subscription',
  'flat-rate text number',
  'monthly add-on charges',
  'pay invoice',
  'convert to pay-as-you-go',
] as const;
export type PurchaseMode = (typeof purchaseModes)[number];

/** The charge call's names for purchases. Paying an invoice and converting are separate calls. */
export const chargeTypes = {
  credits: 'CreditPurchase',
  'monthly subscription': 'SubscriptionUpgrade',
  'flat-rate text number': 'AddFlatRate',
  'monthly add-on charges': 'MonthlyAddOnCharges',
} as const;

export const consentMessage = 'You must provide consent to proceed.';

/** Recurring monthly charges need consent first: those are the charges that have a ConsentText. */
export function needsConsent(mode: PurchaseMode): boolean {
  return mode === 'monthly subscription' || mode === 'flat-rate text number';
}

/**
 * The purchase dialog beside its card form: consent, and the card on file's CVN. A new card brings its own
 * CVN in the card form.
 */
export function purchaseForm({ mode, usesCardOnFile }: { mode: PurchaseMode; usesCardOnFile: boolean }) {
  const isCharged = mode !== 'convert to pay-as-you-go';
  return z.object({ Consent: flagField(), CVN: trimmedField() }).superRefine(
    failures(({ Consent, CVN }) => ({
      Consent: needsConsent(mode) && !Consent ? consentMessage : undefined,
      CVN: usesCardOnFile && isCharged ? firstFailure(CVN, [required('CVN'), cvn()]) : undefined,
    })),
  );
}
