import { z } from 'zod';
import { maxLength, required, requiredMessage } from '../fields/basic-rules.ts';
import { number, onlyNumbers } from '../fields/character-rules.ts';
import { failures, flagField, optionalNumberField, trimmedField, typedNumber } from '../fields/form.ts';
import { type Rule, ruleThat, when } from '../fields/rule.ts';
import { errorCatalog } from '../reference/error-catalog.ts';
import { defaults, limits } from '../reference/limits.ts';
import { cvn } from './card.ts';

export const poNumber = maxLength('Purchase Order Number', limits.poNumber);
export const additionalNotes = maxLength('Additional Notes', limits.additionalNotes);

/**
 * Dollars as typed ("$1,234.50", "12", ".5") in cents, never a fraction in between; undefined when it isn't
 * an amount. More than two decimals aren't an amount of money.
 */
export function parseCents(text: string): number | undefined {
  const parts = /^\$? ?([0-9]{1,10}|[0-9]{1,3}(?:,[0-9]{3}){1,3})?(?:\.([0-9]{1,2}))?$/.exec(text.trim());
  if (!parts || (parts[1] === undefined && parts[2] === undefined)) return undefined;
  return Number((parts[1] ?? '0').replaceAll(',', '')) * 100 + Number((parts[2] ?? '').padEnd(2, '0'));
}

/** Between one cent and what is still due. */
export function paymentAmount(balanceDueCents: number): Rule[] {
  return [
    required('Amount'),
    ruleThat(
      (value) => parseCents(value) !== undefined || parseCents(value.replace(/^-/, '')) !== undefined,
      onlyNumbers,
    ),
    ruleThat((value) => (parseCents(value) ?? 0) >= limits.payment.minCents, 'Amount is Too Small'),
    ruleThat((value) => (parseCents(value) ?? 0) <= balanceDueCents, 'Amount is Too Big'),
  ];
}

/** Paying an invoice, or a part of it. Amount is typed in dollars and leaves the form as cents. */
export function invoicePaymentForm(context: { balanceDueCents: number; usesCardOnFile: boolean }) {
  return z
    .object({
      Amount: typedNumber(paymentAmount(context.balanceDueCents)),
      CVN: trimmedField(...when(context.usesCardOnFile, required('CVN'), cvn())),
    })
    .transform(({ Amount, CVN }) => ({ amountCents: parseCents(Amount) ?? 0, CVN }));
}

/** An invoice that an owner makes: credits when IsPayG, otherwise a subscription for a group size. */
export const invoiceForm = z
  .object({
    IsPayG: flagField(),
    NumberOfCredits: optionalNumberField(number()),
    MaxPeople: optionalNumberField(number()),
    SubscriptionDuration: optionalNumberField(number()),
    InvoiceAddressID: optionalNumberField(number()),
    PoNumber: trimmedField(poNumber),
    AdditionalNotes: trimmedField(additionalNotes),
    SendEmail: flagField(),
    AutoRenewInvoices: flagField(),
    AddCreditsToAccount: flagField(),
  })
  .superRefine(
    failures((values) => ({
      NumberOfCredits:
        values.IsPayG && !values.NumberOfCredits ? requiredMessage('Number of Credits') : undefined,
      MaxPeople: !values.IsPayG && !values.MaxPeople ? requiredMessage('Group Size') : undefined,
      InvoiceAddressID: values.InvoiceAddressID ? undefined : errorCatalog.invoiceAddress,
    })),
  )
  .transform((values) => ({
    ...values,
    SubscriptionDuration: values.SubscriptionDuration ?? defaults.invoice.SubscriptionDuration,
  }));

/** Renewal of months that are paid by invoice. An open invoice brings its own choice with its payment. */
export const invoiceRenewalForm = z.object({
  AutoRenewal: z.boolean(),
  InvoiceDuration: z.number().int().min(1).max(36),
  ForOpenInvoices: z.boolean(),
});
