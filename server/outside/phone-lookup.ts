import type { Config } from '../config.ts';
import { besideTwilio } from './beside-twilio.ts';
import { twilioLookup } from './twilio-lookup.ts';

export type LineType = 'mobile' | 'landline' | 'voip' | 'tollfree' | 'other' | 'unknown';

/** What a provider knows of a phone. */
export interface LookedUp {
  isValid: boolean;
  lineType: LineType;
  carrierName: string;
}

/** Who can be asked what kind of line a phone is, in our words. Each question costs money. */
export interface PhoneLookup {
  /**
   * Asks for each of these phones. Never throws: a phone that nothing could be learned about now is missing from the
   * answer, and where the provider takes no questions at the moment the rest is not asked.
   */
  lookUp(phones: string[]): Promise<Map<string, LookedUp>>;
  close(): Promise<void>;
}

/** The provider whose settings are there; undefined without any. */
export function createPhoneLookup(config: Config): PhoneLookup | undefined {
  const { TWILIO_BASE_URL, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } = config;
  if (!TWILIO_BASE_URL || !TWILIO_ACCOUNT_SID || !TWILIO_AUTH_TOKEN) return undefined;
  return twilioLookup({
    baseUrl: config.TWILIO_LOOKUP_BASE_URL ?? besideTwilio(TWILIO_BASE_URL, 'lookups'),
    accountSid: TWILIO_ACCOUNT_SID,
    authToken: TWILIO_AUTH_TOKEN,
  });
}
