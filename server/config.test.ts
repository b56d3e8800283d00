import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const DATABASE_URL = 'postgres://muster:hidden-1@127.0.0.1:5432/muster';

function problem(env: Record<string, string>): string {
  try {
    readConfig({ DATABASE_URL, ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'nothing wrong';
}

describe('a wrong variable', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT'],
    [{ PORT: '0' }, 'PORT'],
    [{ PORT: '65535' }, 'PORT'],
    [{ PORT: '80.5' }, 'PORT'],
    [{ DATABASE_URL: 'mysql://hidden-1@host/db' }, 'DATABASE_URL'],
    [{ ROLE: 'both' }, 'ROLE'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ PUBLIC_URL: 'muster.example.org' }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'ftp://muster.example.org' }, 'PUBLIC_URL'],
    [{ ONBOARDING_REDIRECT: '/landing?hidden' }, 'ONBOARDING_REDIRECT'],
    [{ ONBOARDING_REDIRECT: '/onboarding/' }, 'ONBOARDING_REDIRECT'],
    [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY'],
    [{ DATABASE_CONNECTIONS: '1' }, 'DATABASE_CONNECTIONS'],
    [{ SEND_SLICE: '5000' }, 'SEND_SLICE'],
    [{ SMPP_URL: 'http://hidden' }, 'SMPP_URL'],
    [{ SMPP_ERROR_CODES: '603=hidden' }, 'SMPP_ERROR_CODES'],
    [{ S3_BUCKET: 'Hidden bucket' }, 'S3_BUCKET'],
    [{ SEND_LANES: '0' }, 'SEND_LANES'],
    [{ INFOBIP_BASE_URL: 'not an address' }, 'INFOBIP_BASE_URL'],
    [{ TWILIO_LOOKUP_BASE_URL: 'not an address' }, 'TWILIO_LOOKUP_BASE_URL'],
    [{ LOOKUPS: 'yes' }, 'LOOKUPS'],
    [{ INFOBIP_WEBHOOK_SECRET: 'short' }, 'INFOBIP_WEBHOOK_SECRET'],
    [{ SMTP_URL: 'mail.example.org' }, 'SMTP_URL'],
    [{ SMTP_URL: 'https://mail.example.org' }, 'SMTP_URL'],
    [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM'],
    [{ MAIL_FROM: 'Two <a@example.org> <b@example.org>' }, 'MAIL_FROM'],
    [{ VAPID_PUBLIC_KEY: 'short-key' }, 'VAPID_PUBLIC_KEY'],
    [{ FIREBASE_SERVICE_ACCOUNT: '{ not json' }, 'FIREBASE_SERVICE_ACCOUNT'],
    [{ FIREBASE_SERVICE_ACCOUNT: '{"project_id":"hidden"}' }, 'FIREBASE_SERVICE_ACCOUNT'],
    [{ FIREBASE_WEB_CONFIG: '[1234]' }, 'FIREBASE_WEB_CONFIG'],
  ])('%j is named in one sentence, without its value', (env, name) => {
    const sentence = problem(env as Record<string, string>);
    expect(sentence).toMatch(new RegExp(`^${name} is wrong: [^\\n]+\\.$`));
    for (const value of Object.values(env)) {
      if (value.length > 3) expect(sentence).not.toContain(value);
    }
  });

  it.each([{}, { DATABASE_URL: '' }, { DATABASE_URL: undefined }])('%j lacks the database', (env) => {
    expect(() => readConfig(env)).toThrow(new ConfigError('DATABASE_URL is missing.'));
  });
});

describe('a carrier with only some variables set', () => {
  const infobip = {
    INFOBIP_BASE_URL: 'https://x.api.infobip.com',
    INFOBIP_API_KEY: 'hidden-2',
    INFOBIP_WEBHOOK_SECRET: 'hidden-three',
  };
  const twilio = {
    TWILIO_BASE_URL: 'https://api.twilio.com',
    TWILIO_ACCOUNT_SID: 'hidden-4',
    TWILIO_AUTH_TOKEN: 'hidden-5',
  };
  const infobipNeeds = 'Infobip needs INFOBIP_BASE_URL, INFOBIP_API_KEY, INFOBIP_WEBHOOK_SECRET together.';
  const twilioNeeds = 'Twilio needs TWILIO_BASE_URL, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN together.';

  it.each([
    ...Object.keys(infobip).map((name) => [name, infobip, infobipNeeds] as const),
    ...Object.keys(twilio).map((name) => [name, twilio, twilioNeeds] as const),
  ])('%s is named, whether it is missing or empty', (name, settings, needs) => {
    const { [name]: _, ...rest }: Record<string, string> = settings;
    expect(problem(rest)).toBe(`${name} is missing: ${needs}`);
    expect(problem({ ...rest, [name]: '' })).toBe(`${name} is missing: ${needs}`);
  });

  it('with only one set, the error names the first missing one', () => {
    expect(problem({ INFOBIP_BASE_URL: infobip.INFOBIP_BASE_URL })).toBe(
      `INFOBIP_API_KEY is missing: ${infobipNeeds}`,
    );
    expect(problem({ ...infobip, TWILIO_AUTH_TOKEN: 'hidden-5' })).toBe(
      `TWILIO_BASE_URL is missing: ${twilioNeeds}`,
    );
  });

  it('is fine when all are set, or none', () => {
    expect([problem({}), problem(infobip), problem(twilio), problem({ ...infobip, ...twilio })]).toEqual(
      Array(4).fill('nothing wrong'),
    );
  });
});

