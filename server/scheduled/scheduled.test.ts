import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { getConversation } from '../../contract/conversations.ts';
import {
  cancelScheduledConversation,
  getScheduledConversation,
  listScheduledConversations,
  scheduleConversation,
  sendScheduledConversation,
  updateScheduledConversation,
} from '../../contract/scheduled.ts';
import { asAccount, openOwnerPool, type Trx } from '../db.ts';
import { type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf } from '../testing/test-app.ts';
import { sendDue } from './send-scheduled.ts';
import {
  account,
  app,
  type Body,
  get,
  inMinutes,
  makeDue,
  number,
  reserved,
  schedule,
  scheduled,
  second,
  setAccount,
  setUp,
  textsTo,
  written,
} from './testing/scheduled-steps.ts';

beforeAll(setUp);

describe('a scheduled text', () => {
  it('waits until its minute, and is then sent once', async () => {
    const before = await reserved();
    const StartDate = inMinutes(5);
    const reply = await schedule('4235552000', 'Good morning', { StartDate });
    expect(reply.body).toMatchObject({
      Status: 'Scheduled',
      StartDate,
      TextMessage: 'Good morning',
      User: { UserID: account.owner.userId },
      Contacts: [{ PhoneNumber: '4235552000', ConversationID: null, Error: '' }],
      EndTimestamp: null,
      Error: '',
    });
    await app.drain();
    expect(await reserved()).toBe(before);
    expect(await textsTo('4235552000')).toEqual([]);

    await makeDue(reply.body);
    await app.until(async () => (await textsTo('4235552000')).length === 1);
    await app.drain();
    expect(await textsTo('4235552000')).toEqual(['Good morning']);
    const after = await get(reply.body);
    expect(after).toMatchObject({ Status: 'Sent', EndTimestamp: expect.any(String) });
    const ConversationID = after.Contacts[0]?.ConversationID ?? 0;
    const conversation = await app.call(getConversation, { params: { ConversationID } }, account.owner);
    expect(conversation.body.LastMessage).toMatchObject({ Message: 'Good morning' });
  });

  it('has a job for its minute, and another when it is moved', async () => {
    const StartDate = inMinutes(90);
    const params = await scheduled('4235552001', 'Job', { StartDate: inMinutes(60) });
    await app.call(
      updateScheduledConversation,
      { params, body: written('4235552001', 'Job', { StartDate }) },
      account.owner,
    );
    const owner = openOwnerPool(app.databaseUrl, 1);
    const { rows } = await owner.query<{ run_at: Date }>(
      'select run_at from graphile_worker.jobs where key = $1',
      [`send_scheduled ${account.accountId} ${params.ScheduledConversationID}`],
    );
    await owner.end();
    expect(rows).toEqual([{ run_at: new Date(StartDate) }]);
  });

  it('is skipped by others while one worker has it, and a worker that dies leaves it unchanged', async () => {
    const params = await scheduled('4235552010', 'Once');
    await makeDue(params);
    const { accountId } = account;
    const send = (trx: Trx) => sendDue(trx, accountId, params.ScheduledConversationID);
    const dies = asAccount(app.database, accountId, async (trx) => {
      expect(await send(trx)).toBe(true);
      const passesBy = asAccount(app.database, accountId, async (other) => {
        // A worker that waits instead of skipping would wait forever here.
        await sql`set local lock_timeout = '3s'`.execute(other);
        return send(other);
      });
      expect(await passesBy).toBe(false);
      throw new Error('killed');
    });
    await expect(dies).rejects.toThrow('killed');
    const { rows } = await sql`select from messages where phone = '14235552010'`.execute(app.database.system);
    expect(rows).toHaveLength(0);
    expect(await asAccount(app.database, accountId, send)).toBe(true);
    expect(await asAccount(app.database, accountId, send)).toBe(false);
    await app.until(async () => (await textsTo('4235552010')).length > 0);
    expect(await textsTo('4235552010')).toEqual(['Once']);
  });

  it('uses the contact’s name at the time of sending, not of writing', async () => {
    const { person_id: PersonID } = await app.database.system
      .insertInto('contacts')
      .values({
        account_id: account.accountId,
        first_name: 'Ana',
        primary_phone: '14235552020',
        secondary_phone: '14235552021',
      })
      .returning('person_id')
      .executeTakeFirstOrThrow();
    const reply = await schedule('4235552020', 'Hi {{FirstName}}', {
      Contacts: [
        { PersonID, PrimaryPhone: '4235552020' },
        { FirstName: 'Bo', PrimaryPhone: '4235552022', TextMessage: 'Yours alone, {{FirstName}}' },
      ],
      PrimaryPhoneNumbersOnly: false,
    });
    expect(reply.body.Contacts).toMatchObject([
      { PersonID, FirstName: 'Ana', PhoneNumber: '4235552020', TextMessage: null },
      {
        PersonID: null,
        FirstName: 'Bo',
        PhoneNumber: '4235552022',
        TextMessage: 'Yours alone, {{FirstName}}',
      },
      { PersonID, FirstName: 'Ana', PhoneNumber: '4235552021', TextMessage: null },
    ]);
    await sql`update contacts set first_name = 'Anna' where person_id = ${PersonID}`.execute(
      app.database.system,
    );
    await makeDue(reply.body);
    for (const phone of ['4235552020', '4235552021', '4235552022']) {
      await app.until(async () => (await textsTo(phone)).length === 1);
    }
    expect(await textsTo('4235552020')).toEqual(['Hi Anna']);
    expect(await textsTo('4235552021')).toEqual(['Hi Anna']);
    expect(await textsTo('4235552022')).toEqual(['Yours alone, Bo']);
  });

  it('keeps unread texts unread', async () => {
    await app.sandbox.text('4235552025', number, 'Are you there?');
    const conversationId = await app.until(async () => {
      const row = await app.database.system
        .selectFrom('conversations')
        .select('conversation_id')
        .where('phone', '=', '14235552025')
        .executeTakeFirst();
      return row?.conversation_id;
    });
    const params = await scheduled('4235552025', 'Reminder');
    await makeDue(params);
    await app.until(async () => (await get(params)).Status === 'Sent');
    const { body } = await app.call(
      getConversation,
      { params: { ConversationID: conversationId } },
      account.owner,
    );
    expect(body).toMatchObject({ UnreadCount: 1, LastMessage: { Message: 'Reminder' } });
  });

  it('with a repeated key exists once', async () => {
    const as = { ...account.owner, headers: { 'idempotency-key': 'later-once' } };
    const body = written('4235552026', 'Key');
    const replies = [
      await app.call(scheduleConversation, { body }, as),
      await app.call(scheduleConversation, { body }, as),
    ];
    expect(replies[1]?.body).toEqual(replies[0]?.body);
    const rows = await app.database.system
      .selectFrom('scheduled_recipients')
      .select('phone')
      .where('phone', '=', '14235552026')
      .execute();
    expect(rows).toHaveLength(1);
  });
});

