import { beforeAll, expect, it } from 'vitest';
import { getAccount, getUser } from '../contract/accounts.ts';
import { listAuditLog } from '../contract/audit-log.ts';
import { login, replaceExpiredPassword } from '../contract/auth.ts';
import { createConversation } from '../contract/conversations.ts';
import { listTextNumbers } from '../contract/numbers.ts';
import { runOperator } from './operator.ts';
import { type BuiltAccount, buildAccount, buildUser, password } from './testing/builders.ts';
import { refusalOf, type TestApp, testApp } from './testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
});

const run = (words: string) => runOperator(app.database, words.split(' '));
const featuresOf = async (as: { cookie: string }) => (await app.call(getUser, {}, as)).body.Features;

it('makes passwords expire, of one user or of everybody, and signs them out', async () => {
  const own = await buildAccount(app);
  const user = await buildUser(app, own.accountId, 'user');
  const off = await buildUser(app, own.accountId, 'user', { isActive: false });
  const enter = ({ userName }: { userName: string }) =>
    app.call(login, { body: { UserName: userName, Password: password } });
  expect((await run(`expire ${own.accountId} ${user.userName}`))[0]).toMatch(/: 1 user is signed out/);
  expect((await app.call(getUser, {}, user)).status).toBe(401);
  expect(refusalOf(await enter(user))).toMatchObject({ status: 403, ErrorCode: 1004 });
  expect((await app.call(getUser, {}, own.owner)).status).toBe(200);
  const { body: log } = await app.call(listAuditLog, { query: { q: 'passwords expire' } }, own.owner);
  expect(log.Items).toHaveLength(1);

  const NewPassword = 'another-horse-8';
  const body = { UserName: user.userName, Password: password, NewPassword };
  expect((await app.call(replaceExpiredPassword, { body })).status).toBe(200);
  expect((await run(`expire ${own.accountId}`))[0]).toMatch(/: 2 users are signed out/);
  expect(refusalOf(await enter(own.owner)).ErrorCode).toBe(1004);
  expect(refusalOf(await enter(off)).ErrorCode).not.toBe(1004);
  await expect(run(`expire ${own.accountId} nobody-here`)).rejects.toThrow('There is no user');
});

it('leaves an entry in the audit log, in the operator’s name, with before and after', async () => {
  const own = await buildAccount(app);
  await run(`group-code ${own.accountId} ford`);
  await run(`voice ${own.accountId} off`);
  const { body } = await app.call(listAuditLog, { query: { what: 'account' } }, own.owner);
  const operator = { Kind: 'operator', UserID: null, Name: 'Operator' };
  expect(body.Items).toMatchObject([
    { Who: operator, Changes: [{ Field: 'Voice allowed', Before: 'On', After: 'Off' }] },
    { Who: operator, Changes: [{ Field: 'Group code', Before: '(empty)', After: 'ford' }] },
  ]);
});

it('turns a feature on for an account, for one user, and off again', async () => {
  const user = await buildUser(app, account.accountId, 'user');
  const id = account.accountId;
  expect(await run(`feature ${id} dripcampaignsbeta on`)).toEqual([
    expect.stringMatching(/^Organization \d+: DripCampaignsBeta is on\.$/),
  ]);
  await run(`feature ${id} DripCampaignsBeta on`);
  expect(await featuresOf(user)).toEqual(['ConversationDateRangeSearch', 'DripCampaignsBeta']);
  const { body } = await app.call(getUser, {}, account.owner);
  expect(body.Denied.createDripCampaign).toBeDefined(); // no text number
  await run(`feature ${id} LabsUser on ${user.userName}`);
  expect([await featuresOf(user), await featuresOf(account.owner)]).toEqual([
    ['ConversationDateRangeSearch', 'DripCampaignsBeta', 'LabsUser'],
    ['ConversationDateRangeSearch', 'DripCampaignsBeta'],
  ]);
  expect(await run(`features ${id}`)).toContain(`only ${user.userName}: LabsUser`);
  await run(`feature ${id} DripCampaignsBeta off`);
  expect(await featuresOf(account.owner)).toEqual(['ConversationDateRangeSearch']);
  const events = await app.database.system
    .selectFrom('events')
    .select(['actor_kind', 'changes'])
    .where('account_id', '=', id)
    .where('kind', '=', 'account.updated')
    .orderBy('event_id')
    .execute();
  expect(events[0]).toEqual({ actor_kind: 'operator', changes: { DripCampaignsBeta: [false, true] } });
});

it('allows API keys and voice, sets the group code, and lists accounts', async () => {
  const id = account.accountId;
  await run(`api ${id} on`);
  await run(`voice ${id} off`);
  await run(`group-code ${id} ford`);
  expect((await app.call(getAccount, {}, account.owner)).body).toMatchObject({
    IsApiAuthorized: true,
    Profile: { VoiceAllowed: false },
    GroupCode: 'ford',
    HasSpecialGroupCode: true,
  });
  expect(await run('accounts')).toContainEqual(expect.stringContaining(`(${account.owner.userName})`));
});

