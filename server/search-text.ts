/** The digits of a search when it looks like a part of a phone number, without the country's 1. */
export function digitsToFind(q: string): string {
  if (!/^[\d\s().+-]+$/.test(q)) return '';
  const digits = q.replace(/\D/g, '');
  if (digits.length < 2) return '';
  return digits.length > 10 && digits.startsWith('1') ? digits.slice(1) : digits;
}

/** A text for `like`, with its wildcards escaped. */
export function likeText(q: string): string {
  return `%${literal(q.toLowerCase())}%`;
}

export function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
