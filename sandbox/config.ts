import { fileURLToPath } from 'node:url';
import { parseCarrierNumber } from './numbers.ts';

/** The provider that carries texts and calls; `asterisk` carries calls only. */
export type Provider = 'asterisk' | 'infobip' | 'smpp' | 'twilio';

export function isProvider(value: unknown): value is Provider {
  return value === 'asterisk' || value === 'infobip' || value === 'smpp' || value === 'twilio';
}

export type Config = {
  port: number;
  /** The port that accepts mail. */
  mailPort: number;
  /** The port that speaks SMPP; undefined: none. */
  smppPort: number | undefined;
  host: string;
  /** The folder of the journal and the pictures; undefined keeps everything in memory only. */
  dataDir: string | undefined;
  /** The folder of the built page. */
  webDir: string;
  infobipApiKey: string;
  twilioAccountSid: string;
  twilioAuthToken: string;
  smppSystemId: string;
  smppPassword: string;
  asteriskUser: string;
  asteriskPassword: string;
  visionApiKey: string;
  googleSpeechApiKey: string;
  speechApiKey: string;
  stripeSecretKey: string;
  stripePublishableKey: string;
  stripeWebhookSecret: string;
  stripeWebhookUrl: string | undefined;
  infobipInboundUrl: string | undefined;
  infobipInboundMmsUrl: string | undefined;
  twilioInboundUrl: string | undefined;
  /** Address that a call to a number of Twilio's asks what to do, and the one that is told when it is over. */
  twilioVoiceUrl: string | undefined;
  twilioVoiceStatusUrl: string | undefined;
  /** Muster's numbers: who serves them, and the name that telephones show for them. */
  numbers: ReadonlyMap<string, { provider: Provider; name: string | undefined }>;
  receiptsPerRequest: number;
  /** Shortest and longest time between accepting a text and its arrival. */
  deliveryDelayMs: [number, number];
  callSpeed: number;
  callStartsPerSecond: number;
  /** One "minute" of the providers' retry rules, shortened so that a demo recovers while one watches. */
  retryUnitMs: number;
  seed: number | undefined;
  /** After so long the registry decides by itself; 0: only at its desk. */
  registrySeconds: number;
  /** The address at which others find this program's pictures; undefined: http://HOST:PORT. */
  publicUrl: string | undefined;
};

