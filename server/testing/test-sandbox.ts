import { inject } from 'vitest';
import { isPortFree } from '../../scripts/ports.ts';

export const testCredentials = {
  INFOBIP_API_KEY: 'test-api-key',
  INFOBIP_WEBHOOK_SECRET: 'test-webhook-secret',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(31)}1`,
  TWILIO_AUTH_TOKEN: 'test-auth-token',
  GOOGLE_SPEECH_API_KEY: 'test-google-speech-key',
  SPEECH_API_KEY: 'test-speech-key',
  GOOGLE_CONTACTS_CLIENT_ID: 'muster-test',
  GOOGLE_CONTACTS_CLIENT_SECRET: 'sandbox-contacts-secret',
  MICROSOFT_CLIENT_ID: 'muster-test',
  MICROSOFT_CLIENT_SECRET: 'sandbox-contacts-secret',
  STRIPE_SECRET_KEY: 'sk_test_muster',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_muster',
  STRIPE_WEBHOOK_SECRET: 'whsec_muster_test',
} as const;

/** For tests with a number of that carrier: the others need no connection to it. */
export const asteriskCredentials = {
  ASTERISK_USER: 'muster-test',
  ASTERISK_PASSWORD: 'test-asterisk',
} as const;
/** SMPP allows passwords of eight characters. */
export const smppCredentials = { SMPP_SYSTEM_ID: 'muster-test', SMPP_PASSWORD: 'testsmpp' } as const;

/** Ports of this worker alone, so that no other process uses one between choosing and using it. */
const portsOfWorker = { first: 10_000 + 1000 * (Number(process.env.VITEST_POOL_ID) % 10), count: 1000 };
let nextPort = Math.floor(Math.random() * portsOfWorker.count);

/** A free port, below those that the system gives to outgoing connections. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < portsOfWorker.count; attempt++) {
    const port = portsOfWorker.first + (nextPort++ % portsOfWorker.count);
    if (await isPortFree(port)) return port;
  }
  throw new Error('no port is free');
}

interface PhoneMessage {
  From: string;
  To: string;
  Text: string;
  Media: { ContentType: string; Url: string }[];
  At: string;
  Direction: 'in' | 'out';
}

interface ReceivedMail {
  MessageID: string;
  From: string;
  To: string[];
  Subject: string;
  Text: string;
  Html: string;
}

export interface TestSandbox {
  url: string;
  /** The port on which its mailbox receives mail. */
  smtpUrl: string;
  /** The port for SMPP. */
  smppUrl: string;
  /** The mails to an address, oldest first. */
  mails(to: string): Promise<ReceivedMail[]>;
  messages(number: string): Promise<PhoneMessage[]>;
  text(from: string, to: string, text: string, media?: object[]): Promise<void>;
  stats(): Promise<Record<string, number>>;
  faults(faults: object): Promise<void>;
  control(method: string, path: string, body?: object): Promise<Response>;
  start(): Promise<void>;
  /** At once, with every connection cut; its data is gone. */
  kill(): Promise<void>;
}

/**
 * A sandbox on its own port, delivering at once; the tests' sandboxes share a process (sandbox/several.ts).
 */
export async function startSandbox(
  musterUrl: string,
  numbers: Record<string, 'infobip' | 'smpp' | 'twilio'>,
): Promise<TestSandbox> {
  const sandboxes = inject('sandboxesUrl');
  const [port, mailPort, smppPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;

  async function start(): Promise<void> {
    const answer = await fetch(sandboxes, {
      method: 'POST',
      body: JSON.stringify({
        ...testCredentials,
        ...smppCredentials,
        ...asteriskCredentials,
        SANDBOX_PORT: String(port),
        SANDBOX_MAIL_PORT: String(mailPort),
        SANDBOX_SMPP_PORT: String(smppPort),
        INFOBIP_INBOUND_URL: `${musterUrl}/hooks/infobip/inbound/${testCredentials.INFOBIP_WEBHOOK_SECRET}`,
        TWILIO_INBOUND_URL: `${musterUrl}/hooks/twilio/inbound`,
        TWILIO_VOICE_URL: `${musterUrl}/hooks/twilio/voice`,
        STRIPE_WEBHOOK_URL: `${musterUrl}/hooks/stripe`,
        SANDBOX_NUMBERS: Object.entries(numbers)
          .map(([number, provider]) => `${number}=${provider}`)
          .join(','),
      }),
    });
    if (!answer.ok) throw new Error(`the sandbox did not start: ${await answer.text()}`);
    await control('PUT', '/settings', { DeliveryDelayMs: [0, 0], AutoAnswer: false });
  }

  async function kill(): Promise<void> {
    await fetch(new URL(`/${port}`, sandboxes), { method: 'DELETE' });
  }

  async function control(method: string, path: string, body?: object): Promise<Response> {
    const answer = await fetch(url + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  await start();
  return {
    url,
    smtpUrl: `smtp://127.0.0.1:${mailPort}`,
    smppUrl: `smpp://127.0.0.1:${smppPort}`,
    control,
    start,
    kill,
    async mails(to) {
      const answer = await control('GET', `/mails?limit=1000&to=${encodeURIComponent(to)}`);
      return ((await answer.json()) as { Items: ReceivedMail[] }).Items.reverse();
    },
    async messages(number) {
      const answer = await control('GET', `/phones/${number}/messages`);
      return ((await answer.json()) as { Items: PhoneMessage[] }).Items;
    },
    async text(from, to, text, media = []) {
      await control('POST', `/phones/${from}/messages`, { To: to, Text: text, Media: media });
    },
    async stats() {
      return (await (await control('GET', '/stats')).json()) as Record<string, number>;
    },
    async faults(faults) {
      await control('POST', '/faults', faults);
    },
  };
}
