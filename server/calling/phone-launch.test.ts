import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createBroadcast, getBroadcast } from '../../contract/broadcasts.ts';
import {
  deletePhoneLaunch,
  getIvrAuthorization,
  getPhoneLaunch,
  getRecording,
  setPhoneLaunch,
} from '../../contract/calling.ts';
import { addContact } from '../../contract/contacts.ts';
import { asynchronousMessages, launchIdMessage } from '../../contract/fields/asynchronous-checks.ts';
import { launchHints } from '../../contract/forms/phone-launch.ts';
import { addList, getList, updateList } from '../../contract/lists.ts';
import { launchWords, lockMinutes } from '../calls/launch-rules.ts';
import { signTwilio } from '../outside/twilio-signature.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { aCallDraft, callAtAnyHour, callsOf } from '../testing/calls.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { testCredentials } from '../testing/test-sandbox.ts';

const numbers = Array.from({ length: 9 }, (_, index) => `1865555300${index}`);
const [launchId, pin] = ['4711', '730514'];
let serial = -1;
let app: TestApp;
let account: BuiltAccount;
let number: string;
let handset: string;
let parents: number;

beforeAll(async () => {
  app = await testApp(Object.fromEntries(numbers.map((phone) => [phone, 'twilio' as const])), {
    CALL_STARTS_PER_SECOND: '200',
  });
  await app.sandbox.control('PUT', '/settings', { CallSpeed: 15, CallStartsPerSecond: 1000 });
});

/** An account whose owner has an ID, and a group with one person who answers. */
beforeEach(async () => {
  serial += 1;
  number = numbers[serial] ?? '';
  handset = `42355521${String(serial).padStart(2, '0')}`;
  account = await buildAccount(app, { numbers: { [number]: 'twilio' } });
  await callAtAnyHour(app, account);
  await app.call(setPhoneLaunch, { body: { PhoneLaunchID: launchId, PIN: pin } }, account.owner);
  const { body } = await app.call(
    addList,
    { body: { ListName: 'Parents', PhoneListID: '12' } },
    account.owner,
  );
  parents = body.ListID;
  await app.call(
    addContact,
    {
      body: {
        FirstName: 'Ann',
        PrimaryPhone: `42355522${String(serial).padStart(2, '0')}`,
        ListIDs: [parents],
      },
    },
    account.owner,
  );
});

const current = async () => (await callsOf(app, handset)).at(-1);

/** Dials, and answers each prompt with the matching keys, in order. */
async function callIn(answers: readonly (readonly [said: string, keys: string])[]): Promise<string[]> {
  const before = (await callsOf(app, handset)).length;
  await app.sandbox.control('POST', `/phones/${handset}/calls`, { To: number });
  await app.until(async () => (await callsOf(app, handset)).length > before);
  let heardBefore = 0;
  for (const [said, keys] of answers) {
    const call = await app.until(async () => {
      const now = await current();
      const index = (now?.Heard ?? []).findIndex(
        ({ Text }, place) => place >= heardBefore && Text?.includes(said),
      );
      if (index < 0 && now?.State === 'Ended') throw new Error(`ended before “${said}”: ${heardOf(now)}`);
      return index >= 0 && now !== undefined && { ...now, index };
    });
    heardBefore = call.index + 1;
    await app.sandbox.control('POST', `/phones/${handset}/calls/${call.CallID}`, { Do: 'Press', Keys: keys });
  }
  const ended = await app.until(async () => {
    const now = await current();
    return now?.State === 'Ended' && now;
  });
  expect(ended.Troubles).toEqual([]);
  return ended.Heard.map(({ Text }) => Text ?? '');
}

const heardOf = (call: Awaited<ReturnType<typeof current>>) =>
  (call?.Heard ?? []).map(({ Text }) => Text).join(' / ');

const signIn = [
  ['phone launch ID', `${launchId}#`],
  [launchWords.pin, `${pin}#`],
] as const;

const speak = (languageId: number) =>
  sql`update users set language_id = ${languageId} where user_id = ${account.owner.userId}`.execute(
    app.database.system,
  );

async function launchRow() {
  const { rows } = await sql<{ state: string; broadcast_id: number | null; sid: string; key: string }>`
    select state, broadcast_id, sid, 'l' || account_id || '-' || launch_call_id || '-' || nonce as key
    from launch_calls where account_id = ${account.accountId} order by launch_call_id desc limit 1`.execute(
    app.database.system,
  );
  return rows[0];
}

