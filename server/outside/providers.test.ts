import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewBrand, NewCampaign } from '../../contract/registration.ts';
import { readConfig } from '../config.ts';
import { startSandbox, type TestSandbox, testCredentials } from '../testing/test-sandbox.ts';
import type { NumberProvider } from './number-provider.ts';
import { createProviders, type Providers } from './providers.ts';
import type { Made, Progress, RegistrationWork } from './registrar.ts';
import { checkEveryRequest } from './testing/published.ts';

// Both sellers of numbers and both registrars with the sandbox, which is a separate program. Every request is
// checked against the providers' own API descriptions.

let sandbox: TestSandbox;
let providers: Providers;

beforeAll(async () => {
  sandbox = await startSandbox('http://127.0.0.1:9', {});
  providers = createProviders(settings());
});

function settings(more: Record<string, string> = {}) {
  return readConfig({
    DATABASE_URL: 'postgres://x',
    PUBLIC_URL: 'https://muster.example.org',
    INFOBIP_BASE_URL: sandbox.url,
    TWILIO_BASE_URL: sandbox.url,
    TWILIO_PRIMARY_PROFILE_SID: `BU${'0'.repeat(32)}`,
    ...testCredentials,
    ...more,
  });
}

afterAll(async () => {
  await providers.close();
  await sandbox.kill();
});

function seller(id: number): NumberProvider {
  const provider = providers.numbers.get(id);
  if (provider === undefined) throw new Error(`There is no provider ${id}`);
  return provider;
}

it.each([5, 2])('buys, finds, configures and releases a number at provider %s', async (id) => {
  const provider = seller(id);
  const wanted = {
    kind: 'local',
    areaCode: id === 5 ? '615' : '404',
    contains: '',
    page: 1,
    size: 5,
  } as const;
  const found = await provider.search(wanted);
  expect(found?.items).toHaveLength(5);
  const [first] = found?.items ?? [];
  if (first === undefined) throw new Error('there is none');
  expect(await provider.findOwned(first.phone)).toBe('none');
  const bought = await provider.buy(first, 'muster-1-1');
  expect(bought).toMatchObject({ outcome: 'bought', number: { phone: first.phone } });
  expect(await provider.buy(first, 'muster-1-1')).toEqual({ outcome: 'gone' });
  const owned = await provider.findOwned(first.phone);
  if (owned === undefined || owned === 'none') throw new Error('it should be ours');
  expect(await provider.pointHere(owned)).toBe(true);
  expect((await provider.listOwned())?.map(({ phone }) => phone)).toContain(first.phone);
  expect(await provider.release(owned.key)).toBe(true);
  expect(await provider.release(owned.key)).toBe(true);
  expect(await provider.findOwned(first.phone)).toBe('none');
  const free = await provider.search({ kind: 'tollfree', areaCode: '', contains: '', page: 1, size: 3 });
  expect(free?.items[0]?.phone).toMatch(/^18(88|77|66)/);
});

it('returns that it is unavailable, or that a purchase is in doubt, instead of throwing', async () => {
  await sandbox.faults({ ServerError: 1 });
  for (const id of [5, 2]) {
    const wanted = { kind: 'local', areaCode: '423', contains: '', page: 1, size: 5 } as const;
    expect(await seller(id).search(wanted)).toBeUndefined();
    expect(await seller(id).findOwned('14235561000')).toBeUndefined();
    const outcome = await seller(id).buy({ phone: '14235561000', key: 'x', city: '', state: '' }, 'y');
    expect(outcome.outcome).toBe('doubt');
  }
  await sandbox.control('DELETE', '/faults');
});

