// Telephone numbers inside the sandbox are digits with the country code and no plus sign, as Infobip
// writes them: 14235550143. People may type ten digits, eleven or a plus.

export const invalidNumberSentence = 'Must be 10 digits; use only numbers';

/** The number as a carrier knows it, or undefined when no telephone can have it. */
export function parseCarrierNumber(raw: string): string | undefined {
  let digits = '';
  for (let i = 0; i < raw.length; i++) {
    const code = raw.charCodeAt(i);
    if (code >= 48 && code <= 57) digits += raw[i];
    else if (!(code === 43 && i === 0)) return undefined;
  }
  if (digits.length === 10 && raw.charCodeAt(0) !== 43) digits = `1${digits}`;
  if (digits.length < 8 || digits.length > 15) return undefined;
  // North America: 1 and ten digits. Area codes and exchanges are not looked up: any can be tried.
  if (digits.charCodeAt(0) === 49 && digits.length !== 11) return undefined;
  return digits;
}

/** The number of a handset on the page or in the control API: ten digits, or 1 and ten digits. */
export function parseHandsetNumber(raw: string): string | undefined {
  const match = /^\+?1?(\d{10})$/.exec(raw.trim());
  return match ? `1${match[1]}` : undefined;
}

export function formatNumber(number: string): string {
  const match = /^1(\d{3})(\d{3})(\d{4})$/.exec(number);
  return match ? `(${match[1]}) ${match[2]}-${match[3]}` : `+${number}`;
}