it('an ID belongs to one user, can be free or in use, and its PIN isn’t easy to guess', async () => {
  const colleague = await buildUser(app, account.accountId, 'admin');
  const ask = async (PhoneLaunchID: string, as = account.owner) =>
    app.call(getIvrAuthorization, { params: { PhoneLaunchID } }, as);
  expect((await ask(launchId)).body.Message).toBe(launchIdMessage(200));
  expect(refusalOf(await ask(launchId, colleague))).toMatchObject({
    status: 403,
    Message: asynchronousMessages.launchIdTaken,
  });
  expect((await ask('4712')).status).toBe(404);
  const set = (PhoneLaunchID: string, PIN: string) =>
    app.call(setPhoneLaunch, { body: { PhoneLaunchID, PIN } }, colleague);
  expect(refusalOf(await set(launchId, pin)).Message).toBe(asynchronousMessages.launchIdTaken);
  expect(refusalOf(await set('12', pin)).Message).toBe(launchHints.launchId);
  expect(refusalOf(await set('4712', '12345')).Message).toBe(launchHints.pin);
  expect(refusalOf(await set('4712', '234567')).Message).toBe(launchHints.easyPin);
  expect(refusalOf(await set('471200', '471200')).Message).toBe(launchHints.pinIsId);
  expect(refusalOf(await set('4712', '')).Message).toBe('Enter a PIN');
  expect((await set('4712', pin)).body).toMatchObject({
    PhoneLaunchID: '4712',
    HasPIN: true,
    LockedUntil: null,
  });
  // The PIN stays the same with another ID.
  expect((await set('4713', '')).body.PhoneLaunchID).toBe('4713');
  await app.call(deletePhoneLaunch, {}, colleague);
  expect((await app.call(getPhoneLaunch, {}, colleague)).body).toMatchObject({
    PhoneLaunchID: '',
    HasPIN: false,
    PhoneNumbers: [number.slice(1)],
  });
});

it('a list ID stands for one group', async () => {
  const add = (ListName: string, PhoneListID: string) =>
    app.call(addList, { body: { ListName, PhoneListID } }, account.owner);
  expect(refusalOf(await add('Staff', '12')).Message).toBe(asynchronousMessages.listIdTaken);
  expect(refusalOf(await add('Staff', 'abc')).Message).toBe(launchHints.phoneListId);
  const staff = (await add('Staff', '13')).body;
  const change = (PhoneListID: string) =>
    app.call(
      updateList,
      { params: { ListID: staff.ListID }, body: { ListName: 'Staff', PhoneListID } },
      account.owner,
    );
  expect(refusalOf(await change('12')).Message).toBe(asynchronousMessages.listIdTaken);
  expect((await change('13')).status).toBe(200);
  expect((await change('')).body.PhoneListID).toBe('');
  const read = await app.call(getList, { params: { ListID: parents } }, account.owner);
  expect(read.body.PhoneListID).toBe('12');
});

it('a call records a message and starts a broadcast to the group, once', async () => {
  const heard = await callIn([
    ...signIn,
    [launchWords.list, '99#'],
    [launchWords.noList, '12#'],
    ['Parents. To call this group', '1'],
    [launchWords.record, '#'],
    [launchWords.keep, '1'],
    ['will call 1 person in Parents and use up to 1 credit', '1'],
  ]);
  expect(heard).toContain(launchWords.launched);
  const row = await launchRow();
  expect(row?.state).toBe('launched');
  const BroadcastID = row?.broadcast_id ?? 0;
  // The provider repeats its webhook: the same answer, and no second broadcast.
  const url = `${app.url}/hooks/twilio/voice?key=${row?.key}&at=confirm`;
  const form = new URLSearchParams({
    CallSid: row?.sid ?? '',
    From: `+1${handset}`,
    To: `+${number}`,
    Direction: 'inbound',
    Digits: '1',
  });
  const again = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signTwilio(testCredentials.TWILIO_AUTH_TOKEN, url, form),
    },
    body: form.toString(),
  });
  expect(await again.text()).toContain(launchWords.launched);
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from broadcasts where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  expect(rows[0]?.many).toBe(1);
  const read = () => app.call(getBroadcast, { params: { BroadcastID } }, account.owner);
  await app.until(async () => (await read()).body.BroadcastStatus === 'Completed');
  expect((await read()).body).toMatchObject({ BroadcastName: 'By phone: Parents', LivePersonTotal: 1 });
});

it('without a final 1 nothing is sent: it stays a draft', async () => {
  const heard = await callIn([
    ...signIn,
    [launchWords.list, '12#'],
    ['To call this group', '1'],
    [launchWords.record, '#'],
    [launchWords.keep, '1'],
    ['To start it now', '2'],
  ]);
  expect(heard.at(-1)).toBe(launchWords.canceled);
  const { rows } = await sql<{ status: string }>`
    select status from broadcasts where account_id = ${account.accountId}`.execute(app.database.system);
  expect(rows).toEqual([{ status: 'draft' }]);
});

