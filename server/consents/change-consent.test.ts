import { beforeAll, describe, expect, it } from 'vitest';
import {
  changeConsent,
  downloadConsentEvents,
  getPhoneNumber,
  listConsentEvents,
  undoConsent,
} from '../../contract/consents.ts';
import { getConversation } from '../../contract/conversations.ts';
import { asSystem } from '../db.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { keyOf, openSocket } from '../testing/test-socket.ts';
import { recordConsents } from './record-consents.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let other: BuiltAccount;
let serial = 0;
beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  other = await buildAccount(app);
});

/** Ten digits, as people type them. */
const newNumber = () => `4235554${String(++serial).padStart(3, '0')}`;

type Change = {
  Channel?: 'text' | 'voice' | 'both';
  State: 'in' | 'out';
  Wording?: string;
  declared?: boolean;
};

function change(typed: string, { declared = true, Channel = 'text', ...body }: Change, as = account.owner) {
  return app.call(
    changeConsent,
    { params: { Number: typed }, body: { Channel, ...body, UserIndicatedConsentDeclared: declared } },
    as,
  );
}

function undo(UndoID: number | null, as = account.owner) {
  return app.call(undoConsent, { params: { UndoID: UndoID ?? 0 } }, as);
}

async function stateOf(typed: string) {
  const { body } = await app.call(getPhoneNumber, { params: { Number: typed } }, account.owner);
  return { in: body.OptedIn, out: body.OptedOut, noCalls: body.DoNotCall };
}

async function events(typed: string, as: BuiltUser = account.owner) {
  const { body } = await app.call(listConsentEvents, { params: { Number: typed } }, as);
  return body.Items;
}

/** STOP or START from the sandbox's telephone. */
async function textFrom(phone: string, text: string) {
  await app.sandbox.text(phone, number, text);
  await app.until(async () => (await events(phone)).some((event) => event.Wording === text));
}

describe('opting in and out by hand', () => {
  it('is recorded with who, when, where from and in which words', async () => {
    const phone = newNumber();
    const { status, body } = await change(phone, {
      State: 'out',
      Channel: 'both',
      Wording: ' Told us at the desk ',
    });
    expect([status, body.UndoID]).toEqual([200, expect.any(Number)]);
    expect(await stateOf(phone)).toEqual({ in: false, out: true, noCalls: true });
    expect(await events(phone)).toMatchObject([
      {
        Channel: 'both',
        State: 'out',
        Source: 'user',
        Wording: 'Told us at the desk',
        UserName: expect.stringContaining('Pat Number'),
        FileName: '',
        TextMessageID: null,
        Address: '127.0.0.1',
      },
    ]);
  });

  it('opting in has to be declared; opting out has not', async () => {
    const phone = newNumber();
    const refused = refusalOf(await change(phone, { State: 'in', declared: false }));
    const sentence = 'Please confirm you have collected proper consent.';
    expect(refused).toMatchObject({
      status: 400,
      Message: sentence,
      Errors: [{ Field: 'UserIndicatedConsentDeclared', Message: sentence }],
    });
    expect(await events(phone)).toEqual([]);
    expect((await change(phone, { State: 'out', declared: false })).status).toBe(200);
    expect((await change(phone, { State: 'in' })).status).toBe(200);
    expect(await stateOf(phone)).toEqual({ in: true, out: false, noCalls: false });
    expect((await events(phone))[0]).toMatchObject({ State: 'in', Wording: sentence });
  });

  it.each(['not a number', '423555', '+999 1'])('%j explains the format of a number', async (typed) => {
    const hint = 'Must be 10 digits; use only numbers';
    for (const reply of [
      await change(typed, { State: 'out' }),
      await app.call(listConsentEvents, { params: { Number: typed } }, account.owner),
    ]) {
      expect(refusalOf(reply)).toMatchObject({ status: 400, Errors: [{ Field: 'Number', Message: hint }] });
    }
  });

  it('never reads a number as somebody else’s, and accepts one that has texted', async () => {
    const jamaica = '8765550143';
    const message = "This number isn't in the US, Puerto Rico, or Canada";
    expect(refusalOf(await change(jamaica, { State: 'out' })).Errors).toEqual([
      { Field: 'Number', Message: message },
    ]);
    await app.sandbox.text(`1${jamaica}`, number, 'Hello');
    await app.until(async () => (await change(jamaica, { State: 'out' })).status === 200);
    expect(await stateOf(jamaica)).toMatchObject({ out: true });
  });

  it('accepts a number however it is typed', async () => {
    const phone = newNumber();
    await change(`+1 (${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`, { State: 'out' });
    expect(await stateOf(phone)).toMatchObject({ out: true });
  });

  it('applies even if a carrier’s clock, from which the last event came, is ahead', async () => {
    const phone = newNumber();
    await asSystem(app.database, (trx) =>
      recordConsents(trx, [
        {
          accountId: account.accountId,
          phone: `1${phone}`,
          state: 'in',
          source: 'inbound',
          at: new Date(Date.now() + 60_000),
        },
      ]),
    );
    await change(phone, { State: 'out' });
    expect(await stateOf(phone)).toMatchObject({ in: false, out: true });
  });

  it('shows in the conversations with the phone, and pages are notified', async () => {
    const phone = newNumber();
    await textFrom(`1${phone}`, 'START');
    const { conversation_id: ConversationID } = await app.database.system
      .selectFrom('conversations')
      .select('conversation_id')
      .where('phone', '=', `1${phone}`)
      .executeTakeFirstOrThrow();
    const socket = await openSocket(app.url, await keyOf(app, account.owner));
    await change(phone, { State: 'out' });
    await socket.heard({ type: 'contacts.changed' });
    await socket.heard({ type: 'conversation.changed', ConversationID });
    const { body } = await app.call(getConversation, { params: { ConversationID } }, account.owner);
    expect([body.OptedIn, body.OptedOut]).toEqual([false, true]);
  });
});

