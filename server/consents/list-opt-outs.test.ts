import { beforeAll, describe, expect, it } from 'vitest';
import { downloadOptOuts, listOptOuts } from '../../contract/consents.ts';
import { asSystem } from '../db.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { type ConsentChange, recordConsents } from './record-consents.ts';

let app: TestApp;
let account: BuiltAccount;
let user: BuiltUser;
beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  user = await buildUser(app, account.accountId, 'user');
  await asSystem(app.database, (trx) =>
    recordConsents(trx, [
      told('14235550101', 1, { state: 'out', wording: 'STOP' }),
      told('14235550102', 2, { state: 'out', channel: 'voice', source: 'call' }),
      told('14235550103', 3, {
        state: 'out',
        channel: 'both',
        source: 'user',
        userId: user.userId,
        wording: 'At the desk',
      }),
      // Texts first, calls later: sorted by the later one.
      told('14235550104', 0, { state: 'out' }),
      told('14235550104', 4, { state: 'out', channel: 'voice', source: 'carrier', wording: '30004' }),
      // The same moment as another.
      told('14235550105', 4, { state: 'out' }),
      // Opted in again, and never asked.
      told('14235550106', 5, { state: 'out' }),
      told('14235550106', 6, { state: 'in' }),
      told('14235550107', 7, { state: 'in', channel: 'both', source: 'import', fileId: 1 }),
      // An opt-out that was undone, and the one before it.
      told('14235550108', -2, { state: 'out', wording: 'The first' }),
      told('14235550108', 8, { state: 'out', source: 'user', userId: 1, wording: 'The second' }),
    ]),
  );
  await asSystem(app.database, (trx) =>
    recordConsents(trx, [told('14235550108', 9, { state: 'none', source: 'user', userId: 1 })]),
  );
  await app.database.system
    .insertInto('contacts')
    .values([
      contact('José', 'Álvarez', '14235550101', { by: account.owner.userId }),
      contact('Second', 'Holder', '14235550101', { by: account.owner.userId }),
      contact('Own', 'Person', '14235550999', { by: user.userId, more: { secondary_phone: '14235550103' } }),
      contact('Gone', 'Person', '14235550102', {
        by: account.owner.userId,
        more: { deleted_at: new Date() },
      }),
    ])
    .execute();
});

function told(phone: string, minute: number, more: Partial<ConsentChange>): ConsentChange {
  const at = new Date(Date.UTC(2026, 6, 1, 12, 10 + minute));
  return { accountId: account.accountId, phone, state: 'out', source: 'inbound', at, ...more };
}

function contact(
  first_name: string,
  last_name: string,
  primary_phone: string,
  { by, more = {} }: { by: number; more?: object },
) {
  return {
    account_id: account.accountId,
    first_name,
    last_name,
    primary_phone,
    created_by_user_id: by,
    ...more,
  };
}

type Query = {
  filter?: 'all' | 'voice' | 'text' | 'both';
  q?: string;
  pagesize?: number;
  page?: number;
  next?: string | undefined;
  'date-from'?: string;
  'date-to'?: string;
};

async function list(query: Query = {}, as = account.owner) {
  const { status, body } = await app.call(listOptOuts, { query }, as);
  expect(status).toBe(200);
  return body;
}

const endings = (page: { Items: { PhoneNumber: string }[] }) =>
  page.Items.map(({ PhoneNumber }) => PhoneNumber.slice(-1));

