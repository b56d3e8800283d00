/** Long because every test registers an organization at the same registry, which is set up once. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessDenied } from '../../contract/errors.ts';
import { registrationPayload } from '../../contract/forms/registration/registration-submission.ts';
import { listTextNumbers } from '../../contract/numbers.ts';
import {
  buyLocalNumber,
  createRegistrationRequest,
  getCampaignDetails,
  getCapabilities,
  getCurrentRegistration,
  getRegistrationDraft,
  getReturningBrand,
  getTollFreeForm,
  getTollFreeRegistration,
  getUnregisteredNumber,
  listLocalNumbers,
  lookUpEin,
  registerTollFree,
  resendRegistrationEmail,
  resendRegistrationText,
  saveRegistrationDraft,
  validateWebsite,
} from '../../contract/registration.ts';
import { asSystem } from '../db.ts';
import { createProviders, type Providers } from '../outside/providers.ts';
import type { Registrar, RegistrationWork } from '../outside/registrar.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { advanceRequests, nudgeRequests } from './advance-requests.ts';
import { settleOrders } from './settle-orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({}, { REGISTRATION_GROUP_CODES: 'g1' });
});

const brand = {
  Country: 'United States',
  Ein: '62-1047793',
  EntityType: 'GOVERNMENT',
  CompanyName: 'Harlow Creek School District',
  DisplayName: 'Harlow Creek Schools',
  Vertical: 'EDUCATION',
  Street: '410 Mill Street',
  City: 'Harlow Creek',
  State: 'TN',
  PostalCode: '37343',
  Email: 'dana@hcsd.example',
  PhoneNumber: '(423) 555-0100',
  Website: 'https://www.hcsd.example',
};
const publicBrand = {
  ...brand,
  EntityType: 'PUBLIC_PROFIT',
  StockSymbol: 'HAM',
  StockExchange: 'NYSE',
  BusinessContactEmail: 'ana.ruiz@hamilton.example',
};
const campaign = {
  IsPromotionalRegistration: false,
  ConsentType: 'Online Form/Website',
  Description: 'Harlow Creek Schools texts parents and staff who asked for it about closings and schedules.',
  Sample1: 'Harlow Creek Schools: all schools close at noon today. Reply STOP to opt out.',
  Sample2: 'Harlow Creek Schools: parent evening on Thursday at 6 PM. Reply STOP to opt out.',
  PrivacyPolicyUserSelection: 'Not Yet',
};
const body = { NewBrand: brand, NewCampaign: campaign };

async function submit(account: BuiltAccount, change: object = {}) {
  return app.call(createRegistrationRequest, { body: { ...body, ...change } }, account.owner);
}

async function current(account: BuiltAccount) {
  await app.drain();
  return (await app.call(getCurrentRegistration, {}, account.owner)).body;
}

type Item = { RequestID: string; Kind: string; Name: string; State: string; SubmittedAt: string };

async function onDesk(name: string): Promise<Item> {
  return app.until(async () => {
    const answer = await app.sandbox.control('GET', '/registry/requests');
    const { Items } = (await answer.json()) as { Items: Item[] };
    return Items.find(({ Name }) => Name === name);
  });
}

async function decide(name: string, Decision: 'Approve' | 'Reject', Reason = '') {
  const { RequestID } = await onDesk(name);
  await app.sandbox.control('POST', `/registry/requests/${RequestID}`, { Decision, Reason });
}

/** The registry posts its webhook at any time; the test doesn't wait for the scheduled check. */
function until(account: BuiltAccount, status: string) {
  return app.until(async () => {
    const found = await current(account);
    return found.status === status && found;
  });
}

async function withNumber(areaNumber: string): Promise<BuiltAccount> {
  const account = await buildAccount(app);
  await app.call(buyLocalNumber, { body: { PhoneNumber: areaNumber } }, account.owner);
  await app.drain();
  return account;
}

async function tollFreeAtProvider({ accountId }: BuiltAccount): Promise<unknown> {
  const { rows } = await sql<{ reference: string }>`
    select reference from registration_requests where account_id = ${accountId} and kind = 'TollFree'`.execute(
    app.database.system,
  );
  const { INFOBIP_BASE_URL, INFOBIP_API_KEY } = app.context.config;
  const answer = await fetch(
    `${INFOBIP_BASE_URL}/number-registration/1/campaigns?referenceId=${rows[0]?.reference}-t`,
    { headers: { authorization: `App ${INFOBIP_API_KEY}` } },
  );
  return ((await answer.json()) as { results: unknown[] }).results[0];
}

