import type { Config } from '../config.ts';
import { besideTwilio } from './beside-twilio.ts';
import { type CarrierLine, openCarrierLine } from './carrier-line.ts';
import { infobipNumbers } from './infobip-numbers.ts';
import { infobipRegistrar } from './infobip-registrar.ts';
import type { NumberProvider } from './number-provider.ts';
import type { Registrar } from './registrar.ts';
import { twilioNumbers } from './twilio-numbers.ts';
import { twilioRegistrar } from './twilio-registrar.ts';

export interface Providers {
  numbers: Map<number, NumberProvider>;
  registrars: Map<number, Registrar>;
  close(): Promise<void>;
}

/** The providers with complete settings, by AggregatorID. */
export function createProviders(config: Config): Providers {
  const numbers = new Map<number, NumberProvider>();
  const registrars = new Map<number, Registrar>();
  const lines: CarrierLine[] = [];
  const open = (baseUrl: string, authorization: string) => {
    const line = openCarrierLine(baseUrl, authorization);
    lines.push(line);
    return line;
  };
  const hooks = `${config.PUBLIC_URL}/hooks`;
  const { INFOBIP_BASE_URL, INFOBIP_API_KEY, INFOBIP_WEBHOOK_SECRET } = config;
  if (INFOBIP_BASE_URL && INFOBIP_API_KEY && INFOBIP_WEBHOOK_SECRET) {
    const line = open(INFOBIP_BASE_URL, `App ${INFOBIP_API_KEY}`);
    numbers.set(5, infobipNumbers(line, `${hooks}/infobip/inbound/${INFOBIP_WEBHOOK_SECRET}`));
    registrars.set(
      5,
      infobipRegistrar(line, { publicUrl: config.PUBLIC_URL, vets: config.INFOBIP_VETTING === true }),
    );
  }
  const { TWILIO_BASE_URL, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } = config;
  if (TWILIO_BASE_URL && TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN) {
    const basic = Buffer.from(`${TWILIO_ACCOUNT_SID}:${TWILIO_AUTH_TOKEN}`).toString('base64');
    const at = (baseUrl: string) => open(baseUrl, `Basic ${basic}`);
    const api = at(TWILIO_BASE_URL);
    numbers.set(2, twilioNumbers(api, TWILIO_ACCOUNT_SID, `${hooks}/twilio`));
    registrars.set(
      2,
      twilioRegistrar({
        api,
        accountSid: TWILIO_ACCOUNT_SID,
        messaging: at(besideTwilio(TWILIO_BASE_URL, 'messaging')),
        trusthub: at(besideTwilio(TWILIO_BASE_URL, 'trusthub')),
        publicUrl: config.PUBLIC_URL,
        primaryProfileSid: config.TWILIO_PRIMARY_PROFILE_SID,
      }),
    );
  }
  return {
    numbers,
    registrars,
    async close() {
      await Promise.all(lines.map((line) => line.close()));
    },
  };
}