describe('the opt-outs', () => {
  it.each([
    ['all', '4 5 3 2 1 8'],
    ['text', '5 3 1 4 8'],
    ['voice', '4 3 2'],
    ['both', '4 3'],
  ] as const)('%s: the latest first', async (filter, expected) => {
    expect(endings(await list({ filter })).join(' ')).toBe(expected);
  });

  it('are those of the days, by either channel', async () => {
    const other = await buildAccount(app);
    const { accountId } = other;
    await asSystem(app.database, (trx) =>
      recordConsents(trx, [
        { ...told('14235550109', 0, {}), accountId, at: new Date('2026-03-05T12:00:00Z') },
        { ...told('14235550109', 0, { channel: 'voice' }), accountId, at: new Date('2026-04-05T12:00:00Z') },
      ]),
    );
    const inDays = async (filter: NonNullable<Query['filter']>, from: string, to: string) =>
      endings(await list({ filter, 'date-from': from, 'date-to': to }, other.owner)).join(' ');
    for (const filter of ['all', 'both'] as const) {
      expect(await inDays(filter, '2026-03-01', '2026-03-31')).toBe('9');
      expect(await inDays(filter, '2026-04-01', '2026-04-30')).toBe('9');
      expect(await inDays(filter, '2026-03-01', '2026-04-30')).toBe('9');
      expect(await inDays(filter, '2026-05-01', '2026-05-31')).toBe('');
    }
    expect(await inDays('text', '2026-04-01', '2026-04-30')).toBe('');
    expect(await inDays('voice', '2026-04-01', '2026-04-30')).toBe('9');
  });

  it('show for each phone what, when, how, in which words, and whose it is', async () => {
    const { Items } = await list();
    const at = (minute: number) => new Date(Date.UTC(2026, 6, 1, 12, 10 + minute)).toISOString();
    expect(Items.find(({ PhoneNumber }) => PhoneNumber === '4235550101')).toEqual({
      PhoneNumber: '4235550101',
      PersonID: expect.any(Number),
      FirstName: 'José',
      LastName: 'Álvarez',
      TextOptedOut: true,
      TextTimestamp: at(1),
      VoiceOptedOut: false,
      VoiceTimestamp: null,
      Source: 'inbound',
      Wording: 'STOP',
    });
    expect(Items[0]).toMatchObject({
      TextTimestamp: at(0),
      VoiceTimestamp: at(4),
      Source: 'carrier',
      Wording: '30004',
      PersonID: null,
      FirstName: '',
    });
    expect(Items.at(-1)).toMatchObject({ Source: 'inbound', Wording: 'The first', TextTimestamp: at(-2) });
    // A deleted contact names nobody.
    expect(Items.find(({ PhoneNumber }) => PhoneNumber === '4235550102')).toMatchObject({ PersonID: null });
  });

  it.each([
    ['0103', '3'],
    ['(423) 555-0104', '4'],
    ['+1 423 555 0105', '5'],
    ['alvarez', '1'],
    ['jose alv', '1'],
    ['OWN', '3'],
    ['100%', ''],
    ['nobody', ''],
  ])('are found by %j', async (q, expected) => {
    expect(endings(await list({ q })).join(' ')).toBe(expected);
  });

  it.each(['all', 'text', 'voice', 'both'] as const)('%s come in pages, each phone once', async (filter) => {
    const whole = endings(await list({ filter }));
    const byKey: string[] = [];
    const byNumber: string[] = [];
    let next: string | undefined;
    for (let page = 1; page < 20; page += 1) {
      const numbered = await list({ filter, pagesize: 1, page });
      byNumber.push(...endings(numbered));
      const keyed = await list({ filter, pagesize: 1, next });
      byKey.push(...endings(keyed));
      next = keyed.Next ?? undefined;
      if (next === undefined) break;
    }
    expect(byKey).toEqual(whole);
    expect(byNumber).toEqual(whole);
  });

  it('show names only of contacts that the user sees', async () => {
    const page = await list({}, user);
    expect(endings(page).join(' ')).toBe('4 5 3 2 1 8');
    expect(page.Items.filter(({ PersonID }) => PersonID !== null).map(({ FirstName }) => FirstName)).toEqual([
      'Own',
    ]);
    expect(endings(await list({ q: 'alvarez' }, user))).toEqual([]);
  });

  it('are those of the account', async () => {
    const other = await buildAccount(app);
    expect(await list({}, other.owner)).toEqual({ Items: [], Next: null });
  });

  it('refuse an invalid page cursor', async () => {
    const reply = await app.call(listOptOuts, { query: { next: 'x' } }, account.owner);
    expect(refusalOf(reply)).toMatchObject({ status: 400, Message: 'next is not a place in this list' });
  });
});

describe('as a file', () => {
  async function download(query: string, as = account.owner) {
    const answer = await fetch(`${app.url}/proxy/api/optouts.csv${query}`, {
      headers: { cookie: as.cookie },
    });
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      lines: (await answer.text()).split('\r\n'),
    };
  }

  it('contain the same as the list, with times in the user’s zone', async () => {
    await app.database.system
      .updateTable('users')
      .set({ time_zone: 'Asia/Tokyo' })
      .where('user_id', '=', account.owner.userId)
      .execute();
    const { type, lines } = await download('?filter=text&q=alvarez');
    expect(type).toBe('text/csv; charset=utf-8');
    expect(lines).toEqual([
      expect.stringContaining(
        'Phone Number,First Name,Last Name,Opted Out of Texts,Opted Out of Texts On (Asia/Tokyo),',
      ),
      '(423) 555-0101,José,Álvarez,Yes,2026-07-01 21:11:00 (UTC+09:00),No,,Text message from the phone,STOP',
      '',
    ]);
    expect((await download('')).lines).toHaveLength(8);
  });

  it('are all of them, however many', async () => {
    const many = await buildAccount(app);
    await asSystem(app.database, (trx) =>
      recordConsents(
        trx,
        Array.from({ length: 2_345 }, (_, index) => ({
          ...told(String(14235560000 + index), 0, { channel: index % 2 ? 'text' : 'voice' }),
          accountId: many.accountId,
        })),
      ),
    );
    const { lines } = await download('', many.owner);
    expect(lines).toHaveLength(2_345 + 2);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('require a session', async () => {
    expect((await app.call(downloadOptOuts, {})).status).toBe(401);
  });
});
