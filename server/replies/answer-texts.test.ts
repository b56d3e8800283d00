import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateAccount } from '../../contract/accounts.ts';
import { addAutoReply } from '../../contract/auto-replies.ts';
import { createConversation } from '../../contract/conversations.ts';
import { addKeyword } from '../../contract/keywords.ts';
import { applyInbound } from '../inbound/apply-inbound.ts';
import { storeInbound } from '../inbound/store-hooks.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { checkKeptContacts } from '../testing/check-kept-contacts.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;
/** The organization's number, and an unknown phone; others for each test. */
let number: string;
let phone: string;
let serial = 0;

const closed = 'We are closed until Monday.';

beforeAll(async () => {
  app = await testApp();
});

beforeEach(async () => {
  serial += 1;
  number = `1865555${1000 + serial}`;
  phone = `1423555${1000 + serial}`;
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
});

function inbound(body: string, more: { from?: string; to?: string; at?: Date; key?: string } = {}) {
  serial += 1;
  return {
    inboundKey: more.key ?? `answers:${serial}`,
    from: more.from ?? phone,
    to: more.to ?? number,
    body,
    media: [],
    occurredAt: more.at ?? new Date(),
  };
}

async function receive(...texts: ReturnType<typeof inbound>[]): Promise<void> {
  await receiveBy(5, texts);
}

async function receiveBy(aggregatorId: number, texts: ReturnType<typeof inbound>[]): Promise<void> {
  await storeInbound(app.database, aggregatorId, texts);
  await applyInbound(app.database, 500);
}

/** The automatic texts to a phone, the oldest first. */
async function answersTo(to = phone): Promise<string[]> {
  const rows = await app.database.system
    .selectFrom('messages')
    .select('body')
    .where('account_id', '=', account.accountId)
    .where('phone', '=', to)
    .where('origin', '=', 'automatic')
    .orderBy('message_id')
    .execute();
  return rows.map((row) => row.body);
}

async function conversation(of = phone) {
  return app.database.system
    .selectFrom('conversations as c')
    .leftJoin('messages as m', 'm.message_id', 'c.last_message_id')
    .select([
      'c.unread_count',
      'c.is_done',
      'c.place',
      'c.waiting_since',
      'c.assigned_user_id',
      'm.body as last',
    ])
    .where('c.account_id', '=', account.accountId)
    .where('c.phone', '=', of)
    .executeTakeFirstOrThrow();
}

async function turnOn(AutoReplyMessage = closed): Promise<void> {
  const reply = await app.call(
    updateAccount,
    { body: { IsAutoReplyOn: true, AutoReplyMessage } },
    account.owner,
  );
  expect(reply.status).toBe(200);
}

async function keyword(Keyword: string, more: { ListID?: number; Active?: boolean; Message?: string } = {}) {
  const body = {
    Message: `About ${Keyword}`,
    ...more,
    Keyword,
    TextNumberIDs: [account.numbers[number] ?? 0],
  };
  const reply = await app.call(addKeyword, { body }, account.owner);
  expect(reply.status).toBe(200);
  return reply.body.ID;
}

