import { formatCents } from '../../../contract/money/cents.ts';
import { formatCount, formatSmall } from '../../ui/format.ts';

/** Dollars as the wire has them: "$1,234.50". */
export function formatDollars(dollars: number): string {
  return formatCents(Math.round(dollars * 100));
}

/** The price of one credit: "3.5¢", "2.75¢", "1.255¢". */
export function formatUnitCost(dollars: number): string {
  const digits = (Math.round(dollars * 100_000) / 1000).toFixed(3);
  return `${digits.replace(/0{1,2}$/, '')}¢`;
}

/** "08/27" of the first day of the month in which a card expires. */
export function formatExpiration(date: string): string {
  return `${date.slice(5, 7)}/${date.slice(2, 4)}`;
}

/** Time that credits last: "About six weeks at your pace". Undefined while nothing was sent. */
export function paceWords(credits: number, usedInThirtyDays: number): string | undefined {
  if (usedInThirtyDays <= 0) return undefined;
  const days = Math.floor((credits * 30) / usedInThirtyDays);
  if (days < 1) return 'Less than a day at your pace';
  if (days > 365) return 'More than a year at your pace';
  if (days === 1) return 'About one day at your pace';
  if (days < 14) return `About ${formatSmall(days)} days at your pace`;
  return `About ${formatSmall(Math.round(days / 7))} weeks at your pace`;
}

/** "Up to 500 people", "More than 10,000 people". */
export function groupSizeWords({
  LowerLimit,
  UpperLimit,
}: {
  LowerLimit: number;
  UpperLimit: number | null;
}): string {
  return UpperLimit === null
    ? `${formatCount(LowerLimit)} people or more`
    : `Up to ${formatCount(UpperLimit)} people`;
}
