import { beforeAll, describe, expect, it } from 'vitest';
import type { CallDefinition, CallInput } from '../contract/call.ts';
import { calls, everyCall } from '../contract/calls.ts';
import { createConversation } from '../contract/conversations.ts';
import { errorBody } from '../contract/errors.ts';
import { fileColumns } from '../contract/imports.ts';
import { emptySummary } from './imports/rules.ts';
import { type BuiltAccount, buildAccount, buildUser, password } from './testing/builders.ts';
import { type TestApp, testApp } from './testing/test-app.ts';

const numbers = { '14235550100': 'infobip' } as const;
let app: TestApp;
let mine: BuiltAccount;
let other: BuiltAccount;
/** Ids of the other account, by the name they have in paths. */
let foreign: Record<string, number>;

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip', '18655550150': 'infobip' });
  mine = await buildAccount(app, { numbers });
  other = await buildAccount(app, { numbers: { '18655550150': 'infobip' } });
  foreign = await idsOf(other, '18655550150');
});

/** One of everything that a path can name, in this account. */
async function idsOf(account: BuiltAccount, number: string) {
  const started = await app.call(
    createConversation,
    {
      body: {
        TextNumberID: account.numbers[number] ?? 0,
        LastMessage: { Contact: { PrimaryPhone: '4235550101' }, Message: 'Hello' },
      },
    },
    account.owner,
  );
  const ConversationID = started.body.ConversationID;
  const done = await app.call(
    calls.conversations.updateConversation,
    { params: { ConversationID }, body: { IsDone: true } },
    account.owner,
  );
  const sessions = await app.call(calls.auth.listSessions, {}, account.owner);
  return {
    ConversationID,
    TextNumberID: account.numbers[number] ?? 0,
    UndoID: done.body.UndoID ?? 0,
    SessionID: sessions.body.Items[0]?.SessionID ?? 0,
    ...(await contactIds(account.accountId, account.owner.userId)),
    ...(await writtenIds(account.accountId, account.owner.userId, account.numbers[number] ?? 0)),
    PushTokenID: await pushToken(account.accountId, account.owner.userId),
    ...(await replyIds(account.accountId)),
    ...(await threadIds(account.accountId, ConversationID, account.owner.userId)),
  };
}

/** A tag, and a note and a failed text in a conversation, made in the rows directly. */
async function threadIds(account_id: number, conversation_id: number, user_id: number) {
  const { system } = app.database;
  const { tag_id: TagID } = await system
    .insertInto('tags')
    .values({ account_id, name: 'A tag' })
    .returning('tag_id')
    .executeTakeFirstOrThrow();
  const { note_id: NoteID } = await system
    .insertInto('conversation_notes')
    .values({ account_id, conversation_id, user_id, body: 'A note' })
    .returning('note_id')
    .executeTakeFirstOrThrow();
  const { text_number_id, phone } = await system
    .selectFrom('conversations')
    .select(['text_number_id', 'phone'])
    .where('account_id', '=', account_id)
    .where('conversation_id', '=', conversation_id)
    .executeTakeFirstOrThrow();
  const { message_id: TextMessageID } = await system
    .insertInto('messages')
    .values({
      account_id,
      text_number_id,
      phone,
      user_id,
      is_inbound: false,
      status: 'phone_unreachable',
      body: 'It failed',
    })
    .returning('message_id')
    .executeTakeFirstOrThrow();
  return { TagID, NoteID, TextMessageID };
}

