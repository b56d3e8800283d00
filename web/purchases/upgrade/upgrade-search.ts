/** The chosen purchase, in the address of /upgrade/payment. Imports nothing, because every page loads it. */
export interface UpgradeSearch {
  credits?: number;
  people?: number;
}

export function readUpgradeSearch(search: Record<string, unknown>): UpgradeSearch {
  const credits = wholeNumber(search.credits);
  const people = wholeNumber(search.people);
  return {
    ...(credits === undefined ? {} : { credits }),
    ...(people === undefined ? {} : { people }),
  };
}

function wholeNumber(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number >= 1 && number <= 10_000_000 ? number : undefined;
}
