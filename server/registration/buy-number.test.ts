import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { listTextNumbers } from '../../contract/numbers.ts';
import { localNumberMessage } from '../../contract/reference/error-codes.ts';
import {
  buyLocalNumber,
  getUnregisteredNumber,
  keepTextNumber,
  listLocalNumbers,
  listNumberOrders,
  releaseTextNumber,
  reserveLocalNumber,
} from '../../contract/registration.ts';
import { asSystem } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { type Order, orderAnyNumber, recordBought, reserveOrder } from '../numbers/order-number.ts';
import type { NumberProvider } from '../outside/number-provider.ts';
import { createProviders, type Providers } from '../outside/providers.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { closeAtEnd } from '../testing/closers.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { fillOrder, settleOrders } from './settle-orders.ts';

let app: TestApp;
let school: BuiltAccount;
let church: BuiltAccount;

beforeAll(async () => {
  app = await testApp();
  school = await buildAccount(app);
  church = await buildAccount(app);
});

async function search(areacode: string, q = '', as = school.owner) {
  return app.call(listLocalNumbers, { query: { areacode, q } }, as);
}

async function ownedAtProvider(): Promise<string[]> {
  const answer = await app.sandbox.control('GET', '/numbers');
  const { Items } = (await answer.json()) as { Items: { Number: string }[] };
  return Items.map(({ Number: number }) => number);
}

async function order(phone: string, as = school.owner) {
  return app.call(buyLocalNumber, { body: { PhoneNumber: phone, Name: 'Office' } }, as);
}

/** One of the ordinary numbers that the sandbox sells, and that no test requests by name. */
async function findForSale(): Promise<string> {
  const { body } = await app.call(listLocalNumbers, { query: { areacode: '423', page: 5 } }, school.owner);
  return body.Items.map(({ PhoneNumber }) => PhoneNumber).find((phone) => !/9[89]$/.test(phone)) ?? '';
}

/** Makes due now what is due later. */
async function hurry(): Promise<void> {
  await sql`update number_orders set look_at = now() where look_at is not null`.execute(app.database.system);
  await app.drain();
}

describe('searching', () => {
  it('finds numbers by area code and by digits', async () => {
    const { body } = await search('423');
    expect(body).toMatchObject({ Size: 86, Place: { State: 'TN', City: 'Chattanooga' } });
    expect(body.Items).toHaveLength(12);
    // Infobip returns no town, and the best-known one of the area code may be far away.
    expect(body.Items.every(({ City, State }) => City === '' && State === 'TN')).toBe(true);
    expect(body.Items.every(({ PhoneNumber }) => PhoneNumber.startsWith('423'))).toBe(true);
    const { body: some } = await search('423', '1000');
    expect(some.Items.map(({ PhoneNumber }) => PhoneNumber)).toContain('4235561000');
  });

  it('explains an invalid area code, and one without numbers', async () => {
    expect(refusalOf(await search('42'))).toMatchObject({
      status: 400,
      Message: localNumberMessage('InvalidAreaCode'),
      ExtendedData: { Name: 'InvalidAreaCode' },
    });
    expect(refusalOf(await search('911')).ExtendedData).toEqual({ Name: 'InvalidAreaCode' });
    expect(refusalOf(await search('999'))).toMatchObject({
      status: 404,
      ErrorCode: 404,
      Message: localNumberMessage('NoAvailableLocalNumbers'),
      ExtendedData: { Name: 'NoAvailableLocalNumbers' },
    });
    // One that doesn’t exist, and Canada’s: the registration covers US numbers.
    expect(refusalOf(await search('222')).ExtendedData).toEqual({ Name: 'NoAvailableLocalNumbers' });
    expect(refusalOf(await search('416'))).toMatchObject({
      status: 404,
      Message: expect.stringContaining('Get a toll-free number'),
      ExtendedData: { Name: 'NoAvailableLocalNumbers', Country: 'CA' },
    });
    const user = await buildUser(app, school.accountId, 'user');
    expect(refusalOf(await search('423', '', user))).toMatchObject({
      status: 403,
      Message: localNumberMessage('NotAuthorizedForLocalNumber'),
      ExtendedData: { Name: 'NotAuthorizedForLocalNumber' },
    });
    await app.sandbox.faults({ Outage: true });
    expect(refusalOf(await search('423')).Message).toContain('can’t reach our provider');
    await app.sandbox.control('DELETE', '/faults');
  });
});

