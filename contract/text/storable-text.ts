/**
 * PostgreSQL can't store two kinds of text: a NUL character (in `text` and `jsonb`), and half of a surrogate pair (it has
 * no UTF-8 form, and `jsonb` refuses its escape). Calls that carry either are refused; files that do are cleaned.
 */
export const unstorableText = 'This contains a character that can’t be saved. Remove it and try again.';

/** True if PostgreSQL can store this text as it is. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The text without its NUL characters, and with U+FFFD (�) in place of each half of a surrogate pair. */
export function toStorableText(text: string): string {
  return isStorableText(text) ? text : text.replaceAll('\0', '').toWellFormed();
}