describe('when it is due and can’t be sent', () => {
  it('for lack of credits: it failed, nothing was written or charged', async () => {
    const params = await scheduled('4235552100', 'Too poor', {
      Contacts: [{ PrimaryPhone: '4235552100' }, { PrimaryPhone: '4235552101' }],
    });
    await makeDue(params);
    await setAccount('credit_reserved = credit_balance - 1');
    await app.drain();
    const left = await reserved();
    await setAccount('credit_reserved = 0');
    expect(await get(params)).toMatchObject({
      Status: 'Failed',
      Error: 'You don’t have enough credits to send this.',
    });
    expect(left).toBeGreaterThan(0);
    const rows = await sql`select from messages where phone in ('14235552100', '14235552101')`.execute(
      app.database.system,
    );
    expect(rows.rows).toHaveLength(0);
  });

  it('to a person who has opted out meanwhile: the others get it', async () => {
    const params = await scheduled('4235552110', 'Hello', {
      Contacts: [{ PrimaryPhone: '4235552110' }, { PrimaryPhone: '4235552111' }],
    });
    await sql`insert into phone_consents (account_id, phone, text_state)
      values (${account.accountId}, '14235552110', 'out')`.execute(app.database.system);
    await makeDue(params);
    await app.until(async () => (await textsTo('4235552111')).length === 1);
    expect(await get(params)).toMatchObject({
      Status: 'Sent',
      Contacts: [
        { ConversationID: null, Error: 'This number has opted out of receiving texts.' },
        { ConversationID: expect.any(Number), Error: '' },
      ],
    });
    expect(await textsTo('4235552110')).toEqual([]);
  });

  it('because all have opted out meanwhile: it failed, and says why', async () => {
    const params = await scheduled('4235552112', 'Hello');
    await sql`insert into phone_consents (account_id, phone, text_state)
      values (${account.accountId}, '14235552112', 'out')`.execute(app.database.system);
    await makeDue(params);
    await app.drain();
    expect(await get(params)).toMatchObject({
      Status: 'Failed',
      Error: 'This number has opted out of receiving texts.',
      Contacts: [{ Error: 'This number has opted out of receiving texts.' }],
    });
  });

  it('for lack of a text', async () => {
    const params = await scheduled('4235552113', '');
    await makeDue(params);
    await app.drain();
    expect(await get(params)).toMatchObject({ Status: 'Failed', Error: 'Enter a Text Message.' });
  });

  it.each([
    [
      'is_blocked = true',
      'is_blocked = false',
      "This text number is blocked. We're working to resolve this for you...",
    ],
    ['released_at = now()', 'released_at = null', 'That text number is not yours to use.'],
  ])('because the number has %s', async (change, back, problem) => {
    const params = await scheduled('4235552114', 'Hello', { TextNumberID: account.numbers[second] });
    const set = (to: string) =>
      sql`update text_numbers set ${sql.raw(to)} where phone = ${second}`.execute(app.database.system);
    await set(change);
    await makeDue(params);
    await app.drain();
    await set(back);
    expect(await get(params)).toMatchObject({ Status: 'Failed', Error: problem });
  });

  it('because its writer is no longer here', async () => {
    const user = await buildUser(app, account.accountId, 'admin');
    const reply = await schedule('4235552115', 'Hello', {}, user);
    await sql`update users set is_active = false where user_id = ${user.userId}`.execute(app.database.system);
    await makeDue(reply.body);
    await app.drain();
    expect(await get(reply.body)).toMatchObject({
      Status: 'Failed',
      Error: 'The user who wrote this is no longer here.',
    });
  });

  it('after a bug: later again, and finally failed', async () => {
    const owner = openOwnerPool(app.databaseUrl, 1);
    await owner.query(`
      create function break_texts() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger break_texts before insert on messages for each row when (new.body = 'Breaks')
        execute function break_texts()`);
    const params = await scheduled('4235552116', 'Breaks');
    const row = () =>
      app.database.system
        .selectFrom('scheduled_conversations')
        .select(['state', 'attempts', sql<boolean>`retry_at > now()`.as('rests')])
        .where('scheduled_id', '=', params.ScheduledConversationID)
        .executeTakeFirstOrThrow();
    await makeDue(params);
    await app.drain();
    expect(await row()).toEqual({ state: 'scheduled', attempts: 1, rests: true });
    // It isn't tried during the pause.
    await app.drain();
    expect(await row()).toMatchObject({ attempts: 1 });
    await sql`update scheduled_conversations set attempts = 9, retry_at = now()
      where scheduled_id = ${params.ScheduledConversationID}`.execute(app.database.system);
    await app.drain();
    expect(await get(params)).toMatchObject({ Status: 'Failed', Error: 'Something went wrong.' });
    await owner.query('drop trigger break_texts on messages');
    await owner.end();
  });
});

