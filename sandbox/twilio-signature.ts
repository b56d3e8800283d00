import { createHmac } from 'node:crypto';

/**
 * X-Twilio-Signature: base64(HMAC-SHA1(token, url + every name and value, sorted by name)). The URL is
 * signed as configured, query included, fragment not; the values of a repeated name are made unique and
 * sorted.
 */
export function signTwilio(
  authToken: string,
  url: string,
  parameters: Readonly<Record<string, string | readonly string[]>>,
): string {
  let signed = url.replace(/#.*$/s, '');
  for (const name of Object.keys(parameters).sort()) {
    const value = parameters[name];
    if (value === undefined) continue;
    const values = typeof value === 'string' ? [value] : [...new Set(value)].sort();
    for (const each of values) signed += name + each;
  }
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}
