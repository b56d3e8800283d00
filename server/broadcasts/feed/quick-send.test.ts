import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { CallInput } from '../../../contract/call.ts';
import { listDrafts } from '../../../contract/drafts.ts';
import { previewQuickSend, quickSend } from '../../../contract/quick-send.ts';
import { addTemplate, listTemplates } from '../../../contract/templates.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { createDraftSteps } from '../draft/testing/draft-steps.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let steps: ReturnType<typeof createDraftSteps>;
let TextNumberID: number;
let lastNumber = 4235550300;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
});

beforeEach(async () => {
  lastNumber += 1;
  account = await buildAccount(app, { numbers: { [`1${lastNumber}`]: 'infobip' }, credits: 100 });
  await sql`update accounts set quiet_hours_on = false where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  TextNumberID = Object.values(account.numbers)[0] ?? 0;
  steps = createDraftSteps(app, account);
});

let lastPhone = 2015550100;
/** This many contacts with phones that nobody else has. */
async function people(count: number, more: object = {}) {
  const rows = Array.from({ length: count }, (_, index) => {
    lastPhone += 1;
    return { first: `Pat ${index + 1}`, last: 'Lee', phone: `1${lastPhone}`, ...more };
  });
  return { phones: rows.map(({ phone }) => phone), ids: await steps.addContacts(rows) };
}

type Body = CallInput<typeof quickSend>['body'];

function send(body: Partial<Body>, as: BuiltUser = account.owner, headers: Record<string, string> = {}) {
  return app.call(quickSend, { body: { TextNumberID, ...body } }, { ...as, headers });
}

async function preview(body: Partial<Body>, as: BuiltUser = account.owner) {
  const reply = await app.call(previewQuickSend, { body: { TextNumberID, ...body } }, as);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return reply.body;
}

/** A refused send leaves nothing: no broadcast, no draft, no reserved credit. */
async function leftovers() {
  const { rows } = await sql<{ broadcasts: number; recipients: number; reserved: number; texts: number }>`
    select (select count(*) from broadcasts b where b.account_id = a.account_id) as broadcasts,
      (select count(*) from broadcast_recipients r where r.account_id = a.account_id) as recipients,
      (select count(*) from messages m where m.account_id = a.account_id) as texts, credit_reserved as reserved
    from accounts a where account_id = ${account.accountId}`.execute(app.database.system);
  return rows[0];
}
const nothing = { broadcasts: 0, recipients: 0, reserved: 0, texts: 0 };

it('sends a text to a group in one step, each of them once, and is named after the group', async () => {
  const { ids, phones } = await people(3);
  const group = await steps.addGroup('Bus 14 helpers', ids);
  const key = { 'idempotency-key': `quick-${group}` };
  const body = {
    Lists: [{ ListID: group }],
    People: [{ PersonID: ids[0] ?? 0 }],
    TextMessage: 'Bus 14 is late.',
  };
  const [first, again] = [await send(body, account.owner, key), await send(body, account.owner, key)];
  expect(first.body).toEqual({
    BroadcastID: expect.any(Number),
    BroadcastName: 'Quick Send: Bus 14 helpers',
    Count: 3,
    UriSummary: `/broadcasts/${first.body.BroadcastID}`,
  });
  expect(again.body).toEqual(first.body);
  await app.drain();
  for (const phone of phones) {
    await app.until(async () => (await app.sandbox.messages(phone)).length > 0);
    expect((await app.sandbox.messages(phone)).map(({ Text }) => Text)).toEqual(['Bus 14 is late.']);
  }
  const { body: drafts } = await app.call(listDrafts, {}, account.owner);
  expect(drafts.Items).toEqual([]);
});

it('from a saved text it is named after that, personalized, and the text counts as used', async () => {
  const { ids, phones } = await people(2);
  const TemplateName = 'Closed for snow: the whole district, all day long';
  const saved = await app.call(
    addTemplate,
    { body: { TemplateName, TemplateText: 'Hi {{FirstName}}, no school.' } },
    account.owner,
  );
  await app.call(addTemplate, { body: { TemplateName: 'Another', TemplateText: 'x' } }, account.owner);
  const { TemplateID, TemplateText } = saved.body;
  const body = { People: ids.map((PersonID) => ({ PersonID })), TemplateID, TextMessage: TemplateText };
  const sent = await send(body);
  expect(sent.body).toMatchObject({
    BroadcastName: 'Quick Send: Closed for snow: the whole district, a',
    Count: 2,
  });
  expect(sent.body.BroadcastName).toHaveLength(50);
  await app.drain();
  await app.until(async () => (await app.sandbox.messages(phones[1] ?? '')).length > 0);
  const texts = await app.sandbox.messages(phones[1] ?? '');
  expect(texts.map(({ Text }) => Text)).toEqual(['Hi Pat 2, no school.']);
  const { body: used } = await app.call(listTemplates, { query: { sortby: 'used' } }, account.owner);
  expect(used.Items[0]?.TemplateID).toBe(TemplateID);
});

it('shows beforehand whom it reaches, what each reads and what it costs, and leaves nothing behind', async () => {
  const { ids, phones } = await people(3);
  await sql`insert into phone_consents (account_id, phone, text_state)
    values (${account.accountId}, ${phones[2]}, 'out')`.execute(app.database.system);
  const group = await steps.addGroup('Helpers', ids);
  const shown = await preview({
    Lists: [{ ListID: group }],
    TextMessage: `Hi {{FirstName}}${'!'.repeat(150)}`,
  });
  expect(shown).toMatchObject({ Total: 3, Good: 2, Refusal: null });
  expect(shown.Cost).toMatchObject({ Credits: 2, Balance: 100, After: 98 });
  expect(shown.Recipients.map(({ PersonID, Problem, Segments }) => [PersonID, Problem, Segments])).toEqual([
    [ids[0], null, 1],
    [ids[1], null, 1],
    [ids[2], 'opted_out', 1],
  ]);
  expect(shown.Recipients[1]?.TextMessage).toBe(`Hi Pat 2${'!'.repeat(150)}`);
  expect(shown.Recipients[2]?.PrimaryPhoneError).not.toBe('');
  expect(await leftovers()).toEqual(nothing);
  const lacking = await preview({ Lists: [{ ListID: group }], TextMessage: 'Hi {{Bus}}.' });
  expect(lacking.Recipients[0]?.Remark).not.toBe('');
  // With no text yet, or no recipient: the preview still works, with the reason why it can't be sent.
  expect((await preview({ Lists: [{ ListID: group }] })).Refusal).toMatchObject({ ErrorCode: 400 });
  expect((await preview({ TextMessage: 'Hi' })).Refusal?.Message).toBe(
    'Please add at least one valid recipient to your broadcast.',
  );
  expect((await preview({ Lists: [{ ListID: group }], TextMessage: 'Hi {{}}' })).Refusal).not.toBeNull();
});

it('goes to 15 people and never to 16, however they are named', async () => {
  const { ids } = await people(16);
  const fifteen = await steps.addGroup('Fifteen', ids.slice(0, 15));
  const sixteen = await steps.addGroup('Sixteen', ids);
  const tooMany = { status: 422, Message: 'You can text at most 15 people at a time.' };
  const TextMessage = 'Hi';
  const lists = (...listIds: number[]) => listIds.map((ListID) => ({ ListID }));
  const People = ids.map((PersonID) => ({ PersonID }));
  for (const body of [
    { Lists: lists(sixteen) },
    { Lists: lists(0) },
    { Lists: lists(fifteen, sixteen) },
    { Lists: lists(fifteen), People: People.slice(15) },
    { People },
  ]) {
    expect(refusalOf(await send({ ...body, TextMessage }))).toMatchObject(tooMany);
    expect(await preview({ ...body, TextMessage })).toMatchObject({
      Total: 16,
      Good: 0,
      Recipients: [],
      Refusal: { Message: tooMany.Message },
    });
  }
  expect(await leftovers()).toEqual(nothing);
  const sent = await send({ Lists: lists(fifteen), People: People.slice(0, 15), TextMessage });
  expect(sent.body.Count).toBe(15);
});

it('asks for a text, in the words of the dialog, and for everything that any broadcast needs', async () => {
  const { ids } = await people(2);
  const group = await steps.addGroup('Two', ids);
  const Lists = [{ ListID: group }];
  const fields = async (body: Partial<Body>, as?: BuiltUser) => refusalOf(await send({ Lists, ...body }, as));
  const at = (Field: string, Message: string) => ({ status: 400, Errors: [{ Field, Message }] });
  await sql`update users set text_character_limit = 160 where user_id = ${account.owner.userId}`.execute(
    app.database.system,
  );
  expect(await fields({ TextMessage: ' ' })).toMatchObject(at('TextMessage', 'Enter a Text Message.'));
  expect(await fields({ TextMessage: 'x'.repeat(161) })).toMatchObject(
    at('TextMessage', "Can't exceed 160 characters"),
  );
  expect(await fields({ TextMessage: 'Hi {{}}' })).toMatchObject(
    at('TextMessage', 'Personalized fields should not be empty.'),
  );
  expect(await fields({ TextMessage: 'Hi', TextNumberID: null })).toMatchObject(
    at('TextNumberID', 'Select a Text Phone Number'),
  );
  expect((await send({ Lists, TextMessage: 'See bit.ly/abc' })).status).toBe(400);
  expect((await send({ People: [{ PersonID: 999_999_999 }], TextMessage: 'Hi' })).status).toBe(404);
  expect((await send({ Lists, TextMessage: 'Hi', ExpectedCount: 1 })).status).toBe(409);
  const user = await buildUser(app, account.accountId, 'user', { textNumberIds: [TextNumberID] });
  // A user who sees only their own contacts reaches nobody else's.
  expect((await send({ Lists, TextMessage: 'Hi' }, user)).status).toBe(422);
  await sql`update users set can_create_broadcast = false where user_id = ${user.userId}`.execute(
    app.database.system,
  );
  expect((await send({ Lists, TextMessage: 'Hi' }, user)).status).toBe(403);
  expect((await app.call(previewQuickSend, { body: { Lists } }, user)).status).toBe(403);
  await sql`update accounts set credit_balance = 1 where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  expect(refusalOf(await send({ Lists, TextMessage: 'Hi' }))).toMatchObject({ ErrorCode: 4100 });
  expect(await leftovers()).toEqual(nothing);
});