/** A text for later and a saved text. */
async function writtenIds(accountId: number, userId: number, textNumberId: number) {
  const { system } = app.database;
  const { scheduled_id: ScheduledConversationID } = await system
    .insertInto('scheduled_conversations')
    .values({
      account_id: accountId,
      user_id: userId,
      text_number_id: textNumberId,
      body: 'For later',
      start_at: tomorrow(),
    })
    .returning('scheduled_id')
    .executeTakeFirstOrThrow();
  await system
    .insertInto('scheduled_recipients')
    .values({
      account_id: accountId,
      scheduled_id: ScheduledConversationID,
      position: 1,
      phone: '14235550109',
    })
    .execute();
  const { template_id: TemplateID } = await system
    .insertInto('templates')
    .values({ account_id: accountId, user_id: userId, name: 'Greeting', body: 'Hello' })
    .returning('template_id')
    .executeTakeFirstOrThrow();
  return { ScheduledConversationID, TemplateID };
}

function tomorrow(): string {
  return new Date(Date.now() + 24 * 3_600_000).toISOString();
}

function later(TextNumberID: number) {
  const Contacts = [{ PrimaryPhone: '4235550102' }];
  return { TextNumberID, Contacts, TextMessage: 'For later', StartDate: tomorrow() };
}

/** A contact, a group, and what else stands around them, made in the rows directly. */
async function contactIds(accountId: number, userId: number) {
  const ListID = await group(accountId);
  const { system } = app.database;
  const { person_id: PersonID } = await system
    .insertInto('contacts')
    .values({ account_id: accountId, primary_phone: '14235550105', created_by_user_id: userId })
    .returning('person_id')
    .executeTakeFirstOrThrow();
  const { field_id: FieldID } = await system
    .insertInto('custom_fields')
    .values({ account_id: accountId, name: 'Bus' })
    .returning('field_id')
    .executeTakeFirstOrThrow();
  const { work_id: WorkID } = await system
    .insertInto('work')
    .values({
      account_id: accountId,
      user_id: userId,
      kind: 'delete',
      input: '{}',
      last_id: 0,
      total: 0,
      status: 'Complete',
    })
    .returning('work_id')
    .executeTakeFirstOrThrow();
  const { export_id: ExportID } = await system
    .insertInto('exports')
    .values({
      account_id: accountId,
      user_id: userId,
      list_id: 0,
      query: '{"q":""}',
      selection: '{"Type":"SelectedAll","Items":[]}',
      format: 'csv',
      columns: [],
    })
    .returning('export_id')
    .executeTakeFirstOrThrow();
  return { ListID, PersonID, FieldID, WorkID, ExportID, FileID: await readFile(accountId, userId) };
}

/** An auto reply, a keyword and a picture. */
async function replyIds(account_id: number) {
  const { system } = app.database;
  const { auto_reply_id: AutoReplyID } = await system
    .insertInto('auto_replies')
    .values({ account_id, message: 'Away' })
    .returning('auto_reply_id')
    .executeTakeFirstOrThrow();
  const { keyword_id: KeywordID } = await system
    .insertInto('keywords')
    .values({ account_id, keyword: 'BUS', message: 'At eight' })
    .returning('keyword_id')
    .executeTakeFirstOrThrow();
  const { media_id: MediaID } = await system
    .insertInto('media')
    .values({
      account_id,
      public_key: `walk-${account_id}`,
      content_type: 'image/png',
      file_name: 'a.png',
      byte_size: 1,
      width: 1,
      height: 1,
      content_hash: 'none',
    })
    .returning('media_id')
    .executeTakeFirstOrThrow();
  return { AutoReplyID, KeywordID, MediaID };
}

/** A file that was read and waits for its review, with one good row. */
async function readFile(accountId: number, userId: number): Promise<number> {
  const { system } = app.database;
  const columns = fileColumns.parse({ Phone1: 1 });
  const tab = { TabNumber: 1, TabName: '', HasHeader: false, RowCount: 1, Rows: [], IsRemembered: false };
  const { file_id } = await system
    .insertInto('file_uploads')
    .values({
      account_id: accountId,
      user_id: userId,
      file_key: 'none',
      file_name: 'contacts.csv',
      byte_size: 10,
      stage: 'review',
      structure: JSON.stringify({
        Tabs: [{ ...columns, ...tab, Columns: [{ ColumnNumber: 1, Header: '' }] }],
        format: { kind: 'csv', encoding: 'utf-8', delimiter: ',' },
      }),
      choice: JSON.stringify({ TabNumber: 1, HasHeader: false, Columns: columns, Duplicates: 'update' }),
      summary: JSON.stringify({ ...emptySummary, RowCount: 1, GoodRecordCount: 1 }),
    })
    .returning('file_id')
    .executeTakeFirstOrThrow();
  await system
    .insertInto('file_rows')
    .values({ account_id: accountId, file_id, row_number: 1, state: 'good', phone1: '14235550106' })
    .execute();
  return file_id;
}

