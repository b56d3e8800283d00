/** The purchase, in the address of the pages after it. Imports nothing, because every page loads it. */
export interface PaidSearch {
  what?: string;
  invoice?: number;
}

export function readPaidSearch({ what, invoice }: Record<string, unknown>): PaidSearch {
  const id = Number(invoice);
  return {
    ...(typeof what === 'string' && what !== '' ? { what: what.slice(0, 100) } : {}),
    ...(Number.isInteger(id) && id > 0 ? { invoice: id } : {}),
  };
}
