import { beforeAll, describe, expect, it } from 'vitest';
import {
  createConversation,
  getConversation,
  getConversationsSummary,
  listConversations,
  listTextMessages,
  sendTextMessage,
  viewConversation,
} from '../../../contract/conversations.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const numbers = { '14235550100': 'infobip', '14235550120': 'twilio' } as const;
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp(numbers);
  account = await buildAccount(app, { numbers });
});

describe.each(Object.entries(numbers))('a text from %s by %s', (number, provider) => {
  const phone = provider === 'infobip' ? '4235550143' : '4235550144';

  it('reaches the telephone, is delivered, and is answered', async () => {
    const as = account.owner;
    const sent = await app.call(
      createConversation,
      {
        body: {
          TextNumberID: account.numbers[number] ?? 0,
          LastMessage: {
            Contact: { PrimaryPhone: `(423) 555-014${phone.at(-1)}` },
            Message: 'Buses run late today.',
          },
        },
      },
      as,
    );
    expect(sent.status).toBe(200);
    expect(sent.body).toMatchObject({
      PhoneNumber: phone,
      UnreadCount: 0,
      LastMessage: { Status: 'waiting' },
    });

    await app.until(async () => (await app.sandbox.messages(phone)).length > 0);
    expect(await app.sandbox.messages(phone)).toMatchObject([
      { From: number, To: `1${phone}`, Text: 'Buses run late today.', Direction: 'in' },
    ]);
    const { ConversationID } = sent.body;
    await app.until(async () => {
      const thread = await app.call(listTextMessages, { params: { ConversationID } }, as);
      return thread.body.Items[0]?.Status === 'delivered';
    });

    await app.sandbox.text(phone, number, 'How late?');
    await app.until(async () => {
      const { body } = await app.call(getConversation, { params: { ConversationID } }, as);
      return body.UnreadCount === 1 && body.LastMessage?.Message === 'How late?';
    });
    const summary = await app.call(getConversationsSummary, {}, as);
    expect(summary.body.UnreadCount).toBe(1);
    const list = await app.call(listConversations, { query: { unread: true } }, as);
    expect(list.body.Items.map((item) => item.ConversationID)).toEqual([ConversationID]);

    const viewed = await app.call(viewConversation, { params: { ConversationID } }, as);
    expect(viewed.body).toMatchObject({ UnreadCount: 0, Views: [{ UserID: as.userId }] });

    const answer = await app.call(
      sendTextMessage,
      { params: { ConversationID }, body: { Message: 'Ten minutes.' } },
      as,
    );
    expect(answer.body).toMatchObject({
      Message: 'Ten minutes.',
      Status: 'waiting',
      SentBy: { UserID: as.userId },
    });
    await app.until(async () => (await app.sandbox.messages(phone)).length === 3);
    const thread = await app.call(listTextMessages, { params: { ConversationID } }, as);
    expect(thread.body.Items.map((item) => item.Message)).toEqual([
      'Ten minutes.',
      'How late?',
      'Buses run late today.',
    ]);
  });
});
