import { fileColumns } from '../../contract/imports.ts';
import { getSecret } from '../auth/queries.ts';
import type { Database } from '../db.ts';
import { emptySummary } from '../imports/rules.ts';
import { makeKey } from '../keys/rules.ts';
import { sealSecret } from '../seal-secret.ts';
import { secretPlace } from '../webhooks/queries.ts';
import { newSecret } from '../webhooks/rules.ts';
import {
  broadcastIds,
  callingIds,
  moneyIds,
  reportView,
  type System,
  sequence,
  tomorrow,
} from './sent-and-paid.ts';

export type Ids = Awaited<ReturnType<typeof oneOfEverything>>;

let serial = 0;

/**
 * One of everything that a path can name, in an account, inserted directly. By its name in paths. Its text
 * number is unique.
 */
export async function oneOfEverything({ database }: { database: Database }, account_id: number) {
  const { system } = database;
  serial += 1;
  const { user_id } = await system
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow();
  const { text_number_id } = await system
    .insertInto('text_numbers')
    .values({
      account_id,
      phone: `1423555${String(2000 + serial)}`,
      aggregator_id: 5,
      registration_status: 'Registered',
    })
    .returning('text_number_id')
    .executeTakeFirstOrThrow();
  return {
    TextNumberID: text_number_id,
    InvitedUserID: await invitedUser(system, account_id, user_id),
    UndoID: await undo(system, account_id, user_id),
    SessionID: await session(system, account_id, user_id),
    PasskeyID: await passkey(system, account_id, user_id),
    UserID: user_id,
    ApiKeyID: await apiKey(system, account_id, user_id),
    PushTokenID: await pushToken(system, account_id, user_id),
    FileID: await readFile(system, account_id, user_id),
    ...(await contactIds(system, account_id, user_id)),
    ...(await writtenIds(system, account_id, user_id, text_number_id)),
    ...(await replyIds(system, account_id)),
    ...(await threadIds(system, account_id, user_id, text_number_id)),
    ...(await broadcastIds(system, account_id, user_id, text_number_id)),
    ...(await moneyIds(system, account_id)),
    SequenceID: await sequence(system, account_id, user_id),
    ReportViewID: await reportView(system, account_id, user_id),
    ...(await callingIds(system, account_id, user_id)),
    ...(await webhookIds(database, account_id)),
  };
}

/** A webhook with one delivery that hasn't been tried. */
async function webhookIds(database: Database, account_id: number) {
  const { system } = database;
  const { endpoint_id: WebhookID } = await system
    .insertInto('webhook_endpoints')
    .values({
      account_id,
      url: 'https://example.org/hook',
      event_types: ['message.received'],
      secret: Buffer.alloc(0),
    })
    .returning('endpoint_id')
    .executeTakeFirstOrThrow();
  const place = secretPlace(account_id, WebhookID);
  await system
    .updateTable('webhook_endpoints')
    .set({ secret: sealSecret(await getSecret(database), place, newSecret()) })
    .where('account_id', '=', account_id)
    .where('endpoint_id', '=', WebhookID)
    .execute();
  const { delivery_id: DeliveryID } = await system
    .insertInto('webhook_deliveries')
    .values({
      ...{
        account_id,
        endpoint_id: WebhookID,
        message_key: 'msg_1',
        event_type: 'message.received',
        body: '{}',
      },
    })
    .returning('delivery_id')
    .executeTakeFirstOrThrow();
  return { WebhookID, DeliveryID };
}

async function undo(system: System, account_id: number, user_id: number): Promise<number> {
  const { undo_id } = await system
    .insertInto('undos')
    .values({ account_id, user_id, kind: 'conversations.change', data: '{}' })
    .returning('undo_id')
    .executeTakeFirstOrThrow();
  return undo_id;
}

/** For a colleague: a user with one is asked for it at sign-in. */
async function apiKey(system: System, account_id: number, user_id: number): Promise<number> {
  const { publicId, secretHash } = makeKey();
  const { api_key_id } = await system
    .insertInto('api_keys')
    .values({
      ...{ account_id, user_id, name: 'Bus tracker', scopes: ['contacts:read'] },
      ...{ public_id: publicId, secret_hash: secretHash },
    })
    .returning('api_key_id')
    .executeTakeFirstOrThrow();
  return api_key_id;
}

async function passkey(system: System, account_id: number, owner: number): Promise<number> {
  const { user_id } = await system
    .insertInto('users')
    .values({
      ...{ account_id, user_name: `passkey-of-${owner}`, password_hash: '', role: 'user' },
      ...{ first_name: 'Kay', last_name: 'Pass', email: '' },
    })
    .returning('user_id')
    .executeTakeFirstOrThrow();
  const { passkey_id } = await system
    .insertInto('passkeys')
    .values({
      ...{ account_id, user_id, name: 'Laptop' },
      ...{ credential_id: Buffer.alloc(32, 1), public_key: Buffer.alloc(77) },
    })
    .returning('passkey_id')
    .executeTakeFirstOrThrow();
  return passkey_id;
}

async function session(system: System, account_id: number, user_id: number): Promise<number> {
  const { session_id } = await system
    .insertInto('sessions')
    .values({ account_id, user_id, token_hash: Buffer.from(`walk-${serial}`), expires_at: tomorrow() })
    .returning('session_id')
    .executeTakeFirstOrThrow();
  return session_id;
}