describe('undoing it', () => {
  it('restores the previous state, once', async () => {
    const phone = newNumber();
    await textFrom(`1${phone}`, 'START');
    const { body } = await change(phone, { State: 'out' });
    expect((await undo(body.UndoID)).body).toEqual({ UndoExecuted: true, UndoID: null });
    expect(await stateOf(phone)).toMatchObject({ in: true, out: false });
    expect((await undo(body.UndoID)).body).toEqual({ UndoExecuted: false, UndoID: null });
    expect((await events(phone)).map(({ State }) => State)).toEqual(['none', 'out', 'in']);
  });

  it('leaves nothing where there was nothing', async () => {
    const phone = newNumber();
    const { body } = await change(phone, { State: 'in', Channel: 'both' });
    await undo(body.UndoID);
    expect(await stateOf(phone)).toEqual({ in: false, out: false, noCalls: false });
  });

  it('never hides a STOP, from before or since', async () => {
    const before = newNumber();
    await textFrom(`1${before}`, 'STOP');
    const optIn = await change(before, { State: 'in' });
    expect(await stateOf(before)).toMatchObject({ in: true });
    await undo(optIn.body.UndoID);
    expect(await stateOf(before)).toMatchObject({ in: false, out: true });

    const since = newNumber();
    const optOut = await change(since, { State: 'out' });
    await textFrom(`1${since}`, 'STOP');
    await undo(optOut.body.UndoID);
    expect(await stateOf(since)).toMatchObject({ in: false, out: true });
  });

  it('goes from the last change to the first', async () => {
    const phone = newNumber();
    const first = await change(phone, { State: 'in' });
    const second = await change(phone, { State: 'out' });
    expect(refusalOf(await undo(first.body.UndoID))).toMatchObject({
      status: 404,
      Message: 'You changed this again since: undo that first.',
    });
    expect(await stateOf(phone)).toMatchObject({ out: true });
    expect((await undo(second.body.UndoID)).body.UndoExecuted).toBe(true);
    expect((await undo(first.body.UndoID)).body.UndoExecuted).toBe(true);
    expect(await stateOf(phone)).toEqual({ in: false, out: false, noCalls: false });
  });

  it('is for the user who made the change', async () => {
    const phone = newNumber();
    const { body } = await change(phone, { State: 'out' });
    const admin = await buildUser(app, account.accountId, 'admin', { canSeeAllRoster: true });
    for (const who of [admin, other.owner]) expect((await undo(body.UndoID, who)).status).toBe(404);
    expect(await stateOf(phone)).toMatchObject({ out: true });
  });
});

describe('the users who see a phone’s history', () => {
  it('are those who see a contact with it, or a conversation', async () => {
    const [own, talked, strange] = [newNumber(), newNumber(), newNumber()];
    await textFrom(`1${talked}`, 'STOP');
    for (const phone of [own, strange]) await change(phone, { State: 'out', Wording: 'By phone' });
    const user = await buildUser(app, account.accountId, 'user', {
      textNumberIds: [account.numbers[number] ?? 0],
    });
    await app.database.system
      .insertInto('contacts')
      .values({
        account_id: account.accountId,
        primary_phone: '14235559999',
        secondary_phone: `1${own}`,
        created_by_user_id: user.userId,
      })
      .execute();
    expect(await events(own, user)).toHaveLength(1);
    expect(await events(talked, user)).toMatchObject([{ Wording: 'STOP' }]);
    const replies = [
      await app.call(listConsentEvents, { params: { Number: strange } }, user),
      await app.call(downloadConsentEvents, { params: { Number: strange } }, user),
      await change(strange, { State: 'in' }, user),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
    // A user without the number that it came to sees no conversation, and none of its words.
    const apart = await buildUser(app, account.accountId, 'user', { canSeeAllRoster: true });
    expect(await events(talked, apart)).toMatchObject([{ State: 'out', Source: 'inbound', Wording: '' }]);
  });

  it('excludes users of another account', async () => {
    const phone = newNumber();
    await change(phone, { State: 'out' });
    expect(await events(phone, other.owner)).toEqual([]);
    const { body } = await app.call(getPhoneNumber, { params: { Number: phone } }, other.owner);
    expect(body.OptedOut).toBe(false);
  });

  it('comes in pages, the latest first', async () => {
    const phone = newNumber();
    for (const Wording of ['1', '2', '3', '4', '5']) await change(phone, { State: 'out', Wording });
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const { body } = await app.call(
        listConsentEvents,
        { params: { Number: phone }, query: { pagesize: 2, next } },
        account.owner,
      );
      seen.push(...body.Items.map(({ Wording }) => Wording));
      next = body.Next ?? undefined;
    } while (next !== undefined);
    expect(seen).toEqual(['5', '4', '3', '2', '1']);
  });
});

