/**
 * Money is whole cents everywhere but on the wire, where the specification's fields hold dollars (Amount,
 * Cost, MonthlyFee). Prices of one credit can be fractions of a cent, so they are calculated in thousandths
 * of a cent and rounded once, at the end.
 */
const perCent = 1000;

/** Dollars as the wire has them, in thousandths of a cent; a number such as 0.045 has no exact double. */
function toThousandths(dollars: number): number {
  return Math.round(dollars * 100 * perCent);
}

export function centsOfDollars(dollars: number): number {
  return Math.round(toThousandths(dollars) / perCent);
}

export function dollarsOfCents(cents: number): number {
  return cents / 100;
}

/** The cost of `count` pieces at a price in dollars, in cents, half a cent rounded up. */
export function priceCents(count: number, dollarsEach: number): number {
  const thousandths = BigInt(count) * BigInt(toThousandths(dollarsEach));
  return Number((thousandths * 2n + BigInt(perCent)) / BigInt(2 * perCent));
}

/** The price of one piece: "$45.00", and as many digits as a fraction of a cent has: "$0.0275". */
export function formatUnitPrice(dollars: number): string {
  const thousandths = toThousandths(dollars);
  const fraction = thousandths % perCent;
  return `${formatCents((thousandths - fraction) / perCent)}${
    fraction === 0 ? '' : String(fraction).padStart(3, '0').replace(/0+$/, '')
  }`;
}

/** "$1,234.50"; negative as "-$5.00". */
export function formatCents(cents: number): string {
  const size = Math.abs(cents);
  const dollars = String(Math.floor(size / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '-' : ''}$${dollars}.${String(size % 100).padStart(2, '0')}`;
}