const brand: NewBrand = {
  Country: 'United States',
  Ein: '62-1234567',
  EntityType: 'PUBLIC_PROFIT',
  CompanyName: 'Hamilton Corporation',
  DisplayName: 'Hamilton & Söhne',
  Vertical: 'GOVERNMENT',
  StockSymbol: 'HAM',
  StockExchange: 'NYSE',
  Street: '3074 Hickory Valley Road',
  City: 'Chattanooga',
  State: 'TN',
  PostalCode: '37421',
  Email: 'office@hamilton.example',
  PhoneNumber: '+1 423 555 0100',
  Website: 'hamilton.example',
  BusinessContactEmail: 'ana@hamilton.example',
  FirstName: 'Ana',
  LastName: 'Ruiz',
};
const campaign: NewCampaign = {
  IsPromotionalRegistration: true,
  ConsentType: 'Text Keyword',
  MessageFlow: 'People text a keyword that we advertise, with the terms beside it. '.repeat(30),
  Description: 'We text people who asked for it about offers and events. '.repeat(40),
  Sample1: 'Hamilton: 20% off this week, see https://hamilton.example. Reply STOP to opt out.',
  Sample2: 'Hamilton: call (423) 555-0100 to book. Reply STOP to opt out.',
  PrivacyPolicyUserSelection: 'Yes',
  PrivacyPolicyUrl: 'https://hamilton.example/privacy',
};

function work(change: Partial<RegistrationWork>): RegistrationWork & { made: Made } {
  const given = {
    kind: 'Local' as const,
    reference: `muster-${Math.random().toString(16).slice(2).padEnd(24, '0').slice(0, 24)}`,
    brand,
    campaign,
    contact: { firstName: 'Joanne', lastName: 'Pruitt' },
    made: {} as Made,
    numbers: [],
    ...change,
    async keep(made: Made) {
      given.made = made;
    },
  };
  return given;
}

async function approve(): Promise<void> {
  const answer = await sandbox.control('GET', '/registry/requests');
  const { Items } = (await answer.json()) as { Items: { RequestID: string; State: string }[] };
  for (const { RequestID, State } of Items)
    if (State !== 'Approved')
      await sandbox.control('POST', `/registry/requests/${RequestID}`, { Decision: 'Approve' });
}

const kinds: [string, number, Partial<RegistrationWork>, Progress['state']][] = [
  ['a public company', 5, {}, 'PendingContactAuthentication'],
  [
    'a private one',
    5,
    { brand: { ...brand, EntityType: 'PRIVATE_PROFIT', Vertical: 'RETAIL' } },
    'Processing',
  ],
  ['a church', 5, { brand: { ...brand, EntityType: 'NON_PROFIT', Vertical: 'NGO' } }, 'Processing'],
  ['a city', 5, { brand: { ...brand, EntityType: 'GOVERNMENT' } }, 'Processing'],
  [
    'a toll-free number',
    5,
    { kind: 'TollFree', numbers: [{ phone: '18885561000', key: 'k' }] },
    'Processing',
  ],
  [
    'a toll-free number of Twilio’s',
    2,
    { kind: 'TollFree', numbers: [{ phone: '18885561000', key: `PN${'0'.repeat(32)}` }] },
    'Processing',
  ],
  [
    'a sole proprietor',
    2,
    { brand: { ...brand, EntityType: 'SOLE_PROPRIETOR', Ein: '', PhoneNumber: '4235550177' } },
    'PendingContactAuthentication',
  ],
];

it.each(kinds)('registers %s', async (_, id, change, first) => {
  const registrar = providers.registrars.get(id);
  const given = work(change);
  expect(await registrar?.advance(given)).toMatchObject({ state: first });
  if (first === 'PendingContactAuthentication') expect(await registrar?.resend(given.made)).toBe(true);
  const madeBefore = given.made;
  expect(await registrar?.advance(given)).toMatchObject({ state: first });
  expect(given.made).toEqual(madeBefore);
  await approve();
  expect(await registrar?.advance(given)).toMatchObject({ state: 'Complete' });
});

