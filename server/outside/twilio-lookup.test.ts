import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { createPhoneLookup, type PhoneLookup } from './phone-lookup.ts';
import { checkEveryRequest } from './testing/published.ts';
import {
  type Got,
  type Script,
  type ScriptedCarrier,
  startScriptedCarrier,
} from './testing/scripted-carrier.ts';
import { twilioLookup } from './twilio-lookup.ts';

const accountSid = `AC${'0'.repeat(31)}1`;
const authToken = 'token-that-must-not-leak';
const phone = '14235550143';

let server: ScriptedCarrier;
let provider: PhoneLookup;
beforeEach(async () => {
  server = await startScriptedCarrier(mobile);
  provider = twilioLookup({ baseUrl: server.url, accountSid, authToken });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
  await provider.close();
});

const answer = (line: unknown, valid: unknown = true): Script => ({
  status: 200,
  body: { phone_number: '+1', valid, line_type_intelligence: line },
});
const mobile = () => answer({ type: 'mobile', carrier_name: 'Ridgeline', error_code: null });
const phones = (count: number) => Array.from({ length: count }, (_, index) => String(14235550000 + index));

describe('the request', () => {
  it('is one per phone, with our credentials, each phone once', async () => {
    await provider.lookUp([phone, '442079460958', phone]);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v2/PhoneNumbers/%2B14235550143?Fields=line_type_intelligence',
      'GET /v2/PhoneNumbers/%2B442079460958?Fields=line_type_intelligence',
    ]);
    const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${basic}`);
  });

  it('is for eight phones at once and never more', async () => {
    const all = phones(30);
    server.answerWith((_: Got, count) => (count <= 8 ? 'hang' : mobile()));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = provider.lookUp(all);
    while (server.requests.length < 8) await new Promise(setImmediate);
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
    expect(server.requests).toHaveLength(8);
    await vi.advanceTimersByTimeAsync(5_000);
    // No response: the other 22 are not requested.
    expect((await asked).size).toBe(0);
    expect(server.requests).toHaveLength(8);
  });
});

describe('the response', () => {
  it.each<[string, Script, unknown]>([
    ['mobile', mobile(), { isValid: true, lineType: 'mobile', carrierName: 'Ridgeline' }],
    ['landline', answer({ type: 'landline' }), { isValid: true, lineType: 'landline', carrierName: '' }],
    ['fixedVoip', answer({ type: 'fixedVoip' }), { isValid: true, lineType: 'voip', carrierName: '' }],
    ['nonFixedVoip', answer({ type: 'nonFixedVoip' }), { isValid: true, lineType: 'voip', carrierName: '' }],
    ['tollFree', answer({ type: 'tollFree' }), { isValid: true, lineType: 'tollfree', carrierName: '' }],
    ['a pager', answer({ type: 'pager' }), { isValid: true, lineType: 'other', carrierName: '' }],
    [
      'no Object of ours',
      answer({ type: 'constructor' }),
      { isValid: true, lineType: 'other', carrierName: '' },
    ],
    [
      'no type',
      answer({ type: null, error_code: 60600 }),
      { isValid: true, lineType: 'unknown', carrierName: '' },
    ],
    ['no line', answer(null), { isValid: true, lineType: 'unknown', carrierName: '' }],
    ['not valid', answer(null, false), { isValid: false, lineType: 'unknown', carrierName: '' }],
    ['404', { status: 404, body: { code: 20404 } }, { isValid: false, lineType: 'unknown', carrierName: '' }],
    [
      'a long name with the character 0',
      answer({ type: 'mobile', carrier_name: `A\0${'b'.repeat(200)}` }),
      { isValid: true, lineType: 'mobile', carrierName: `A${'b'.repeat(99)}` },
    ],
  ])('%s', async (_, script, expected) => {
    server.answerWith(() => script);
    expect((await provider.lookUp([phone])).get(phone)).toEqual(expected);
  });

  it.each<[string, Script]>([
    ['429', { status: 429, headers: { 'retry-after': '1' } }],
    ['500', { status: 500 }],
    ['503 with a page', { status: 503, body: '<html>' }],
    ['401', { status: 401 }],
    ['403', { status: 403 }],
    ['a cut connection', 'reset'],
    ['half a reply', 'half'],
  ])('%s gives no result, and the rest is not requested', async (_, script) => {
    server.answerWith(() => script);
    expect((await provider.lookUp(phones(100))).size).toBe(0);
    expect(server.requests.length).toBeLessThanOrEqual(8);
  });

  it.each<[string, Script]>([
    ['no JSON', { status: 200, body: 'hello' }],
    ['a list', { status: 200, body: [] }],
    ['no word on whether it is valid', { status: 200, body: { valid: 'yes' } }],
    ['400', { status: 400 }],
  ])('%s gives no result for that phone only', async (_, script) => {
    server.answerWith(({ path }) => (path.includes('0001?') ? script : mobile()));
    const found = await provider.lookUp(phones(20));
    expect(found.size).toBe(19);
    expect(found.has('14235550001')).toBe(false);
  });

  it('is no result when nothing is listening', async () => {
    await server.close();
    expect((await provider.lookUp(phones(100))).size).toBe(0);
  });
});

describe('the host', () => {
  const settings = (env: Record<string, string>) => readConfig({ DATABASE_URL: 'postgres://x', ...env });
  const twilio = (baseUrl: string, env: Record<string, string> = {}) =>
    settings({
      TWILIO_BASE_URL: baseUrl,
      TWILIO_ACCOUNT_SID: accountSid,
      TWILIO_AUTH_TOKEN: authToken,
      ...env,
    });

  it('is none without credentials', () => {
    expect(createPhoneLookup(settings({}))).toBeUndefined();
  });

  it('is the simulator of Twilio, or TWILIO_LOOKUP_BASE_URL', async () => {
    for (const config of [
      twilio(server.url),
      twilio('https://api.twilio.com', { TWILIO_LOOKUP_BASE_URL: server.url }),
    ]) {
      const created = createPhoneLookup(config);
      expect((await created?.lookUp([phone]))?.get(phone)).toMatchObject({ lineType: 'mobile' });
      await created?.close();
    }
    expect(server.requests).toHaveLength(2);
  });
});

checkEveryRequest();
