import type { Config } from '../config.ts';
import type { Carrier } from './carrier.ts';
import { infobipCarrier } from './carrier-infobip.ts';
import { twilioCarrier } from './carrier-twilio.ts';

/** The carriers whose settings are all there, by AggregatorID. */
export function createCarriers(config: Config): Map<number, Carrier> {
  const carriers = new Map<number, Carrier>();
  const publicUrl = config.PUBLIC_URL;
  const { INFOBIP_BASE_URL, INFOBIP_API_KEY, INFOBIP_WEBHOOK_SECRET } = config;
  if (INFOBIP_BASE_URL && INFOBIP_API_KEY && INFOBIP_WEBHOOK_SECRET) {
    const infobip = infobipCarrier({
      baseUrl: INFOBIP_BASE_URL,
      apiKey: INFOBIP_API_KEY,
      webhookSecret: INFOBIP_WEBHOOK_SECRET,
      publicUrl,
    });
    carriers.set(infobip.aggregatorId, infobip);
  }
  const { TWILIO_BASE_URL, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } = config;
  if (TWILIO_BASE_URL && TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN) {
    const twilio = twilioCarrier({
      baseUrl: TWILIO_BASE_URL,
      accountSid: TWILIO_ACCOUNT_SID,
      authToken: TWILIO_AUTH_TOKEN,
      publicUrl,
    });
    carriers.set(twilio.aggregatorId, twilio);
  }
  return carriers;
}