it.each([
  ['Infobip', 5, 'k', 'The website could not be opened.'],
  ['Twilio', 2, `PN${'0'.repeat(32)}`, 'The website could not be opened.'],
  ['Twilio, which allows no edit', 2, `PN${'0'.repeat(32)}`, 'This one may not be edited.'],
])('sends a corrected toll-free number to %s', async (_, id, key, Reason) => {
  const registrar = providers.registrars.get(id);
  const given = work({ kind: 'TollFree', numbers: [{ phone: '18885561000', key }] });
  await registrar?.advance(given);
  const desk = async () => {
    const answer = await sandbox.control('GET', '/registry/requests');
    return ((await answer.json()) as { Items: { RequestID: string; State: string; Name: string }[] })
      .Items[0];
  };
  await sandbox.control('POST', `/registry/requests/${(await desk())?.RequestID}`, {
    Decision: 'Reject',
    Reason,
  });
  expect(await registrar?.advance(given)).toMatchObject({ state: 'Failed', reasons: [{ words: Reason }] });
  const { campaignBody: _b, campaignStage: _s, verificationBody: _v, ...made } = given.made;
  const corrected = {
    ...given,
    made,
    brand: { ...brand, DisplayName: 'Corrected', CompanyName: 'Corrected' },
  };
  corrected.keep = async (next: Made) => void Object.assign(corrected, { made: next });
  for (const _look of [1, 2])
    expect(await registrar?.advance(corrected)).toMatchObject({ state: 'Processing' });
  expect(await desk()).toMatchObject({ Name: 'Corrected', State: 'Pending' });
  await approve();
  expect(await registrar?.advance(corrected)).toMatchObject({ state: 'Complete' });
});

it('sends a corrected campaign of a sole proprietor to Twilio', async () => {
  const registrar = providers.registrars.get(2);
  const sole = { ...brand, EntityType: 'SOLE_PROPRIETOR', Ein: '', PhoneNumber: '4235550178' };
  const vague = { ...campaign, Description: 'Lorem ipsum dolor sit amet, and so on for forty characters.' };
  const given = work({ brand: sole, campaign: vague });
  await registrar?.advance(given);
  await approve();
  expect(await registrar?.advance(given)).toMatchObject({
    state: 'Failed',
    reasons: [{ property: 'DESCRIPTION', words: 'The description is not clear.' }],
  });
  const { campaignBody: _b, ...made } = given.made;
  const corrected = { ...given, made, campaign };
  corrected.keep = async (next: Made) => void Object.assign(corrected, { made: next });
  expect(await registrar?.advance(corrected)).toMatchObject({ state: 'Processing' });
  expect(await registrar?.advance(corrected)).toMatchObject({ state: 'Complete' });
});

it('tells Twilio a sole proprietor’s address, and corrects one that was refused', async () => {
  const registrar = providers.registrars.get(2);
  const sole = { ...brand, EntityType: 'SOLE_PROPRIETOR', Ein: '', PhoneNumber: '4235550179' };
  const given = work({ brand: { ...sole, Street: '1 Nowhere Road' } });
  for (const _look of [1, 2])
    expect(await registrar?.advance(given)).toEqual({
      state: 'Failed',
      reasons: [{ property: '', words: 'The address could not be verified.' }],
    });
  const { profileStage: _p, productStage: _s, brandBody: _b, ...rest } = given.made;
  const { addressBody: _a, personBody: _e, soleBody: _o, ...made } = rest;
  const corrected = { ...given, made, brand: sole };
  corrected.keep = async (next: Made) => void Object.assign(corrected, { made: next });
  for (const _look of [1, 2])
    expect(await registrar?.advance(corrected)).toEqual({ state: 'PendingContactAuthentication' });
  expect(corrected.made).toMatchObject({ addressSid: made.addressSid, profileSid: made.profileSid });
  await approve();
  expect(await registrar?.advance(corrected)).toMatchObject({ state: 'Complete' });
});

it('has an organization vetted first if configured, and learns the pace from its score', async () => {
  const vetting = createProviders(settings({ INFOBIP_VETTING: '1' }));
  const registrar = vetting.registrars.get(5);
  const given = work({ brand: { ...brand, EntityType: 'PRIVATE_PROFIT', Vertical: 'RETAIL' } });
  expect(await registrar?.advance(given)).toMatchObject({ state: 'Processing' });
  await approve();
  // Requested once, then read.
  expect(await registrar?.advance(given)).toMatchObject({ state: 'Processing' });
  await registrar?.advance(given);
  await approve();
  expect(await registrar?.advance(given)).toEqual({
    state: 'Complete',
    perMinute: 4_500,
    messagesPerDay: 200_000,
  });
  expect(given.made.score).toBe('82');
  await vetting.close();
});

checkEveryRequest();