describe('refused', () => {
  it.each([
    [{ StartDate: inMinutes(-1) }, 'StartDate', 'Your start date and time cannot be in the past.'],
    [
      { StartDate: inMinutes(60 * 24 * 367) },
      'StartDate',
      'Your start date and time is too far in the future.',
    ],
    [{ StartDate: 'tomorrow' }, 'StartDate', 'Enter a Start Time'],
    [{ Contacts: [] }, 'Contacts', 'Please add a phone number'],
    [
      { Contacts: [{ PrimaryPhone: '4235552200' }, { PrimaryPhone: '12' }] },
      'Contacts.1.PrimaryPhone',
      'Must be 10 digits; use only numbers',
    ],
    [
      { Contacts: [{ PrimaryPhone: '4235552200' }, { PrimaryPhone: '423-555-2200' }] },
      'Contacts.1.PrimaryPhone',
      "You've already added this number.",
    ],
    [{ TextMessage: '  ' }, 'TextMessage', 'Enter a Text Message.'],
    [{ TextMessage: 'x'.repeat(321) }, 'TextMessage', "Your message can't exceed 320 characters."],
    [{ TextMessage: '{{}}' }, 'TextMessage', 'Personalized fields should not be empty.'],
    [{ TextNumberID: 0 }, 'TextNumberID', 'Select a Text Phone Number'],
  ] as [Partial<Body>, string, string][])('%j: %s: %s', async (more, Field, Message) => {
    const reply = await schedule('4235552200', 'Hi', more);
    expect(refusalOf(reply)).toMatchObject({ status: 400, Errors: [{ Field, Message }] });
  });

  it('with only opted-out recipients', async () => {
    await sql`insert into phone_consents (account_id, phone, text_state)
      values (${account.accountId}, '14235552201', 'out')`.execute(app.database.system);
    expect(refusalOf(await schedule('4235552201', 'Hi'))).toMatchObject({
      status: 422,
      Message: 'This number has opted out of receiving texts.',
    });
  });

  it('in another’s name, unless by an admin', async () => {
    const user = await buildUser(app, account.accountId, 'user', {
      textNumberIds: [account.numbers[number] ?? 0],
    });
    const User = { UserID: account.owner.userId };
    expect((await schedule('4235552202', 'Hi', { User }, user)).status).toBe(403);
    const reply = await schedule('4235552202', 'Hi', { User: { UserID: user.userId } });
    expect(reply.body.User.UserID).toBe(user.userId);
    const unknown = await schedule('4235552202', 'Hi', { User: { UserID: 999_999 } });
    expect(unknown.status).toBe(404);
    // Nor may the writer be changed to a user without the number.
    const other = { User: { UserID: user.userId }, TextNumberID: account.numbers[second] };
    expect((await schedule('4235552202', 'Hi', other)).status).toBe(404);
  });
});