async function pushToken(account_id: number, user_id: number): Promise<number> {
  const row = await app.database.system
    .insertInto('push_tokens')
    .values({ account_id, user_id, provider: 'WebPush', token: '{}', token_hash: Buffer.from('walk') })
    .returning('push_token_id')
    .executeTakeFirstOrThrow();
  return row.push_token_id;
}

async function group(accountId: number): Promise<number> {
  const row = await app.database.system
    .insertInto('groups')
    .values({ account_id: accountId, name: 'A group' })
    .returning('group_id')
    .executeTakeFirstOrThrow();
  return row.group_id;
}

type CallName = (typeof calls)[keyof typeof calls] extends infer Domain
  ? Domain extends Record<string, unknown>
    ? keyof Domain
    : never
  : never;
type Ids = Awaited<ReturnType<typeof idsOf>>;

/** How each call is made so that it succeeds. A call without a line here doesn't compile. */
const examples: { [Name in CallName]: ((ids: Ids) => object) | 'elsewhere' } = {
  login: () => ({ body: { UserName: mine.owner.userName, Password: password } }),
  logout: () => ({}),
  getSetup: () => ({}),
  createOrganization: 'elsewhere', // auth/create-organization.test.ts: works only in an empty installation
  replaceExpiredPassword: 'elsewhere', // auth/sign-in.test.ts: needs an expired password
  uploadFile: 'elsewhere', // imports/upload-file.test.ts: takes a raw file
  listFiles: () => ({}),
  getFile: ({ FileID }) => ({ params: { FileID } }),
  processFile: ({ FileID }) => ({
    params: { FileID },
    body: { TabNumber: 1, HasHeader: false, Columns: { Phone1: 1 } },
  }),
  listFileRows: ({ FileID }) => ({ params: { FileID }, query: { kind: 'good' } }),
  mendFileRows: ({ FileID }) => ({
    params: { FileID },
    body: { Items: [{ RowNumber: 1, PrimaryPhone: '4235550107' }] },
  }),
  downloadRejectedRows: 'elsewhere', // imports/process-file.test.ts: answers with a file
  importFile: ({ ListID, FileID }) => ({
    params: { ListID },
    body: { FileID, UserIndicatedConsentDeclared: true },
  }),
  cancelFile: ({ FileID }) => ({ params: { FileID } }),
  undoFile: 'elsewhere', // imports/undo-file.test.ts: needs an import
  pasteContacts: ({ ListID }) => ({
    params: { ListID },
    body: { Items: [{ Name: 'Jane Doe', PrimaryPhone: '4235550108' }], UserIndicatedConsentDeclared: true },
  }),
  uploadImage: 'elsewhere', // media/create-image.test.ts: takes a raw file
  classifyMedia: ({ MediaID }) => ({ params: { MediaID }, body: { ExplicitStatus: 6 } }),
  listAutoReplies: () => ({ query: { q: 'away' } }),
  addAutoReply: ({ TextNumberID }) => ({ body: { Message: 'We are out', TextNumberIDs: [TextNumberID] } }),
  updateAutoReply: ({ AutoReplyID }) => ({ params: { AutoReplyID }, body: { Active: false } }),
  deleteAutoReply: ({ AutoReplyID }) => ({ params: { AutoReplyID } }),
  listAutoRepliesOfNumber: ({ TextNumberID }) => ({ params: { TextNumberID } }),
  listKeywords: () => ({ query: { q: 'bus' } }),
  addKeyword: ({ TextNumberID, ListID }) => ({
    body: { Keyword: 'LUNCH', Message: 'Pizza', TextNumberIDs: [TextNumberID], ListID },
  }),
  updateKeyword: ({ KeywordID, TextNumberID }) => ({
    params: { KeywordID },
    body: { Keyword: 'COACH', Message: 'At nine', TextNumberIDs: [TextNumberID] },
  }),
  deleteKeyword: ({ KeywordID }) => ({ params: { KeywordID } }),
  updateAccount: () => ({ body: { IsAutoReplyOn: true, AutoReplyMessage: 'We are closed' } }),
  listSessions: () => ({}),
  revokeSession: ({ SessionID }) => ({ params: { SessionID } }),
  getSocketKey: () => ({}),
  getAccount: () => ({ query: { include: 'currentuser' } }),
  getUser: () => ({}),
  getHome: () => ({}),
  updateUser: () => ({ body: { NotificationPhone: '4235550143', BrowserNotificationsDoNotDisturb: true } }),
  listAccountUsers: () => ({ query: { page: 'all', enabled: 'true' } }),
  listNotifications: () => ({ query: { BrowserNotifications: 'true' } }),
  addPushToken: () => ({
    body: {
      Provider: 'WebPush',
      Token: JSON.stringify({
        endpoint: 'https://push.example.org/one',
        keys: {
          p256dh: Buffer.alloc(65, 4).toString('base64url'),
          auth: Buffer.alloc(16).toString('base64url'),
        },
      }),
    },
  }),
  deletePushToken: ({ PushTokenID }) => ({ params: { PushTokenID } }),
  updateTextNumber: ({ TextNumberID }) => ({ params: { TextNumberID }, body: { Name: 'Front office' } }),
  updateTextNumbers: () => ({
    body: { Selection: { Type: 'SelectedAll' }, Update: { AudioNotificationsEnabled: true } },
  }),
  listTextNumberUsage: () => ({ query: { 'date-from': '2026-01-01' } }),
  listTextNumbers: () => ({ query: { q: 'number', pagesize: 5 } }),
  getTextNumber: ({ TextNumberID }) => ({ params: { TextNumberID } }),
  listContacts: ({ ListID }) => ({ params: { ListID }, query: { q: 'a', page: 2 } }),
  listLists: () => ({ query: { q: 'group' } }),
  getList: ({ ListID }) => ({ params: { ListID } }),
  countSegment: ({ ListID }) => ({
    body: { Segment: { Rules: [{ Kind: 'group', Is: 'in', ListID }] } },
  }),
  addContact: ({ ListID }) => ({ body: { PrimaryPhone: '4235550106', ListIDs: [ListID] } }),
  getContact: ({ PersonID }) => ({ params: { PersonID } }),
  updateContact: ({ PersonID }) => ({ params: { PersonID }, body: { PrimaryPhone: '4235550107' } }),
  deleteContact: ({ PersonID }) => ({ params: { PersonID } }),
  listContactHistory: ({ PersonID }) => ({ params: { PersonID } }),
  copyContacts: ({ ListID }) => ({
    params: { ListID, TargetID: -1 },
    body: { Selection: { Type: 'SelectedAll' } },
  }),
  removeContacts: ({ ListID }) => ({ params: { ListID }, body: { Selection: { Type: 'SelectedAll' } } }),
  updateContacts: ({ ListID }) => ({
    params: { ListID },
    body: { Selection: { Type: 'SelectedAll' }, Update: { Notes: 'Bus 4' } },
  }),
  undoContacts: 'elsewhere', // contacts/change-contacts.test.ts: needs something to undo
  listDuplicates: () => ({}),
  mergeContacts: 'elsewhere', // contacts/merge-contacts.test.ts: needs two contacts
  getWork: ({ WorkID }) => ({ params: { WorkID } }),
  listWork: () => ({}),
  addList: () => ({ body: { ListName: 'Another group' } }),
  updateList: ({ ListID }) => ({ params: { ListID }, body: { ListName: 'Renamed' } }),
  deleteList: ({ ListID }) => ({ params: { ListID } }),
  listCustomFields: () => ({}),
  addCustomField: () => ({ body: { Name: 'Route' } }),
  updateCustomField: ({ FieldID }) => ({ params: { FieldID }, body: { Name: 'Coach' } }),
  deleteCustomField: ({ FieldID }) => ({ params: { FieldID } }),
  exportContacts: ({ ListID }) => ({ params: { ListID }, body: { Selection: { Type: 'SelectedAll' } } }),
  downloadExport: 'elsewhere', // contacts/export-contacts.test.ts: answers with a file
  listOptOuts: () => ({ query: { filter: 'both', q: 'a' } }),
  downloadOptOuts: 'elsewhere', // consents/list-opt-outs.test.ts: answers with a file
  listConsentEvents: () => ({ params: { Number: '(423) 555-0103' } }),
  downloadConsentEvents: 'elsewhere', // consents/change-consent.test.ts: answers with a file
  changeConsent: () => ({ params: { Number: '4235550103' }, body: { Channel: 'both', State: 'out' } }),
  undoConsent: 'elsewhere', // consents/change-consent.test.ts: needs something to undo
  getPhoneNumber: () => ({ params: { Number: '4235550103' }, query: { include: 'all' } }),
  lookUpPhoneNumbers: () => ({ query: { include: 'all' }, body: { Source: ['4235550103', 'x'] } }),
  validatePhoneNumber: () => ({ query: { includeTextability: 'true' }, body: { Source: '4235550103' } }),
  listConversations: () => ({ query: { isDone: 'true', q: 'hello' } }),
  getConversation: ({ ConversationID }) => ({ params: { ConversationID } }),
  createConversation: ({ TextNumberID }) => ({
    body: { TextNumberID, LastMessage: { Contact: { PrimaryPhone: '4235550102' }, Message: 'Hi' } },
  }),
  previewMerge: ({ PersonID }) => ({
    body: { Contacts: [{ PersonID, PrimaryPhone: '4235550102' }], TemplateText: 'Hi {{FirstName|there}}' },
  }),
  scheduleConversation: ({ TextNumberID }) => ({ body: later(TextNumberID) }),
  listScheduledConversations: () => ({ query: { q: 'later', ended: 'false' } }),
  getScheduledConversation: ({ ScheduledConversationID }) => ({ params: { ScheduledConversationID } }),
  updateScheduledConversation: ({ ScheduledConversationID, TextNumberID }) => ({
    params: { ScheduledConversationID },
    body: later(TextNumberID),
  }),
  sendScheduledConversation: ({ ScheduledConversationID }) => ({ params: { ScheduledConversationID } }),
  cancelScheduledConversation: ({ ScheduledConversationID }) => ({ params: { ScheduledConversationID } }),
  listTemplates: () => ({ query: { q: 'hello', sortby: 'used', isfavorite: 'false' } }),
  addTemplate: () => ({ body: { TemplateName: 'Welcome', TemplateText: 'Hello', Shortcut: 'hi' } }),
  updateTemplate: ({ TemplateID }) => ({ params: { TemplateID }, body: { IsFavorite: true } }),
  noteTemplateUse: ({ TemplateID }) => ({ params: { TemplateID } }),
  deleteTemplate: ({ TemplateID }) => ({ params: { TemplateID } }),
  undoTemplates: 'elsewhere', // templates/templates.test.ts: needs something to undo
  updateConversation: ({ ConversationID }) => ({ params: { ConversationID }, body: { IsDone: false } }),
  updateConversations: () => ({
    query: { isDone: 'false' },
    body: { Selection: { Type: 'SelectedAll' }, Update: { IsDone: true } },
  }),
  undoConversations: ({ UndoID }) => ({ params: { UndoID } }),
  viewConversation: ({ ConversationID }) => ({ params: { ConversationID } }),
  getConversationsSummary: () => ({}),
  listTextMessages: ({ ConversationID }) => ({ params: { ConversationID } }),
  sendTextMessage: ({ ConversationID }) => ({ params: { ConversationID }, body: { Message: 'Hello again' } }),
  getTextMessage: ({ TextMessageID }) => ({ params: { TextMessageID } }),
  resendTextMessage: ({ TextMessageID }) => ({ params: { TextMessageID }, body: {} }),
  markConversationUnread: ({ ConversationID }) => ({ params: { ConversationID } }),
  moveConversations: ({ TextNumberID }) => ({
    body: { TextNumberIDTo: TextNumberID, Selection: { Type: 'SelectedAll' } },
  }),
  getSignatureSetting: ({ ConversationID }) => ({ params: { ConversationID } }),
  updateSignatureSetting: ({ ConversationID }) => ({ params: { ConversationID }, body: { isEnabled: true } }),
  listTags: () => ({}),
  addTag: () => ({ body: { TagName: 'Another tag', Colour: 3 } }),
  updateTag: ({ TagID }) => ({ params: { TagID }, body: { TagName: 'Renamed' } }),
  deleteTag: ({ TagID }) => ({ params: { TagID } }),
  listNotes: ({ ConversationID }) => ({ params: { ConversationID } }),
  addNote: ({ ConversationID }) => ({ params: { ConversationID }, body: { Note: 'Called back' } }),
  updateNote: ({ ConversationID, NoteID }) => ({
    params: { ConversationID, NoteID },
    body: { Note: 'Called back twice' },
  }),
  deleteNote: ({ ConversationID, NoteID }) => ({ params: { ConversationID, NoteID } }),
};

