import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallInput } from '../../../contract/call.ts';
import { previewMerge } from '../../../contract/compose.ts';
import { createConversation, listTextMessages } from '../../../contract/conversations.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { textTraces } from '../../testing/text-traces.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
/** The account's people. */
let ana: number;
let landline: number;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits: 500 });
  const { system } = app.database;
  const { field_id } = await system
    .insertInto('custom_fields')
    .values({ account_id: account.accountId, name: 'Bus route' })
    .returning('field_id')
    .executeTakeFirstOrThrow();
  const person = async (first_name: string, phone: string, more: object = {}) => {
    const row = await system
      .insertInto('contacts')
      .values({ account_id: account.accountId, first_name, primary_phone: phone, ...more })
      .returning('person_id')
      .executeTakeFirstOrThrow();
    return row.person_id;
  };
  ana = await person('Ana', '14235550101', {
    last_name: 'Silva',
    notes: '{{FirstName}}',
    custom_data: JSON.stringify({ [field_id]: '12 North' }),
  });
  landline = await person('Lena', '14235550102');
  await sql`insert into phone_lookups (account_id, phone, is_valid, line_type)
    values (${account.accountId}, '14235550102', true, 'landline')`.execute(system);
  await sql`insert into phone_consents (account_id, phone, text_state)
    values (${account.accountId}, '14235550103', 'out')`.execute(system);
});

type Body = CallInput<typeof createConversation>['body'];
type Given = Body['LastMessage']['Contact'];

function write(
  [first, ...Contacts]: [Given, ...Given[]],
  Message: string,
  more: {
    IncludeSignature?: boolean;
    Media?: number[];
    headers?: Record<string, string>;
    cookie?: string;
    UserID?: number;
  } = {},
) {
  const MmsOutboundMedia = (more.Media ?? []).map((MediaID) => ({ MediaID }));
  return app.call(
    createConversation,
    {
      body: {
        TextNumberID: account.numbers[number],
        LastMessage: { Contact: first, Message, MmsOutboundMedia },
        Contacts,
        IncludeSignature: more.IncludeSignature ?? false,
        UserID: more.UserID,
      },
    },
    { cookie: more.cookie ?? account.owner.cookie, ...(more.headers ? { headers: more.headers } : {}) },
  );
}

const phones = (from: number, many: number): [Given, ...Given[]] =>
  Array.from({ length: many }, (_, index) => ({ PrimaryPhone: `423555${from + index}` })) as [
    Given,
    ...Given[],
  ];

async function textsTo(phone: string) {
  return (await app.sandbox.messages(phone)).map((text) => text.Text);
}

const traces = () => textTraces(app.databaseUrl);

