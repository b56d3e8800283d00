/**
 * Undoes what spreadsheets do to telephone numbers: 3.108207129E9, 4235550143.0, 4,235,550,143.00,
 * a leading apostrophe, ="4235550143", non-breaking spaces. Text that was not damaged comes back as it is.
 *
 * Undefined means that digits are gone for good: 3.11E+09 stands for ten million different numbers, and a guess
 * would text a stranger. That holds for 3.10820712E9 too, although one writer of such numbers (Java) only
 * leaves out zeros: nothing in the cell says who wrote it.
 */
export function repairSpreadsheetPhone(text: string): string | undefined {
  const cell = unwrap(text);
  const exponentAt = findExponent(cell);
  if (exponentAt !== undefined) return fromScientific(cell, exponentAt);
  return withoutZeroFraction(cell);
}

function unwrap(text: string): string {
  let cell = text.trim();
  if (cell.startsWith('="') && cell.endsWith('"')) cell = cell.slice(2, -1).trim();
  // U+2019 is what a word processor makes of the apostrophe.
  let from = 0;
  while (from < cell.length && "'\u2019`".includes(cell.charAt(from))) from += 1;
  return cell.slice(from).trim();
}

/** The position of the E in "digits, E, optional sign, digits"; the whole cell has to be of that form. */
function findExponent(cell: string): number | undefined {
  // A double never prints longer than this; it also bounds the work on hostile cells.
  if (cell.length > 30) return undefined;
  const match = /^[+-]?\d*[.,]?\d+[eE][+-]?\d{1,3}$/.exec(cell);
  return match ? cell.search(/[eE]/) : undefined;
}

function fromScientific(cell: string, exponentAt: number): string | undefined {
  const mantissa = cell.slice(0, exponentAt).replace(',', '.');
  if (mantissa.startsWith('-')) return undefined;
  const exponent = Number(cell.slice(exponentAt + 1));
  const [whole = '', fraction = ''] = mantissa.replace('+', '').split('.');
  const digits = whole + fraction;
  const wanted = whole.length + exponent;
  if (wanted < 1 || wanted > digits.length) return undefined;
  // Digits behind the decimal point that aren't zero never were a telephone number.
  if (!isZeros(digits, wanted)) return undefined;
  return digits.slice(0, wanted);
}

/** 4235550143.0 and 4235550143,00: one separator, then only zeros, digits before it. */
function withoutZeroFraction(cell: string): string {
  let zerosFrom = cell.length;
  while (zerosFrom > 0 && cell[zerosFrom - 1] === '0') zerosFrom -= 1;
  const separator = cell[zerosFrom - 1];
  if (zerosFrom === cell.length || (separator !== '.' && separator !== ',')) return cell;
  const whole = cell.slice(0, zerosFrom - 1);
  // 4,235,550,000: the last three digits of a number with thousands separators.
  if (separator === ',' && cell.length - zerosFrom === 3 && whole.includes(',')) return cell;
  // 423.555.0000 is a way to write a number, 4235550143.0 is not.
  if (/^\d+$/.test(whole) || /^\d{1,3}(?:,\d{3})+$/.test(whole)) return whole;
  return cell;
}

function isZeros(digits: string, from: number): boolean {
  for (let i = from; i < digits.length; i += 1) if (digits[i] !== '0') return false;
  return true;
}
