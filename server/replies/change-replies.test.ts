import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getAccount, updateAccount } from '../../contract/accounts.ts';
import {
  addAutoReply,
  deleteAutoReply,
  listAutoReplies,
  listAutoRepliesOfNumber,
  updateAutoReply,
} from '../../contract/auto-replies.ts';
import {
  addKeyword,
  deleteKeyword,
  keywordTaken,
  listKeywords,
  updateKeyword,
} from '../../contract/keywords.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;
let first = 0;
let second = 0;
let serial = 0;

beforeAll(async () => {
  app = await testApp();
});

beforeEach(async () => {
  serial += 2;
  const phones = [`1865555${1000 + serial}`, `1865555${1001 + serial}`] as const;
  account = await buildAccount(app, { numbers: { [phones[0]]: 'infobip', [phones[1]]: 'infobip' } });
  first = account.numbers[phones[0]] ?? 0;
  second = account.numbers[phones[1]] ?? 0;
});

const noDays = {
  Sunday: null,
  Monday: null,
  Tuesday: null,
  Wednesday: null,
  Thursday: null,
  Friday: null,
  Saturday: null,
};

describe('auto replies', () => {
  const add = (body: Parameters<typeof app.call<typeof addAutoReply>>[1]['body']) =>
    app.call(addAutoReply, { body }, account.owner);
  const ofNumber = async (TextNumberID: number) =>
    (await app.call(listAutoRepliesOfNumber, { params: { TextNumberID } }, account.owner)).body.Items.map(
      (item) => item.Message,
    );

  it('are written, listed, changed and deleted', async () => {
    const monday = { StartTime: '5:00 PM', StopTime: '8:30 AM' };
    const added = await add({
      AutoReplyTypeID: 2,
      Message: 'Back at 8:30',
      DaySchedules: { Monday: monday },
      TextNumberIDs: [second, first],
    });
    expect(added.body).toEqual({
      ID: expect.any(Number),
      Active: true,
      AutoReplyTypeID: 2,
      Message: 'Back at 8:30',
      Keyword: '',
      DaySchedules: { ...noDays, Monday: monday },
      TextNumberIDs: [first, second],
    });
    expect((await app.call(listAutoReplies, {}, account.owner)).body).toEqual({
      Items: [added.body],
      Size: 1,
    });
    const params = { AutoReplyID: added.body.ID };
    const changed = await app.call(
      updateAutoReply,
      { params, body: { Active: false, Message: '', TextNumberIDs: [first] } },
      account.owner,
    );
    expect(changed.body).toMatchObject({ Active: false, Message: '', TextNumberIDs: [first] });
    expect(await ofNumber(second)).toEqual([]);
    expect((await app.call(deleteAutoReply, { params }, account.owner)).body).toEqual({});
    expect([await ofNumber(first), (await app.call(listAutoReplies, {}, account.owner)).body.Size]).toEqual([
      [],
      0,
    ]);
  });

  it('exist once per number: the new one replaces the old one', async () => {
    await add({ Message: 'Old', TextNumberIDs: [first, second] });
    await add({ Message: 'New', TextNumberIDs: [second] });
    expect([await ofNumber(first), await ofNumber(second)]).toEqual([['Old'], ['New']]);
  });

  it('are refused at the field, in the specification’s words', async () => {
    const hours = (StartTime: string, StopTime: string) => ({ Friday: { StartTime, StopTime } });
    const cases: [Parameters<typeof add>[0], string, string][] = [
      [{ Message: '' }, 'Message', 'Enter a Message'],
      [{ Message: 'a'.repeat(161) }, 'Message', 'Message must be at most 160 characters'],
      [{ Message: 'See https://bit.ly/abc' }, 'Message', 'Message must not contain a shortened URL'],
      [{ Message: 'Hi', AutoReplyTypeID: 2 }, 'DaySchedules', 'Select at least one Calling Day'],
      [
        { Message: 'Hi', AutoReplyTypeID: 2, DaySchedules: hours('8', '5:00 PM') },
        'DaySchedules.Friday.StartTime',
        'Start Time must follow the format h:mm A (Ex: 5:00 PM).',
      ],
      [
        { Message: 'Hi', AutoReplyTypeID: 2, DaySchedules: hours('8:00 AM', '5:15 PM') },
        'DaySchedules.Friday.StopTime',
        'Stop Time must be on the hour or the half hour.',
      ],
      [
        { Message: 'Hi', Keyword: 'PTA' },
        'Keyword',
        'An auto reply answers every text, so it has no keyword. Create a keyword instead.',
      ],
    ];
    for (const [body, Field, Message] of cases) {
      expect(refusalOf(await add(body))).toMatchObject({ status: 400, Errors: [{ Field, Message }] });
    }
  });

  it('are shown to users for their own numbers', async () => {
    await add({ Message: 'First', TextNumberIDs: [first] });
    await add({ Message: 'Both', TextNumberIDs: [second] });
    const user = await buildUser(app, account.accountId, 'user', { textNumberIds: [second] });
    const { body } = await app.call(listAutoReplies, {}, user);
    expect([body.Size, body.Items.map((item) => [item.Message, item.TextNumberIDs])]).toEqual([
      1,
      [['Both', [second]]],
    ]);
    const params = { TextNumberID: first };
    expect((await app.call(listAutoRepliesOfNumber, { params }, user)).status).toBe(404);
  });

  it('can’t be written for a number that the user may not use', async () => {
    const other = await buildAccount(app, { numbers: { [`1865559${1000 + serial}`]: 'infobip' } });
    const TextNumberIDs = Object.values(other.numbers);
    expect((await add({ Message: 'Hi', TextNumberIDs })).status).toBe(404);
  });
});

