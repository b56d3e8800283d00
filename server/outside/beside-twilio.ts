/**
 * Twilio has a separate host for each of its products; a simulator of Twilio has all of them in one place.
 * Credentials that were given for the one never go to the other.
 */
export function besideTwilio(baseUrl: string, product: 'lookups' | 'messaging' | 'trusthub'): string {
  const { hostname } = new URL(baseUrl);
  return hostname === 'twilio.com' || hostname.endsWith('.twilio.com')
    ? `https://${product}.twilio.com`
    : baseUrl;
}