it('delivers webhooks again, those that failed or all of them', async () => {
  const id = account.accountId;
  const { endpoint_id } = await app.database.system
    .insertInto('webhook_endpoints')
    .values({ account_id: id, url: 'https://example.org/hook', event_types: [], secret: Buffer.alloc(0) })
    .returning('endpoint_id')
    .executeTakeFirstOrThrow();
  const delivery = { account_id: id, endpoint_id, event_type: 'contact.created', body: '{}' };
  await app.database.system
    .insertInto('webhook_deliveries')
    .values([
      { ...delivery, message_key: 'one', state: 'failed' },
      { ...delivery, message_key: 'two', state: 'delivered' },
    ])
    .execute();
  const replay = (words: string) => run(`replay ${id} ${endpoint_id} ${words}`);
  const span = '2020-01-01T00:00Z 2100-01-01T00:00Z';
  expect(await replay(span)).toEqual([expect.stringContaining(': 1 deliveries are posted again.')]);
  expect(await replay(`${span} all`)).toEqual([expect.stringContaining(': 1 deliveries are posted again.')]);
  await expect(replay('yesterday today')).rejects.toThrow('Say a moment like 2026-11-18T06:00Z');
  await expect(run(`replay ${id} 999999 ${span}`)).rejects.toThrow('has no webhook 999999');
});

it('limits the texts of an account, and of one user', async () => {
  const own = await buildAccount(app);
  const user = await buildUser(app, own.accountId, 'user');
  const limitOf = async (as: { cookie: string }) =>
    (await app.call(getUser, {}, as)).body.TextMessageCharacterLimit;
  expect(await run(`text-limit ${own.accountId} 640`)).toEqual([
    expect.stringMatching(/: texts of everybody have at most 640 characters\.$/),
  ]);
  await run(`text-limit ${own.accountId} 1600 ${user.userName}`);
  expect([await limitOf(own.owner), await limitOf(user)]).toEqual([640, 1600]);
  const { body } = await app.call(listAuditLog, { query: { what: 'users' } }, own.owner);
  const field = 'Text message character limit';
  expect(body.Items.map(({ Changes }) => Changes)).toEqual([
    [{ Field: field, Before: '640', After: '1600' }],
    [{ Field: field, Before: '320', After: '640' }],
  ]);
});

it('switches the credit for an unused part of a month', async () => {
  const own = await buildAccount(app);
  const shown = async () => (await app.call(getAccount, {}, own.owner)).body.PartialCreditsEnabled;
  expect(await shown()).toBe(true);
  await run(`partial-credits ${own.accountId} off`);
  expect(await shown()).toBe(false);
});

it('blocks a number, its broadcasts or its texts, and says what it may do', async () => {
  const phone = '14235550177';
  const own = await buildAccount(app, { numbers: { [phone]: 'infobip' } });
  const shown = async () => {
    const { body } = await app.call(listTextNumbers, {}, own.owner);
    return body.Items.map(({ IsBlocked, CanCreateBroadcast, CanText }) => ({
      IsBlocked,
      CanCreateBroadcast,
      CanText,
    }));
  };
  const text = () => {
    const LastMessage = { Contact: { PrimaryPhone: '4235550143' }, Message: 'Hello' };
    const body = { TextNumberID: own.numbers[phone] ?? 0, LastMessage };
    return app.call(createConversation, { body }, own.owner);
  };
  expect(await run('number 4235550177')).toEqual([
    'Number 1: not blocked.',
    'Number 1: may send broadcasts.',
    'Number 1: may text.',
  ]);
  expect(await run(`number +${phone} broadcasts off`)).toEqual(['Number 1: may not send broadcasts.']);
  expect(await shown()).toEqual([{ IsBlocked: false, CanCreateBroadcast: false, CanText: true }]);
  expect((await text()).status).toBe(200);
  const sentence = "This text number is blocked. We're working to resolve this for you...";
  await run(`number ${phone} texts off`);
  expect(await shown()).toEqual([{ IsBlocked: false, CanCreateBroadcast: false, CanText: false }]);
  expect(refusalOf(await text()).Message).toBe(sentence);
  await run(`number ${phone} texts on`);
  await run(`number ${phone} blocked on`);
  expect(await shown()).toEqual([{ IsBlocked: true, CanCreateBroadcast: false, CanText: false }]);
  expect(refusalOf(await text()).Message).toBe(sentence);
  await run(`number ${phone} blocked off`);
  expect((await text()).status).toBe(200);
  const { body: log } = await app.call(listAuditLog, { query: { what: 'numbers' } }, own.owner);
  expect(log.Items.map(({ Who }) => Who.Kind)).toEqual(Array.from({ length: 5 }, () => 'operator'));
});

it.each([
  ['feature 1 Nothing on', 'There is no flag "Nothing"'],
  ['feature 999999 LabsUser on', 'There is no account "999999"'],
  ['feature 1 LabsUser maybe', 'Say on or off, not "maybe"'],
  ['feature 1 LabsUser on nobody', 'There is no user "nobody" in this account.'],
  ['text-limit 1 1601', 'Say a number from 160 to 1600, not "1601".'],
  ['text-limit 1 320 nobody', 'There is no user "nobody" in this account.'],
  ['number 4235550199', 'No account has the number "4235550199".'],
  ['dance', 'What the operator of an installation sets'],
])('%s: explains the error', async (words, message) => {
  const sentence = words.replace(/ 1 /, ` ${account.accountId} `);
  await expect(run(sentence)).rejects.toThrow(message);
});