/** As if the automatic reply had been sent this much earlier. */
async function passTime(ms: number): Promise<void> {
  await sql`update reply_stamps set replied_at = replied_at - ${ms} * interval '1 millisecond',
    window_at = window_at - ${ms} * interval '1 millisecond' where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
}
const minute = 60_000;
const hour = 60 * minute;

describe('keywords of carriers', () => {
  it('STOP is confirmed once, to the phone that has just opted out', async () => {
    await receive(inbound('STOP'), inbound('Stop!'));
    expect(await conversation()).toMatchObject({
      place: 3,
      unread_count: 0,
      last: expect.stringContaining('You have opted out'),
    });
    await receive(inbound('stop'));
    await passTime(2 * hour);
    await receive(inbound('STOP'));
    const [told, ...more] = await answersTo();
    expect(told).toMatch(/^Organization \d+: You have opted out/);
    expect(more).toEqual([]);
    const got = await app.until(async () => {
      const texts = await app.sandbox.messages(phone);
      return texts.length > 0 && texts;
    });
    expect(got.map((text) => text.Text)).toEqual([told]);
  });

  it('nothing is answered if the carrier answers: Twilio’s numbers, and others set that way', async () => {
    const twilio = `1865556${serial}`.padEnd(11, '0').slice(0, 11);
    const other = await buildAccount(app, { numbers: { [twilio]: 'twilio' } });
    await receiveBy(2, [
      inbound('STOP', { to: twilio }),
      inbound('HELP', { to: twilio, from: '14235559001' }),
    ]);
    await receiveBy(2, [inbound('UNSTOP', { to: twilio })]);
    await app.database.system
      .updateTable('text_numbers')
      .set({ carrier_answers_words: true })
      .where('account_id', '=', account.accountId)
      .execute();
    await receive(inbound('STOP'));
    const { rows } = await sql`select from messages where origin = 'automatic'
      and account_id in (${other.accountId}, ${account.accountId})`.execute(app.database.system);
    expect(rows).toEqual([]);
  });

  it('UNSTOP, JOIN and HELP have their answers, with the name of the organization, once an hour', async () => {
    await turnOn();
    await receive(inbound('STOP'));
    await receive(inbound('UNSTOP'));
    await receive(inbound('JOIN'), inbound('Join everyone'));
    await receive(inbound('HELP'));
    await receive(inbound('help'));
    const answers = await answersTo();
    expect(answers.map((answer) => answer.replace(/^Organization \d+: /, '').slice(0, 17))).toEqual([
      'You have opted ou',
      'You have opted in',
      'You have joined a',
      'Write back and so',
    ]);
    await passTime(hour);
    await receive(inbound('HELP'));
    expect(await answersTo()).toHaveLength(5);
  });

  it('STOP and START in one batch get the answer to the last one', async () => {
    const at = Date.now() - 5000;
    await receive(inbound('STOP', { at: new Date(at) }), inbound('START', { at: new Date(at + 1000) }));
    expect(await answersTo()).toEqual([expect.stringContaining('opted in again')]);
  });

  it('JOIN creates a contact for an unknown phone only', async () => {
    const known = '14235559002';
    await app.database.system
      .insertInto('contacts')
      .values({ account_id: account.accountId, primary_phone: '14235559003', secondary_phone: known })
      .execute();
    await receive(inbound('JOIN'), inbound('join'), inbound('JOIN', { from: known }));
    const rows = await app.database.system
      .selectFrom('contacts')
      .select('primary_phone')
      .where('account_id', '=', account.accountId)
      .orderBy('person_id')
      .execute();
    expect(rows.map((row) => row.primary_phone)).toEqual(['14235559003', phone]);
    await checkKeptContacts(app, account.accountId);
  });

  it('without credits STOP is still confirmed, and nothing else is answered', async () => {
    await turnOn();
    await sql`update accounts set credit_reserved = credit_balance where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    await receive(inbound('STOP'), inbound('Hello', { from: '14235559004' }));
    expect([await answersTo(), await answersTo('14235559004')]).toEqual([
      [expect.stringContaining('opted out')],
      [],
    ]);
  });
});

describe('keywords', () => {
  async function group(name: string): Promise<number> {
    const row = await app.database.system
      .insertInto('groups')
      .values({ account_id: account.accountId, name })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    return row.group_id;
  }

  async function members(groupId: number): Promise<(string | null)[]> {
    const rows = await app.database.system
      .selectFrom('group_members as g')
      .innerJoin('contacts as c', 'c.person_id', 'g.person_id')
      .select('c.primary_phone')
      .where('g.account_id', '=', account.accountId)
      .where('g.group_id', '=', groupId)
      .orderBy('c.person_id')
      .execute();
    return rows.map((row) => row.primary_phone);
  }

  it('match the whole text, in any notation; they answer, and their sender joins the group', async () => {
    await turnOn();
    const ListID = await group('Bus riders');
    await keyword('Bus4', { ListID });
    await receive(inbound(' bus-4! '), inbound('When does bus 4 come?', { from: '14235559010' }));
    expect([await answersTo(), await answersTo('14235559010')]).toEqual([['About Bus4'], [closed]]);
    expect(await members(ListID)).toEqual([phone]);
    await receive(inbound('BUS4'));
    expect([await answersTo(), await members(ListID)]).toEqual([['About Bus4'], [phone]]);
    await passTime(minute);
    await receive(inbound('BUS4'));
    expect(await answersTo()).toEqual(['About Bus4', 'About Bus4']);
    await checkKeptContacts(app, account.accountId);
  });

  it('of a phone with three contacts: one conversation, one answer, all three in the group', async () => {
    const ListID = await group('Families');
    await keyword('Picnic', { ListID });
    const names = ['Ann', 'Ben', 'Cleo'];
    for (const first_name of names) {
      await app.database.system
        .insertInto('contacts')
        .values({ account_id: account.accountId, first_name, primary_phone: phone })
        .execute();
    }
    await receive(inbound('picnic'));
    expect([await answersTo(), await members(ListID)]).toEqual([['About Picnic'], [phone, phone, phone]]);
    expect(await conversation()).toMatchObject({ unread_count: 1 });
    await checkKeptContacts(app, account.accountId);
  });

  it('that are off, or of another number, are ordinary texts', async () => {
    await turnOn();
    await keyword('Lunch', { Active: false });
    const second = `1865557${serial}`.padEnd(11, '0').slice(0, 11);
    const other = await buildAccount(app, { numbers: { [second]: 'infobip' } });
    await keyword('Pool');
    await receive(inbound('lunch'), inbound('pool', { to: second, from: '14235559011' }));
    expect(await answersTo()).toEqual([closed]);
    const { rows } =
      await sql`select from messages where account_id = ${other.accountId} and origin = 'automatic'`.execute(
        app.database.system,
      );
    expect(rows).toEqual([]);
  });

  it('of a deleted group are answered, and their sender becomes a contact in no group', async () => {
    const ListID = await group('Gone');
    await keyword('Ride', { ListID });
    await sql`update groups set deleted_at = now() where group_id = ${ListID}`.execute(app.database.system);
    await receive(inbound('RIDE'));
    expect([await answersTo(), await members(ListID), await members(-1)]).toEqual([
      ['About Ride'],
      [],
      [phone],
    ]);
  });
});