it('a refusal is read out with its reason', async () => {
  await sql`update users set calling_days = '{}' where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  const heard = await callIn([
    ...signIn,
    [launchWords.list, '12#'],
    ['To call this group', '1'],
    [launchWords.record, '#'],
    [launchWords.keep, '1'],
  ]);
  expect(heard.at(-1)).toBe(launchWords.refused('Choose a Start Time within your Calling Window.'));
  await speak(2);
  const spanish = await callIn([
    ['marque su ID de inicio por teléfono', `${launchId}#`],
    ['Marque su PIN', `${pin}#`],
    ['Marque el ID de lista', '12#'],
    ['Para llamar a este grupo, presione 1', '1'],
    ['Grabe su mensaje', '#'],
    ['Para usarlo, presione 1', '1'],
  ]);
  await speak(1);
  expect(spanish.at(-1)).toBe(
    'Su difusión no se envió. Elija una hora de inicio dentro de su horario de llamadas. La encontrará entre sus borradores. Adiós.',
  );
});

it('wrong PINs end the call, then lock the ID for longer and longer', async () => {
  const wrong = [
    ['phone launch ID', `${launchId}#`],
    [launchWords.pin, '000000#'],
  ] as const;
  for (let call = 0; call < 2; call++) {
    expect((await callIn([...wrong, ...wrong, ...wrong])).at(-1)).toBe(launchWords.tooMany);
  }
  const state = (await app.call(getPhoneLaunch, {}, account.owner)).body;
  expect(Date.parse(state.LockedUntil ?? '')).toBeGreaterThan(Date.now() + 14 * 60_000);
  // The right PIN isn't accepted now either.
  expect(await callIn([...signIn, [launchWords.wrong, '#']])).toContain(launchWords.wrong);
  await app.call(setPhoneLaunch, { body: { PhoneLaunchID: launchId, PIN: '846201' } }, account.owner);
  const heard = await callIn([
    ['phone launch ID', `${launchId}#`],
    [launchWords.pin, '846201#'],
    [launchWords.list, '#'],
    [launchWords.noList, '#'],
    [launchWords.noList, '#'],
  ]);
  expect(heard.at(-1)).toBe(launchWords.goodbye);
  expect([4, 5, 6, 20].map(lockMinutes)).toEqual([0, 15, 30, 1440]);
});

it('a broadcast that waits for its message gets it from a call', async () => {
  const id = await aCallDraft(app, account, ['4235550101'], { Audio: null, RecordLater: true });
  const sent = await app.call(createBroadcast, { body: { DraftBroadcastID: id } }, account.owner);
  const RecordingID = sent.body.MessageRecordingInstruction?.ID ?? 0;
  const heard = await callIn([
    ...signIn,
    [launchWords.menu('Snow day'), '2'],
    [launchWords.record, '#'],
    [launchWords.keep, '1'],
  ]);
  expect(heard.at(-1)).toBe(launchWords.saved);
  await app.until(
    async () =>
      (await app.call(getRecording, { params: { RecordingID } }, account.owner)).body.State === 'Kept',
  );
  const read = await app.call(getBroadcast, { params: { BroadcastID: id } }, account.owner);
  expect(read.body.BroadcastStatus).not.toBe('NeedsMessage');
});

it('speaks Spanish with whoever reads Spanish', async () => {
  await speak(2);
  const heard = await callIn([
    ['marque su ID de inicio por teléfono', `${launchId}#`],
    ['Marque su PIN', `${pin}#`],
    ['Marque el ID de lista', '12#'],
    ['Para llamar a este grupo, presione 1', '1'],
    ['Grabe su mensaje', '#'],
    ['Para usarlo, presione 1', '1'],
    ['Para cancelar, presione 2', '2'],
  ]);
  await speak(1);
  expect(heard.at(-1)).toBe('Su difusión no se envió. La encontrará entre sus borradores. Adiós.');
  const named = await sql<{ name: string }>`
    select b.name from launch_calls l join broadcasts b using (account_id, broadcast_id)
    where l.account_id = ${account.accountId} order by l.launch_call_id desc limit 1`.execute(
    app.database.system,
  );
  expect(named.rows[0]?.name).toBe('Por teléfono: Parents');
});

it('a caller to a number that called them, or to one without phone launch, hears a message', async () => {
  expect((await callIn([['phone launch ID', '#']])).at(-1)).toBe(launchWords.goodbye);
  await app.call(deletePhoneLaunch, {}, account.owner);
  expect(await callIn([])).toEqual([launchWords.notHere]);
});