describe('the evidence', () => {
  it('is a file with every event, in UTC and in the organization’s time', async () => {
    const phone = newNumber();
    const { accountId } = account;
    const { file_id: fileId } = await app.database.system
      .insertInto('file_uploads')
      .values({
        account_id: accountId,
        user_id: account.owner.userId,
        file_key: 'k',
        file_name: 'families.csv',
        byte_size: 1,
        structure: '{}',
      })
      .returning('file_id')
      .executeTakeFirstOrThrow();
    await app.database.system
      .insertInto('file_rows')
      .values([
        { account_id: accountId, file_id: fileId, row_number: 7, state: 'good', phone1: '14235550000' },
        { account_id: accountId, file_id: fileId, row_number: 8, state: 'good', phone2: `1${phone}` },
      ])
      .execute();
    await asSystem(app.database, (trx) =>
      recordConsents(trx, [
        {
          accountId,
          phone: `1${phone}`,
          channel: 'both',
          state: 'in',
          source: 'import',
          fileId,
          userId: account.owner.userId,
          wording: 'Signed, "at" enrollment',
          address: '192.0.2.7',
          at: new Date('2026-07-01T16:30:00Z'),
        },
        {
          accountId,
          phone: `1${phone}`,
          channel: 'voice',
          state: 'out',
          source: 'call',
          wording: '=HYPERLINK("x")',
          at: new Date('2026-12-01T16:30:00Z'),
        },
      ]),
    );
    const { text, headers } = await download(`/phonenumbers/${phone}/consents.csv`);
    expect(headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''consent-${phone}.csv`);
    const shown = `(${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`;
    const owner = account.owner.userName.replace('owner-', 'Pat Number ');
    expect(text.split('\r\n').slice(1)).toEqual([
      `${shown},2026-12-01T16:30:00.000Z,2026-12-01 11:30:00 (UTC-05:00),Voice calls,Opted out,Keypad on a call,"'=HYPERLINK(""x"")",,,,,`,
      `${shown},2026-07-01T16:30:00.000Z,2026-07-01 12:30:00 (UTC-04:00),Texts and voice calls,Opted in,Imported from a file,"Signed, ""at"" enrollment",,${owner},192.0.2.7,families.csv,8`,
      '',
    ]);
  });

  it('contains the words of the text that is the proof', async () => {
    const phone = newNumber();
    await textFrom(`1${phone}`, 'please stop texting me');
    const { text } = await download(`/phonenumbers/${phone}/consents.csv`);
    expect(text).toContain('Texts,Opted out,Text message from the phone,,please stop texting me,');
  });

  it('requires a session and a number', async () => {
    const path = '/proxy/api/phonenumbers/4235550143/consents.csv';
    expect((await fetch(app.url + path)).status).toBe(401);
    const wrong = await app.call(downloadConsentEvents, { params: { Number: 'x' } }, account.owner);
    expect(refusalOf(wrong).Errors).toEqual([
      { Field: 'Number', Message: 'Must be 10 digits; use only numbers' },
    ]);
  });
});

async function download(path: string) {
  const answer = await fetch(`${app.url}/proxy/api${path}`, { headers: { cookie: account.owner.cookie } });
  expect(answer.status).toBe(200);
  return { text: await answer.text(), headers: answer.headers };
}

it('can’t be undone after an hour', async () => {
  const phone = newNumber();
  const { body } = await change(phone, { State: 'out' });
  await app.database.system
    .updateTable('undos')
    .set({ created_at: new Date(Date.now() - 3_700_000) })
    .where('undo_id', '=', body.UndoID ?? 0)
    .execute();
  expect((await undo(body.UndoID)).status).toBe(404);
  expect(await stateOf(phone)).toMatchObject({ out: true });
});
