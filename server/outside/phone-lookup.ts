import type { Config } from '../config.ts';
import { besideTwilio } from './beside-twilio.ts';
import { twilioLookup } from './twilio-lookup.ts';

export type LineType = 'mobile' | 'landline' | 'voip' | 'tollfree' | 'other' | 'unknown';

/** A provider's data about a phone. */
export interface LookedUp {
  isValid: boolean;
  lineType: LineType;
  carrierName: string;
}

export type KeepAnswers = (answers: Map<string, LookedUp>) => Promise<void>;

/** A provider that returns the line type of a phone, in our terms. Each query costs money. */
export interface PhoneLookup {
  /**
   * Looks up each of these phones. Never throws: a phone without a result is missing from the answer, and if
   * the provider is unavailable at the moment the rest is skipped. `keep` gets the answers as they come, a few at a
   * time, so that little is lost with a process that is killed; only what it throws is thrown.
   */
  lookUp(phones: string[], keep?: KeepAnswers): Promise<Map<string, LookedUp>>;
  close(): Promise<void>;
}

/** The configured provider; undefined without one. */
export function createPhoneLookup(config: Config): PhoneLookup | undefined {
  const { TWILIO_BASE_URL, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } = config;
  if (!TWILIO_BASE_URL || !TWILIO_ACCOUNT_SID || !TWILIO_AUTH_TOKEN) return undefined;
  return twilioLookup({
    baseUrl: config.TWILIO_LOOKUP_BASE_URL ?? besideTwilio(TWILIO_BASE_URL, 'lookups'),
    accountSid: TWILIO_ACCOUNT_SID,
    authToken: TWILIO_AUTH_TOKEN,
  });
}