describe('changed', () => {
  it('in every field, until it is sent', async () => {
    const params = await scheduled('4235552300', 'First');
    const StartDate = inMinutes(30);
    const changed = await app.call(
      updateScheduledConversation,
      {
        params,
        body: written('4235552301', 'Second', { StartDate, TextNumberID: account.numbers[second] }),
      },
      account.owner,
    );
    expect(changed.body).toMatchObject({
      StartDate,
      TextMessage: 'Second',
      TextNumberID: account.numbers[second],
      Contacts: [{ PhoneNumber: '4235552301' }],
    });
    await makeDue(params);
    await app.until(async () => (await textsTo('4235552301')).length === 1);
    expect(await textsTo('4235552300')).toEqual([]);
    for (const call of [sendScheduledConversation, cancelScheduledConversation]) {
      expect(refusalOf(await app.call(call, { params }, account.owner))).toMatchObject({
        status: 409,
        Message: 'This text has been sent already.',
      });
    }
    const late = await app.call(
      updateScheduledConversation,
      { params, body: written('4235552301', 'Third') },
      account.owner,
    );
    expect(late.status).toBe(409);
  });

  it('by a colleague it is sent in the colleague’s name, by an admin in the original one', async () => {
    const numbers = [account.numbers[number] ?? 0];
    const [writer, colleague] = [
      await buildUser(app, account.accountId, 'user', { textNumberIds: numbers }),
      await buildUser(app, account.accountId, 'user', { textNumberIds: numbers }),
    ];
    const { body: first } = await schedule('4235552302', 'Mine', {}, writer);
    const params = { ScheduledConversationID: first.ScheduledConversationID };
    const change = (as: BuiltUser) =>
      app.call(updateScheduledConversation, { params, body: written('4235552302', 'Changed') }, as);
    expect((await change(account.owner)).body.User.UserID).toBe(writer.userId);
    expect((await change(colleague)).body.User.UserID).toBe(colleague.userId);
  });

  it('sent now, twice at once: once', async () => {
    const params = await scheduled('4235552303', 'Now');
    const replies = await Promise.all(
      Array.from({ length: 3 }, () => app.call(sendScheduledConversation, { params }, account.owner)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await app.until(async () => (await textsTo('4235552303')).length > 0);
    await makeDue(params);
    await app.drain();
    expect(await textsTo('4235552303')).toEqual(['Now']);
  });

  it('sent now without credits is refused and stays scheduled', async () => {
    const params = await scheduled('4235552304', 'Now');
    await setAccount('credit_reserved = credit_balance');
    const reply = await app.call(sendScheduledConversation, { params }, account.owner);
    await setAccount('credit_reserved = 0');
    expect(reply.status).toBe(402);
    expect((await get(params)).Status).toBe('Scheduled');
    await sql`update scheduled_conversations set body = '' where scheduled_id = ${params.ScheduledConversationID}`.execute(
      app.database.system,
    );
    const empty = await app.call(sendScheduledConversation, { params }, account.owner);
    expect(refusalOf(empty)).toMatchObject({ status: 422, Message: 'Enter a Text Message.' });
    expect((await get(params)).Contacts).toMatchObject([{ Error: '' }]);
  });

  it('canceled it is never sent', async () => {
    const params = await scheduled('4235552305', 'Never');
    const reply = await app.call(cancelScheduledConversation, { params }, account.owner);
    expect(reply.body.Status).toBe('Canceled');
    await makeDue(params);
    await app.drain();
    expect(await textsTo('4235552305')).toEqual([]);
    expect((await app.call(cancelScheduledConversation, { params }, account.owner)).status).toBe(409);
  });
});

describe('the list', () => {
  it('the next one first, at the user’s numbers; ended ones separately', async () => {
    const other = await buildAccount(app, { numbers: {} });
    const mine = await buildAccount(app);
    const numberOf = async (phone: string) => {
      const row = await app.database.system
        .insertInto('text_numbers')
        .values({ account_id: mine.accountId, phone, aggregator_id: 5, registration_status: 'Registered' })
        .returning('text_number_id')
        .executeTakeFirstOrThrow();
      return row.text_number_id;
    };
    const [a, b] = [await numberOf('14235559001'), await numberOf('14235559002')];
    const add = async (TextNumberID: number, text: string, minutes: number, FirstName: string) => {
      const { body } = await app.call(
        scheduleConversation,
        {
          body: {
            TextNumberID,
            Contacts: [{ FirstName, PrimaryPhone: '4235552400' }],
            TextMessage: text,
            StartDate: inMinutes(minutes),
          },
        },
        mine.owner,
      );
      return body;
    };
    await add(a, 'Third', 30, 'Cy');
    const first = await add(a, 'First', 10, 'Ana');
    await add(b, 'Second', 20, 'Bo');
    const user = await buildUser(app, mine.accountId, 'user', { textNumberIds: [b] });
    const list = async (query: object, as: BuiltUser = mine.owner) => {
      const { body } = await app.call(listScheduledConversations, { query }, as);
      return [body.Size, ...body.Items.map((item) => item.TextMessage)];
    };
    expect(await list({})).toEqual([3, 'First', 'Second', 'Third']);
    expect(await list({ sortby: '-startdate' })).toEqual([3, 'Third', 'Second', 'First']);
    expect(await list({ pagesize: 2, page: 2 })).toEqual([3, 'Third']);
    expect(await list({ textNumberId: b })).toEqual([1, 'Second']);
    expect(await list({ q: 'ana' })).toEqual([1, 'First']);
    expect(await list({ q: 'thi' })).toEqual([1, 'Third']);
    expect(await list({ q: '555-2400' })).toEqual([3, 'First', 'Second', 'Third']);
    expect(await list({}, user)).toEqual([1, 'Second']);
    expect((await app.call(listScheduledConversations, {}, other.owner)).status).toBe(403);
    const params = { ScheduledConversationID: first.ScheduledConversationID };
    expect((await app.call(getScheduledConversation, { params }, user)).status).toBe(404);
    expect((await app.call(cancelScheduledConversation, { params }, user)).status).toBe(404);
    await app.call(cancelScheduledConversation, { params }, mine.owner);
    expect(await list({})).toEqual([2, 'Second', 'Third']);
    expect(await list({ ended: true })).toEqual([1, 'First']);
  });
});