const byName = new Map(everyCall.map((entry) => [entry.name, entry.call]));

function make(name: string, input: object, as?: { cookie: string }) {
  const call = byName.get(name) as CallDefinition;
  return app.call(call, input as CallInput<CallDefinition>, as);
}

describe('every call', () => {
  it('succeeds for one who may, with a reply that fits its schema', async () => {
    for (const [name, example] of Object.entries(examples)) {
      if (example === 'elsewhere') continue;
      const account = await buildAccount(app, { numbers: {} });
      const ids = await freshIds(account.accountId);
      const reply = await make(name, example(ids), account.owner);
      expect([name, reply.status, reply.body]).toEqual([name, 200, expect.anything()]);
      expect(byName.get(name)?.reply.safeParse(reply.body).error, name).toBeUndefined();
    }
  });

  it('asks for a session when it isn’t public', async () => {
    for (const { name } of everyCall.filter(({ call }) => call.allow !== 'public')) {
      const example = examples[name as CallName];
      const input =
        example === 'elsewhere'
          ? { params: { ...foreign, FileName: 'a.png', Number: '4235550103' } }
          : example(foreign as Ids);
      const reply = await make(name, input);
      expect([name, reply.status]).toEqual([name, 401]);
      expect(errorBody.safeParse(reply.body).success, name).toBe(true);
    }
  });

  it('refuses a role that is too low', async () => {
    const low = { admin: 'user', owner: 'admin' } as const;
    for (const { name, call } of everyCall) {
      if (call.allow === 'public' || call.allow === 'user') continue;
      const user = await buildUser(app, mine.accountId, low[call.allow]);
      const example = examples[name as CallName];
      const reply = await make(name, example === 'elsewhere' ? {} : example(foreign as Ids), user);
      expect([name, reply.status]).toEqual([name, 403]);
    }
  });

  it('does not find what belongs to another account', async () => {
    for (const { name, call } of everyCall) {
      const example = examples[name as CallName];
      if (example === 'elsewhere' || call.allow === 'public') continue;
      const usesForeignId =
        /:(\w+ID)/.test(call.path) ||
        ['createConversation', 'scheduleConversation', 'countSegment', 'moveConversations'].includes(name);
      if (!usesForeignId) continue;
      const reply = await make(name, example(foreign as Ids), mine.owner);
      expect([name, reply.status]).toEqual([name, 404]);
    }
  });

  it('answers malformed input with 400 and never with 500', async () => {
    const bad: unknown[] = [
      '',
      'x',
      -1,
      1e300,
      null,
      [],
      {},
      '\u0000',
      'a'.repeat(100_000),
      { $ne: 1 },
      true,
    ];
    for (const { name, call } of everyCall) {
      if (call.uploadBytes !== undefined) continue;
      for (const value of bad) {
        const answer = await fetch(app.url + badPath(call, value), {
          method: call.method,
          headers: { cookie: mine.owner.cookie, 'content-type': 'application/json' },
          ...(call.method === 'GET' ? {} : { body: JSON.stringify(value) }),
        });
        expect([name, String(value).slice(0, 20), answer.status < 500]).toEqual([
          name,
          String(value).slice(0, 20),
          true,
        ]);
        if (answer.status >= 400) expect(errorBody.safeParse(await answer.json()).success, name).toBe(true);
      }
      if (call.method !== 'GET') {
        const answer = await fetch(app.url + badPath(call, 1), {
          method: call.method,
          headers: { cookie: mine.owner.cookie, 'content-type': 'application/json' },
          body: '{ not json',
        });
        expect([name, answer.status]).toEqual([name, 400]);
      }
    }
  });
});