describe('keywords', () => {
  const add = (body: Parameters<typeof app.call<typeof addKeyword>>[1]['body']) =>
    app.call(addKeyword, { body: { Message: 'At eight', ...body } }, account.owner);

  it('are written, listed by word, changed and deleted', async () => {
    const group = await app.database.system
      .insertInto('groups')
      .values({ account_id: account.accountId, name: 'Bus riders' })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    const bus = await add({ Keyword: ' BUS ', TextNumberIDs: [first], ListID: group.group_id });
    expect(bus.body).toEqual({
      ID: expect.any(Number),
      Keyword: 'BUS',
      Message: 'At eight',
      Active: true,
      TextNumberIDs: [first],
      ListID: group.group_id,
      ListName: 'Bus riders',
    });
    await add({ Keyword: 'Apple', TextNumberIDs: [second] });
    const words = async (query: object) =>
      (await app.call(listKeywords, { query }, account.owner)).body.Items.map((item) => item.Keyword);
    expect([await words({}), await words({ textNumberId: first }), await words({ q: 'app' })]).toEqual([
      ['Apple', 'BUS'],
      ['BUS'],
      ['Apple'],
    ]);
    const params = { KeywordID: bus.body.ID };
    const changed = await app.call(
      updateKeyword,
      {
        params,
        body: { Keyword: 'COACH', Message: 'At nine', Active: false, TextNumberIDs: [first, second] },
      },
      account.owner,
    );
    expect(changed.body).toMatchObject({
      Keyword: 'COACH',
      Active: false,
      TextNumberIDs: [first, second],
      ListID: null,
    });
    // Its previous word is free again.
    expect((await add({ Keyword: 'bus', TextNumberIDs: [first] })).status).toBe(200);
    expect((await app.call(deleteKeyword, { params }, account.owner)).body).toEqual({});
    expect(await words({ q: 'coach' })).toEqual([]);
  });

  it('mean one thing at a number, in any notation', async () => {
    await add({ Keyword: 'BUS4', TextNumberIDs: [first] });
    const taken = { status: 400, Errors: [{ Field: 'Keyword', Message: keywordTaken }] };
    expect(refusalOf(await add({ Keyword: 'bus4', TextNumberIDs: [first, second] }))).toMatchObject(taken);
    const other = await add({ Keyword: 'bus4', TextNumberIDs: [second] });
    expect(other.status).toBe(200);
    const body = { Keyword: 'Bus4', Message: 'Both', TextNumberIDs: [first, second] };
    const params = { KeywordID: other.body.ID };
    expect(refusalOf(await app.call(updateKeyword, { params, body }, account.owner))).toMatchObject(taken);
    const { Items } = (await app.call(listKeywords, {}, account.owner)).body;
    expect(Items.map((item) => item.TextNumberIDs)).toEqual([[first], [second]]);
  });

  it('are refused at the field, in the specification’s words', async () => {
    const cases: [string, string][] = [
      ['', 'Enter a Keyword'],
      ['stop', 'STOP is reserved for explicit opt outs. Please use a different word.'],
      ['Help', 'HELP is a reserved word'],
      ['join', 'JOIN is reserved for our Join Reply feature'],
      ['yes', 'YES is reserved for text surveys'],
      ['b*s', 'Use alphanumeric characters'],
      ['a'.repeat(31), 'Keyword must be at most 30 characters'],
    ];
    for (const [Keyword, Message] of cases) {
      expect(refusalOf(await add({ Keyword, TextNumberIDs: [first] }))).toMatchObject({
        status: 400,
        Errors: [{ Field: 'Keyword', Message }],
      });
    }
    expect(refusalOf(await add({ Keyword: 'bus' })).Errors).toEqual([
      { Field: 'TextNumberIDs', Message: 'Select a Text Phone Number' },
    ]);
  });

  it('add to groups of people, not to segments or deleted groups', async () => {
    const segment = await app.database.system
      .insertInto('groups')
      .values({ account_id: account.accountId, name: 'A question', segment: '{"Rules":[]}' })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    expect((await add({ Keyword: 'bus', TextNumberIDs: [first], ListID: segment.group_id })).status).toBe(
      422,
    );
    expect((await add({ Keyword: 'bus', TextNumberIDs: [first], ListID: 999_999 })).status).toBe(404);
  });

  it('if two use the same word at once, one is refused', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => add({ Keyword: 'pool', TextNumberIDs: [first] })));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 400, 400]);
  });
});