describe('mail and push with only some variables set', () => {
  const key = JSON.stringify({ project_id: 'p', client_email: 'e', private_key: 'k' });
  it.each([
    [{ SMTP_URL: 'smtp://127.0.0.1' }, 'MAIL_FROM is missing: mail needs SMTP_URL, MAIL_FROM together.'],
    [{ MAIL_FROM: 'a@example.org' }, 'SMTP_URL is missing: mail needs SMTP_URL, MAIL_FROM together.'],
    [
      { VAPID_PUBLIC_KEY: 'a'.repeat(87) },
      'VAPID_PRIVATE_KEY is missing: web push needs VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY together.',
    ],
    [
      { FIREBASE_SERVICE_ACCOUNT: key, FIREBASE_VAPID_KEY: 'b' },
      'FIREBASE_WEB_CONFIG is missing: Firebase needs FIREBASE_SERVICE_ACCOUNT, FIREBASE_WEB_CONFIG, FIREBASE_VAPID_KEY together.',
    ],
    [
      { SMTP_URL: 'smtps://user:word@mail.example.org:465', MAIL_FROM: 'Us <a@example.org>' },
      'nothing wrong',
    ],
    [
      { FIREBASE_SERVICE_ACCOUNT: key, FIREBASE_WEB_CONFIG: '{"appId":"1"}', FIREBASE_VAPID_KEY: 'b' },
      'nothing wrong',
    ],
  ])('%j: %s', (env, sentence) => {
    expect(problem(env as Record<string, string>)).toBe(sentence);
  });
});

describe('a missing variable', () => {
  it('has a default that works on one machine', () => {
    expect(readConfig({ DATABASE_URL })).toEqual({
      DATABASE_URL,
      DATABASE_POOL_PREPARES: false,
      DATABASE_REPLICA_SECONDS: 5,
      MIGRATE: true,
      API_CALLS_PER_MINUTE: 600,
      ASTERISK_APP: 'muster',
      ASTERISK_ENDPOINT: 'PJSIP/+{number}@trunk',
      CALL_LINES: 100,
      CALL_STARTS_PER_SECOND: 1,
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: './.data',
      ROLE: 'all',
      WEB_DIR: '.build/web',
      TRUST_PROXY: false,
      LOG_LEVEL: 'info',
      EVENT_MONTHS: 24,
      DATABASE_CONNECTIONS: 20,
      CARRIER_FAILOVER_MINUTES: 5,
      S3_PATH_STYLE: false,
      S3_PREFIX: '',
      S3_REGION: 'us-east-1',
      SMPP_CONNECTIONS: 'one',
      SMPP_ENQUIRE_SECONDS: 30,
      SMPP_ERROR_CODES: new Map(),
      SMPP_LONG_TEXTS: 'parts',
      SMPP_MESSAGE_IDS: 'same',
      SMPP_SYSTEM_TYPE: '',
      SMPP_WINDOW: 50,
      SEND_SLICE: 1000,
      SEND_LANES: 4,
      STAFF_DOMAIN: '',
      SPECIAL_GROUP_CODES: ['ford'],
      SIGNUP: true,
      TRIAL_CREDITS: 25,
      ONBOARDING_COLLECT: ['InvoiceBillingAddress'],
      ONBOARDING_REDIRECT: '/home',
      CODE_CARRIER: 'infobip',
      SUPPORT_PHONE: '',
      SUPPORT_EMAIL: '',
      INFO_EMAIL: '',
      INTERNATIONAL_EMAIL: '',
      SSO_ONLY_GROUP_CODES: [],
      REGISTRATION_GROUP_CODES: [],
      SSO_ALLOWED_HOSTS: [],
      OUTSIDE_ALLOWED_HOSTS: [],
      FIREBASE_BASE_URL: 'https://fcm.googleapis.com',
      VISION_BASE_URL: 'https://vision.googleapis.com',
      STRIPE_BASE_URL: 'https://api.stripe.com',
      STRIPE_SCRIPT_URL: 'https://js.stripe.com/endive/stripe.js',
      STRIPE_TIMEOUT_MS: 25_000,
      SALES_TAX: 'none',
      INVOICE_FONTS: [],
      INVOICE_FROM: ['Muster'],
      GOOGLE_CONTACTS_BASE_URL: 'https://people.googleapis.com',
      GOOGLE_AUTHORIZE_URL: 'https://accounts.google.com/o/oauth2/v2/auth',
      GOOGLE_TOKEN_URL: 'https://oauth2.googleapis.com/token',
      MICROSOFT_LOGIN_URL: 'https://login.microsoftonline.com/common/oauth2/v2.0',
      MICROSOFT_GRAPH_URL: 'https://graph.microsoft.com/v1.0',
      GOOGLE_SPEECH_BASE_URL: 'https://texttospeech.googleapis.com',
      SPEECH_MODEL: 'tts-1',
      SPEECH_VOICES: ['alloy', 'ash', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer'],
      PUBLIC_URL: 'http://127.0.0.1:3000',
      isPublicUrlSet: false,
      isTls: false,
    });
  });

  it('is treated the same when it is empty', () => {
    const empty = { PORT: '', ROLE: '', PUBLIC_URL: '', INFOBIP_API_KEY: '' };
    expect(readConfig({ DATABASE_URL, ...empty })).toEqual(readConfig({ DATABASE_URL }));
  });
});

describe('the public address', () => {
  it.each([
    [{ PORT: '8080' }, 'http://127.0.0.1:8080', false],
    [{ PUBLIC_URL: 'http://muster.example.org/' }, 'http://muster.example.org', false],
    [{ PUBLIC_URL: 'https://muster.example.org//' }, 'https://muster.example.org', true],
  ])('%j: %s', (env, PUBLIC_URL, isTls) => {
    const given: Record<string, string> = { DATABASE_URL, ...env };
    expect(readConfig(given)).toMatchObject({ PUBLIC_URL, isTls });
  });
});
