/** A carrier's way to write a telephone number, as E.164 digits without plus; undefined where it isn't a number. */
export function readCarrierPhone(value: string): string | undefined {
  const digits = value.startsWith('+') ? value.slice(1) : value;
  return /^\d{3,15}$/.test(digits) ? digits : undefined;
}

/** PostgreSQL's text can't hold the character 0: one of it would stop a whole batch. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
