import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeRule } from './rules.ts';
import { type Client, createClient, loadOracle, noProtocols, startTestSandbox } from './testing.ts';

const oracle = loadOracle('twilio-lookups.json');
let client: Client;
beforeEach(async () => {
  client = createClient(await startTestSandbox());
});
afterEach(() => client.sandbox.close());

type Line = { type: string | null; carrier_name: string | null; error_code: number | null };
type Lookup = { valid: boolean; phone_number: string; line_type_intelligence: Line | null };

async function lookUp(number: string, fields = '?Fields=line_type_intelligence') {
  const answer = await client.call('GET', `/v2/PhoneNumbers/${encodeURIComponent(number)}${fields}`);
  if (answer.status === 200) {
    oracle?.expectValid('LookupResponse', answer.json);
    expect(Object.keys(answer.json as object)).toEqual(
      expect.arrayContaining(oracle?.publishedNames('LookupResponse') ?? []),
    );
  } else oracle?.expectValid('x-rest-error', answer.json);
  return { status: answer.status, headers: answer.headers, body: answer.json as Lookup };
}

it.each([
  ['+14235550143', 'mobile', 'Volunteer PCS'],
  ['4235550143', 'mobile', 'Volunteer PCS'],
  ['+14235550170', 'landline', 'Harlow Valley Telephone Cooperative'],
  ['+14235550171', 'fixedVoip', 'Cumberland Cable'],
  ['+14235550172', 'nonFixedVoip', 'Webline Voice'],
  ['+18005550100', 'tollFree', 'Resp Org Services'],
  ['+14235550173', null, null],
  // The rules are those of one exchange.
  ['+16155550170', 'mobile', 'Cumberland Wireless'],
])('%s is a line of the type %s', async (number, type, carrier) => {
  const { status, body } = await lookUp(number);
  expect([status, body.valid]).toEqual([200, true]);
  expect(body.line_type_intelligence).toMatchObject({
    type,
    carrier_name: carrier,
    error_code: type === null ? 60600 : null,
  });
});

it('tells what is no number, in the two ways that Twilio has', async () => {
  expect((await lookUp('+14235550174')).body).toMatchObject({ valid: false, line_type_intelligence: null });
  expect((await lookUp('abc')).body).toMatchObject({ valid: false, phone_number: 'abc' });
  expect((await lookUp('+14235550192')).status).toBe(404);
});

it('tells nothing of the line unless it is asked for', async () => {
  expect((await lookUp('+14235550170', '')).body).toMatchObject({
    valid: true,
    line_type_intelligence: null,
  });
});

it('wants Twilio’s credentials, and GET', async () => {
  const path = '/v2/PhoneNumbers/+14235550143';
  expect((await client.call('GET', path, undefined, { authorization: 'Basic x' })).status).toBe(401);
  expect((await client.call('POST', path, {})).status).toBe(405);
  expect((await client.call('GET', '/v2/PhoneNumbers/%E0%A4%A')).status).toBe(404);
  expect((await client.call('GET', '/v2/Services')).status).toBe(404);
});

it('is told on the page, where texts have nothing special to tell', () => {
  expect(describeRule('14235550170')).toBe('A landline, when it is looked up');
  expect(describeRule('16155550170')).toBeUndefined();
  expect(describeRule('14235550192')).toBe('The carrier refuses every text to it at once');
});

it('has the faults that it was told to have', async () => {
  await client.call('POST', '/faults', { TooManyRequests: 1, RetryAfterSeconds: 7 });
  const many = await lookUp('+14235550143');
  expect([many.status, many.headers.get('retry-after')]).toEqual([429, '7']);
  await client.call('POST', '/faults', { TooManyRequests: 0, ServerError: 1 });
  expect((await lookUp('+14235550143')).status).toBe(500);
  await client.call('POST', '/faults', { ServerError: 0, Outage: true });
  await expect(lookUp('+14235550143')).rejects.toThrow();
  await client.call('POST', '/faults', { Outage: true, Provider: 'infobip' });
  expect((await lookUp('+14235550143')).status).toBe(200);
});

it.skipIf(!oracle)(`answers as Twilio’s description says${oracle ? '' : ` (${noProtocols})`}`, async () => {
  expect(oracle?.publishedNames('LookupResponse').length).toBeGreaterThan(10);
});
