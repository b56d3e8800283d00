import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { updateAccount } from '../../contract/accounts.ts';
import { addAutoReply } from '../../contract/auto-replies.ts';
import { addContact } from '../../contract/contacts.ts';
import {
  createConversation,
  getConversation,
  listConversations,
  updateConversations,
} from '../../contract/conversations.ts';
import { accessDenied } from '../../contract/errors.ts';
import { addKeyword } from '../../contract/keywords.ts';
import { updateTextNumber } from '../../contract/numbers.ts';
import { ownersOnly } from '../../contract/permissions.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let admin: BuiltUser;
let user: BuiltUser;
let TextNumberID: number;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  TextNumberID = account.numbers[number] ?? 0;
  admin = await buildUser(app, account.accountId, 'admin');
  user = await buildUser(app, account.accountId, 'user', { textNumberIds: [TextNumberID] });
});

const set = (columns: string) =>
  sql`update accounts set ${sql.raw(columns)} where account_id = ${account.accountId}`.execute(
    app.database.system,
  );

async function talkTo(PrimaryPhone: string): Promise<number> {
  const body = { TextNumberID, LastMessage: { Contact: { PrimaryPhone }, Message: 'Hello' } };
  return (await app.call(createConversation, { body }, account.owner)).body.ConversationID;
}
const found = async (q: string, as: BuiltUser) => {
  const { body } = await app.call(listConversations, { query: { q, searchin: 'people' } }, as);
  return body.Items.map((item) => item.ConversationID);
};

describe('notes of a contact', () => {
  it('are hidden in a conversation without CanSeeAllRoster, and a search does not match them', async () => {
    const about = {
      FirstName: 'Ana',
      LastName: 'Souza',
      PrimaryPhone: '4235553001',
      Notes: 'Custody hearing',
    };
    await app.call(addContact, { body: about }, account.owner);
    const ConversationID = await talkTo('4235553001');
    const read = async (as: BuiltUser) =>
      (await app.call(getConversation, { params: { ConversationID } }, as)).body;
    expect(await read(account.owner)).toMatchObject({ FirstName: 'Ana', Notes: 'Custody hearing' });
    for (const one of [admin, user]) {
      expect(await read(one)).toMatchObject({ FirstName: 'Ana', Notes: '' });
      const { body } = await app.call(listConversations, {}, one);
      expect(body.Items.find((item) => item.ConversationID === ConversationID)?.Notes).toBe('');
      expect(await found('custody', one)).toEqual([]);
      expect(await found('souza', one)).toEqual([ConversationID]);
    }
    expect(await found('custody', account.owner)).toEqual([ConversationID]);
    const sees = await buildUser(app, account.accountId, 'user', {
      textNumberIds: [TextNumberID],
      canSeeAllRoster: true,
    });
    expect((await read(sees)).Notes).toBe('Custody hearing');
  });

  it('are shown for contacts that the user added', async () => {
    const body = { FirstName: 'Ben', PrimaryPhone: '4235553002', Notes: 'Allergic to nuts' };
    await app.call(addContact, { body }, user);
    const ConversationID = await talkTo('4235553002');
    const reply = await app.call(getConversation, { params: { ConversationID } }, user);
    expect(reply.body.Notes).toBe('Allergic to nuts');
    expect(await found('nuts', user)).toEqual([ConversationID]);
    expect(await found('nuts', admin)).toEqual([]);
  });
});

it('conversations can be searched by date only with the feature, also in a selection', async () => {
  const query = { 'date-from': '2026-01-01' };
  const search = () => app.call(listConversations, { query }, account.owner);
  const selection = () =>
    app.call(
      updateConversations,
      { query, body: { Selection: { Type: 'SelectedAll' }, Update: { IsDone: true } } },
      account.owner,
    );
  expect((await search()).status).toBe(200);
  await set("features = '{}'");
  for (const reply of [await search(), await selection()]) {
    expect(refusalOf(reply)).toMatchObject({ status: 403, Message: accessDenied });
  }
  expect((await app.call(listConversations, {}, account.owner)).status).toBe(200);
  await sql`update users set features = '{ConversationDateRangeSearch}'
    where user_id = ${account.owner.userId}`.execute(app.database.system);
  expect((await search()).status).toBe(200);
});

it('auto replies and keywords are for managers, in a free trial for the owner', async () => {
  const reply = (as: BuiltUser) =>
    app.call(addAutoReply, { body: { Message: 'Away', TextNumberIDs: [TextNumberID] } }, as);
  const keyword = (as: BuiltUser) =>
    app.call(
      addKeyword,
      { body: { Keyword: `BUS${as.userId}`, Message: 'At nine', TextNumberIDs: [TextNumberID] } },
      as,
    );
  const own = (as: BuiltUser) =>
    app.call(updateAccount, { body: { IsAutoReplyOn: true, AutoReplyMessage: 'Closed' } }, as);
  expect(refusalOf(await reply(user))).toMatchObject({ status: 403, Message: accessDenied });
  expect((await reply(admin)).status).toBe(200);
  await set('is_free_trial = true');
  for (const refused of [await reply(admin), await keyword(admin), await own(admin)]) {
    expect(refusalOf(refused)).toMatchObject({ status: 403, Message: ownersOnly });
  }
  const other = await app.call(updateAccount, { body: { RequireTextOptIn: false } }, admin);
  expect(other.status).toBe(200);
  for (const taken of [await keyword(account.owner), await own(account.owner)]) {
    expect(taken.status).toBe(200);
  }
  await set('is_free_trial = false');
});

it('a manager who also has access to a registered US text number manages text numbers', async () => {
  const rename = (as: BuiltUser) =>
    app.call(updateTextNumber, { params: { TextNumberID }, body: { Name: 'Office' } }, as);
  const numbers = (columns: string) =>
    sql`update text_numbers set ${sql.raw(columns)} where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
  expect((await rename(admin)).status).toBe(200);
  expect((await rename(user)).status).toBe(403);
  await numbers("registration_status = 'Pending'");
  expect(refusalOf(await rename(admin))).toMatchObject({ status: 403, Message: accessDenied });
  await numbers("registration_status = 'Registered', phone = '14165550100'");
  expect((await rename(admin)).status).toBe(403);
  await numbers("phone = '18005550100'");
  expect((await rename(admin)).status).toBe(200);
  const quiet = { params: { TextNumberID }, body: { AudioNotificationsEnabled: true } };
  expect((await app.call(updateTextNumber, quiet, user)).status).toBe(200);
});
