import { isTextStatusCode, type TextStatusCode } from './text-status.ts';

/**
 * Ours: what an organization can do about texts that don't arrive, by reason. This advice is about many texts
 * at once; the tooltip of a text says what happened to that one.
 */
const advice: Partial<Record<TextStatusCode, string>> = {
  carrier_limit_exceeded:
    'Send large broadcasts more slowly, or spread them over more text numbers. A registration with a higher volume raises the limit.',
  carrier_rejected:
    'Check that the text number is registered for what you send. If it is, send the same text to your own phone and shorten it until it arrives.',
  handset_rejected: 'Nothing on your side. Ask these people whether they blocked your number.',
  spam_rejected:
    'Say who you are at the start, write as you would to one person, leave out capitals and exclamation marks, and use full web addresses.',
  disallowed_url: 'Use the full address of your own website instead of a shortened one.',
  number_unavailable:
    'These numbers are out of service or landlines. Correct them in Contacts, or call these people instead.',
  unsupported_media: 'Send a smaller .jpg or .png, or put a link to the picture in the text.',
  phone_unreachable: 'These phones were off for days. Try again once, then correct the number.',
  opted_out: 'These people texted STOP. Only they can change that, by texting START.',
  blacklisted: 'The carrier blocks these numbers. Reach these people another way.',
  attempts_exceeded: 'The carrier was busy or down. Resend these texts from the broadcast’s results.',
  not_delivered: 'The carrier doesn’t say why. If it goes on for a number, correct or remove it.',
  unknown: 'The carrier never answered. These texts may have arrived; don’t send them again.',
};

export function whatToDoAbout(status: string): string {
  return isTextStatusCode(status) ? (advice[status] ?? '') : '';
}