/** Its message is one plain sentence for the person who started the program. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

function readInteger(
  env: Environment,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const raw = env[name];
  if (raw === undefined || raw === '') return fallback;
  const value = Number(raw);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, but it is "${raw}".`);
  }
  return value;
}

function readUrl(env: Environment, name: string): string | undefined {
  const raw = env[name];
  if (raw === undefined || raw === '') return undefined;
  const url = URL.parse(raw);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ConfigError(
      `${name} must be an address that begins with http:// or https://, but it is "${raw}".`,
    );
  }
  return raw;
}

function readDelay(env: Environment): [number, number] {
  const raw = env.SANDBOX_DELIVERY_DELAY_MS || '400,2500';
  const [min, max] = raw.split(',').map(Number);
  if (min === undefined || max === undefined || !(min >= 0 && max >= min && max <= 3_600_000)) {
    throw new ConfigError(
      `SANDBOX_DELIVERY_DELAY_MS must be two numbers such as 400,2500, but it is "${raw}".`,
    );
  }
  return [min, max];
}

function readNumbers(raw: string | undefined): Config['numbers'] {
  const numbers = new Map<string, { provider: Provider; name: string | undefined }>();
  for (const part of (raw ?? '').split(',')) {
    if (part.trim() === '') continue;
    const [, digits = '', provider, name] = /^([^=]*)=([^:]*)(?::(.*))?$/.exec(part.trim()) ?? [];
    const number = parseCarrierNumber(digits.trim());
    if (!number || !isProvider(provider) || provider === 'asterisk') {
      throw new ConfigError(
        `SANDBOX_NUMBERS must be a list such as 14235550100=infobip,14235550120=twilio; "${part.trim()}" is not understood.`,
      );
    }
    numbers.set(number, { provider, name: name?.trim() || undefined });
  }
  return numbers;
}

export function parseConfig(env: Environment): Config {
  const twilioAccountSid = env.TWILIO_ACCOUNT_SID || `AC${'0'.repeat(31)}1`;
  if (!/^AC[0-9a-fA-F]{32}$/.test(twilioAccountSid)) {
    throw new ConfigError('TWILIO_ACCOUNT_SID must be the letters AC and 32 hexadecimal digits.');
  }
  const infobipInboundUrl = readUrl(env, 'INFOBIP_INBOUND_URL');
  const port = readInteger(env, 'SANDBOX_PORT', { fallback: 3001, min: 0, max: 65_535 });
  return {
    port,
    // The next port; 0 is any free one, for both.
    mailPort: readInteger(env, 'SANDBOX_MAIL_PORT', {
      fallback: port === 0 ? 0 : Math.min(port + 1, 65_535),
      min: 0,
      max: 65_535,
    }),
    smppPort: env.SANDBOX_SMPP_PORT
      ? readInteger(env, 'SANDBOX_SMPP_PORT', { fallback: 0, min: 0, max: 65_535 })
      : undefined,
    host: env.HOST || '127.0.0.1',
    dataDir: env.SANDBOX_DATA_DIR || undefined,
    webDir: env.SANDBOX_WEB_DIR || fileURLToPath(new URL('../.build/sandbox-page', import.meta.url)),
    infobipApiKey: env.INFOBIP_API_KEY || 'sandbox-api-key',
    twilioAccountSid,
    twilioAuthToken: env.TWILIO_AUTH_TOKEN || 'sandbox-auth-token',
    smppSystemId: env.SMPP_SYSTEM_ID || 'sandbox',
    smppPassword: env.SMPP_PASSWORD || 'sandbox',
    asteriskUser: env.ASTERISK_USER || 'sandbox',
    asteriskPassword: env.ASTERISK_PASSWORD || 'sandbox-ari',
    visionApiKey: env.VISION_API_KEY || 'sandbox-vision-key',
    googleSpeechApiKey: env.GOOGLE_SPEECH_API_KEY || 'sandbox-speech-key',
    speechApiKey: env.SPEECH_API_KEY || 'sandbox-speech-key',
    stripeSecretKey: env.STRIPE_SECRET_KEY || 'sk_test_sandbox',
    stripePublishableKey: env.STRIPE_PUBLISHABLE_KEY || 'pk_test_sandbox',
    stripeWebhookSecret: env.STRIPE_WEBHOOK_SECRET || 'whsec_sandbox',
    stripeWebhookUrl: readUrl(env, 'STRIPE_WEBHOOK_URL'),
    infobipInboundUrl,
    infobipInboundMmsUrl: readUrl(env, 'INFOBIP_INBOUND_MMS_URL') ?? infobipInboundUrl,
    twilioInboundUrl: readUrl(env, 'TWILIO_INBOUND_URL'),
    twilioVoiceUrl: readUrl(env, 'TWILIO_VOICE_URL'),
    twilioVoiceStatusUrl: readUrl(env, 'TWILIO_VOICE_STATUS_URL'),
    numbers: readNumbers(env.SANDBOX_NUMBERS),
    receiptsPerRequest: readInteger(env, 'SANDBOX_RECEIPTS_PER_REQUEST', {
      fallback: 100,
      min: 1,
      max: 2000,
    }),
    deliveryDelayMs: readDelay(env),
    callSpeed: readInteger(env, 'SANDBOX_CALL_SPEED', { fallback: 1, min: 1, max: 1000 }),
    callStartsPerSecond: readInteger(env, 'SANDBOX_CALL_STARTS_PER_SECOND', {
      fallback: 10,
      min: 1,
      max: 1000,
    }),
    retryUnitMs: readInteger(env, 'SANDBOX_RETRY_UNIT_MS', { fallback: 1000, min: 1, max: 60_000 }),
    seed: env.SANDBOX_SEED
      ? readInteger(env, 'SANDBOX_SEED', { fallback: 0, min: 0, max: 4_294_967_295 })
      : undefined,
    registrySeconds: readInteger(env, 'SANDBOX_REGISTRY_SECONDS', { fallback: 120, min: 0, max: 86_400 }),
    publicUrl: readUrl(env, 'SANDBOX_PUBLIC_URL'),
  };
}
