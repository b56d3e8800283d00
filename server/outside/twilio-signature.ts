import { createHmac } from 'node:crypto';
import { equalSecrets } from './equal-secrets.ts';

/**
 * base64(HMAC-SHA1(token, URL + every name and value in the order of the names)). The URL as it was
 * configured, with the query and without the fragment; the values of a repeated name made unique and sorted.
 */
export function signTwilio(authToken: string, url: string, form: URLSearchParams): string {
  let signed = url.replace(/#.*$/s, '');
  for (const name of [...new Set(form.keys())].sort()) {
    for (const value of [...new Set(form.getAll(name))].sort()) signed += name + value;
  }
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}

/**
 * Twilio isn't consistent about the standard port in what it signs: the URL is accepted with and without it.
 */
export function isTwilioSignature(
  given: string,
  authToken: string,
  url: string,
  form: URLSearchParams,
): boolean {
  let isRight = false;
  for (const each of [url, withOtherPort(url)]) {
    if (each !== undefined && equalSecrets(given, signTwilio(authToken, each, form))) isRight = true;
  }
  return isRight;
}

/** Cut as text: a URL object would re-encode the query, and that is signed byte by byte. */
function withOtherPort(url: string): string | undefined {
  const [, scheme, host, port, rest] = /^(https?):\/\/(\[[^\]]*\]|[^/?#:]*)(:\d+)?(.*)$/s.exec(url) ?? [];
  if (scheme === undefined) return undefined;
  const standard = scheme === 'https' ? ':443' : ':80';
  if (port === undefined) return `${scheme}://${host}${standard}${rest}`;
  return port === standard ? `${scheme}://${host}${rest}` : undefined;
}
