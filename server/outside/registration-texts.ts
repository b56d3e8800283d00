import type { NewBrand, NewCampaign } from '../../contract/registration.ts';

/** Texts that registrars require and the wizard doesn’t ask for: generated from the organization’s data. */

const messageLength = 320;

export function confirmationMessage({ DisplayName }: NewBrand): string {
  return cut(
    `${DisplayName}: You’re signed up for text messages. Message frequency varies. Message and data rates may apply. Reply HELP for help or STOP to opt out.`,
    messageLength,
  );
}

export function helpMessage({ DisplayName, Email }: NewBrand): string {
  return cut(`${DisplayName}: For help, write to ${Email}. Reply STOP to opt out.`, messageLength);
}

export function stopMessage({ DisplayName }: NewBrand): string {
  return cut(
    `${DisplayName}: You’re unsubscribed and won’t get any more messages. Reply START to opt in again.`,
    messageLength,
  );
}

/** Pages that we host for the reviewers of the registration. */
export function termsUrl(publicUrl: string, reference: string): string {
  return `${publicUrl}/registration/${reference}/terms`;
}

export function optInPictureUrl(publicUrl: string, reference: string): string {
  return `${publicUrl}/registration/${reference}/opt-in.png`;
}

/** At the end of a sentence if there is one in the second half, otherwise at a word. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf('! '), head.lastIndexOf('? '));
  if (sentence > most / 2) return head.slice(0, sentence + 1);
  const word = head.lastIndexOf(' ');
  return word > 0 ? head.slice(0, word) : head;
}

/** The samples that exist, of two. */
export function samplesOf({ Sample1, Sample2 }: NewCampaign, most: number): string[] {
  return [Sample1, Sample2].filter((text) => text.trim() !== '').map((text) => cut(text, most));
}

/** Letters, digits and spaces, up to a maximum length: a registrar's format for names. */
export function plainName(text: string, most: number): string {
  return (
    text
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9_ ]/g, '')
      .replace(/ +/g, ' ')
      .trim()
      .slice(0, most) || 'Muster'
  );
}

/** Digits with the country code. */
export function digitsOf(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length === 10 ? `1${digits}` : digits;
}

export function isLinked(samples: readonly string[]): boolean {
  return samples.some((text) => /https?:\/\/|www\./i.test(text));
}

export function hasPhone(samples: readonly string[]): boolean {
  return samples.some((text) => /\(?\d{3}\)?[ -.]?\d{3}[ -.]\d{4}/.test(text));
}
