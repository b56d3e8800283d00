/** The dialogs that the billing page and its address (`?open=`) can open. */
const billingDialogs = ['credits', 'plan', 'card', 'cancel', 'convert', 'invoice'] as const;
export type BillingDialog = (typeof billingDialogs)[number];

/** For the route's validateSearch; imports nothing, because every page loads it. */
export function readBillingSearch({ open }: Record<string, unknown>): { open?: BillingDialog } {
  const known = billingDialogs.find((each) => each === open);
  return known === undefined ? {} : { open: known };
}