describe('auto replies', () => {
  it('are sent once in twelve hours, however many texts arrive', async () => {
    await turnOn();
    await receive(inbound('Hello?'), inbound('Anybody?'), inbound('🎉'));
    await receive(inbound('Hello!'));
    await passTime(12 * hour - minute);
    await receive(inbound('Still there?'));
    expect(await answersTo()).toEqual([closed]);
    await passTime(minute);
    await receive(inbound('Good morning'));
    expect(await answersTo()).toEqual([closed, closed]);
  });

  it('change nothing about the conversation: it stays unread, waits, and shows their words', async () => {
    await turnOn();
    await receive(inbound('Is school open?'));
    const after = await conversation();
    expect(after).toMatchObject({ unread_count: 1, is_done: false, place: 0, last: 'Is school open?' });
    expect(after.waiting_since).not.toBeNull();
    const got = await app.until(async () => {
      const texts = await app.sandbox.messages(phone);
      return texts.length > 0 && texts;
    });
    expect(got.map((text) => text.Text)).toEqual([closed]);
  });

  it('also answer people who answer a text written by a user', async () => {
    await turnOn();
    const TextNumberID = account.numbers[number] ?? 0;
    await app.call(
      createConversation,
      { body: { TextNumberID, LastMessage: { Contact: { PrimaryPhone: phone }, Message: 'Can you come?' } } },
      account.owner,
    );
    await receive(inbound('Yes I can'));
    expect(await answersTo()).toEqual([closed]);
  });

  it('of a number override the account’s; one set to Never keeps it silent', async () => {
    await turnOn();
    const TextNumberIDs = [account.numbers[number] ?? 0];
    const own = await app.call(
      addAutoReply,
      { body: { Message: 'Out for lunch', TextNumberIDs } },
      account.owner,
    );
    expect(own.status).toBe(200);
    await receive(inbound('Hello'));
    expect(await answersTo()).toEqual(['Out for lunch']);
    await app.call(addAutoReply, { body: { Active: false, TextNumberIDs } }, account.owner);
    await receive(inbound('Hello', { from: '14235559020' }));
    expect(await answersTo('14235559020')).toEqual([]);
  });

  it('cost credits, like any text, and the ledger sums to the balance', async () => {
    await turnOn();
    await receive(inbound('Hello'));
    await app.drain();
    const { rows } = await sql`
      select a.credit_balance, a.credit_reserved, sum(e.balance_delta) as balance, sum(e.reserved_delta) as reserved
      from accounts a join credit_entries e on e.account_id = a.account_id
      where a.account_id = ${account.accountId} group by 1, 2`.execute(app.database.system);
    expect(rows).toMatchObject([{ credit_balance: 999, credit_reserved: 0 }]);
  });
});