describe('the account’s own', () => {
  const update = (body: Parameters<typeof app.call<typeof updateAccount>>[1]['body']) =>
    app.call(updateAccount, { body }, account.owner);

  it('is turned on with a message, and off without losing it', async () => {
    expect(refusalOf(await update({ IsAutoReplyOn: true }))).toMatchObject({
      status: 400,
      Errors: [{ Field: 'AutoReplyMessage', Message: 'Enter a Message' }],
    });
    const on = await update({ IsAutoReplyOn: true, AutoReplyMessage: 'We are closed' });
    expect(on.body).toMatchObject({
      IsAutoReplyOn: true,
      AutoReplyMessage: 'We are closed',
      RequireTextOptIn: false,
    });
    expect(refusalOf(await update({ AutoReplyMessage: '   ' })).Errors).toMatchObject([
      { Field: 'AutoReplyMessage' },
    ]);
    await update({ IsAutoReplyOn: false });
    expect((await app.call(getAccount, {}, account.owner)).body).toMatchObject({
      IsAutoReplyOn: false,
      AutoReplyMessage: 'We are closed',
    });
  });

  it('keeps missing fields', async () => {
    await update({ RequireTextOptIn: true });
    const { body } = await update({ Profile: { ExplicitOptInRequired: true } });
    expect(body).toMatchObject({
      RequireTextOptIn: true,
      Profile: { ExplicitOptInRequired: true, VoiceAllowed: true },
    });
    const user = await buildUser(app, account.accountId, 'user');
    expect((await app.call(updateAccount, { body: { RequireTextOptIn: false } }, user)).status).toBe(403);
  });
});
