import { z } from 'zod';

const port = z.coerce.number().int().min(1).max(65_534);
const flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true');

const environment = z.object({
  PORT: port.default(3000),
  /** Where a worker answers /healthz, /readyz and /metrics; without it, nowhere. */
  METRICS_PORT: port.optional(),
  /** 0.0.0.0 to be reached from other machines. */
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'),
  DATA_DIR: z.string().min(1).default('./.data'),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  /** The built web application. */
  WEB_DIR: z.string().min(1).default('.build/web'),
  /** How browsers and carriers reach this installation. https turns on HSTS and __Host- cookies. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Believe X-Forwarded-For and -Proto: only behind a proxy that sets them. */
  TRUST_PROXY: flag.default(false),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(4).max(200).default(20),
  /** How many texts go to the carrier in one request, and how many requests are under way at once. */
  SEND_SLICE: z.coerce.number().int().min(1).max(2000).default(500),
  SEND_LANES: z.coerce.number().int().min(1).max(32).default(4),

  INFOBIP_BASE_URL: z.url().optional(),
  INFOBIP_API_KEY: z.string().min(1).optional(),
  /** Stands in the addresses that Infobip posts to: it signs nothing. */
  INFOBIP_WEBHOOK_SECRET: z.string().min(8, 'must be at least 8 characters').optional(),
  TWILIO_BASE_URL: z.url().optional(),
  TWILIO_ACCOUNT_SID: z.string().min(1).optional(),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional(),
  /** Where phones are looked up: Twilio's own host for that, or for what plays Twilio the same as above. */
  TWILIO_LOOKUP_BASE_URL: z.url().optional(),
  /** Look the phones of new contacts up by itself. Each look-up costs money. */
  LOOKUPS: flag.optional(),
});

/** What each carrier needs: all of it, or nothing of it where it isn't used. */
const carrierSettings = {
  Infobip: ['INFOBIP_BASE_URL', 'INFOBIP_API_KEY', 'INFOBIP_WEBHOOK_SECRET'],
  Twilio: ['TWILIO_BASE_URL', 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
} as const satisfies Record<string, readonly (keyof z.output<typeof environment>)[]>;

export type Config = Omit<z.output<typeof environment>, 'PUBLIC_URL'> & {
  PUBLIC_URL: string;
  isTls: boolean;
};

export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Reads the environment once. A wrong variable is named in one sentence, without its value. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0] ?? 'The environment');
    const why = given[name] === undefined ? 'is missing' : `is wrong: ${issue?.message ?? 'not understood'}`;
    throw new ConfigError(`${name} ${why}.`);
  }
  const config = parsed.data;
  refuseHalfCarriers(config);
  const PUBLIC_URL = (config.PUBLIC_URL ?? `http://127.0.0.1:${config.PORT}`).replace(/\/+$/, '');
  return { ...config, PUBLIC_URL, isTls: PUBLIC_URL.startsWith('https:') };
}

/** A carrier with only some of its settings would be absent without a word, and its numbers would send nothing. */
function refuseHalfCarriers(config: z.output<typeof environment>): void {
  for (const [carrier, names] of Object.entries(carrierSettings)) {
    const missing = names.find((name) => config[name] === undefined);
    const isUsed = names.some((name) => config[name] !== undefined);
    if (missing !== undefined && isUsed)
      throw new ConfigError(`${missing} is missing: ${carrier} needs ${names.join(', ')} together.`);
  }
}
