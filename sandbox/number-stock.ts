// Numbers for sale: made up from the area code, the same every time, so that a test can name one.
import { createHash } from 'node:crypto';
import { usAreaCodes } from './area-codes.ts';

/** Area codes where everything is sold. */
const soldOut = new Set(['212', '305', '808']);
const tollFree = new Set(['800', '833', '844', '855', '866', '877', '888']);

export function isTollFree(number: string): boolean {
  return tollFree.has(number.slice(1, 4));
}

/** Every number of an area code that was ever for sale. 423 has many; 999, which is none, has none. */
function stockOf(areaCode: string): string[] {
  const exists = usAreaCodes.has(areaCode) || tollFree.has(areaCode);
  if (!exists || soldOut.has(areaCode)) return [];
  const count = areaCode === '423' ? 86 : 12 + (Number(areaCode) % 30);
  return Array.from({ length: count }, (_, i) => {
    const exchange = 556 + (i % 3);
    return `1${areaCode}${exchange}${String(1000 + ((i * 137) % 9000)).padStart(4, '0')}`;
  });
}

/** The numbers for sale in an area code, or in a few of them if none is asked for. */
export function listForSale(
  wanted: { areaCode: string; contains: string; isTollFree: boolean },
  owned: ReadonlyMap<string, unknown>,
): string[] {
  const codes =
    wanted.areaCode !== ''
      ? [wanted.areaCode]
      : wanted.isTollFree
        ? ['888', '877', '866']
        : ['615', '423', '404'];
  return codes
    .filter((code) => tollFree.has(code) === wanted.isTollFree)
    .flatMap(stockOf)
    .filter((number) => !owned.has(number) && number.slice(1).includes(wanted.contains));
}

/** Infobip's key of a number. */
export function numberKey(number: string): string {
  return createHash('md5').update(`infobip ${number}`).digest('hex').toUpperCase();
}

/** Twilio's. */
export function numberSid(number: string): string {
  return `PN${createHash('md5').update(`twilio ${number}`).digest('hex')}`;
}

/**
 * Whoever buys a number that ends in 99 gets the next one instead, and one that ends in 98 is gone at the last moment: what
 * providers do once in a while.
 */
export function soldInstead(number: string): string | undefined {
  if (number.endsWith('98')) return undefined;
  return number.endsWith('99') ? String(Number(number) + 1) : number;
}
