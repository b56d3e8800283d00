import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { createConversation } from '../../contract/conversations.ts';
import { errorKinds } from '../../contract/errors.ts';
import { getPlatformFreeTrial, sendMfa, sendSampleText, verifyMfa } from '../../contract/onboarding.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';

const codeNumber = '14235550191';
const ownNumber = '14235550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp(
    { [codeNumber]: 'infobip', [ownNumber]: 'infobip' },
    { CODE_NUMBER: codeNumber, LOOKUPS: '1' },
  );
  account = await buildAccount(app, { numbers: { [ownNumber]: 'infobip' } });
  await sql`update accounts set is_free_trial = true where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
});

type As = { cookie: string };
const send = (PhoneNumber: string, as: As = account.owner) =>
  app.call(sendMfa, { body: { Channel: 'sms', PhoneNumber } }, as);
const verify = (Code: string, as: As = account.owner) => app.call(verifyMfa, { params: { Code } }, as);

async function codeOn(phone: string, count = 1): Promise<string> {
  const texts = await app.until(async () => {
    const came = await app.sandbox.messages(phone);
    return came.length >= count && came;
  });
  return /^(\d{6}) is your Muster code/.exec(texts.at(-1)?.Text ?? '')?.[1] ?? '';
}

it('texts a code from the installation’s number; the right one verifies the phone, and a trial can text it', async () => {
  const phone = '14235550143';
  const text = { TextNumberID: account.numbers[ownNumber] ?? 0, LastMessage: { Message: 'Hello' } };
  const create = () =>
    app.call(
      createConversation,
      { body: { ...text, LastMessage: { ...text.LastMessage, Contact: { PrimaryPhone: '4235550143' } } } },
      account.owner,
    );
  expect((await create()).status).not.toBe(200);
  expect((await send('(423) 555-0143')).body).toEqual({ PhoneNumber: '4235550143' });
  const code = await codeOn(phone);
  expect((await app.sandbox.messages(phone)).at(-1)?.From).toContain(codeNumber);
  const wrong = code === '000000' ? '000001' : '000000';
  expect(refusalOf(await verify(wrong))).toMatchObject({
    status: 422,
    ErrorCode: 1012,
    Message: 'The code is incorrect. Check it and try again.',
  });
  // Another user can't use this code.
  const colleague = await buildUser(app, account.accountId, 'user');
  expect(refusalOf(await verify(code, colleague)).ErrorCode).toBe(1012);
  expect((await verify(code)).body).toEqual({ PhoneNumber: '4235550143' });
  expect(refusalOf(await verify(code)).ErrorCode).toBe(1012);
  const trial = await app.call(getPlatformFreeTrial, {}, account.owner);
  expect(trial.body).toMatchObject({ isFreeTrial: true, mfaPhoneNumbers: ['4235550143'], canVerify: true });
  expect(trial.body.cannedPftMessages.length).toBeGreaterThan(2);
  expect((await create()).status).toBe(200);
  // It costs the account nothing, and no conversation of the account shows it.
  const { rows } = await sql`select from messages where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  expect(rows).toHaveLength(1);
});

it('texts a sample to a verified phone, once for two clicks, and nothing else to nobody else', async () => {
  const phone = '14235550143';
  const { body } = await app.call(getPlatformFreeTrial, {}, account.owner);
  const [Message = ''] = body.cannedPftMessages;
  const sample = (given: object) =>
    app.call(sendSampleText, { body: { PhoneNumber: '4235550143', Message, ...given } }, account.owner);
  expect(refusalOf(await sample({ Message: 'Buy now' })).Errors?.[0]?.Field).toBe('Message');
  expect(refusalOf(await sample({ PhoneNumber: '4235550149' })).Message).toBe(
    'During the free trial, you can text only verified numbers.',
  );
  const replies = await Promise.all([sample({}), sample({})]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  const samples = async () => (await app.sandbox.messages(phone)).filter(({ Text }) => Text === Message);
  await app.until(async () => (await samples()).length > 0);
  await app.drain();
  expect(await samples()).toHaveLength(1);
  expect((await samples())[0]?.From).toContain(codeNumber);
  const paid = await buildAccount(app);
  const refused = await app.call(
    sendSampleText,
    { body: { PhoneNumber: '4235550143', Message } },
    paid.owner,
  );
  expect(refusalOf(refused).status).toBe(403);
});

it('refuses invalid phones, each with its code', async () => {
  const refusals = {
    '12': 1006,
    '(800) 555-0199': 1007,
    [ownNumber]: 1007,
    // A landline by the sandbox's number rules.
    '4235550170': 1009,
  };
  for (const [phone, code] of Object.entries(refusals)) {
    const reply = refusalOf(await send(phone));
    expect([phone, reply.ErrorCode]).toEqual([phone, code]);
  }
  await send('4235550102');
  await codeOn('14235550102');
  await app.sandbox.text('14235550102', codeNumber, 'STOP');
  // A code that is requested again before the STOP has arrived would still be sent.
  await app.until(async () => {
    const { rows } =
      await sql`select from phone_consents where phone = '14235550102' and text_state = 'out'`.execute(
        app.database.system,
      );
    return rows.length > 0;
  });
  expect(refusalOf(await send('4235550102')).ErrorCode).toBe(1003);
  await sql`update messages set status = 'blacklisted' where phone = '14235550143' and origin = 'notification'`.execute(
    app.database.system,
  );
  expect(refusalOf(await send('4235550143')).ErrorCode).toBe(1008);
});

it('stops after ten codes and after five guesses, and accepts only the newest code', async () => {
  const me = await buildUser(app, account.accountId, 'user');
  const phone = '14235550144';
  await send(phone, me);
  const first = await codeOn(phone);
  await send(phone, me);
  const second = await codeOn(phone, 2);
  expect(refusalOf(await verify(first === second ? 'x' : first, me)).ErrorCode).toBe(1012);
  const wrong = second === '000000' ? '000001' : '000000';
  await Promise.all(Array.from({ length: 8 }, () => verify(wrong, me)));
  expect(refusalOf(await verify(second, me)).ErrorCode).toBe(1012);
  for (let time = 2; time < 10; time += 1) expect((await send(phone, me)).status).toBe(200);
  expect(refusalOf(await send(phone, me))).toMatchObject({
    status: 429,
    ErrorCode: 1010,
    Message: errorKinds.mfaTooMany.Message,
  });
  // The phone has also reached its limit, for any user.
  const other = await buildUser(app, account.accountId, 'user');
  expect(refusalOf(await send(phone, other)).ErrorCode).toBe(1010);
});

it('waits for the email of a user who has just signed up', async () => {
  const me = await buildUser(app, account.accountId, 'user');
  await sql`update users set needs_email_verification = true where user_id = ${me.userId}`.execute(
    app.database.system,
  );
  expect(refusalOf(await send('4235550146', me)).Message).toBe(
    'Verify your email first: open the link that we sent you.',
  );
});
