import type { Config } from '../config.ts';
import type { CallProvider } from './calls.ts';
import { asteriskCalls } from './calls-asterisk.ts';
import { infobipCalls } from './calls-infobip.ts';
import { twilioCalls } from './calls-twilio.ts';

/** The call providers with complete settings, by AggregatorID. */
export function createCallProviders(config: Config): Map<number, CallProvider> {
  const providers = new Map<number, CallProvider>();
  const { TWILIO_BASE_URL, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } = config;
  if (TWILIO_BASE_URL && TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN) {
    const twilio = twilioCalls({
      baseUrl: TWILIO_BASE_URL,
      accountSid: TWILIO_ACCOUNT_SID,
      authToken: TWILIO_AUTH_TOKEN,
      publicUrl: config.PUBLIC_URL,
    });
    providers.set(twilio.aggregatorId, twilio);
  }
  const { INFOBIP_BASE_URL, INFOBIP_API_KEY, INFOBIP_WEBHOOK_SECRET } = config;
  if (config.INFOBIP_CALLS && INFOBIP_BASE_URL && INFOBIP_API_KEY && INFOBIP_WEBHOOK_SECRET) {
    const infobip = infobipCalls({
      baseUrl: INFOBIP_BASE_URL,
      apiKey: INFOBIP_API_KEY,
      webhookSecret: INFOBIP_WEBHOOK_SECRET,
      publicUrl: config.PUBLIC_URL,
    });
    providers.set(infobip.aggregatorId, infobip);
  }
  const { ASTERISK_URL, ASTERISK_USER, ASTERISK_PASSWORD } = config;
  if (ASTERISK_URL && ASTERISK_USER && ASTERISK_PASSWORD) {
    const asterisk = asteriskCalls({
      url: ASTERISK_URL,
      user: ASTERISK_USER,
      password: ASTERISK_PASSWORD,
      app: config.ASTERISK_APP,
      endpoint: config.ASTERISK_ENDPOINT,
      publicUrl: config.PUBLIC_URL,
    });
    providers.set(asterisk.aggregatorId, asterisk);
  }
  return providers;
}

/** CALL_CARRIER as the id that is saved with calls. */
export const callCarriers = { asterisk: 7, infobip: 5, twilio: 2 } as const;