/** The path with a value in each of its places and in its query. */
function badPath(call: CallDefinition, value: unknown): string {
  const text = encodeURIComponent(String(value).slice(0, 500)) || '%20';
  const prefix = call.allow === 'public' ? '/proxy/public' : '/proxy/api';
  const query = `page=${text}&pagesize=${text}&next=${text}&isDone=${text}&textNumberId=${text}&include=${text}&sortby=${text}&q=${text}`;
  return `${prefix}${call.path.replace(/:\w+/g, text)}?${query}`;
}

/** Ids in a new account, made in the rows directly: its number has to be one that nobody has. */
let serial = 0;
async function freshIds(accountId: number): Promise<Ids> {
  serial += 1;
  const phone = `1423555${String(2000 + serial)}`;
  const { text_number_id: TextNumberID } = await app.database.system
    .insertInto('text_numbers')
    .values({ account_id: accountId, phone, aggregator_id: 5, registration_status: 'Registered' })
    .returning('text_number_id')
    .executeTakeFirstOrThrow();
  const owner = await app.database.system
    .selectFrom('users')
    .select(['user_id', 'user_name'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const { conversation_id: ConversationID } = await app.database.system
    .insertInto('conversations')
    .values({ account_id: accountId, text_number_id: TextNumberID, phone: '14235550103' })
    .returning('conversation_id')
    .executeTakeFirstOrThrow();
  const { undo_id: UndoID } = await app.database.system
    .insertInto('undos')
    .values({
      account_id: accountId,
      user_id: owner.user_id,
      kind: 'conversations.change',
      data: '{}',
    })
    .returning('undo_id')
    .executeTakeFirstOrThrow();
  const { session_id: SessionID } = await app.database.system
    .insertInto('sessions')
    .values({
      account_id: accountId,
      user_id: owner.user_id,
      token_hash: Buffer.from(`walk-${serial}`),
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .returning('session_id')
    .executeTakeFirstOrThrow();
  return {
    ConversationID,
    TextNumberID,
    UndoID,
    SessionID,
    ...(await contactIds(accountId, owner.user_id)),
    ...(await writtenIds(accountId, owner.user_id, TextNumberID)),
    PushTokenID: await pushToken(accountId, owner.user_id),
    ...(await replyIds(accountId)),
    ...(await threadIds(accountId, ConversationID, owner.user_id)),
  };
}
