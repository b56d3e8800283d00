import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  getPhoneNumber,
  lookUpPhoneNumbers,
  type PhoneNumber,
  validatePhoneNumber,
} from '../../contract/consents.ts';
import { shiftClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { asSystem } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { endProcess, spawnWorker } from '../testing/spawn-worker.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { createPhoneLookups } from './jobs.ts';
import { recordConsents } from './record-consents.ts';

let app: TestApp;
let account: BuiltAccount;
let other: BuiltAccount;
beforeAll(async () => {
  app = await testApp({}, { LOOKUPS: '1' });
  account = await buildAccount(app);
  other = await buildAccount(app);
});
afterEach(() => app.sandbox.control('DELETE', '/faults'));

async function look(typed: string, isAsked = true, as = account.owner): Promise<PhoneNumber> {
  const query = isAsked ? { include: 'all' as const } : {};
  const { status, body } = await app.call(getPhoneNumber, { params: { Number: typed }, query }, as);
  expect(status).toBe(200);
  return body;
}

async function lookAtAll(Source: string[], isAsked = true) {
  const query = isAsked ? { include: 'all' as const } : {};
  const { status, body } = await app.call(lookUpPhoneNumbers, { query, body: { Source } }, account.owner);
  expect(status).toBe(200);
  return body;
}

function kept(accountId = account.accountId) {
  return app.database.system
    .selectFrom('phone_lookups')
    .select(['phone', 'is_valid', 'line_type', 'carrier_name', 'looked_up_at'])
    .where('account_id', '=', accountId)
    .orderBy('phone')
    .execute();
}

async function setAge(phone: string, days: number): Promise<void> {
  await app.database.system
    .updateTable('phone_lookups')
    .set({ looked_up_at: new Date(Date.now() - days * 86_400_000) })
    .where('account_id', '=', account.accountId)
    .where('phone', '=', phone)
    .execute();
}

describe('the known facts about a number', () => {
  it.each([
    ['4235550143', { IsValid: true, IsTextable: true, LineType: 'mobile', CarrierName: 'Volunteer PCS' }],
    ['4235550170', { IsValid: true, IsTextable: false, LineType: 'landline' }],
    ['4235550171', { IsValid: true, IsTextable: true, LineType: 'voip', CarrierName: 'Cumberland Cable' }],
    ['4235550172', { IsValid: true, IsTextable: true, LineType: 'voip' }],
    ['8005550100', { IsValid: true, IsTextable: true, LineType: 'tollfree' }],
    ['4235550173', { IsValid: true, IsTextable: true, LineType: 'unknown', CarrierName: '' }],
    ['4235550174', { IsValid: false, IsTextable: false }],
    ['4235550192', { IsValid: false, IsTextable: false }],
  ])('%s', async (number, expected) => {
    expect(await look(number)).toMatchObject({
      Number: number,
      LookupTimestamp: expect.any(String),
      ...expected,
    });
    // From now on without a look-up.
    await app.sandbox.faults({ Outage: true });
    expect(await look(number, false)).toMatchObject(expected);
  });

  it('come from the number itself, if it was not looked up', async () => {
    const nothing = { LineType: '', CarrierName: '', LookupTimestamp: null, OptedIn: false, OptedOut: false };
    expect(await look('(423) 555-0150', false)).toEqual({
      Number: '4235550150',
      IsValid: true,
      IsTextable: true,
      DoNotCall: false,
      ...nothing,
    });
    // Neither of these can exist, so no look-up is paid for.
    for (const number of ['5555555555', '8765550100', '+442079460958']) {
      expect(await look(number)).toMatchObject({ IsValid: false, IsTextable: false, ...nothing });
    }
    expect((await kept()).some(({ phone }) => phone.startsWith('44'))).toBe(false);
  });

  it.each(['423', 'nonsense', '423 555 0143 9'])('are that %s is no number', async (number) => {
    const described = await look(number);
    expect(described).toMatchObject({ Number: number, IsValid: false, IsTextable: false, OptedIn: false });
    expect(await lookAtAll([number])).toEqual({ [number]: described });
  });

  it('contain the phone’s consent', async () => {
    const at = new Date();
    const { accountId } = account;
    await asSystem(app.database, (trx) =>
      recordConsents(trx, [
        { accountId, phone: '14235550151', state: 'in', source: 'inbound', at },
        { accountId, phone: '14235550152', state: 'out', channel: 'both', source: 'user', at },
      ]),
    );
    expect(await look('4235550151')).toMatchObject({ OptedIn: true, OptedOut: false, DoNotCall: false });
    expect(await look('4235550152')).toMatchObject({ OptedIn: false, OptedOut: true, DoNotCall: true });
    expect(await look('4235550152', false, other.owner)).toMatchObject({ OptedOut: false, DoNotCall: false });
  });

  it('are looked up again after ninety days, and not before', async () => {
    await look('4235550153');
    await app.database.system
      .updateTable('phone_lookups')
      .set({ line_type: 'landline', carrier_name: 'Of old' })
      .where('phone', '=', '14235550153')
      .execute();
    await setAge('14235550153', 89);
    expect(await look('4235550153')).toMatchObject({ LineType: 'landline', CarrierName: 'Of old' });
    await setAge('14235550153', 91);
    expect(await look('4235550153', false)).toMatchObject({ LineType: 'landline' });
    const asked = await look('4235550153');
    expect(asked).toMatchObject({ LineType: 'mobile', CarrierName: 'Volunteer PCS' });
    expect(Date.now() - Date.parse(asked.LookupTimestamp ?? '')).toBeLessThan(86_400_000);
  });

  it.each([{ Outage: true }, { ServerError: 1 }, { TooManyRequests: 1 }])(
    'are the answer when the provider has none (%j)',
    async (fault) => {
      await look('4235550154');
      await setAge('14235550154', 100);
      await app.sandbox.faults(fault);
      expect(await look('4235550154')).toMatchObject({ LineType: 'mobile' });
      expect(await look('4235550155')).toMatchObject({ IsValid: true, IsTextable: true, LineType: '' });
      expect((await kept()).some(({ phone }) => phone === '14235550155')).toBe(false);
    },
  );
});

describe('many numbers at once', () => {
  it('are answered by the given text, including invalid ones', async () => {
    const given = ['4235550160', '(423) 555-0170', '+1 423 555 0160', 'nonsense', '', '__proto__'];
    const body = await lookAtAll(given);
    expect(Object.keys(body).sort()).toEqual(given.filter((each) => each !== '__proto__').sort());
    expect(body['4235550160']).toMatchObject({ Number: '4235550160', LineType: 'mobile' });
    expect(body['+1 423 555 0160']).toEqual(body['4235550160']);
    expect(body['(423) 555-0170']).toMatchObject({ Number: '4235550170', IsTextable: false });
    expect(body.nonsense).toMatchObject({ Number: 'nonsense', IsValid: false, IsTextable: false });
  });

  it('are up to a thousand', async () => {
    const thousand = Array.from({ length: 1000 }, (_, index) => String(6155560000 + index));
    const body = await lookAtAll(thousand, false);
    expect(Object.values(body).filter(({ IsValid }) => IsValid)).toHaveLength(1000);
    const more = await app.call(lookUpPhoneNumbers, { body: { Source: [...thousand, '1'] } }, account.owner);
    expect(more.status).toBe(400);
  });
});

describe('whether a number can be used', () => {
  async function validate(Source: string, more: { texts?: boolean; CountryID?: number } = {}) {
    const { CountryID, texts } = more;
    const { body } = await app.call(
      validatePhoneNumber,
      {
        query: texts ? { includeTextability: 'true' as const } : {},
        body: { Source, ...(CountryID === undefined ? {} : { CountryID }) },
      },
      account.owner,
    );
    return body;
  }

  it.each([
    ['4235550143', '', {}],
    ['8765550100', "This number isn't in the US, Puerto Rico, or Canada", {}],
    ['5555555555', 'This number is not allowed', {}],
    ['9999999999', 'This number is not allowed', {}],
    ['12345678901', 'This number is not allowed', {}],
    ['423', 'Must be 10 digits; use only numbers', {}],
    ['020 7946 0958', '', { CountryID: 4 }],
    ['423', 'Must start with 44; no more than 12 digits; use only numbers', { CountryID: 4 }],
  ])('%s: %j', async (number, message, more) => {
    expect(await validate(number, more)).toEqual({ Success: message === '', ErrorMessage: message });
  });

  it('and texted', async () => {
    const refused = {
      Success: false,
      ErrorMessage: 'This number is not a textable number.',
      IsTextablePhone: false,
    };
    expect(await validate('4235550143', { texts: true })).toEqual({
      Success: true,
      ErrorMessage: '',
      IsTextablePhone: true,
    });
    expect(await validate('4235550170', { texts: true })).toEqual(refused);
    expect(await validate('4235550192', { texts: true })).toEqual(refused);
    expect(await validate('5555555555', { texts: true })).toMatchObject({
      Success: false,
      ErrorMessage: 'This number is not allowed',
      IsTextablePhone: false,
    });
    await app.sandbox.faults({ Outage: true });
    expect(await validate('4235550156', { texts: true })).toMatchObject({
      Success: true,
      IsTextablePhone: true,
    });
  });
});

describe('in the background', () => {
  async function add(accountId: number, phones: (string | null)[], more: object = {}): Promise<void> {
    await app.database.system
      .insertInto('contacts')
      .values(phones.map((primary_phone) => ({ account_id: accountId, primary_phone, ...more })))
      .execute();
  }

  async function run(): Promise<void> {
    await asSystem(app.database, (trx) => enqueue(trx, 'look_up_phones', {}));
    await app.drain();
  }

  it('new contacts are looked up, a thousand a run, each phone once an account', async () => {
    const one = await buildAccount(app);
    const two = await buildAccount(app);
    const phones = Array.from({ length: 1_100 }, (_, index) => String(16155570000 + index));
    await add(one.accountId, [...phones, '16155570000', null, '14235550170']);
    await add(two.accountId, ['16155570000', '14235550172']);
    await add(two.accountId, ['16155579999'], { deleted_at: new Date() });
    await run();
    expect(await kept(one.accountId)).toHaveLength(1000);
    await run();
    expect(await kept(one.accountId)).toHaveLength(1_101);
    expect((await kept(one.accountId))[0]).toMatchObject({ phone: '14235550170', line_type: 'landline' });
    expect((await kept(two.accountId)).map(({ phone }) => phone)).toEqual(['14235550172', '16155570000']);
  });

  it('those without an answer are looked up again, others are not', async () => {
    const { accountId } = await buildAccount(app);
    await add(accountId, ['16155580000', '16155580001']);
    await app.sandbox.faults({ Outage: true });
    await run();
    expect(await kept(accountId)).toEqual([]);
    await app.sandbox.control('DELETE', '/faults');
    await run();
    const first = await kept(accountId);
    expect(first).toHaveLength(2);
    await add(accountId, ['16155580000', '16155580002']);
    await run();
    const second = await kept(accountId);
    expect(second).toHaveLength(3);
    expect(second.slice(0, 2)).toEqual(first);
  });

  it('a user’s contacts beyond the daily budget wait for the next day', async () => {
    const { accountId, owner } = await buildAccount(app);
    const importer = await buildUser(app, accountId, 'user');
    const setDay = (day: string) =>
      sql`insert into lookup_budgets (account_id, user_id, day, asked, contacts_asked)
        values (${accountId}, ${importer.userId}, ${day}::text::date, 7, 4999)
        on conflict (account_id, user_id) do update set day = excluded.day`.execute(app.database.system);
    const budgets = async () => {
      const { rows } = await sql`select user_id, asked, contacts_asked from lookup_budgets
        where account_id = ${accountId} order by user_id`.execute(app.database.system);
      return rows;
    };
    await setDay(new Date().toISOString().slice(0, 10));
    await add(accountId, ['16155585000', '16155585001'], { created_by_user_id: importer.userId });
    // A contact that nobody here added is the owner's.
    await add(accountId, ['16155585002']);
    await run();
    expect((await kept(accountId)).map(({ phone }) => phone)).toEqual(['16155585000', '16155585002']);
    const ofOwner = { user_id: owner.userId, asked: 0, contacts_asked: 1 };
    expect(await budgets()).toEqual([ofOwner, { user_id: importer.userId, asked: 7, contacts_asked: 5000 }]);
    await setDay('2026-01-01');
    // The search begins again every hour.
    shiftClock(3_700_000);
    await run();
    shiftClock(-3_700_000);
    expect(await kept(accountId)).toHaveLength(3);
    expect(await budgets()).toEqual([ofOwner, { user_id: importer.userId, asked: 0, contacts_asked: 1 }]);
  });

  it('only with LOOKUPS on and a provider configured', async () => {
    const { accountId } = await buildAccount(app);
    await add(accountId, ['16155590000']);
    const twilio = {
      TWILIO_BASE_URL: app.sandbox.url,
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(31)}1`,
      TWILIO_AUTH_TOKEN: 'test-auth-token',
    };
    for (const env of [twilio, { ...twilio, LOOKUPS: '0' }, { LOOKUPS: '1' }]) {
      const config = readConfig({ DATABASE_URL: app.databaseUrl, ...env });
      await createPhoneLookups({ config, database: app.database })();
    }
    expect(await kept(accountId)).toEqual([]);
    await run();
    expect(await kept(accountId)).toHaveLength(1);
  });
});

describe('the cost of look-ups', () => {
  const phones = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => `423${String(2_000_000 + from + at)}`);
  const askedOf = (body: Record<string, PhoneNumber>) =>
    Object.values(body).filter(({ LookupTimestamp }) => LookupTimestamp !== null).length;

  it('is limited by user and day, also for concurrent calls; known facts stay available', async () => {
    const buyer = await buildUser(app, account.accountId, 'user');
    const buy = async (Source: string[], as = buyer) => {
      const { status, body } = await app.call(
        lookUpPhoneNumbers,
        { query: { include: 'all' }, body: { Source } },
        as,
      );
      expect(status).toBe(200);
      return body;
    };
    const three = await Promise.all([0, 300, 600].map((from) => buy(phones(from, 300))));
    expect(three.map(askedOf).reduce((sum, asked) => sum + asked)).toBe(500);
    expect(askedOf(await buy(phones(5_000, 10)))).toBe(0);
    // A paid result is available to everybody, and costs nothing again.
    const again = await buy(phones(0, 900));
    expect(askedOf(again)).toBe(500);
    // Another user has their own budget, and so has the next day.
    const colleague = await buildUser(app, account.accountId, 'user');
    expect(askedOf(await buy(phones(6_000, 10), colleague))).toBe(10);
    await app.database.system
      .updateTable('lookup_budgets')
      .set({ day: '2026-01-01' })
      .where('user_id', '=', buyer.userId)
      .execute();
    expect(askedOf(await buy(phones(5_000, 10)))).toBe(10);
  });
});

describe('look-ups of the same phones', () => {
  const some = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => `1423${String(3_000_000 + from + at)}`);
  const asked = async () => (await app.sandbox.stats()).Lookups ?? 0;
  const budgetOf = async ({ userId }: { userId: number }) => {
    const { rows } = await sql<{ asked: number; contacts_asked: number }>`
      select asked, contacts_asked from lookup_budgets where user_id = ${userId}`.execute(
      app.database.system,
    );
    return rows[0] ?? { asked: 0, contacts_asked: 0 };
  };
  const claims = async () =>
    (await sql`select phone from phone_lookup_claims`.execute(app.database.system)).rows.length;

  it('are asked and paid for once, if two people ask at once; both get the answers', async () => {
    const { accountId, owner } = await buildAccount(app);
    const colleague = await buildUser(app, accountId, 'admin');
    const before = await asked();
    const Source = some(0, 120);
    const both = await Promise.all(
      [owner, colleague].map((as) =>
        app.call(lookUpPhoneNumbers, { query: { include: 'all' }, body: { Source } }, as),
      ),
    );
    for (const { status, body } of both) {
      expect(status).toBe(200);
      expect(Object.values(body).every(({ LookupTimestamp }) => LookupTimestamp !== null)).toBe(true);
    }
    expect((await asked()) - before).toBe(120);
    expect((await budgetOf(owner)).asked + (await budgetOf(colleague)).asked).toBe(120);
    expect(await claims()).toBe(0);
  });

  it('are asked for once by two runs in the background and a person', async () => {
    const { accountId, owner } = await buildAccount(app);
    const phones = some(1_000, 100);
    await app.database.system
      .insertInto('contacts')
      .values(phones.map((primary_phone) => ({ account_id: accountId, primary_phone })))
      .execute();
    const before = await asked();
    await Promise.all([
      createPhoneLookups(app.context)(),
      createPhoneLookups(app.context)(),
      app.call(lookUpPhoneNumbers, { query: { include: 'all' }, body: { Source: phones } }, owner),
    ]);
    expect(await kept(accountId)).toHaveLength(100);
    expect((await asked()) - before).toBe(100);
    const paid = await budgetOf(owner);
    expect(paid.asked + paid.contacts_asked).toBe(100);
    expect(await claims()).toBe(0);
  });

  it('are not asked for again after a worker was killed, but for those under way', {
    timeout: 120_000,
  }, async () => {
    const { accountId, owner } = await buildAccount(app);
    const phones = some(2_000, 900);
    await app.database.system
      .insertInto('contacts')
      .values(phones.map((primary_phone) => ({ account_id: accountId, primary_phone })))
      .execute();
    const before = await asked();
    await asSystem(app.database, (trx) => enqueue(trx, 'look_up_phones', {}));
    const worker = spawnWorker(app, { LOOKUPS: '1' });
    await waitUntil(async () => (await kept(accountId)).length > 40);
    await endProcess(worker, 'SIGKILL');
    const saved = (await kept(accountId)).length;
    expect(saved).toBeLessThan(900);
    // Its claims are respected until they run out.
    const asking = createPhoneLookups(app.context);
    await asking();
    expect(await kept(accountId)).toHaveLength(saved);
    await sql`update phone_lookup_claims set lease_until = now() - interval '1 second'`.execute(
      app.database.system,
    );
    await createPhoneLookups(app.context)();
    expect(await kept(accountId)).toHaveLength(900);
    // Eight requests are under way at most, and as many answers not yet saved.
    expect((await asked()) - before).toBeLessThanOrEqual(900 + 16);
    expect((await budgetOf(owner)).contacts_asked).toBe(900);
    expect(await claims()).toBe(0);
  });

  it('take nothing from the budget twice, if the process was killed that asked for a person', async () => {
    const { accountId, owner } = await buildAccount(app);
    const phones = some(4_000, 10);
    // As a killed process leaves it: claimed, counted, and not answered.
    await sql`
      insert into lookup_budgets (account_id, user_id, day, asked)
      values (${accountId}, ${owner.userId}, (now() at time zone 'utc')::date, 10)`.execute(
      app.database.system,
    );
    await sql`
      insert into phone_lookup_claims (account_id, phone, lease_id, lease_until, user_id, day)
      select ${accountId}, phone, gen_random_uuid(), now() + interval '1 second', ${owner.userId},
        (now() at time zone 'utc')::date from unnest(${phones}::text[]) phone`.execute(app.database.system);
    const { body } = await app.call(
      lookUpPhoneNumbers,
      { query: { include: 'all' }, body: { Source: phones } },
      owner,
    );
    expect(Object.values(body).every(({ LookupTimestamp }) => LookupTimestamp !== null)).toBe(true);
    expect((await budgetOf(owner)).asked).toBe(10);
  });
});