async function reserved(accountId = account.accountId) {
  const row = await app.database.system
    .selectFrom('accounts')
    .select(['credit_balance', 'credit_reserved'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ balance: number; reserved: number }>`
    select sum(balance_delta)::bigint as balance, sum(reserved_delta)::bigint as reserved from credit_entries
    where account_id = ${accountId}`.execute(app.database.system);
  // The ledger always sums to the account's balance.
  expect(rows[0]).toEqual({ balance: row.credit_balance, reserved: row.credit_reserved });
  return row.credit_reserved;
}

describe('to several', () => {
  it('fifteen get one text each, in their own conversations, paid together', async () => {
    const before = await reserved();
    const { status, body } = await write(phones(1000, 15), 'The bus is late.');
    expect(status).toBe(200);
    expect(await reserved()).toBe(before + 15);
    expect(new Set(body.Items.map((item) => item.ConversationID)).size).toBe(15);
    expect(body.Items.map((item) => item.Error)).toEqual(Array(15).fill(''));
    expect(body.ConversationID).toBe(body.Items[0]?.ConversationID);
    expect(body.TextMessageID).toBe(body.Items[0]?.TextMessageID);
    await app.until(async () => (await textsTo('4235551014')).length === 1);
    await app.until(async () => (await textsTo('4235551000')).length === 1);
    // The ledger got one entry for all of them.
    const entries = await app.database.system
      .selectFrom('credit_entries')
      .select(['reserved_delta', 'user_id', 'reference_kind', 'reference_ids'])
      .where('account_id', '=', account.accountId)
      .where('kind', '=', 'reserve')
      .execute();
    expect(entries).toEqual([
      {
        reserved_delta: 15,
        user_id: account.owner.userId,
        reference_kind: 'text',
        reference_ids: body.Items.map((item) => item.TextMessageID),
      },
    ]);
  });

  it('sixteen are refused', async () => {
    const before = await traces();
    expect(refusalOf(await write(phones(1000, 16), 'Hi'))).toMatchObject({
      status: 400,
      Errors: [{ Field: 'Contacts', Message: 'You can text at most 15 people at a time.' }],
    });
    expect(await traces()).toEqual(before);
  });

  it('sends what is possible, and gives a reason for each of the others', async () => {
    const { body } = await write(
      [
        { PersonID: landline, PrimaryPhone: '4235550102' },
        { PrimaryPhone: '4235550103' },
        { PrimaryPhone: '4235551100' },
        { PrimaryPhone: '+1 (423) 555-1100' },
        { PrimaryPhone: '555-0101' },
      ],
      'Hello',
    );
    expect(body.Items.map((item) => [item.PhoneNumber, item.Error])).toEqual([
      ['4235550102', 'This number is not a textable number.'],
      ['4235550103', 'This number has opted out of receiving texts.'],
      ['4235551100', ''],
      ['4235551100', "You've already added this number."],
      ['555-0101', 'Must be 10 digits; use only numbers'],
    ]);
    expect(body.Items.map((item) => item.TextMessageID !== null)).toEqual([false, false, true, false, false]);
    expect(body.PhoneNumber).toBe('4235551100');
    await app.until(async () => (await textsTo('4235551100')).length === 1);
    expect(await textsTo('4235550103')).toEqual([]);
  });

  it('people who have not opted in, if that is required', async () => {
    const set = (value: boolean) =>
      app.database.system
        .updateTable('accounts')
        .set({ require_text_opt_in: value })
        .where('account_id', '=', account.accountId)
        .execute();
    await sql`insert into phone_consents (account_id, phone, text_state)
      values (${account.accountId}, '14235551110', 'in')`.execute(app.database.system);
    await set(true);
    const { body } = await write([{ PrimaryPhone: '4235551110' }, { PrimaryPhone: '4235551111' }], 'Hello');
    await set(false);
    expect(body.Items.map((item) => item.Error)).toEqual([
      '',
      "This number hasn't opted-in to receiving texts.",
    ]);
  });

  it('refused, with nothing written, when nobody can get it: each reason with its recipient', async () => {
    const before = await traces();
    const reply = await write([{ PrimaryPhone: '4235550103' }, { PrimaryPhone: '12' }], 'Hello');
    expect(refusalOf(reply)).toMatchObject({
      status: 422,
      Message: 'This number has opted out of receiving texts.',
      Errors: [
        {
          Field: 'LastMessage.Contact.PrimaryPhone',
          Message: 'This number has opted out of receiving texts.',
        },
        { Field: 'Contacts.0.PrimaryPhone', Message: 'Must be 10 digits; use only numbers' },
      ],
    });
    expect(await traces()).toEqual(before);
  });

  it.each([
    ['', 'Enter a Text Message.'],
    ['Hi {{First Name}}', expect.stringContaining('invalid format')],
    ['x'.repeat(321), "Your message can't exceed 320 characters."],
  ])('refused, with nothing written, for the text %.20j', async (text, Message) => {
    const before = await traces();
    expect(refusalOf(await write(phones(1120, 3), text))).toMatchObject({
      status: 400,
      Errors: [{ Field: 'Message', Message }],
    });
    expect(await traces()).toEqual(before);
  });

  it('without credits for all of them nothing is sent', async () => {
    const poor = await buildAccount(app, { credits: 3 });
    const { text_number_id: TextNumberID } = await app.database.system
      .insertInto('text_numbers')
      .values({
        account_id: poor.accountId,
        phone: '18005550199',
        aggregator_id: 5,
        registration_status: 'Registered',
      })
      .returning('text_number_id')
      .executeTakeFirstOrThrow();
    const send = (from: number, many: number) => {
      const [Contact, ...Contacts] = phones(from, many);
      const body = { TextNumberID, LastMessage: { Contact, Message: 'Hi' }, Contacts };
      return app.call(createConversation, { body }, poor.owner);
    };
    const before = await traces();
    expect(refusalOf(await send(1200, 4))).toMatchObject({ status: 402, ErrorCode: 4100 });
    expect(await traces()).toEqual(before);
    // Two concurrent sends with credits for one: only one is sent.
    const replies = await Promise.all([send(1210, 2), send(1220, 2)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 402]);
    expect(await reserved(poor.accountId)).toBe(2);
    await app.database.system.deleteFrom('outbox').where('account_id', '=', poor.accountId).execute();
  });

  it('the same key twice is one effect', async () => {
    const headers = { 'idempotency-key': 'fifteen-once' };
    const first = await write(phones(1300, 5), 'Once', { headers });
    const second = await write(phones(1300, 5), 'Once', { headers });
    expect(second.body).toEqual(first.body);
    await app.until(async () => (await textsTo('4235551304')).length > 0);
    await app.drain();
    expect(await textsTo('4235551300')).toEqual(['Once']);
  });

  it('that waited in a browser is refused for another user, and sent once when its writer is back', async () => {
    const headers = { 'idempotency-key': 'begun-in-a-tunnel' };
    const more = { UserID: account.owner.userId, headers };
    const { cookie } = await buildUser(app, account.accountId, 'admin');
    expect(refusalOf(await write(phones(1310, 2), 'On my way', { ...more, cookie })).Message).toBe(
      'Another user has signed in to this browser since you wrote this text.',
    );
    const replies = await Promise.all([
      write(phones(1310, 2), 'On my way', more),
      write(phones(1310, 2), 'On my way', more),
    ]);
    const again = await write(phones(1310, 2), 'On my way', more);
    expect(replies.map(({ status, body }) => ({ status, body }))).toEqual(
      Array(2).fill({ status: 200, body: again.body }),
    );
    await app.until(async () => (await textsTo('4235551311')).length > 0);
    await app.drain();
    expect(await textsTo('4235551310')).toEqual(['On my way']);
    expect(await textsTo('4235551311')).toEqual(['On my way']);
  });

  it('several at once, to the same people in another order, all finish', async () => {
    const people = phones(1400, 8);
    const turned = [...people].reverse() as typeof people;
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) => write(index % 2 ? people : turned, `Round ${index}`)),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const rows = await app.database.system
      .selectFrom('conversations')
      .select('conversation_id')
      .where('phone', 'like', '14235551400')
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('while they text us and get automatic replies, all finish', async () => {
    const set = (isOn: boolean) =>
      app.database.system
        .updateTable('accounts')
        .set({ is_auto_reply_on: isOn, auto_reply_message: 'We will answer soon.' })
        .where('account_id', '=', account.accountId)
        .execute();
    await set(true);
    const people = phones(1450, 8);
    for (const { PrimaryPhone } of people) await app.sandbox.text(PrimaryPhone, number, 'Hello?');
    // Both lock conversations and the account's credits.
    const rounds = Array.from({ length: 4 }, async (_, index) => {
      const reply = await write(people, `Round ${index}`);
      await app.drain();
      return reply.status;
    });
    expect(await Promise.all(rounds)).toEqual(Array(4).fill(200));
    await app.until(async () => (await textsTo('4235551457')).length >= 5);
    await set(false);
    await reserved();
  });

  it('wakes and reopens snoozed, done or retired ones', async () => {
    const { body } = await write(phones(1500, 1), 'First');
    await sql`update conversations set is_done = true, snoozed_until = now() + interval '1 day', is_retired = true,
      continued_in_id = 1, unread_count = 2 where conversation_id = ${body.ConversationID}`.execute(
      app.database.system,
    );
    const again = await write(phones(1500, 2), 'Second');
    expect(again.body).toMatchObject({
      ConversationID: body.ConversationID,
      IsDone: false,
      SnoozedUntil: null,
      IsRetired: false,
      ContinuedInID: null,
      UnreadCount: 0,
      LastMessage: { Message: 'Second' },
    });
  });
});

describe('personalized', () => {
  it('with the contact’s values, or those given for an unknown number', async () => {
    const { body } = await write(
      [
        { PersonID: ana, FirstName: 'Wrong', PrimaryPhone: '4235550101' },
        { FirstName: 'Ben', PrimaryPhone: '4235551600' },
        { PrimaryPhone: '4235551601' },
        { PrimaryPhone: '4235551602', TextMessage: 'Only for you, {{FirstName|neighbor}}.' },
      ],
      'Hi {{FirstName|there}}, bus {{Bus_route|unknown}}. {{Notes}}',
    );
    expect(body.Items.map((item) => item.Error)).toEqual(['', '', '', '']);
    await app.until(async () => (await textsTo('4235551602')).length === 1);
    await app.until(async () => (await textsTo('4235550101')).length === 1);
    await app.until(async () => (await textsTo('4235551601')).length === 1);
    // A value is never merged again.
    expect(await textsTo('4235550101')).toEqual(['Hi Ana, bus 12 North. {{FirstName}}']);
    expect(await textsTo('4235551600')).toEqual(['Hi Ben, bus unknown. ']);
    expect(await textsTo('4235551601')).toEqual(['Hi there, bus unknown. ']);
    expect(await textsTo('4235551602')).toEqual(['Only for you, neighbor.']);
  });

  it('a contact that the user doesn’t see reveals nothing', async () => {
    const user = await buildUser(app, account.accountId, 'user', {
      textNumberIds: [account.numbers[number] ?? 0],
      canSeeAllRoster: false,
    });
    await write([{ PersonID: ana, PrimaryPhone: '4235551610' }], '{{FirstName|Nobody}}', user);
    await app.until(async () => (await textsTo('4235551610')).length === 1);
    expect(await textsTo('4235551610')).toEqual(['Nobody']);
  });

  it('is too long for one, and goes to the others', async () => {
    const { body } = await write(
      [
        { FirstName: 'Maximiliana', PrimaryPhone: '4235551620' },
        { FirstName: 'Bo', PrimaryPhone: '4235551621' },
      ],
      `${'x'.repeat(315)} {{FirstName}}`,
    );
    expect(body.Items.map((item) => item.Error)).toEqual(["Your message can't exceed 320 characters.", '']);
  });

  it('with the user’s signature and pictures, and its credits', async () => {
    await app.database.system
      .updateTable('users')
      .set({ signature_text: '- Pat' })
      .where('user_id', '=', account.owner.userId)
      .execute();
    const { media_id } = await app.database.system
      .insertInto('media')
      .values({
        account_id: account.accountId,
        public_key: 'compose-picture',
        content_type: 'image/png',
        file_name: 'a.png',
        byte_size: 1,
        width: 1,
        height: 1,
        content_hash: 'none',
      })
      .returning('media_id')
      .executeTakeFirstOrThrow();
    const before = await reserved();
    const { body } = await write(phones(1630, 3), 'Look', { IncludeSignature: true, Media: [media_id] });
    expect(await reserved()).toBe(before + 6);
    const params = { ConversationID: body.ConversationID };
    const thread = await app.call(listTextMessages, { params }, account.owner);
    expect(thread.body.Items).toMatchObject([
      { Message: 'Look\n\n- Pat', Segments: 2, Credits: 2, MmsOutboundMedia: [{ MediaID: media_id }] },
    ]);
    const gone = await write(phones(1630, 3), 'Look', { Media: [media_id, 999_999] });
    expect(refusalOf(gone)).toMatchObject({ status: 404, Message: 'That picture is no longer here.' });
  });
});

describe('the preview', () => {
  const preview = (body: CallInput<typeof previewMerge>['body'], as: { cookie: string } = account.owner) =>
    app.call(previewMerge, { body }, as);

  it('shows each text and why one can’t be sent, and writes nothing', async () => {
    const before = await traces();
    const { status, body } = await preview({
      TemplateText: 'Hi {{FirstName}}, bus {{Bus_route}}',
      IncludeSignature: true,
      Contacts: [
        { PersonID: ana, PrimaryPhone: '4235550101' },
        { FirstName: 'Ben', PrimaryPhone: '4235551700' },
        { PersonID: landline, PrimaryPhone: '4235550102' },
        { FirstName: 'Cy', PrimaryPhone: '4235550103' },
        { FirstName: 'Ben', PrimaryPhone: '4235551700' },
        { FirstName: 'Di', PrimaryPhone: '12' },
        { PrimaryPhone: '4235551701', TextMessage: 'x'.repeat(321) },
        { PrimaryPhone: '4235551702', TextMessage: 'Hi {{}}' },
        { PrimaryPhone: '4235551703', TextMessage: '{{LastName}}' },
      ],
    });
    expect(status).toBe(200);
    expect(body.map((one) => [one.PhoneNumber, one.TemplateMergeMessageStatus])).toEqual([
      ['4235550101', 'Valid'],
      ['4235551700', 'MissingData'],
      ['4235550102', 'NotTextable'],
      ['4235550103', 'OptedOut'],
      ['4235551700', 'Duplicate'],
      ['12', 'InvalidPhone'],
      ['4235551701', 'ExceedsLimit'],
      ['4235551702', 'InvalidField'],
      ['4235551703', 'InvalidField'],
    ]);
    expect(body[0]).toMatchObject({
      TextMessage: 'Hi Ana, bus 12 North\n\n- Pat',
      PersonID: ana,
      Error: '',
      Segments: 1,
      Credits: 1,
    });
    expect(body[1]).toMatchObject({
      TextMessage: 'Hi Ben, bus \n\n- Pat',
      Error: 'There is no Bus_route for this contact.',
    });
    expect(body.slice(6).map((one) => one.Error)).toEqual([
      "Your message can't exceed 320 characters.",
      'Personalized fields should not be empty.',
      'Enter a Text Message.',
    ]);
    expect(await traces()).toEqual(before);
  });

  it('agrees with what is sent', async () => {
    const Contacts = [
      { PersonID: ana, PrimaryPhone: '4235550101' },
      { PrimaryPhone: '4235550103' },
      { FirstName: 'Eve', PrimaryPhone: '4235551710' },
    ] as [Given, ...Given[]];
    const TemplateText = 'Dear {{FullName|friend}}, call {{PhoneNumber}}';
    const { body } = await preview({ Contacts, TemplateText, HasMedia: false });
    const sent = await write(Contacts, TemplateText);
    expect(sent.body.Items.map((item) => item.Error)).toEqual(body.map((one) => one.Error));
    await app.until(async () => (await textsTo('4235551710')).length === 1);
    expect(await textsTo('4235551710')).toEqual([body[2]?.TextMessage]);
    expect(body[2]?.TextMessage).toBe('Dear Eve, call 4235551710');
  });

  it('counts two units for a picture', async () => {
    const { body } = await preview({ Contacts: phones(1720, 1), TemplateText: '', HasMedia: true });
    expect(body).toMatchObject([{ TemplateMergeMessageStatus: 'Valid', Segments: 2, Credits: 2 }]);
  });
});