async function numbersOf(account: BuiltAccount) {
  return (await app.call(listTextNumbers, {}, account.owner)).body.Items;
}

describe('an organization', () => {
  it('goes from no registration to a registered number', async () => {
    const account = await withNumber('4235561000');
    const { owner } = account;
    expect((await app.call(getCurrentRegistration, {}, owner)).status).toBe(404);
    const allowed = await app.call(getCapabilities, {}, owner);
    expect(allowed.body.texting.createRegistrationRequest).toEqual({ allowed: true, reasons: [] });
    const NewBrand = { ...brand, DisplayName: 'First Schools' };
    const first = await submit(account, { NewBrand });
    expect(first.body).toMatchObject({ status: 'Processing', brand: { entityType: 'GOVERNMENT' } });
    // Submitting twice counts once.
    expect(refusalOf(await submit(account, { NewBrand }))).toMatchObject({
      status: 409,
      Message: 'A registration request already exists for this account.',
      ExtendedData: { type: expect.stringMatching(/registration-request-exists$/) },
    });
    expect((await numbersOf(account))[0]).toMatchObject({ RegistrationStatus: 'Pending', CanText: false });
    // Fields of the registry's desk that scripts rely on.
    expect(await onDesk('First Schools')).toMatchObject({
      RequestID: expect.any(String),
      Kind: expect.any(String),
      Name: 'First Schools',
      State: 'Pending',
      SubmittedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    await decide('First Schools', 'Approve');
    await until(account, 'Complete');
    expect((await numbersOf(account))[0]).toMatchObject({ RegistrationStatus: 'Registered', CanText: true });
    const told = await app.until(async () =>
      (await app.sandbox.mails(`${owner.userName}@example.org`)).at(-1),
    );
    expect(told.Subject).toBe('First Schools is registered to text');
    const after = await app.call(getCapabilities, {}, owner);
    expect(after.body.texting.createRegistrationRequest).toEqual({
      allowed: false,
      reasons: [{ type: 'HAS_REGISTERED_NUMBER' }],
    });
    // A later number joins the registration.
    await app.call(buyLocalNumber, { body: { PhoneNumber: '4235571137' } }, owner);
    await app.until(async () => (await numbersOf(account)).every((each) => each.CanText));
    // Reviewers can read the terms and see how people agree.
    const { rows } = await sql<{ reference: string }>`
      select reference from registration_requests where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    const terms = await fetch(`${app.url}/registration/${rows[0]?.reference}/terms`);
    expect(await terms.text()).toContain('First Schools');
    const picture = await fetch(`${app.url}/registration/${rows[0]?.reference}/opt-in.png`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect((await fetch(`${app.url}/registration/muster-${'0'.repeat(24)}/terms`)).status).toBe(404);
    // Without a number it is registered anyway: a second registration would only cost more.
    await sql`update text_numbers set released_at = now() where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect(refusalOf(await submit(account, { NewBrand })).ExtendedData).toMatchObject({
      reasons: [{ type: 'HAS_REGISTERED_NUMBER' }],
    });
  });

  it('without a number gets a mail to get one', async () => {
    const account = await buildAccount(app);
    await submit(account, { NewBrand: { ...brand, DisplayName: 'Numberless Schools' } });
    await decide('Numberless Schools', 'Approve');
    await until(account, 'Complete');
    const told = await app.until(async () =>
      (await app.sandbox.mails(`${account.owner.userName}@example.org`)).at(-1),
    );
    expect(told.Text).toContain('get a local number');
    expect(told.Text).toContain('/get-registered-number');
    expect(told.Text).not.toContain('You can send texts now');
  });

  it('that submits twice at the same moment, or in two tabs, is registered once', async () => {
    const account = await withNumber('4235571000');
    const NewBrand = { ...brand, DisplayName: 'Twice Schools' };
    const replies = await Promise.all([1, 2, 3].map(() => submit(account, { NewBrand })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await app.drain();
    const answer = await app.sandbox.control('GET', '/registry/requests');
    const { Items } = (await answer.json()) as { Items: Item[] };
    expect(Items.filter(({ Name }) => Name === 'Twice Schools')).toHaveLength(1);
  });

  it('that is refused is corrected without typing everything again', async () => {
    const account = await withNumber('4235581274');
    const NewBrand = { ...brand, DisplayName: 'Refused Schools' };
    await submit(account, { NewBrand });
    await decide('Refused Schools', 'Reject', 'The EIN does not match the legal name.');
    const failed = await until(account, 'Failed');
    expect(failed.reasons).toEqual([
      { field: 'Ein', message: expect.stringContaining('don’t match the IRS record') },
    ]);
    expect((await numbersOf(account))[0]?.RegistrationStatus).toBe('Rejected');
    const told = await app.until(async () =>
      (await app.sandbox.mails(`${account.owner.userName}@example.org`)).at(-1),
    );
    expect(told.Text).toContain('The EIN does not match the legal name.');
    const { apiData } = (await app.call(getReturningBrand, {}, account.owner)).body;
    expect(apiData).toMatchObject({
      isReturningUser: true,
      requiresFormResubmission: true,
      registeredBrand: { companyName: brand.CompanyName, ein: '62-1047793' },
    });
    const { RequestID } = await onDesk('Refused Schools');
    const corrected = await submit(account, { NewBrand: { ...NewBrand, Ein: '62-1234567' } });
    expect(corrected.body.status).toBe('Processing');
    await app.until(async () => (await onDesk('Refused Schools')).State === 'Pending');
    // The same brand, corrected: not a second one.
    expect((await onDesk('Refused Schools')).RequestID).toBe(RequestID);
    await decide('Refused Schools', 'Approve');
    await until(account, 'Complete');
  });

  it('whose texts were refused describes them itself, also if we wrote them before', async () => {
    const account = await buildAccount(app);
    const found = await app.call(listLocalNumbers, { query: { areacode: '865' } }, account.owner);
    const PhoneNumber = found.body.Items[0]?.PhoneNumber ?? '';
    await app.call(buyLocalNumber, { body: { PhoneNumber } }, account.owner);
    await app.drain();
    const NewBrand = { ...brand, DisplayName: 'Described Schools' };
    const NewCampaign = {
      IsPromotionalRegistration: false,
      PrivacyPolicyUserSelection: 'Not Yet',
    } as typeof campaign;
    const draft = async () => (await app.call(getRegistrationDraft, {}, account.owner)).body;
    await submit(account, { NewBrand, NewCampaign });
    expect((await draft()).RefusedCampaign).toBeNull();
    await decide('Described Schools', 'Reject', 'The campaign description is unclear.');
    await until(account, 'Failed');
    expect((await draft()).RefusedCampaign).toEqual({
      ConsentType: 'Verbal',
      Description: expect.stringMatching(/.{40}/),
      Sample1: expect.stringMatching(/./),
      Sample2: expect.stringMatching(/./),
    });
    // It is judged by the usual rules, and sent as it is.
    const tooShort = await submit(account, { NewBrand, NewCampaign: { ...campaign, Description: 'News' } });
    expect(refusalOf(tooShort).Errors).toMatchObject([{ Field: 'Description' }]);
    expect((await submit(account, { NewBrand })).status).toBe(200);
    const { rows } = await sql<{ campaign: object }>`
      select campaign from registration_requests where account_id = ${account.accountId}
      order by request_id desc limit 1`.execute(app.database.system);
    expect(rows[0]?.campaign).toMatchObject(campaign);
  });

  it('whose registration is revoked hears of it, and can correct it', async () => {
    const account = await buildAccount(app);
    const found = await app.call(listLocalNumbers, { query: { areacode: '901' } }, account.owner);
    const PhoneNumber = found.body.Items[0]?.PhoneNumber ?? '';
    await app.call(buyLocalNumber, { body: { PhoneNumber } }, account.owner);
    await app.drain();
    const NewBrand = { ...brand, DisplayName: 'Taken Schools' };
    await submit(account, { NewBrand });
    await decide('Taken Schools', 'Approve');
    await until(account, 'Complete');
    // The daily look changes nothing while it is approved.
    await sql`update registration_requests set look_at = now() where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect((await current(account)).status).toBe('Complete');
    const { rows } = await sql<{ is_later: boolean }>`
      select look_at > now() + interval '23 hours' as is_later from registration_requests
      where account_id = ${account.accountId}`.execute(app.database.system);
    expect(rows).toEqual([{ is_later: true }]);
    // The registry's webhook names it.
    await decide('Taken Schools', 'Reject', 'The EIN does not match the legal name.');
    const failed = await until(account, 'Failed');
    expect(failed.reasons).toMatchObject([{ field: 'Ein' }]);
    expect((await numbersOf(account))[0]).toMatchObject({ RegistrationStatus: 'Rejected', CanText: false });
    // Two mails may arrive in either order.
    const mails = await app.until(async () => {
      await app.drain();
      const all = await app.sandbox.mails(`${account.owner.userName}@example.org`);
      return all.length > 1 && all;
    });
    expect(mails.map(({ Subject }) => Subject)).toContain('Your text registration needs a correction');
    expect((await submit(account, { NewBrand: { ...NewBrand, Ein: '62-1234567' } })).status).toBe(200);
  });

  it('that is publicly traded is verified by mail, which can be sent again', async () => {
    const account = await withNumber('4235561411');
    await submit(account, { NewBrand: { ...publicBrand, DisplayName: 'Hamilton Corp' } });
    const waiting = await until(account, 'PendingContactAuthentication');
    expect(waiting.brand).toMatchObject({
      entityType: 'PUBLIC_PROFIT',
      authPlusEmail: 'ana.ruiz@hamilton.example',
    });
    const soon = await app.call(resendRegistrationEmail, {}, account.owner);
    expect(refusalOf(soon)).toMatchObject({
      status: 429,
      Message: expect.stringContaining('It was just sent.'),
    });
    const later = () =>
      sql`update registration_requests set resent_at = now() - interval '2 minutes',
        submitted_at = now() - interval '2 minutes' where account_id = ${account.accountId}`.execute(
        app.database.system,
      );
    for (let time = 0; time < 5; time++) {
      await later();
      expect((await app.call(resendRegistrationEmail, {}, account.owner)).status).toBe(200);
    }
    await later();
    expect(refusalOf(await app.call(resendRegistrationEmail, {}, account.owner)).Message).toContain(
      'tomorrow',
    );
    expect((await app.call(resendRegistrationText, {}, account.owner)).status).toBe(404);
    const mails = await app.sandbox.mails('ana.ruiz@hamilton.example');
    expect(mails).toHaveLength(6);
    const link = /https?:\S+\/registry\/confirm\/\w+/.exec(mails[0]?.Text ?? '')?.[0] ?? '';
    expect((await fetch(link)).status).toBe(200);
    await until(account, 'Processing');
    await decide('Hamilton Corp', 'Approve');
    await until(account, 'Complete');
  });

  it('that gets a number at the moment of its approval has it registered too', async () => {
    const account = await withNumber('4235571959');
    await submit(account, { NewBrand: { ...brand, DisplayName: 'Moment Schools' } });
    await current(account);
    await decide('Moment Schools', 'Approve');
    const providers = createProviders(app.context.config);
    const registrar = providers.registrars.get(5);
    if (registrar === undefined) throw new Error('there is no registrar');
    const late = '4235582096';
    const advance = async (work: RegistrationWork) => {
      const progress = await registrar.advance(work);
      if (progress.state !== 'Complete') return progress;
      // The registry has approved it, and nothing of that is written yet.
      await app.call(buyLocalNumber, { body: { PhoneNumber: late } }, account.owner);
      await settleOrders({ database: app.database, providers });
      return progress;
    };
    const between = { ...providers, registrars: new Map([[5, { ...registrar, advance }]]) } as Providers;
    const { log, config, database } = app.context;
    for (let look = 0; look < 40; look++) {
      await sql`update registration_requests set look_at = now()
        where account_id = ${account.accountId} and look_at is not null`.execute(database.system);
      await advanceRequests({ database, providers: between, publicUrl: config.PUBLIC_URL, log });
      if ((await app.call(getCurrentRegistration, {}, account.owner)).body.status === 'Complete') break;
    }
    await app.until(async () => (await numbersOf(account)).length === 2);
    await app.until(async () => (await numbersOf(account)).every(({ CanText }) => CanText));
    await providers.close();
  });

  it('is not processed by a second worker at the same time', async () => {
    const account = await withNumber('4235562233');
    await submit(account, { NewBrand: { ...brand, DisplayName: 'Busy Schools' } });
    await app.drain();
    const providers = createProviders(app.context.config);
    const { log, config, database } = app.context;
    const due = () =>
      sql`update registration_requests set look_at = now()
        where account_id = ${account.accountId} and look_at is not null`.execute(database.system);
    let atWork = 0;
    let most = 0;
    let looks = 0;
    const advance = async (work: RegistrationWork) => {
      if (work.brand.DisplayName !== 'Busy Schools') return { state: 'Processing' as const };
      most = Math.max(most, ++atWork);
      // The registry sends an event about the object created just now, and another worker is woken.
      if (looks++ === 0) {
        await asSystem(database, (trx) => nudgeRequests(trx, 5));
        await advanceRequests(context);
      }
      atWork -= 1;
      return { state: 'Processing' as const };
    };
    const registrar = { ...providers.registrars.get(5), aggregatorId: 5, advance } as Registrar;
    const registrars = new Map([[5, registrar]]);
    const context = { database, providers: { ...providers, registrars }, publicUrl: config.PUBLIC_URL, log };
    await due();
    await advanceRequests(context as never);
    expect(most).toBe(1);
    // It is checked again anyway, right after.
    const before = looks;
    await advanceRequests(context as never);
    expect(looks).toBeGreaterThan(before);
    await providers.close();
  });

  it('is created once even if the registrar fails in between', async () => {
    const account = await withNumber('4235571548');
    await app.sandbox.faults({ Outage: true });
    await submit(account, { NewBrand: { ...brand, DisplayName: 'Storm Schools' } });
    expect((await current(account)).status).toBe('Processing');
    await app.sandbox.control('DELETE', '/faults');
    // An object whose creation we missed is found by its reference.
    const due = () =>
      sql`update registration_requests set look_at = now(), made = '{}' where account_id = ${account.accountId}`.execute(
        app.database.system,
      );
    for (let look = 0; look < 3; look++) {
      await due();
      await app.drain();
    }
    const answer = await app.sandbox.control('GET', '/registry/requests');
    const { Items } = (await answer.json()) as { Items: Item[] };
    expect(Items.filter(({ Name }) => Name === 'Storm Schools')).toHaveLength(1);
  });
});

describe('others', () => {
  it('registers a sole proprietor by a text that is answered YES', async () => {
    const account = await buildAccount(app);
    const NewBrand = {
      ...brand,
      ...{ Ein: '', EntityType: 'SOLE_PROPRIETOR', CompanyName: '', DisplayName: 'Ana’s Piano Lessons' },
      ...{ FirstName: 'Ana', LastName: 'Ruiz', PhoneNumber: '4235550177' },
    };
    await submit(account, { NewBrand });
    const waiting = await until(account, 'PendingContactAuthentication');
    expect(waiting.brand.entityType).toBe('SOLE_PROPRIETOR');
    const [text] = await app.until(async () => {
      const got = await app.sandbox.messages('14235550177');
      return got.length > 0 && got;
    });
    expect(text?.Text).toContain('Reply YES');
    await sql`update registration_requests set submitted_at = now() - interval '2 minutes'
      where account_id = ${account.accountId}`.execute(app.database.system);
    expect((await app.call(resendRegistrationText, {}, account.owner)).status).toBe(200);
    await app.sandbox.text('14235550177', text?.From ?? '', 'Yes');
    await until(account, 'Processing');
    await decide('Ana’s Piano Lessons', 'Approve');
    await until(account, 'Complete');
    // Its number was ordered with the registration, and has the pace that the registry grants.
    expect(await numbersOf(account)).toMatchObject([
      { TextPhoneNumber: expect.stringMatching(/^423/), AggregatorID: 2, RegistrationStatus: 'Registered' },
    ]);
    const { rows } = await sql`
      select n.per_minute, a.messages_per_day from text_numbers n join accounts a using (account_id)
      where account_id = ${account.accountId}`.execute(app.database.system);
    expect(rows).toEqual([{ per_minute: 75, messages_per_day: 1000 }]);
    // The registry accepts one number from a sole proprietor, and doesn't accept Infobip's at all.
    const second = await app.call(buyLocalNumber, { body: { PhoneNumber: '4235572370' } }, account.owner);
    expect(refusalOf(second)).toMatchObject({
      status: 422,
      Message: 'The registry allows a sole proprietor only one local number.',
    });
    // One that was released can be replaced.
    await sql`update text_numbers set released_at = now() where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    await app.call(buyLocalNumber, { body: { PhoneNumber: '4235572370' } }, account.owner);
    await app.until(async () => {
      await app.drain();
      const [number] = await numbersOf(account);
      return number?.CanText && number.AggregatorID === 2;
    });
  });

  it('gets and registers a toll-free number', async () => {
    const account = await buildAccount(app);
    expect((await app.call(getTollFreeRegistration, {}, account.owner)).status).toBe(404);
    await sql`update users set first_name = 'Joanne', last_name = 'Pruitt' where user_id = ${account.owner.userId}`.execute(
      app.database.system,
    );
    const NewBrand = { ...brand, DisplayName: 'Toll-free Schools' };
    const reply = await app.call(registerTollFree, { body: { ...body, NewBrand } }, account.owner);
    expect(reply.body).toMatchObject({ kind: 'TollFree', status: 'Processing' });
    await onDesk('Toll-free Schools');
    // The registry gets a person of the organization: the user who submitted it.
    expect(await tollFreeAtProvider(account)).toMatchObject({
      businessName: 'Toll-free Schools',
      businessContactFirstName: 'Joanne',
      businessContactLastName: 'Pruitt',
    });
    await decide('Toll-free Schools', 'Reject', 'The website could not be opened.');
    const found = () => app.call(getTollFreeRegistration, {}, account.owner);
    const failed = await app.until(async () => {
      const { body: request } = await found();
      return request.status === 'Failed' && request;
    });
    expect(failed.reasons[0]?.field).toBe('BrandWebsite');
    const { rows } = await sql<{ body: string }>`
      select body_text as body from mails where account_id = ${account.accountId} and kind = 'registration'`.execute(
      app.database.system,
    );
    expect(rows[0]?.body).toContain('accept your toll-free number');
    expect(rows[0]?.body).toContain('/local-number-registration/processing');
    expect((await numbersOf(account))[0]?.TextPhoneNumber).toMatch(/^8(88|77|66)/);
  });

  it('in Canada gets a toll-free number that can text', async () => {
    const account = await buildAccount(app);
    await sql`update accounts set country_id = 2 where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    const NewBrand = {
      ...brand,
      ...{ Country: 'Canada', Ein: '123456789', EntityType: 'NON_PROFIT', DisplayName: 'Maple Schools' },
      ...{ City: 'Ottawa', State: 'ON', PostalCode: 'K1A 0B1', PhoneNumber: '(613) 555-0100' },
    };
    expect(refusalOf(await submit(account, { NewBrand: { ...NewBrand, Ein: '12345' } })).Errors).toEqual([
      { Field: 'CanadianBusinessNumber', Message: 'Enter a 9-digit Canadian Business Number' },
    ]);
    expect((await submit(account, { NewBrand })).status).toBe(200);
    await decide('Maple Schools', 'Approve');
    await until(account, 'Complete');
    const mailed = () => app.sandbox.mails(`${account.owner.userName}@example.org`);
    const told = await app.until(async () => (await mailed()).at(-1));
    expect(told.Text).toContain('apply for a toll-free number');
    expect(told.Text).not.toContain('get a local number');

    // Like the registration's page: with the same answers.
    const { Form } = (await app.call(getTollFreeForm, {}, account.owner)).body;
    expect(Form).toMatchObject({ Country: 'Canada', Ein: '', CanadianBusinessNumber: '123456789' });
    const again = registrationPayload(Form as never) as never;
    expect((await app.call(registerTollFree, { body: again }, account.owner)).status).toBe(200);
    await app.drain();
    // While waiting for the registry, it can already text, within the limits of an unregistered number.
    expect((await numbersOf(account))[0]).toMatchObject({ RegistrationStatus: 'Pending', CanText: true });
    await app.until(async () => {
      const answer = await app.sandbox.control('GET', '/registry/requests');
      const { Items } = (await answer.json()) as { Items: Item[] };
      const open = Items.find(({ Name, State }) => Name === 'Maple Schools' && State === 'Pending');
      if (open)
        await app.sandbox.control('POST', `/registry/requests/${open.RequestID}`, { Decision: 'Approve' });
      await app.drain();
      return (await numbersOf(account))[0]?.RegistrationStatus === 'Registered';
    });
  });

  it.each([
    ['has a toll-free number without having applied for it', 'You can send texts now'],
    ['lost its toll-free number when the application failed', 'apply for a toll-free number'],
  ])('in Canada that %s is told: %s', async (what, expected) => {
    const account = await buildAccount(app);
    const { accountId, owner } = account;
    await sql`update accounts set is_free_trial = true, country_id = 2 where account_id = ${accountId}`.execute(
      app.database.system,
    );
    await app.call(getUnregisteredNumber, { body: { AreaCode: '416' } }, owner);
    await app.drain();
    expect((await numbersOf(account))[0]?.TextPhoneNumber).toMatch(/^8(88|77|66)/);
    await sql`update accounts set is_free_trial = false where account_id = ${accountId}`.execute(
      app.database.system,
    );
    const NewBrand = {
      ...{ ...brand, Country: 'Canada', Ein: '123456789', EntityType: 'NON_PROFIT' },
      DisplayName: `Schools ${accountId}`,
      ...{ City: 'Ottawa', State: 'ON', PostalCode: 'K1A 0B1', PhoneNumber: '(613) 555-0100' },
    };
    expect((await submit(account, { NewBrand })).status).toBe(200);
    if (what.startsWith('lost')) {
      const other = { ...NewBrand, DisplayName: `Free ${accountId}` };
      await app.call(registerTollFree, { body: { ...body, NewBrand: other } }, owner);
      await app.drain();
      await sql`update registration_requests set status = 'Failed', look_at = null
        where account_id = ${accountId} and kind = 'TollFree'`.execute(app.database.system);
      await sql`update text_numbers set released_at = now() where account_id = ${accountId}`.execute(
        app.database.system,
      );
    }
    await decide(NewBrand.DisplayName, 'Approve');
    await until(account, 'Complete');
    const told = await app.until(async () =>
      (await app.sandbox.mails(`${owner.userName}@example.org`)).find(({ Subject }) =>
        Subject.includes('is registered to text'),
      ),
    );
    expect(told.Text).toContain(expected);
  });

  it('gets a toll-free number again if the first order failed', async () => {
    const account = await buildAccount(app);
    await app.sandbox.faults({ Outage: true });
    const NewBrand = { ...brand, DisplayName: 'Patient Schools' };
    await app.call(registerTollFree, { body: { ...body, NewBrand } }, account.owner);
    await app.drain();
    await sql`update number_orders set status = 'failed', look_at = null where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    await app.sandbox.control('DELETE', '/faults');
    await sql`update registration_requests set look_at = now() where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    await decide('Patient Schools', 'Approve');
    await app.until(async () => {
      await app.drain();
      return (await app.call(getTollFreeRegistration, {}, account.owner)).body.status === 'Complete';
    });
    expect(await numbersOf(account)).toHaveLength(1);
  });

  it('sends a correction of a toll-free number to the registry', async () => {
    // The account has a number at Infobip, so it wasn't asked for its texts: they were generated.
    const account = await withNumber('6155561000');
    const answers = () => app.call(getTollFreeForm, {}, account.owner);
    expect((await answers()).status).toBe(404);
    const NewBrand = { ...brand, DisplayName: 'Corrected Schools' };
    const unasked = { ...campaign, Description: '', Sample1: '', Sample2: '' };
    await app.call(registerTollFree, { body: { NewBrand, NewCampaign: unasked } }, account.owner);
    await decide('Corrected Schools', 'Reject', 'The sample messages do not match the use case.');
    await app.until(async () => {
      await app.drain();
      return (await app.call(getTollFreeRegistration, {}, account.owner)).body.status === 'Failed';
    });
    const { Form } = (await answers()).body;
    expect(Form).toMatchObject({ CompanyName: brand.CompanyName, BrandWebsite: brand.Website });
    expect(Form.Sample1).not.toBe('');
    const { NewBrand: sameBrand, NewCampaign } = registrationPayload(Form);
    const again = (change: object) =>
      app.call(
        registerTollFree,
        { body: { NewBrand: sameBrand, NewCampaign: { ...NewCampaign, ...change } } },
        account.owner,
      );
    expect(refusalOf(await again({ Sample1: 'Too short' })).Errors).toEqual([
      { Field: 'Sample1', Message: 'Sample Message must be at least 20 characters' },
    ]);
    const sent = await again({ Sample1: campaign.Sample1 });
    expect(sent.body.status).toBe('Processing');
    expect((await answers()).body.Form).toEqual({ ...Form, Sample1: campaign.Sample1 });
    await app.drain();
    // The same one is on the desk again.
    await decide('Corrected Schools', 'Approve');
    await app.until(async () => {
      await app.drain();
      return (await app.call(getTollFreeRegistration, {}, account.owner)).body.status === 'Complete';
    });
  });
});

describe('rules', () => {
  it('reports every invalid field, alone and together', async () => {
    const account = await buildAccount(app);
    const wrong = async (change: object, more: object = {}) => {
      const NewBrand = { ...publicBrand, ...change };
      const refusal = refusalOf(await submit(account, { NewBrand, NewCampaign: { ...campaign, ...more } }));
      return Object.fromEntries((refusal.Errors ?? []).map(({ Field, Message }) => [Field, Message]));
    };
    expect(await wrong({ Ein: '' })).toEqual({ Ein: 'Enter an EIN' });
    expect(await wrong({ PhoneNumber: '2115550100' })).toEqual({
      PhoneNumber: "This number isn't in the US, Puerto Rico, or Canada",
    });
    expect(await wrong({ BusinessContactEmail: 'info@hamilton.example' })).toHaveProperty(
      'BusinessContactEmail',
    );
    expect(await wrong({}, { Sample2: campaign.Sample1, IsPromotionalRegistration: null })).toEqual({
      Sample2: 'Sample messages must be different.',
      IsPromotionalRegistration: 'Please select an option.',
    });
    expect(
      Object.keys(await wrong({ City: '', State: 'XX', StockSymbol: '' }, { Description: 'Short' })),
    ).toEqual(expect.arrayContaining(['City', 'State', 'StockSymbol', 'Description']));
    const { ExtendedData } = refusalOf(await submit(account, { NewBrand: { ...brand, Ein: '1' } }));
    expect(ExtendedData).toMatchObject({
      detail: 'One or more fields in the request contained an invalid value.',
      errors: { Ein: [{ description: 'Invalid EIN. Must be a 9 digit number.' }] },
    });
  });

  it('explains who may not register', async () => {
    const account = await buildAccount(app);
    const admin = await buildUser(app, account.accountId, 'admin');
    const { body: of } = await app.call(getCapabilities, {}, admin);
    expect(of.texting.createRegistrationRequest.reasons).toEqual([{ type: 'USER_NOT_AUTHORIZED' }]);
    expect((await app.call(createRegistrationRequest, { body }, admin)).status).toBe(403);
    // A code for credits doesn't affect registration.
    await sql`update accounts set group_code = 'spring' where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    const { body: coded } = await app.call(getCapabilities, {}, account.owner);
    expect(coded.texting.createRegistrationRequest.allowed).toBe(true);
    const promotional = { ...campaign, IsPromotionalRegistration: true };
    expect(refusalOf(await submit(account, { NewCampaign: promotional })).Errors).toEqual([
      { Field: 'IsPromotionalRegistration', Message: accessDenied },
    ]);
    await sql`update accounts set is_free_trial = true, group_code = 'G1' where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    const { body: trial } = await app.call(getCapabilities, {}, account.owner);
    expect(trial.texting.createRegistrationRequest.reasons).toEqual([
      { type: 'IN_REGISTRATION_GROUP' },
      { type: 'NOT_PAYING_CUSTOMER' },
    ]);
    expect((await submit(account)).status).toBe(422);
  });

  it('keeps what was typed', async () => {
    const account = await buildAccount(app);
    const empty = await app.call(getRegistrationDraft, {}, account.owner);
    expect(empty.body).toMatchObject({ SavedAt: null, TextsToCanada: null, HasInfobipNumbers: false });
    const draft = {
      Form: { CompanyName: 'Half a na' },
      Route: 'tax-id',
      TextsToCanada: true,
      WantsTollFree: true,
    };
    await app.call(saveRegistrationDraft, { body: draft as never }, account.owner);
    const { body: kept } = await app.call(getRegistrationDraft, {}, account.owner);
    expect(kept).toMatchObject({ Route: 'tax-id', TextsToCanada: true, WantsTollFree: true });
    expect(kept.Form.CompanyName).toBe('Half a na');
  });

  it('looks organizations up, and opens public websites only', async () => {
    const { owner } = await buildAccount(app);
    const found = await app.call(lookUpEin, { params: { ein: '621047793' } }, owner);
    expect(found.body[0]).toMatchObject({ companyName: 'Harlow Creek School District', zipCode: '37343' });
    expect((await app.call(lookUpEin, { params: { ein: '111111111' } }, owner)).body).toEqual([]);
    let opened = 0;
    const inside = createServer((_, response) => {
      opened += 1;
      response.end('secret');
    });
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const port = (inside.address() as AddressInfo).port;
    const check = async (Url: string) => (await app.call(validateWebsite, { body: { Url } }, owner)).body;
    expect(await check('hcsd.example')).toMatchObject({ Valid: true, OriginalUri: 'hcsd.example' });
    expect((await check('https://moved.example')).RedirectedUri).toBe('https://www.moved.example/home');
    for (const bad of [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]/',
      'http://intranet/',
      'ftp://hcsd.example',
      'https://inside.example',
      'https://loop.example',
      'https://broken.example',
      'https://empty.example',
      'no address',
    ])
      expect(await check(bad), bad).toMatchObject({ Valid: false, RedirectedUri: null });
    // Nor a port that no website has, for any address.
    expect((await check('http://8.8.8.8:22/')).ErrorMessage).toBe(
      'This address is not on the public internet.',
    );
    expect(opened).toBe(0);
    inside.close();
    const details = await app.call(getCampaignDetails, {}, owner);
    expect(details.body.SampleMessages.Informational).toHaveProperty('Default');
    const file = await fetch(`${app.url}/cdn/registration/CampaignDetailsV2.json`);
    expect(await file.json()).toEqual(details.body);
  });
});
