/** A carrier's format of a telephone number, as E.164 digits without plus; undefined if it isn't a number. */
export function readCarrierPhone(value: string): string | undefined {
  const digits = value.startsWith('+') ? value.slice(1) : value;
  return /^\d{3,15}$/.test(digits) ? digits : undefined;
}