describe('nobody is answered', () => {
  beforeEach(() => turnOn());

  it('if they have opted out', async () => {
    await receive(inbound('STOP'));
    await receive(inbound('I wrote by mistake'), inbound('HELP'));
    expect(await answersTo()).toHaveLength(1);
  });

  it('an hour late', async () => {
    await receive(
      inbound('Hello', { at: new Date(Date.now() - hour - minute) }),
      inbound('HELP', { at: new Date(Date.now() - hour - minute) }),
      inbound('STOP', { at: new Date(Date.now() - hour - minute), from: '14235559030' }),
    );
    expect([await answersTo(), await answersTo('14235559030')]).toEqual([[], []]);
    expect(await conversation('14235559030')).toMatchObject({ place: 3 });
  });

  it('for an older text that arrives after a newer one was answered', async () => {
    await receive(inbound('second'));
    await receive(inbound('first', { at: new Date(Date.now() - 10 * minute) }));
    expect(await answersTo()).toHaveLength(1);
  });

  it('twice for a repeated webhook', async () => {
    const text = inbound('Hello', { key: `twice:${serial}` });
    await receive(text, { ...text });
    await sql`delete from reply_stamps where account_id = ${account.accountId}`.execute(app.database.system);
    await receive(text);
    expect(await answersTo()).toHaveLength(1);
  });

  it('from a number that can’t text', async () => {
    await app.database.system
      .updateTable('text_numbers')
      .set({ registration_status: 'Pending' })
      .where('account_id', '=', account.accountId)
      .execute();
    await receive(inbound('Hello'), inbound('HELP'));
    expect(await answersTo()).toEqual([]);
  });

  it('if they send our own answer back', async () => {
    await receive(inbound('Hello'));
    await passTime(13 * hour);
    await receive(inbound(` ${closed} `));
    expect(await answersTo()).toEqual([closed]);
  });

  it('at a text number of this installation: two that answer each other stay silent', async () => {
    const second = `1865558${serial}`.padEnd(11, '0').slice(0, 11);
    await buildAccount(app, { numbers: { [second]: 'infobip' } });
    await keyword('Hi');
    await receive(
      inbound('Hello', { from: second }),
      inbound('hi', { from: second }),
      inbound('JOIN', { from: second }),
    );
    expect(await answersTo(second)).toEqual([]);
    const contacts = await sql`select from contacts where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect(contacts.rows).toEqual([]);
  });
});

describe('loops', () => {
  it('a machine that answers every answer with a keyword gets six in twelve hours', async () => {
    await keyword('Ping', { Message: 'Pong' });
    for (let round = 0; round < 10; round += 1) {
      await receive(inbound('ping'));
      await passTime(2 * minute);
    }
    expect(await answersTo()).toHaveLength(6);
    await passTime(12 * hour);
    await receive(inbound('ping'));
    expect(await answersTo()).toHaveLength(7);
  });

  it('a machine that answers every answer with another sentence gets one', async () => {
    await turnOn();
    let heard = 0;
    for (let round = 0; round < 8; round += 1) {
      await receive(inbound(`Thank you for your message number ${round}`));
      await app.drain();
      heard = (await answersTo()).length;
    }
    expect(heard).toBe(1);
  });

  it('more than six different keywords at once get six answers', async () => {
    const words = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'];
    for (const word of words) await keyword(word);
    await receive(...words.map((word) => inbound(word)));
    expect(await answersTo()).toEqual(words.slice(0, 6).map((word) => `About ${word}`));
  });
});

it('several workers with the same texts answer everybody once', async () => {
  await turnOn();
  await keyword('Bus');
  const phones = Array.from({ length: 80 }, (_, index) => `1423556${1000 + index}`);
  const texts = phones.flatMap((from) =>
    ['Hello', 'bus', 'Anybody?', 'HELP'].map((body) => inbound(body, { from })),
  );
  const shuffled = [...texts, ...texts].sort(() => Math.random() - 0.5);
  await Promise.all(
    [0, 1, 2, 3].map((part) =>
      storeInbound(
        app.database,
        5,
        shuffled.filter((_, at) => at % 4 === part),
      ),
    ),
  );
  const drainInbound = async () => {
    while ((await applyInbound(app.database, 15)) > 0);
  };
  await Promise.all([drainInbound(), drainInbound(), drainInbound(), drainInbound()]);
  const { rows } = await sql<{ texts: number; answers: string[] }>`
    select count(*) filter (where is_inbound) as texts,
      array_agg(left(body, 5) order by body) filter (where not is_inbound) as answers
    from messages where account_id = ${account.accountId} group by phone`.execute(app.database.system);
  expect(rows).toHaveLength(phones.length);
  expect(new Set(rows.map((row) => `${row.texts} ${row.answers}`))).toEqual(new Set(['4 About,Organ,We ar']));
  const held = await sql`
    select a.credit_reserved = 3 * ${phones.length} and a.credit_reserved = (
      select sum(reserved_delta) from credit_entries e where e.account_id = a.account_id) as holds
    from accounts a where a.account_id = ${account.accountId}`.execute(app.database.system);
  expect(held.rows).toEqual([{ holds: true }]);
});