/** A conversation with a note and a failed text, and a tag. */
async function threadIds(system: System, account_id: number, user_id: number, text_number_id: number) {
  const phone = '14235550103';
  const { conversation_id: ConversationID } = await system
    .insertInto('conversations')
    .values({ account_id, text_number_id, phone })
    .returning('conversation_id')
    .executeTakeFirstOrThrow();
  const { tag_id: TagID } = await system
    .insertInto('tags')
    .values({ account_id, name: 'A tag' })
    .returning('tag_id')
    .executeTakeFirstOrThrow();
  const { note_id: NoteID } = await system
    .insertInto('conversation_notes')
    .values({ account_id, conversation_id: ConversationID, user_id, body: 'A note' })
    .returning('note_id')
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
  return { ConversationID, TagID, NoteID, TextMessageID };
}

/** A scheduled text and a saved text. */
async function writtenIds(system: System, account_id: number, user_id: number, text_number_id: number) {
  const { scheduled_id: ScheduledConversationID } = await system
    .insertInto('scheduled_conversations')
    .values({
      account_id,
      user_id,
      text_number_id,
      body: 'For later',
      start_at: tomorrow(),
    })
    .returning('scheduled_id')
    .executeTakeFirstOrThrow();
  await system
    .insertInto('scheduled_recipients')
    .values({
      account_id,
      scheduled_id: ScheduledConversationID,
      position: 1,
      phone: '14235550109',
    })
    .execute();
  const { template_id: TemplateID } = await system
    .insertInto('templates')
    .values({ account_id, user_id, name: 'Greeting', body: 'Hello' })
    .returning('template_id')
    .executeTakeFirstOrThrow();
  const { audio_id: AudioID } = await system
    .insertInto('audio')
    .values({
      account_id,
      user_id,
      name: 'Snow',
      origin: 'Upload',
      whole_hash: '0'.repeat(64),
      whole_ms: 1000,
      call_hash: '0'.repeat(64),
      length_ms: 1000,
      public_key: `key-${serial}`,
      peaks: Buffer.alloc(200),
    })
    .returning('audio_id')
    .executeTakeFirstOrThrow();
  const { emergency_message_id: EmergencyMessageID } = await system
    .insertInto('emergency_messages')
    .values({ account_id, title: 'Snow', body: 'School is closed.', spoken_text: 'School is closed today.' })
    .returning('emergency_message_id')
    .executeTakeFirstOrThrow();
  return { ScheduledConversationID, TemplateID, AudioID, EmergencyMessageID };
}

/** A contact, a group, and related rows, inserted directly. */
async function contactIds(system: System, account_id: number, user_id: number) {
  const { group_id: ListID } = await system
    .insertInto('groups')
    .values({ account_id, name: 'A group' })
    .returning('group_id')
    .executeTakeFirstOrThrow();
  const { person_id: PersonID } = await system
    .insertInto('contacts')
    .values({ account_id, primary_phone: '14235550105', created_by_user_id: user_id })
    .returning('person_id')
    .executeTakeFirstOrThrow();
  const { field_id: FieldID } = await system
    .insertInto('custom_fields')
    .values({ account_id, name: 'Bus' })
    .returning('field_id')
    .executeTakeFirstOrThrow();
  const { work_id: WorkID } = await system
    .insertInto('work')
    .values({
      account_id,
      user_id,
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
      account_id,
      user_id,
      list_id: 0,
      query: '{"q":""}',
      selection: '{"Type":"SelectedAll","Items":[]}',
      format: 'csv',
      columns: [],
    })
    .returning('export_id')
    .executeTakeFirstOrThrow();
  return { ListID, PersonID, FieldID, WorkID, ExportID };
}

/** An auto reply, a keyword and a picture. */
async function replyIds(system: System, account_id: number) {
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
async function readFile(system: System, account_id: number, user_id: number): Promise<number> {
  const columns = fileColumns.parse({ Phone1: 1 });
  const tab = { TabNumber: 1, TabName: '', HasHeader: false, RowCount: 1, Rows: [], IsRemembered: false };
  const { file_id } = await system
    .insertInto('file_uploads')
    .values({
      account_id,
      user_id,
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
    .values({ account_id, file_id, row_number: 1, state: 'good', phone1: '14235550106' })
    .execute();
  return file_id;
}

async function pushToken(system: System, account_id: number, user_id: number): Promise<number> {
  const row = await system
    .insertInto('push_tokens')
    .values({ account_id, user_id, provider: 'WebPush', token: '{}', token_hash: Buffer.from('walk') })
    .returning('push_token_id')
    .executeTakeFirstOrThrow();
  return row.push_token_id;
}

/** A user with an open invitation. */
async function invitedUser(system: System, account_id: number, invited_by_user_id: number): Promise<number> {
  const { user_id } = await system
    .insertInto('users')
    .values({
      account_id,
      user_name: `invited-${account_id}-${serial}`,
      password_hash: 'none',
      first_name: 'Pat',
      last_name: 'Invited',
      email: `invited-${account_id}@example.org`,
      role: 'user',
      is_active: false,
    })
    .returning('user_id')
    .executeTakeFirstOrThrow();
  const expires_at = new Date(Date.now() + 86_400_000);
  await system
    .insertInto('invitations')
    .values({
      account_id,
      user_id,
      token_hash: Buffer.from(`walk-${user_id}`),
      invited_by_user_id,
      expires_at,
    })
    .execute();
  return user_id;
}
