import type { Config } from '../config.ts';
import type { Carrier } from './carrier.ts';
import { infobipCarrier } from './carrier-infobip.ts';
import { smppCarrier } from './carrier-smpp.ts';
import { twilioCarrier } from './carrier-twilio.ts';

/** The carriers with complete settings, by AggregatorID. */
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
  const { SMPP_URL, SMPP_SYSTEM_ID, SMPP_PASSWORD } = config;
  if (SMPP_URL && SMPP_SYSTEM_ID && SMPP_PASSWORD) {
    const smpp = smppCarrier({
      url: SMPP_URL,
      systemId: SMPP_SYSTEM_ID,
      password: SMPP_PASSWORD,
      systemType: config.SMPP_SYSTEM_TYPE,
      window: config.SMPP_WINDOW,
      perSecond: config.SMPP_PER_SECOND,
      enquireSeconds: config.SMPP_ENQUIRE_SECONDS,
      connections: config.SMPP_CONNECTIONS,
      longTexts: config.SMPP_LONG_TEXTS,
      idForm: config.SMPP_MESSAGE_IDS,
      errorCodes: config.SMPP_ERROR_CODES,
    });
    carriers.set(smpp.aggregatorId, smpp);
  }
  return carriers;
}
