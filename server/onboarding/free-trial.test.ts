import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { getAccount } from '../../contract/accounts.ts';
import { createBroadcast, getBroadcast } from '../../contract/broadcasts.ts';
import { addTransferNumber, createRecording } from '../../contract/calling.ts';
import { createConversation } from '../../contract/conversations.ts';
import { addDraftNumbers } from '../../contract/draft-recipients.ts';
import { createDraft } from '../../contract/drafts.ts';
import { listTextNumbers } from '../../contract/numbers.ts';
import { getPlatformFreeTrial } from '../../contract/onboarding.ts';
import { sendSampleBroadcast } from '../../contract/quick-send.ts';
import { aBroadcast, checkBroadcast } from '../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';

const freeNumber = '14235550180';
const verified = '14235550101';
const stranger = '14235550109';
let app: TestApp;
let trial: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [freeNumber]: 'infobip' });
  trial = await buildAccount(app, { numbers: { [freeNumber]: 'infobip' } });
  await set('accounts set is_free_trial = true, quiet_hours_on = false');
  await set("text_numbers set registration_status = 'Not Registered'");
  await sql`insert into verified_phones (account_id, phone) values (${trial.accountId}, ${verified})`.execute(
    app.database.system,
  );
});

const set = (change: string) =>
  sql`update ${sql.raw(change)} where account_id = ${trial.accountId}`.execute(app.database.system);
const TextNumberID = () => trial.numbers[freeNumber] ?? 0;
const text = (phone: string) =>
  app.call(
    createConversation,
    {
      body: {
        TextNumberID: TextNumberID(),
        LastMessage: { Message: 'Hello', Contact: { PrimaryPhone: phone } },
      },
    },
    trial.owner,
  );
const canText = async () =>
  (await app.call(listTextNumbers, {}, trial.owner)).body.Items.map(({ CanText }) => CanText);

it('texts verified phones from its number, which needs no registration', async () => {
  expect(await canText()).toEqual([true]);
  expect((await text(verified)).status).toBe(200);
  await app.until(async () => (await app.sandbox.messages(verified)).length === 1);
  expect(refusalOf(await text(stranger)).Message).toBe(
    'During the free trial, you can text only verified numbers.',
  );
});

it('sends a broadcast to the verified ones among its recipients', async () => {
  const draft = await app.call(
    createDraft,
    {
      body: {
        BroadcastType: 'SMS',
        BroadcastName: 'Trial',
        TextNumberID: TextNumberID(),
        TextMessage: 'Trial',
      },
    },
    trial.owner,
  );
  const params = { DraftBroadcastID: draft.body.DraftBroadcastID };
  await app.call(
    addDraftNumbers,
    { params, body: { Items: [verified, stranger].map((PrimaryPhone) => ({ PrimaryPhone })) } },
    trial.owner,
  );
  const sent = await app.call(createBroadcast, { body: { ...params } }, trial.owner);
  expect(sent.status).toBe(200);
  await app.until(async () =>
    (await app.sandbox.messages(verified)).some(({ Text }) => Text.includes('Trial')),
  );
  await app.drain();
  expect(await app.sandbox.messages(stranger)).toEqual([]);
});

it('sends sample broadcasts: a canned message to every verified phone, free and marked', async () => {
  const creditsLeft = async () =>
    (await app.call(getAccount, { query: {} }, trial.owner)).body.AvailableCallUnits;
  const before = await creditsLeft();
  const [Message = ''] = (await app.call(getPlatformFreeTrial, {}, trial.owner)).body.cannedPftMessages;
  const sample = (given = Message, as = trial.owner) =>
    app.call(sendSampleBroadcast, { body: { Message: given } }, as);
  expect(refusalOf(await sample('Buy now')).Errors?.[0]?.Field).toBe('Message');
  const sent = await sample();
  expect([sent.status, sent.body]).toEqual([200, expect.objectContaining({ Count: 1 })]);
  await app.until(async () => (await app.sandbox.messages(verified)).some(({ Text }) => Text === Message));
  const { BroadcastID } = sent.body;
  const read = await app.call(getBroadcast, { params: { BroadcastID } }, trial.owner);
  expect(read.body).toMatchObject({ IsSampleBroadcast: true, IsFree: true });
  expect(await creditsLeft()).toBe(before);
  for (let time = 1; time < 5; time += 1) expect((await sample()).status).toBe(200);
  expect(refusalOf(await sample()).Message).toBe('You can send 5 samples a day. Try again tomorrow.');
  const paid = await buildAccount(app);
  expect((await sample(Message, paid.owner)).status).toBe(403);
});

it('calls only verified phones, whatever the call is for', async () => {
  const sentence = 'During the free trial, you can call only verified numbers.';
  const record = (PhoneNumber: string) => app.call(createRecording, { body: { PhoneNumber } }, trial.owner);
  expect(refusalOf(await record(stranger)).Message).toBe(sentence);
  expect((await record(verified)).status).toBe(200);
  const transfer = await app.call(addTransferNumber, { body: { PhoneNumber: stranger } }, trial.owner);
  expect(refusalOf(transfer).Message).toBe(sentence);
});

it('has to register the number once it pays, and messages scheduled before wait for that', async () => {
  const { userId } = trial.owner;
  const sender = { accountId: trial.accountId, userId, textNumberId: TextNumberID() };
  const before = (await app.sandbox.messages(verified)).length;
  const scheduled = await aBroadcast(app.database, sender, { phones: [verified], status: 'scheduled' });
  await set('accounts set is_free_trial = false');
  expect(await canText()).toEqual([false]);
  const sentence = 'This text number has to be registered before it can send texts.';
  expect(refusalOf(await text(verified)).Message).toBe(sentence);
  await app.drain();
  expect(await checkBroadcast(app.database, scheduled)).toMatchObject({
    status: 'paused',
    heldReason: sentence,
  });
  expect(await app.sandbox.messages(verified)).toHaveLength(before);
});
