import { z } from 'zod';
import { isTextStatusCode, type TextStatusCode } from '../contract/delivery/text-status.ts';

const port = z.coerce.number().int().min(1).max(65_534);
const flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true');

/** The fields used from the key file that Google issues for a service account. */
const serviceAccount = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
});
export type ServiceAccount = z.output<typeof serviceAccount>;

/** A variable that holds JSON of this shape. */
function json<Schema extends z.ZodType>(schema: Schema, message: string) {
  return z.string().transform((text, context): z.output<Schema> => {
    const parsed = schema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Words separated by commas. */
function listOf(read: (text: string) => string) {
  return z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((word) => read(word.trim()))
        .filter((word) => word !== ''),
    );
}

/** code=status, separated by commas. */
function readErrorCodes(text: string, context: z.RefinementCtx): ReadonlyMap<string, TextStatusCode> {
  const codes = new Map<string, TextStatusCode>();
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue;
    const [code = '', status = ''] = pair.split('=').map((word) => word.trim());
    if (!/^\w{1,20}$/.test(code) || !isTextStatusCode(status)) {
      context.addIssue({ code: 'custom', message: 'must be a list such as 603=opted_out,607=spam_rejected' });
      return z.NEVER;
    }
    codes.set(code.replace(/^0+(?=.)/, ''), status);
  }
  return codes;
}

const environment = z.object({
  PORT: port.default(3000),
  /**
   * The address where any role serves /metrics, and /healthz and /readyz as well; without it, /metrics is not
   * served.
   */
  METRICS_PORT: port.optional(),
  /** 0.0.0.0 to accept connections from other machines. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /**
   * One host, or several separated by commas: one of them accepts changes and the others are its standbys.
   */
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'),
  /**
   * A pool such as PgBouncer in transaction mode, with a database for each role: muster_app and
   * muster_system.
   */
  DATABASE_POOL_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  /** True if the pool supports named prepared statements: PgBouncer from 1.21, with max_prepared_statements. */
  DATABASE_POOL_PREPARES: flag.default(false),
  /** A standby for reports and downloads, and how many seconds it may lag behind. */
  DATABASE_REPLICA_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  DATABASE_REPLICA_SECONDS: z.coerce.number().min(1).max(3600).default(5),
  /** True if a start applies migrations; if not, it waits until they have been applied. */
  MIGRATE: flag.default(true),
  DATA_DIR: z.string().min(1).default('./.data'),
  /** Files in a bucket instead of DATA_DIR: the address of S3 or of a server with its protocol. */
  S3_URL: z.url({ protocol: /^https?$/ }).optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_ACCESS_KEY: z.string().min(1).optional(),
  S3_SECRET_KEY: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  /** The bucket in the path, or in the host's name as Amazon requires. */
  S3_PATH_STYLE: flag.default(false),
  /** Prefix of the names of all files. */
  S3_PREFIX: z
    .string()
    .regex(/^[\w./-]*$/, 'must be letters, digits, dots, dashes and slashes')
    .default(''),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  /** The built web application. */
  WEB_DIR: z.string().min(1).default('.build/web'),
  /**
   * The URL by which browsers and carriers reach this installation. https turns on HSTS and __Host- cookies.
   */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Trust X-Forwarded-For and -Proto: only behind a proxy that sets them. */
  TRUST_PROXY: flag.default(false),
  /**
   * The collector that receives spans (OTLP over HTTP): http://collector:4318. Without it nothing of
   * OpenTelemetry is loaded.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  /** Months that events are kept. */
  EVENT_MONTHS: z.coerce.number().int().min(1).max(240).default(24),
  /** Months after which texts of conversations are archived, and after which they are deleted there. */
  ARCHIVE_AFTER_MONTHS: z.coerce.number().int().min(3).max(240).optional(),
  ARCHIVE_MONTHS: z.coerce.number().int().min(4).max(600).optional(),
  /** The mail domain of the company that runs this installation: users with such an address are its staff. */
  STAFF_DOMAIN: z
    .string()
    .regex(/^[\w.-]*$/, 'must be a domain, such as example.org')
    .default('')
    .transform((text) => text.toLowerCase()),
  /** Group codes of accounts with special rules, separated by commas. */
  SPECIAL_GROUP_CODES: z
    .string()
    .default('ford')
    .transform((text) =>
      text
        .split(',')
        .map((code) => code.trim().toLowerCase())
        .filter((code) => code !== ''),
    ),
  /**
   * Group codes with IsSsoLoginOnly, separated by commas: their accounts sign in through their directory
   * only. Codes marked so in the table group_codes do the same.
   */
  SSO_ONLY_GROUP_CODES: listOf((text) => text.toLowerCase()),
  /**
   * Group codes whose accounts are registered with the carriers by staff under one brand: they don't register
   * themselves.
   */
  REGISTRATION_GROUP_CODES: listOf((text) => text.toLowerCase()),
  /** Hosts (with their port) of directories that may be in a private network and need no TLS. */
  SSO_ALLOWED_HOSTS: listOf((text) => text.toLowerCase()),
  /** Hosts (with their port) that webhooks and integrations may reach in a private network and without TLS. */
  OUTSIDE_ALLOWED_HOSTS: listOf((text) => text.toLowerCase()),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(4).max(200).default(20),
  /** Number of texts in one request to the carrier; SEND_LANES is the number of requests in progress at once. */
  SEND_SLICE: z.coerce.number().int().min(1).max(2000).default(1000),
  /** After this many minutes without a text accepted by a carrier, its numbers use their second one. */
  CARRIER_FAILOVER_MINUTES: z.coerce.number().min(0).max(1440).default(5),
  SEND_LANES: z.coerce.number().int().min(1).max(32).default(4),
  /** Number of calls that an API key may make per minute, in each web process. */
  API_CALLS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(600),

  /**
   * Most calls that are active at a time, and that a provider starts per second: nothing may wait in the provider's
   * own queue.
   */
  CALL_LINES: z.coerce.number().int().min(1).max(5000).default(100),
  CALL_STARTS_PER_SECOND: z.coerce.number().min(0.1).max(500).default(1),
  /**
   * The provider that places calls, if several are configured; otherwise the one that a number belongs to.
   */
  CALL_CARRIER: z.enum(['asterisk', 'infobip', 'twilio']).optional(),
  /** True if anybody can sign up for a free trial. That also requires a mail server and a first organization. */
  SIGNUP: flag.default(true),
  /** Credits that a free trial starts with. */
  TRIAL_CREDITS: z.coerce.number().int().min(0).max(100_000).default(25),
  /** Additional fields of the company step of onboarding, separated by commas. */
  ONBOARDING_COLLECT: z
    .string()
    .default('InvoiceBillingAddress')
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(
      z.array(z.enum(['InvoiceBillingAddress', 'AmazonInfo', 'OnboardingRepublicInfo', 'PO', 'nothing'])),
    ),
  /** The page after onboarding: a path of ours, or a URL. */
  ONBOARDING_REDIRECT: z
    .string()
    .regex(/^(\/(?![/\\])|https?:\/\/)/, 'must begin with / or https://')
    // These two lead here: the browser would never arrive.
    .refine(
      (to) => !/^\/(landing|onboarding)\/?([?#]|$)/.test(to),
      'must be another page than /landing or /onboarding',
    )
    .default('/home'),
  /**
   * The terms of use: a text file. Its version is its own hash unless one is given; users have to agree to
   * another version again.
   */
  TERMS_FILE: z.string().min(1).optional(),
  TERMS_VERSION: z.string().min(1).max(100).optional(),
  /** Address of the privacy policy; without it /privacy shows the text file, or what Muster keeps. */
  PRIVACY_URL: z.url({ protocol: /^https?$/ }).optional(),
  PRIVACY_FILE: z.string().min(1).optional(),
  /** The number that sends codes, with its country code, and its carrier. */
  CODE_NUMBER: z
    .string()
    .regex(/^\+?[1-9][0-9]{9,14}$/, 'must be a number with its country code')
    .transform((text) => text.replace('+', ''))
    .optional(),
  CODE_CARRIER: z.enum(['infobip', 'smpp', 'twilio']).default('infobip'),
  /** The address in sentences that say "contact us". */
  SUPPORT_PHONE: z.string().max(60).default(''),
  SUPPORT_EMAIL: z.union([z.email(), z.literal('')]).default(''),
  INFO_EMAIL: z.union([z.email(), z.literal('')]).default(''),
  INTERNATIONAL_EMAIL: z.union([z.email(), z.literal('')]).default(''),
  /**
   * The help chat's script. It gets a hash that proves who the user is, made with the secret it shares with
   * us.
   */
  HELP_CHAT_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The URL of Labs. Users with the feature LabsUser are sent there, signed in. */
  LABS_URL: z.url({ protocol: /^https?$/ }).optional(),
  HELP_CHAT_SECRET: z.string().min(8, 'must be at least 8 characters').optional(),

  INFOBIP_BASE_URL: z.url().optional(),
  INFOBIP_API_KEY: z.string().min(1).optional(),
  /** A secret in the addresses that Infobip posts to: it doesn't sign its requests. */
  INFOBIP_WEBHOOK_SECRET: z.string().min(8, 'must be at least 8 characters').optional(),
  /**
   * Also call from Infobip's numbers through Infobip: calls by scenario have to be enabled for an account
   * there.
   */
  INFOBIP_CALLS: flag.optional(),
  /**
   * Have organizations vetted when they register: carriers accept more texts from them, and the registry
   * charges for it.
   */
  INFOBIP_VETTING: flag.optional(),
  TWILIO_BASE_URL: z.url().optional(),
  TWILIO_ACCOUNT_SID: z.string().min(1).optional(),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional(),
  /** A carrier that speaks SMPP 3.4: smpp://host:port, or smpps:// over TLS, and our credentials there. */
  SMPP_URL: z.url({ protocol: /^smpps?$/, error: 'must begin with smpp:// or smpps://' }).optional(),
  SMPP_SYSTEM_ID: z.string().min(1).max(15, 'must have at most 15 characters').optional(),
  SMPP_PASSWORD: z.string().min(1).max(64, 'must have at most 64 characters').optional(),
  SMPP_SYSTEM_TYPE: z.string().max(12).default(''),
  /** Most texts in progress there without a response, and most that it accepts per second. */
  SMPP_WINDOW: z.coerce.number().int().min(1).max(1000).default(50),
  SMPP_PER_SECOND: z.coerce.number().min(0.1).max(100_000).optional(),
  SMPP_ENQUIRE_SECONDS: z.coerce.number().int().min(1).max(3600).default(30),
  /**
   * One connection for everything (transceiver), or one for sending and one for receiving (transmitter and
   * receiver).
   */
  SMPP_CONNECTIONS: z.enum(['one', 'two']).default('one'),
  /** Division of long texts: split by us, or sent whole for the carrier to split. */
  SMPP_LONG_TEXTS: z.enum(['parts', 'payload']).default('parts'),
  /** Its format of ids: the same everywhere, or responses in hex (or decimal) and receipts the other way. */
  SMPP_MESSAGE_IDS: z.enum(['same', 'hex', 'decimal']).default('same'),
  /** The meaning of its own error codes in receipts: 603=opted_out,607=spam_rejected. */
  SMPP_ERROR_CODES: z.string().default('').transform(readErrorCodes),
  /** An Asterisk with your own SIP trunk: the URL of its ARI, and our credentials there. */
  ASTERISK_URL: z.url({ protocol: /^https?$/ }).optional(),
  ASTERISK_USER: z.string().min(1).optional(),
  ASTERISK_PASSWORD: z.string().min(8, 'must be at least 8 characters').optional(),
  /** The name of our application there, and of the context in its dialplan. */
  ASTERISK_APP: z
    .string()
    .regex(/^[\w-]{1,40}$/, 'must be letters and digits')
    .default('muster'),
  /** The format for dialing a number. */
  ASTERISK_ENDPOINT: z
    .string()
    .regex(/\{number\}/, 'must contain {number}')
    .default('PJSIP/+{number}@trunk'),
  /** The service for phone look-ups: Twilio's own host for that, or the same replacement as above. */
  TWILIO_LOOKUP_BASE_URL: z.url().optional(),
  /** Look up the phones of new contacts automatically. Each look-up costs money. */
  LOOKUPS: flag.optional(),

  /** The approved profile that customers' profiles are assigned to; Twilio requires it for registrations. */
  TWILIO_PRIMARY_PROFILE_SID: z.string().min(1).optional(),
  /**
   * The service that looks up organizations by their EIN: https://projects.propublica.org, or a compatible
   * one.
   */
  EIN_LOOKUP_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Simulates the websites under .example, which exist nowhere: the sandbox. */
  WEBSITE_PLAYED_AT: z.url({ protocol: /^https?$/ }).optional(),

  /** Sends inbound pictures to Google Cloud Vision, which detects explicit ones. Each one costs money. */
  VISION_API_KEY: z.string().min(1).optional(),
  VISION_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://vision.googleapis.com'),

  /**
   * Hosted voices for typed messages in addition to the built-in ones: Google Cloud Text-to-Speech. Each
   * message costs money.
   */
  GOOGLE_SPEECH_API_KEY: z.string().min(1).optional(),
  GOOGLE_SPEECH_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://texttospeech.googleapis.com'),
  /** A speech server with OpenAI's protocol, hosted by a company or by yourself: its address without /v1. */
  SPEECH_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  SPEECH_API_KEY: z.string().min(1).optional(),
  SPEECH_MODEL: z.string().min(1).default('tts-1'),
  /** The names of its voices, separated by commas. */
  SPEECH_VOICES: z
    .string()
    .default('alloy,ash,coral,echo,fable,nova,onyx,sage,shimmer')
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),

  /**
   * Contacts at Google and Microsoft: the credentials that they gave the operator. Without them, users can't
   * connect these.
   */
  GOOGLE_CONTACTS_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CONTACTS_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_CONTACTS_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://people.googleapis.com'),
  GOOGLE_AUTHORIZE_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_TOKEN_URL: z.url({ protocol: /^https?$/ }).default('https://oauth2.googleapis.com/token'),
  MICROSOFT_CLIENT_ID: z.string().min(1).optional(),
  MICROSOFT_CLIENT_SECRET: z.string().min(1).optional(),
  MICROSOFT_LOGIN_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://login.microsoftonline.com/common/oauth2/v2.0'),
  MICROSOFT_GRAPH_URL: z.url({ protocol: /^https?$/ }).default('https://graph.microsoft.com/v1.0'),
  /** Prefills the forms that connect an address book, a directory and a sheet with the sandbox's values. */
  INTEGRATIONS_PLAYED_AT: z.url({ protocol: /^https?$/ }).optional(),

  /**
   * Cards: Stripe's keys, and the secret with which it signs webhooks. Without them card payments are off.
   */
  STRIPE_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://api.stripe.com'),
  STRIPE_SECRET_KEY: z.string().min(8).optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().min(8).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(8).optional(),
  /** The time-out of one request. A charge can take long: it includes a request to the bank. */
  STRIPE_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(25_000),
  /** The script whose frames contain the card fields. */
  STRIPE_SCRIPT_URL: z.url({ protocol: /^https?$/ }).default('https://js.stripe.com/endive/stripe.js'),
  /** Source of the sales tax: Stripe Tax, the table in TAX_RATES, or nothing. */
  SALES_TAX: z.enum(['stripe', 'table', 'none']).default('none'),
  /** Percent by state: TN=9.25,GA=4. Elsewhere no tax is charged. */
  TAX_RATES: z
    .string()
    .regex(
      /^[A-Z]{2}=\d{1,2}(\.\d{1,4})?(,[A-Z]{2}=\d{1,2}(\.\d{1,4})?)*$/,
      'must be a list such as TN=9.25,GA=4',
    )
    .optional(),
  /** The seller: the head of an invoice, its lines separated by |. */
  INVOICE_FROM: z
    .string()
    .max(400)
    .default('Muster')
    .transform((text) => text.split('|').map((line) => line.trim())),

  /** Font files for invoices, separated by |, for letters that the pages' own font doesn't have (李). */
  INVOICE_FONTS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split('|')
        .map((file) => file.trim())
        .filter((file) => file !== ''),
    ),

  /** The mail server, with user name and password if it requires them. Without it no mail is sent. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must begin with smtp:// or smtps://' }).optional(),
  /** The sender of mails: an address, or a name and an address in angle brackets. */
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'must be a mail address')
    .optional(),
  /** The pair of keys for web push. Without them the installation generates and keeps its own. */
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^[\w-]{87}$/, 'must be 65 bytes in URL-safe base64')
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be 32 bytes in URL-safe base64')
    .optional(),
  /**
   * Push by Firebase instead of web push: the service account's key file, and the settings for the browser.
   */
  FIREBASE_SERVICE_ACCOUNT: json(serviceAccount, 'must be the JSON of a service account').optional(),
  FIREBASE_WEB_CONFIG: json(z.record(z.string(), z.string()), 'must be the JSON of a web app').optional(),
  FIREBASE_VAPID_KEY: z.string().min(1).optional(),
  FIREBASE_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://fcm.googleapis.com'),
});

