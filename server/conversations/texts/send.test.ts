import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createConversation, listTextMessages, sendTextMessage } from '../../../contract/conversations.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { textTraces } from '../../testing/text-traces.ts';

const number = '14235550100';
const notHere = "This number isn't in the US, Puerto Rico, or Canada";
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits: 100 });
});

const numberId = () => account.numbers[number] ?? 0;

function write(PrimaryPhone: string, Message: string, options: { IncludeSignature?: boolean } = {}) {
  const body = { TextNumberID: numberId(), LastMessage: { Contact: { PrimaryPhone }, Message }, ...options };
  return app.call(createConversation, { body }, account.owner);
}

const traces = () => textTraces(app.databaseUrl);

async function credits() {
  const row = await app.database.system
    .selectFrom('accounts')
    .select(['credit_balance as balance', 'credit_reserved as reserved'])
    .where('account_id', '=', account.accountId)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ balance: number; reserved: number }>`
    select sum(balance_delta)::bigint as balance, sum(reserved_delta)::bigint as reserved from credit_entries
    where account_id = ${account.accountId}`.execute(app.database.system);
  // The ledger always sums to the balance.
  expect(rows[0]).toEqual(row);
  return row;
}

describe('refused, with nothing written', () => {
  const set = (table: 'accounts' | 'text_numbers', change: string) =>
    sql`update ${sql.table(table)} set ${sql.raw(change)} where account_id = ${account.accountId}`.execute(
      app.database.system,
    );

  let before: unknown;
  beforeEach(async () => {
    before = await traces();
    return async () => {
      expect(await traces()).toEqual(before);
    };
  });

  it.each([
    ['4235550101', '', 'Message', 'Enter a Text Message.'],
    ['4235550101', ' \n\t ', 'Message', 'Enter a Text Message.'],
    ['4235550101', '\u200b', 'Message', 'Enter a Text Message.'],
    ['4235550101', 'x'.repeat(321), 'Message', "Your message can't exceed 320 characters."],
    // Beyond the limit of any text the error still names the user's own limit.
    ['4235550101', 'x'.repeat(1601), 'Message', "Your message can't exceed 320 characters."],
    ['4235550101', 'x'.repeat(100_000), 'Message', "Your message can't exceed 320 characters."],
    ['', 'Hi', 'LastMessage.Contact.PrimaryPhone', 'Please add a phone number'],
    ['555-0101', 'Hi', 'LastMessage.Contact.PrimaryPhone', 'Must be 10 digits; use only numbers'],
    ['42355501012', 'Hi', 'LastMessage.Contact.PrimaryPhone', 'Must be 10 digits; use only numbers'],
    ['call me', 'Hi', 'LastMessage.Contact.PrimaryPhone', 'Must be 10 digits; use only numbers'],
    ['1235550101', 'Hi', 'LastMessage.Contact.PrimaryPhone', 'Must be 10 digits; use only numbers'],
    ['4'.repeat(50), 'Hi', 'LastMessage.Contact.PrimaryPhone', 'Must be 10 digits; use only numbers'],
    ['+44 20 7946 0958', 'Hi', 'LastMessage.Contact.PrimaryPhone', notHere],
    ['876-555-0101', 'Hi', 'LastMessage.Contact.PrimaryPhone', notHere],
    ['423-111-0101', 'Hi', 'LastMessage.Contact.PrimaryPhone', notHere],
  ])('to %j, %.20j: %s: %s', async (phone, message, Field, Message) => {
    expect(refusalOf(await write(phone, message))).toMatchObject({
      status: 400,
      ErrorType: 'Display',
      Message,
      Errors: [{ Field, Message }],
    });
  });

  it('beyond the limit of any text, for a user whose own limit is even higher', async () => {
    const limit = (text_character_limit: number) =>
      app.database.system
        .updateTable('users')
        .set({ text_character_limit })
        .where('user_id', '=', account.owner.userId)
        .execute();
    await limit(5000);
    const reply = await write('4235550101', 'x'.repeat(1601));
    await limit(320);
    expect(refusalOf(reply).Message).toBe("Your message can't exceed 1600 characters.");
  });

  it('to a number that a foreign account can’t reach, in the words of its country', async () => {
    await set('accounts', 'country_id = 4');
    const replies = [await write('12', 'Hi'), await write('+86 131 2345 6789', 'Hi')];
    await set('accounts', 'country_id = 1');
    expect(replies.map((reply) => refusalOf(reply).Message)).toEqual([
      'Must start with 44; no more than 12 digits; use only numbers',
      'Phone number must be from a supported country.',
    ]);
  });

  it.each([0, 1.5, null, 'none'])('without a text number (%j)', async (TextNumberID) => {
    const LastMessage = { Contact: { PrimaryPhone: '4235550101' }, Message: 'Hi' };
    const body = { TextNumberID, LastMessage };
    const reply = await app.call(createConversation, { body }, account.owner);
    expect(refusalOf(reply).Errors).toEqual([
      { Field: 'TextNumberID', Message: 'Select a Text Phone Number' },
    ]);
  });

  it('with eleven pictures', async () => {
    const MmsOutboundMedia = Array.from({ length: 11 }, (_, index) => ({ MediaID: index + 1 }));
    const LastMessage = { Contact: { PrimaryPhone: '4235550101' }, Message: 'Hi', MmsOutboundMedia };
    const body = { TextNumberID: numberId(), LastMessage };
    const reply = await app.call(createConversation, { body }, account.owner);
    expect(refusalOf(reply).Errors).toEqual([
      { Field: 'LastMessage.MmsOutboundMedia', Message: 'A text can carry at most 10 pictures.' },
    ]);
  });

  it('to a phone that has opted out', async () => {
    await app.database.system
      .insertInto('phone_consents')
      .values({ account_id: account.accountId, phone: '14235550102', text_state: 'out' })
      .execute();
    expect(refusalOf(await write('4235550102', 'Hi'))).toMatchObject({
      status: 422,
      ErrorType: 'Display',
      Message: 'This number has opted out of receiving texts.',
    });
  });

  it.each(['require_text_opt_in', 'explicit_opt_in_required'])(
    'where %s: to a phone that has not opted in',
    async (column) => {
      await set('accounts', `${column} = true`);
      const reply = await write('4235550103', 'Hi');
      await set('accounts', `${column} = false`);
      expect(refusalOf(reply)).toMatchObject({
        status: 422,
        Message: "This number hasn't opted-in to receiving texts.",
      });
    },
  );

  it.each([
    ['is_blocked = true', 'is_blocked = false'],
    [
      "flat_rate_status = 'BillingProblem', flat_rate_end_at = now() - interval '1 day'",
      'flat_rate_status = null, flat_rate_end_at = null',
    ],
  ])('from a number with %s', async (change, back) => {
    await set('text_numbers', change);
    const reply = await write('4235550101', 'Hi');
    await set('text_numbers', back);
    expect(refusalOf(reply)).toMatchObject({
      status: 422,
      Message: "This text number is blocked. We're working to resolve this for you...",
      ExtendedData: { Name: 'TextNumberBlocked' },
    });
  });

  it.each(['Not Registered', 'Pending', 'Rejected'])('from a local number that is %s', async (status) => {
    await set('text_numbers', `registration_status = '${status}'`);
    const reply = await write('4235550101', 'Hi');
    await set('text_numbers', "registration_status = 'Registered'");
    expect(refusalOf(reply)).toMatchObject({
      status: 422,
      Message: 'This text number has to be registered before it can send texts.',
      ExtendedData: { Name: 'TextNumberNotRegistered' },
    });
  });

  it('without enough credits: 4100', async () => {
    await set('accounts', 'credit_reserved = credit_balance');
    const reply = await write('4235550101', 'Hi');
    await set('accounts', 'credit_reserved = 0');
    expect(refusalOf(reply)).toMatchObject({
      status: 402,
      ErrorCode: 4100,
      ErrorType: 'Display',
      Message: 'You don’t have enough credits to send this.',
    });
  });

  it('in a conversation: empty, too long', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into conversations (account_id, text_number_id, phone)
      values (${account.accountId}, ${numberId()}, '14235550104') returning conversation_id as id`.execute(
      app.database.system,
    );
    before = await traces();
    const params = { ConversationID: rows[0]?.id ?? 0 };
    for (const [Message, sentence] of [
      ['  ', 'Enter a Text Message.'],
      ['x'.repeat(321), "Your message can't exceed 320 characters."],
      ['x'.repeat(1601), "Your message can't exceed 320 characters."],
    ] as const) {
      const reply = await app.call(sendTextMessage, { params, body: { Message } }, account.owner);
      expect(refusalOf(reply)).toMatchObject({ status: 400, Message: sentence });
    }
  });
});

describe('credits', () => {
  it('are reserved with the text and settled when the carrier has it, as the ledger shows', async () => {
    const start = await credits();
    // 161 characters: two segments.
    const { body } = await write('4235550110', 'x'.repeat(161));
    expect(await credits()).toEqual({ balance: start.balance, reserved: start.reserved + 2 });
    await app.until(async () => (await app.sandbox.messages('4235550110')).length === 1);
    await app.drain();
    expect(await credits()).toEqual({ balance: start.balance - 2, reserved: start.reserved });
    const thread = await app.call(
      listTextMessages,
      { params: { ConversationID: body.ConversationID } },
      account.owner,
    );
    expect(thread.body.Items).toMatchObject([{ Segments: 2, Credits: 2, Mms: false }]);
  });

  it('of a text that the carrier refuses are returned', async () => {
    const start = await credits();
    const { body } = await write('4235550192', 'Not a number');
    const params = { ConversationID: body.ConversationID };
    await app.until(async () => {
      const thread = await app.call(listTextMessages, { params }, account.owner);
      return thread.body.Items[0]?.Status !== 'waiting';
    });
    expect(await credits()).toEqual(start);
  });

  it('that are the last go to one of two', async () => {
    const poor = await buildAccount(app, { credits: 1 });
    await sql`insert into text_numbers (account_id, phone, aggregator_id, registration_status)
      values (${poor.accountId}, '18005550199', 5, 'Not Registered')`.execute(app.database.system);
    const { text_number_id: TextNumberID } = await app.database.system
      .selectFrom('text_numbers')
      .select('text_number_id')
      .where('account_id', '=', poor.accountId)
      .executeTakeFirstOrThrow();
    const replies = await Promise.all(
      ['4235550111', '4235550112'].map((PrimaryPhone) =>
        app.call(
          createConversation,
          { body: { TextNumberID, LastMessage: { Contact: { PrimaryPhone }, Message: 'Hi' } } },
          poor.owner,
        ),
      ),
    );
    // A toll-free number needs no registration.
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 402]);
    // The carrier doesn't have that number for anybody here: it must not be sent in the tests that follow.
    await app.database.system.deleteFrom('outbox').where('account_id', '=', poor.accountId).execute();
  });

  it('are not needed by an account that pays by the month', async () => {
    const start = await credits();
    await sql`update accounts set type_id = 1 where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    const { body } = await write('4235550113', 'By the month');
    await sql`update accounts set type_id = 0 where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect(body.LastMessage?.Status).toBe('waiting');
    expect(await credits()).toEqual(start);
  });
});

describe('the signature', () => {
  beforeAll(() =>
    app.database.system
      .updateTable('users')
      .set({ signature_enabled: true, signature_text: '- Pat, front office' })
      .where('user_id', '=', account.owner.userId)
      .execute(),
  );

  it('follows the text when requested', async () => {
    await write('4235550120', 'With it', { IncludeSignature: true });
    await app.until(async () => (await app.sandbox.messages('4235550120')).length === 1);
    await write('4235550120', 'Without it');
    await app.until(async () => (await app.sandbox.messages('4235550120')).length === 2);
    expect((await app.sandbox.messages('4235550120')).map((text) => text.Text)).toEqual([
      'With it\n\n- Pat, front office',
      'Without it',
    ]);
  });

  it('counts, with two characters before it', async () => {
    const room = 320 - 2 - '- Pat, front office'.length;
    const fits = await write('4235550121', 'x'.repeat(room), { IncludeSignature: true });
    const doesNot = await write('4235550121', 'x'.repeat(room + 1), { IncludeSignature: true });
    expect([fits.status, doesNot.status]).toEqual([200, 400]);
  });
});

it('a number in many notations is one conversation', async () => {
  const ids = new Set<number>();
  for (const form of [
    '4235550130',
    '(423) 555-0130',
    '423.555.0130',
    '1-423-555-0130',
    '+1 423 555 0130',
    ' 423 555 0130 ',
  ]) {
    const { body } = await write(form, `To ${form}`);
    ids.add(body.ConversationID);
    expect(body.PhoneNumber).toBe('4235550130');
  }
  expect(ids.size).toBe(1);
  await app.until(async () => (await app.sandbox.messages('4235550130')).length === 6);
});

it('two users who write to the same new phone at once use one conversation', async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, index) => write('4235550131', `At once ${index}`)),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(new Set(replies.map(({ body }) => body.ConversationID)).size).toBe(1);
  const rows = await app.database.system
    .selectFrom('conversations')
    .select(['last_message_id'])
    .where('phone', '=', '14235550131')
    .execute();
  expect(rows).toHaveLength(1);
});