describe('reserving', () => {
  it('holds a number against other accounts until it expires', async () => {
    const held = await app.call(
      reserveLocalNumber,
      { body: { PhoneNumber: '(423) 556-1411' } },
      school.owner,
    );
    expect(held.body).toMatchObject({ PhoneNumber: '4235561411' });
    const minutes = (Date.parse(held.body.ReservedUntil) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9);
    expect(minutes).toBeLessThan(10.5);
    const { body } = await search('423', '1411', church.owner);
    expect(body.Items).toEqual([]);
    expect((await order('4235561411', church.owner)).status).toBe(404);
    await sql`update number_orders set reserved_until = now() where phone = '14235561411'`.execute(
      app.database.system,
    );
    const taken = await app.call(reserveLocalNumber, { body: { PhoneNumber: '4235561411' } }, church.owner);
    expect(taken.status).toBe(200);
  });
});

describe('buying', () => {
  it('buys once, however often it is requested, with our webhook set', async () => {
    const member = await buildUser(app, school.accountId, 'user');
    const body = { PhoneNumber: '4235561000', Name: 'Front office', UserIDs: [member.userId] };
    const replies = await Promise.all([1, 2, 3].map(() => app.call(buyLocalNumber, { body }, school.owner)));
    const ids = new Set(replies.map((reply) => reply.body.OrderID));
    expect(ids.size).toBe(1);
    expect(replies.some((reply) => reply.body.Status === 'Bought')).toBe(true);
    await app.drain();
    const again = await app.call(buyLocalNumber, { body }, school.owner);
    expect(again.body).toMatchObject({ Status: 'Bought', PhoneNumber: '4235561000', Message: '' });
    // A request that saw it for sale, and reserves it after another has bought it.
    const late = await asSystem(app.database, (trx) =>
      reserveOrder(
        trx,
        { accountId: school.accountId, userId: school.owner.userId },
        { phone: '14235561000', key: 'sold', aggregatorId: 5, kind: 'local' },
      ),
    );
    expect(late?.order_id).toBe(again.body.OrderID);
    const { body: numbers } = await app.call(listTextNumbers, {}, school.owner);
    expect(numbers.Items).toMatchObject([
      {
        TextPhoneNumber: '4235561000',
        Name: 'Front office',
        RegistrationStatus: 'Not Registered',
        IsDefault: true,
      },
    ]);
    expect((await app.call(listTextNumbers, {}, member)).body.Size).toBe(1);
    const answer = await app.sandbox.control('GET', '/numbers');
    const { Items } = (await answer.json()) as { Items: { Number: string; InboundUrl: string | null }[] };
    const sold = Items.filter(({ Number: number }) => number.startsWith('14235561000'));
    expect(sold).toHaveLength(1);
    expect(sold[0]?.InboundUrl).toContain(`${app.url}/hooks/infobip/inbound/`);
  });

  it('is in doubt when the response is lost, and asks before anything else', async () => {
    await app.sandbox.faults({ TimeoutAfterAccept: 1 });
    const { body } = await order('4235571137');
    expect(body).toMatchObject({ Status: 'Buying' });
    await app.sandbox.control('DELETE', '/faults');
    // A repeat during the doubt sends no request to the provider.
    expect((await order('4235571137')).body).toMatchObject({ OrderID: body.OrderID, Status: 'Buying' });
    await hurry();
    expect((await order('4235571137')).body).toMatchObject({ OrderID: body.OrderID, Status: 'Bought' });
    expect((await ownedAtProvider()).filter((phone) => phone === '14235571137')).toHaveLength(1);
  }, 20_000);

  it('is found again after we crashed between the provider’s response and our commit', async () => {
    const phone = await findForSale();
    const { body } = await order(phone);
    expect(body.Status).toBe('Bought');
    // The state after such a crash: the order started, and nothing else written.
    await sql`update number_orders set status = 'buying', text_number_id = null, bought_phone = null,
      look_at = now() + interval '1 minute' where order_id = ${body.OrderID}`.execute(app.database.system);
    await sql`delete from text_numbers where phone = ${`1${phone}`}`.execute(app.database.system);
    // Pressing Buy again meanwhile returns the same order.
    expect((await order(phone)).body).toMatchObject({ OrderID: body.OrderID, Status: 'Buying' });
    await hurry();
    expect((await order(phone)).body).toMatchObject({ OrderID: body.OrderID, Status: 'Bought' });
    expect((await ownedAtProvider()).filter((each) => each === `1${phone}`)).toHaveLength(1);
    const { Items } = (await app.call(listTextNumbers, { query: { q: phone } }, school.owner)).body;
    expect(Items.filter(({ TextPhoneNumber }) => TextPhoneNumber === phone)).toHaveLength(1);
  });

  it('is bought once when the provider’s response comes after a time-out, or twice', async () => {
    const phone = await findForSale();
    const { body } = await order(phone);
    const bought = async () => (await ownedAtProvider()).filter((each) => each === `1${phone}`);
    expect([body.Status, await bought()]).toEqual(['Bought', [`1${phone}`]]);
    const { rows } = await sql<Order>`select * from number_orders where order_id = ${body.OrderID}`.execute(
      app.database.system,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('the order is gone');
    const answer = { phone: `1${phone}`, key: row.provider_key };
    const first = await asSystem(app.database, (trx) => recordBought(trx, row, answer));
    expect(first).toBe(body.TextNumberID);
    // Given up by a worker that asked too early, before the response arrives.
    await sql`update number_orders set status = 'failed', text_number_id = null, bought_phone = null
      where order_id = ${body.OrderID}`.execute(app.database.system);
    await sql`delete from text_numbers where phone = ${`1${phone}`}`.execute(app.database.system);
    const late = await asSystem(app.database, (trx) => recordBought(trx, row, answer));
    expect((await order(phone)).body).toMatchObject({ Status: 'Bought', TextNumberID: late });
    expect(await bought()).toHaveLength(1);
  });

  it('assumes that nothing was bought only after several such answers', async () => {
    await app.sandbox.faults({ TimeoutBeforeAccept: 1 });
    const { body } = await order('4235581274');
    expect(body.Status).toBe('Buying');
    await app.sandbox.control('DELETE', '/faults');
    for (let look = 0; look < 4; look++) await hurry();
    const { body: list } = await app.call(listNumberOrders, {}, school.owner);
    expect(list.Items.find(({ OrderID }) => OrderID === body.OrderID)).toMatchObject({
      Status: 'Failed',
      Message: expect.stringContaining('nothing was bought'),
    });
    expect(await ownedAtProvider()).not.toContain('14235581274');
  }, 20_000);

  it('keeps a different number than requested, and says so; a number that is gone fails', async () => {
    const ending = async (digits: string) => {
      const { body } = await app.call(
        listLocalNumbers,
        { query: { areacode: '423', q: digits, pagesize: 50 } },
        school.owner,
      );
      return body.Items.map(({ PhoneNumber }) => PhoneNumber).find((phone) => phone.endsWith(digits)) ?? '';
    };
    const other = await ending('99');
    const { body } = await order(other);
    expect(body).toMatchObject({ Status: 'Bought', Message: localNumberMessage('General') });
    expect(body.PhoneNumber).not.toBe(other);
    const gone = await ending('98');
    expect((await order(gone)).body).toMatchObject({
      Status: 'Failed',
      Message: expect.stringContaining('Somebody else'),
    });
  });

  it('gives a trial one number, in another area code if there is none', async () => {
    const trial = await buildAccount(app);
    await sql`update accounts set is_free_trial = true where account_id = ${trial.accountId}`.execute(
      app.database.system,
    );
    const body = { AreaCode: '999' };
    const first = await app.call(getUnregisteredNumber, { body }, trial.owner);
    expect(first.body.Message).toBe(localNumberMessage('General'));
    const second = await app.call(getUnregisteredNumber, { body }, trial.owner);
    expect(second.body.phoneNumber).toBe(first.body.phoneNumber);
    expect((await app.call(getUnregisteredNumber, { body }, school.owner)).status).toBe(403);
    const more = await app.call(buyLocalNumber, { body: { PhoneNumber: '8655571137' } }, trial.owner);
    expect(refusalOf(more)).toMatchObject({
      status: 422,
      Message: 'A free trial comes with one number. Upgrade your account to get more.',
    });
  });
});

it('gives a trial in Canada a toll-free number: no local one reaches its own phones', async () => {
  const trial = await buildAccount(app);
  await sql`update accounts set is_free_trial = true, country_id = 2 where account_id = ${trial.accountId}`.execute(
    app.database.system,
  );
  const ask = (AreaCode: string) => app.call(getUnregisteredNumber, { body: { AreaCode } }, trial.owner);
  // Two at once, for another area code: still one number.
  const replies = await Promise.all([ask('416'), ask('423')]);
  await app.drain();
  const { Items } = (await app.call(listTextNumbers, {}, trial.owner)).body;
  expect(Items).toMatchObject([{ TextPhoneNumber: expect.stringMatching(/^8(88|77|66)/) }]);
  const again = await ask('416');
  expect(again.body.phoneNumber).toBe(Items[0]?.TextPhoneNumber);
  expect(replies.every(({ status }) => status < 500)).toBe(true);

  const next = await buildAccount(app);
  await sql`update accounts set is_free_trial = true, country_id = 2 where account_id = ${next.accountId}`.execute(
    app.database.system,
  );
  const got = await app.call(getUnregisteredNumber, { body: { AreaCode: '416' } }, next.owner);
  expect(got.body).toMatchObject({
    phoneNumber: expect.stringMatching(/^8(88|77|66)/),
    Message: localNumberMessage('General'),
  });

  // Nor is one for sale to it, also not in an area code of the US.
  const third = await buildAccount(app);
  await sql`update accounts set is_free_trial = true, country_id = 2 where account_id = ${third.accountId}`.execute(
    app.database.system,
  );
  for (const reply of [await search('423', '', third.owner), await order('4235561000', third.owner)])
    expect(refusalOf(reply)).toMatchObject({
      status: 404,
      Message: 'Local numbers don’t reach Canada. Get a toll-free number.',
      ExtendedData: { Country: 'CA' },
    });
  // On the border with the US.
  const border = await app.call(getUnregisteredNumber, { body: { AreaCode: '716' } }, third.owner);
  expect(border.body.phoneNumber).toMatch(/^8(88|77|66)/);
});

it('gives a trial one number however many requests there are at once', async () => {
  const trial = await buildAccount(app);
  await sql`update accounts set is_free_trial = true where account_id = ${trial.accountId}`.execute(
    app.database.system,
  );
  const body = { AreaCode: '901' };
  const ask = () => app.call(getUnregisteredNumber, { body }, trial.owner);
  await Promise.all(Array.from({ length: 4 }, ask));
  await app.drain();
  expect((await ownedAtProvider()).filter((phone) => phone.startsWith('1901'))).toHaveLength(1);
  expect((await app.call(listTextNumbers, {}, trial.owner)).body.Items).toHaveLength(1);
});

describe('any number', () => {
  async function want(account: BuiltAccount): Promise<number> {
    const { accountId, owner } = account;
    return asSystem(app.database, (trx) =>
      orderAnyNumber(trx, { ...owner, accountId, kind: 'local', aggregatorId: 5, areaCode: '901' }),
    );
  }

  /** The provider with one of its calls replaced by the test. */
  function playing(calls: (real: NumberProvider) => Partial<NumberProvider>): Providers {
    const providers = createProviders(app.context.config);
    closeAtEnd(() => providers.close());
    const real = providers.numbers.get(5);
    if (real === undefined) throw new Error('there is no provider');
    return { ...providers, numbers: new Map([[5, { ...real, ...calls(real) }]]) };
  }

  it('is bought once if it is requested again while one is being chosen', async () => {
    const account = await buildAccount(app);
    const before = (await ownedAtProvider()).length;
    let wantedAgain = 0;
    const providers = playing((real) => ({
      async search(wanted) {
        if (wantedAgain++ === 0) {
          const orderId = await want(account);
          const others = { database: app.database, providers: playing(() => ({})) };
          await fillOrder(others, { accountId: account.accountId, orderId });
          await settleOrders(others);
        }
        return real.search(wanted);
      },
    }));
    const orderId = await want(account);
    const order = await fillOrder(
      { database: app.database, providers },
      { accountId: account.accountId, orderId },
    );
    expect(order.status).toBe('bought');
    expect(wantedAgain).toBe(1);
    await app.drain();
    expect(await ownedAtProvider()).toHaveLength(before + 1);
    expect((await app.call(listTextNumbers, {}, account.owner)).body.Items).toHaveLength(1);
  });

  it('is not chosen again while the provider has not said whether the first was bought', async () => {
    const trial = await buildAccount(app);
    await sql`update accounts set is_free_trial = true where account_id = ${trial.accountId}`.execute(
      app.database.system,
    );
    const before = (await ownedAtProvider()).length;
    const ask = () => app.call(getUnregisteredNumber, { body: { AreaCode: '901' } }, trial.owner);
    await app.sandbox.faults({ TimeoutAfterAccept: 1 });
    const first = await ask();
    await app.sandbox.control('DELETE', '/faults');
    expect(first.body.Message).toContain('still getting this number');
    // Pressed again when a worker is due to ask, and before it has asked.
    await sql`update number_orders set look_at = now() where account_id = ${trial.accountId}`.execute(
      app.database.system,
    );
    const second = await ask();
    expect(second.body).toEqual(first.body);
    await hurry();
    const { Items } = (await app.call(listTextNumbers, {}, trial.owner)).body;
    expect(Items.map(({ TextPhoneNumber }) => TextPhoneNumber)).toEqual([first.body.phoneNumber]);
    expect(await ownedAtProvider()).toHaveLength(before + 1);
  }, 20_000);

  it('is chosen again if the provider was unreachable before the purchase', async () => {
    const account = await buildAccount(app);
    const providers = playing(() => ({
      buy: async () => ({ outcome: 'later', reason: 'nothing was sent' }),
    }));
    const orderId = await want(account);
    const at = { accountId: account.accountId, orderId };
    expect(await fillOrder({ database: app.database, providers }, at)).toMatchObject({
      status: 'buying',
      phone: null,
    });
    await hurry();
    expect((await app.call(listTextNumbers, {}, account.owner)).body.Items).toHaveLength(1);
  });
});

describe('releasing and comparing', () => {
  it('releases a number after a grace period in which it can be kept', async () => {
    const { Items } = (await app.call(listTextNumbers, { query: { pagesize: 50 } }, school.owner)).body;
    const number = Items.find(({ IsDefault }) => !IsDefault);
    const params = { TextNumberID: number?.TextNumberID ?? 0 };
    const admin = await buildUser(app, school.accountId, 'admin');
    expect((await app.call(releaseTextNumber, { params }, admin)).status).toBe(403);
    const first = Items.find(({ IsDefault }) => IsDefault);
    const ofDefault = { params: { TextNumberID: first?.TextNumberID ?? 0 } };
    expect(refusalOf(await app.call(releaseTextNumber, ofDefault, school.owner)).Message).toContain(
      'default',
    );
    const { body } = await app.call(releaseTextNumber, { params }, school.owner);
    expect((Date.parse(body.ReleaseDate) - Date.now()) / 86_400_000).toBeCloseTo(7, 1);
    expect((await app.call(keepTextNumber, { params }, school.owner)).status).toBe(200);
    expect((await app.call(keepTextNumber, { params }, school.owner)).status).toBe(422);
    await app.call(releaseTextNumber, { params }, school.owner);
    await sql`update text_numbers set release_at = now() where text_number_id = ${params.TextNumberID}`.execute(
      app.database.system,
    );
    // Twenty that nobody keeps, due before it.
    await sql`insert into text_numbers (account_id, phone, aggregator_id, provider_key, release_at)
      select ${church.accountId}, '1423777' || (1000 + i), 6, 'stuck', now() - interval '1 day'
      from generate_series(1, 20) i`.execute(app.database.system);
    await asSystem(app.database, (trx) => enqueue(trx, 'release_numbers', {}));
    await app.drain();
    await sql`delete from text_numbers where provider_key = 'stuck'`.execute(app.database.system);
    expect(await ownedAtProvider()).not.toContain(`1${number?.TextPhoneNumber}`);
    const left = (await app.call(listTextNumbers, { query: { pagesize: 50 } }, school.owner)).body;
    expect(left.Items.map(({ TextNumberID }) => TextNumberID)).not.toContain(params.TextNumberID);
  });

  it('makes the oldest remaining number the default when the default one is gone', async () => {
    const account = await buildAccount(app);
    const { accountId } = account;
    await sql`insert into text_numbers (account_id, phone, aggregator_id, is_default, release_at) values
      (${accountId}, '14235558801', 6, true, now()),
      (${accountId}, '14235558802', 6, false, now() + interval '3 days'),
      (${accountId}, '14235558803', 6, false, null),
      (${accountId}, '14235558804', 6, false, null)`.execute(app.database.system);
    const defaults = async () => {
      const { Items } = (await app.call(listTextNumbers, {}, account.owner)).body;
      return Items.filter(({ IsDefault }) => IsDefault).map(({ TextPhoneNumber }) => TextPhoneNumber);
    };
    const release = async () => {
      await asSystem(app.database, (trx) => enqueue(trx, 'release_numbers', {}));
      await app.drain();
    };
    await release();
    expect(await defaults()).toEqual(['4235558803']);
    // One that isn't the default changes nothing.
    await sql`update text_numbers set release_at = now() where phone = '14235558802'`.execute(
      app.database.system,
    );
    await release();
    expect(await defaults()).toEqual(['4235558803']);
  });

  it('reports differences from the provider, and adds numbers that were paid for and lost', async () => {
    expect((await order('4235571548')).body.Status).toBe('Bought');
    // Bought there, but our own record says that it failed.
    await sql`
      update number_orders set status = 'failed', text_number_id = null where phone = '14235571548'`.execute(
      app.database.system,
    );
    await sql`delete from text_numbers where phone = '14235571548'`.execute(app.database.system);
    // One without a known account, and one of ours that doesn't exist there.
    await app.sandbox.control('POST', '/registry/numbers', { Number: '14235559001', Provider: 'infobip' });
    await sql`
      insert into text_numbers (account_id, phone, aggregator_id, provider_key)
      values (${church.accountId}, '14235559002', 5, 'AB')`.execute(app.database.system);
    await asSystem(app.database, (trx) => enqueue(trx, 'reconcile_numbers', {}));
    await app.drain();
    const { rows } = await sql`select phone, problem from number_differences order by phone`.execute(
      app.database.system,
    );
    expect(rows).toEqual([
      { phone: '14235559001', problem: 'not ours' },
      { phone: '14235559002', problem: 'not at the provider' },
    ]);
    const { Items } = (await app.call(listTextNumbers, { query: { q: '1548' } }, school.owner)).body;
    expect(Items).toMatchObject([{ TextPhoneNumber: '4235571548' }]);
  });
});
