import { countries } from '../reference/countries.ts';

/** A country's way of writing numbers at home and abroad, as far as normalizing needs it. */
export interface DialingPlan {
  countryId: number;
  callingCode: string;
  /**
   * Digits that people put before a number inside the country and nobody dials from abroad ("0" of 020 7946 0958).
   */
  trunkPrefixes: readonly string[];
  /** Digits after the calling code. Generous: whether a number is in use is for validatePhone. */
  minDigits: number;
  maxDigits: number;
  /**
   * Most digits of a number in countries where people put nothing before it. Elsewhere a number without its 0 is
   * incomplete.
   */
  mostBareDigits: number;
}

/** countryId: [trunk prefixes, fewest, most digits after the calling code]. Longest trunk prefix first. */
const shapes: Readonly<Record<number, readonly [readonly string[], number, number]>> = {
  3: [['044', '045', '01', '0', '1'], 10, 10],
  4: [['0'], 9, 10],
  5: [['0'], 6, 13],
  6: [[], 9, 9],
  7: [['0'], 8, 10],
  8: [['0'], 9, 9],
  9: [['0'], 6, 10],
  10: [[], 8, 11],
  11: [['0'], 9, 9],
  // In Italy the 0 is part of a landline's number and is dialed from abroad too.
  12: [[], 6, 11],
  13: [[], 9, 9],
  14: [['0'], 5, 13],
  15: [[], 9, 9],
  16: [['0'], 7, 9],
  21: [['0'], 8, 9],
  22: [['0'], 8, 10],
  23: [['0'], 9, 9],
  24: [['0'], 9, 9],
  25: [['0'], 8, 9],
  26: [['0'], 8, 11],
  27: [['0'], 10, 10],
};

/** Mexico gave up its prefixes in 2019 (what was written before still has them), Poland earlier; others had none. */
const writtenBare: Readonly<Record<number, number>> = { 3: 10, 6: 9, 10: 8, 12: 10, 13: 9, 15: 9 };

const byCountryId = new Map<number, DialingPlan>();
const byCallingCode = new Map<string, DialingPlan>();
for (const { id, callingCode } of countries) {
  const shape = shapes[id];
  if (!shape) continue;
  const [trunkPrefixes, minDigits, maxDigits] = shape;
  const mostBareDigits = writtenBare[id] ?? 0;
  const plan = { countryId: id, callingCode, trunkPrefixes, minDigits, maxDigits, mostBareDigits };
  byCountryId.set(id, plan);
  byCallingCode.set(callingCode, plan);
}

/** The plan of one of the 21 international countries; the United States and Canada have none, see nanp. */
export function findDialingPlan(countryId: number): DialingPlan | undefined {
  return byCountryId.get(countryId);
}

export function findDialingPlanByCode(callingCode: string): DialingPlan | undefined {
  return byCallingCode.get(callingCode);
}

const twoDigitCodes = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

/** Assigned three-digit calling codes (ITU-T E.164), the satellite and shared-service ones included. */
const threeDigitCodes = new Set(
  (
    '211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234 235 236 237 238 239 240 241 242 243 244 245 246 247 248 249 ' +
    '250 251 252 253 254 255 256 257 258 260 261 262 263 264 265 266 267 268 269 290 291 297 298 299 ' +
    '350 351 352 353 354 355 356 357 358 359 370 371 372 373 374 375 376 377 378 379 380 381 382 383 385 386 387 389 420 421 423 ' +
    '500 501 502 503 504 505 506 507 508 509 590 591 592 593 594 595 596 597 598 599 ' +
    '670 672 673 674 675 676 677 678 679 680 681 682 683 685 686 687 688 689 690 691 692 ' +
    '800 808 850 852 853 855 856 870 878 880 881 882 883 886 888 ' +
    '960 961 962 963 964 965 966 967 968 970 971 972 973 974 975 976 977 979 992 993 994 995 996 998'
  ).split(' '),
);

/** The calling code that E.164 digits begin with, or undefined when no country or service has it. */
export function callingCodeOf(e164Digits: string): string | undefined {
  const first = e164Digits[0];
  if (first === '1' || first === '7') return first;
  const two = e164Digits.slice(0, 2);
  if (twoDigitCodes.has(two)) return two;
  const three = e164Digits.slice(0, 3);
  return threeDigitCodes.has(three) ? three : undefined;
}
