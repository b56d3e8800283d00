import { beforeAll, describe, expect, it } from 'vitest';
import { createConversation, getConversation, listTextMessages } from '../../contract/conversations.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { keyOf, openSocket } from '../testing/test-socket.ts';
import { applyReceipts } from '../texts/apply-receipts.ts';
import { writeSendKey } from '../texts/rules.ts';
import { storeReceipts } from '../texts/store-receipts.ts';

const numbers = { '14235550100': 'infobip', '14235550120': 'twilio' } as const;
let app: TestApp;

beforeAll(async () => {
  app = await testApp(numbers);
});

const numberOf = (account: BuiltAccount) => Object.values(account.numbers)[0] ?? 0;

function write(account: BuiltAccount, PrimaryPhone: string, Message: string) {
  const body = { TextNumberID: numberOf(account), LastMessage: { Contact: { PrimaryPhone }, Message } };
  return app.call(createConversation, { body }, account.owner);
}

function consentsOf(account: BuiltAccount) {
  return app.database.system
    .selectFrom('consent_events')
    .select(['phone', 'channel', 'state', 'source', 'message_id'])
    .where('account_id', '=', account.accountId)
    .orderBy('phone')
    .execute();
}

// The sandbox: texts to 0187 fail as opted out. Infobip reports it in a receipt, Twilio refuses them with
// 21610.
describe.each(Object.entries(numbers))(
  'a text from %s by %s to a phone that has opted out there',
  (number, provider) => {
    it('is an opt-out, with the text as proof; the page is notified, and the next text refused', async () => {
      const account = await buildAccount(app, { numbers: { [number]: provider } });
      const socket = await openSocket(app.url, await keyOf(app, account.owner));
      const { body: sent } = await write(account, '4235550187', 'Hello');
      const params = { ConversationID: sent.ConversationID };
      expect(sent.OptedOut).toBe(false);
      await app.until(async () => {
        const { body } = await app.call(listTextMessages, { params }, account.owner);
        return body.Items[0]?.Status === 'opted_out';
      });

      expect(await consentsOf(account)).toEqual([
        {
          phone: '14235550187',
          channel: 'text',
          state: 'out',
          source: 'carrier',
          message_id: sent.TextMessageID,
        },
      ]);
      const { body: conversation } = await app.call(getConversation, { params }, account.owner);
      expect(conversation).toMatchObject({ OptedOut: true, OptedIn: false });
      await socket.heard({ type: 'contacts.changed' });
      expect(refusalOf(await write(account, '4235550187', 'Hello again'))).toMatchObject({
        status: 422,
        Message: 'This number has opted out of receiving texts.',
      });
    });
  },
);

describe('a thousand receipts at once', () => {
  /** Texts of ours that the carrier has, of any origin. */
  async function makeTexts(account: BuiltAccount, phones: string[], origin: 'conversation' | 'broadcast') {
    const rows = await app.database.system
      .insertInto('messages')
      .values(
        phones.map((phone) => ({
          account_id: account.accountId,
          text_number_id: numberOf(account),
          phone,
          is_inbound: false,
          status: 'sent',
          origin,
          body: 'Hello',
        })),
      )
      .returning(['message_id', 'send_nonce'])
      .execute();
    return rows.map((row) => ({
      key: writeSendKey({ accountId: account.accountId, messageId: row.message_id, nonce: row.send_nonce }),
      carrierMessageId: null,
      error: '603',
    }));
  }

  it('of a broadcast that report "opted out" are each phone’s opt-out once; the others none', async () => {
    const account = await buildAccount(app, { numbers: { '18005550100': 'infobip' } });
    const out = Array.from({ length: 300 }, (_, index) => `1423555${2000 + index}`);
    const fine = Array.from({ length: 300 }, (_, index) => `1423555${3000 + index}`);
    const occurredAt = new Date();
    const texts = await makeTexts(account, [...out, ...fine, ...out], 'broadcast');
    await storeReceipts(
      app.database,
      texts.map((text, index) => ({
        ...text,
        status: index >= 300 && index < 600 ? 'delivered' : 'opted_out',
        occurredAt,
      })),
    );
    expect(await applyReceipts(app.database, 1000)).toBe(900);
    const consents = await consentsOf(account);
    expect(consents.map(({ phone, state, source }) => ({ phone, state, source }))).toEqual(
      out.map((phone) => ({ phone, state: 'out', source: 'carrier' })),
    );
  });

  it('that are older than a START keep the phone in, and add nothing for an opted-out phone', async () => {
    const account = await buildAccount(app, { numbers: { '18005550101': 'infobip' } });
    const now = new Date();
    await app.database.system
      .insertInto('phone_consents')
      .values([
        { account_id: account.accountId, phone: '14235554001', text_state: 'in', text_changed_at: now },
        { account_id: account.accountId, phone: '14235554002', text_state: 'out', text_changed_at: now },
      ])
      .execute();
    const texts = await makeTexts(account, ['14235554001', '14235554002'], 'conversation');
    const occurredAt = new Date(now.getTime() - 60_000);
    await storeReceipts(
      app.database,
      texts.map((text) => ({ ...text, status: 'opted_out', occurredAt })),
    );
    await applyReceipts(app.database, 1000);
    const states = await app.database.system
      .selectFrom('phone_consents')
      .select(['phone', 'text_state'])
      .where('account_id', '=', account.accountId)
      .orderBy('phone')
      .execute();
    expect(states.map(({ text_state }) => text_state)).toEqual(['in', 'out']);
    expect((await consentsOf(account)).map(({ phone }) => phone)).toEqual(['14235554001']);
  });
});