/** Only the settings of the bucket, for commands that need no others. */
export function readBucketConfig(env: Record<string, string | undefined>) {
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  return environment
    .pick({
      S3_URL: true,
      S3_BUCKET: true,
      S3_ACCESS_KEY: true,
      S3_SECRET_KEY: true,
      S3_REGION: true,
      S3_PATH_STYLE: true,
      S3_PREFIX: true,
    })
    .parse(Object.fromEntries(given));
}

/** The name of every setting. */
export const settingNames: readonly string[] = Object.keys(environment.shape);

/** The settings that each of these needs: all of them, or none if it isn't used. */
const settingsOf = {
  Infobip: ['INFOBIP_BASE_URL', 'INFOBIP_API_KEY', 'INFOBIP_WEBHOOK_SECRET'],
  Twilio: ['TWILIO_BASE_URL', 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
  Asterisk: ['ASTERISK_URL', 'ASTERISK_USER', 'ASTERISK_PASSWORD'],
  SMPP: ['SMPP_URL', 'SMPP_SYSTEM_ID', 'SMPP_PASSWORD'],
  S3: ['S3_URL', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'],
  Stripe: ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
  'Google Contacts': ['GOOGLE_CONTACTS_CLIENT_ID', 'GOOGLE_CONTACTS_CLIENT_SECRET'],
  Microsoft: ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
  mail: ['SMTP_URL', 'MAIL_FROM'],
  'web push': ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'],
  Firebase: ['FIREBASE_SERVICE_ACCOUNT', 'FIREBASE_WEB_CONFIG', 'FIREBASE_VAPID_KEY'],
} as const satisfies Record<string, readonly (keyof z.output<typeof environment>)[]>;

export type Config = Omit<z.output<typeof environment>, 'PUBLIC_URL'> & {
  PUBLIC_URL: string;
  /** Otherwise it is a guess, for a machine that is only reached by its address. */
  isPublicUrlSet: boolean;
  isTls: boolean;
};

export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Reads the environment once. The error for a wrong variable names it in one sentence, without its value. */
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
  refuseHalves(config);
  if (config.METRICS_PORT === config.PORT && config.ROLE !== 'worker')
    throw new ConfigError('METRICS_PORT is wrong: must be another port than PORT.');
  const { ARCHIVE_AFTER_MONTHS: after, ARCHIVE_MONTHS: kept } = config;
  if (kept !== undefined && kept <= (after ?? kept))
    throw new ConfigError('ARCHIVE_MONTHS is wrong: must be more than ARCHIVE_AFTER_MONTHS.');
  const PUBLIC_URL = (config.PUBLIC_URL ?? `http://127.0.0.1:${config.PORT}`).replace(/\/+$/, '');
  const isPublicUrlSet = config.PUBLIC_URL !== undefined;
  return { ...config, PUBLIC_URL, isPublicUrlSet, isTls: PUBLIC_URL.startsWith('https:') };
}

/** The pool that calls use, if there is one. */
export function sharedPool({
  DATABASE_POOL_URL: url,
  DATABASE_POOL_PREPARES: prepares,
}: Pick<Config, 'DATABASE_POOL_URL' | 'DATABASE_POOL_PREPARES'>):
  | { url: string; prepares: boolean }
  | undefined {
  return url === undefined ? undefined : { url, prepares };
}

/** The standby that reports are read from, if there is one. */
export function readReplica({
  DATABASE_REPLICA_URL: url,
  DATABASE_REPLICA_SECONDS: mostSeconds,
}: Pick<Config, 'DATABASE_REPLICA_URL' | 'DATABASE_REPLICA_SECONDS'>):
  | { url: string; mostSeconds: number }
  | undefined {
  return url === undefined ? undefined : { url, mostSeconds };
}

/** True if anybody can sign up: if it isn't closed, and the mail that verifies their address can be sent. */
export function isSignUpOpen({ SIGNUP, SMTP_URL }: Pick<Config, 'SIGNUP' | 'SMTP_URL'>): boolean {
  return SIGNUP && SMTP_URL !== undefined;
}

/**
 * A feature with only some of its settings would be silently missing: a carrier's numbers would send nothing.
 */
function refuseHalves(config: z.output<typeof environment>): void {
  for (const [part, names] of Object.entries(settingsOf)) {
    const missing = names.find((name) => config[name] === undefined);
    const isUsed = names.some((name) => config[name] !== undefined);
    if (missing !== undefined && isUsed)
      throw new ConfigError(`${missing} is missing: ${part} needs ${names.join(', ')} together.`);
  }
}
