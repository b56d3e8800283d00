import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { touchConversations } from '../conversations/texts/touch-conversations.ts';
import { asSystem } from '../db.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { createTexts, type ReadyText } from './create-texts.ts';

let app: TestApp;
let rich: BuiltAccount;
let poor: BuiltAccount;

beforeAll(async () => {
  app = await testApp();
  rich = await buildAccount(app, { numbers: { '14235550100': 'infobip' }, credits: 100 });
  poor = await buildAccount(app, { numbers: { '14235550150': 'infobip' }, credits: 3 });
});

function text(account: BuiltAccount, phone: string, more: Partial<ReadyText> = {}): ReadyText {
  return {
    accountId: account.accountId,
    textNumberId: Object.values(account.numbers)[0] ?? 0,
    aggregatorId: 5,
    phone,
    body: `To ${phone}`,
    segments: 1,
    credits: 1,
    origin: 'automatic',
    userId: null,
    ...more,
  };
}

/** In a transaction that is rolled back, so that each test begins with the same credits. */
async function tried<T>(
  work: (trx: Parameters<Parameters<typeof asSystem>[1]>[0]) => Promise<T>,
): Promise<T> {
  let result: T | undefined;
  const over = new Error('over');
  await asSystem(app.database, async (trx) => {
    result = await work(trx);
    throw over;
  }).catch((error) => {
    if (error !== over) throw error;
  });
  return result as T;
}

describe('texts of several accounts', () => {
  it('are answered in their order, with rows in ledger and outbox, and one entry per account', async () => {
    const texts = [
      text(poor, '14235553001', { credits: 2 }),
      text(rich, '14235553002', { mediaIds: [7, 8], ignoresOptOut: true }),
      text(poor, '14235553003'),
      text(rich, '14235553002', { body: 'Again' }),
    ];
    await tried(async (trx) => {
      const created = await createTexts(trx, texts);
      expect(created).toMatchObject(texts);
      const ids = created.map((one) => one.messageId);
      const { rows } = await sql`
        select m.account_id as "accountId", m.phone, m.body, m.media_ids as "mediaIds", o.ignores_opt_out as "ignoresOptOut"
        from messages m join outbox o on o.account_id = m.account_id and o.message_id = m.message_id
        order by array_position(${ids}::bigint[], m.message_id)`.execute(trx);
      expect(rows).toEqual(
        texts.map(({ accountId, phone, body, mediaIds = [], ignoresOptOut = false }) => ({
          accountId,
          phone,
          body,
          mediaIds,
          ignoresOptOut,
        })),
      );
      const entries = await sql`
        select account_id, reserved_delta, balance_after, reserved_after from credit_entries
        where kind = 'reserve' order by account_id`.execute(trx);
      expect(entries.rows).toEqual([
        { account_id: rich.accountId, reserved_delta: 2, balance_after: 100, reserved_after: 2 },
        { account_id: poor.accountId, reserved_delta: 3, balance_after: 3, reserved_after: 3 },
      ]);
      // No user wrote them: no conversation was opened.
      expect(created.map((one) => one.conversationId)).toEqual(Array(4).fill(undefined));
    });
  });

  it('without enough credits of one account all are refused', async () => {
    const texts = [text(rich, '14235553010'), text(poor, '14235553011', { credits: 4 })];
    await expect(tried((trx) => createTexts(trx, texts))).rejects.toMatchObject({ kind: 'notEnoughCredits' });
  });

  it('or each as far as its account’s credits suffice, in their order', async () => {
    const texts = [
      text(poor, '14235553020', { credits: 2 }),
      text(poor, '14235553021', { credits: 2 }),
      text(rich, '14235553022'),
      text(poor, '14235553023', { credits: 1 }),
      text(poor, '14235553024', { credits: 0 }),
      text(poor, '14235553025', { credits: 1 }),
    ];
    const made = await tried(async (trx) => {
      const created = await createTexts(trx, texts, { whenShort: 'skip' });
      const { rows } = await sql<{ phone: string; messageId: number }>`
        select phone, message_id as "messageId" from messages order by message_id`.execute(trx);
      expect(created.map(({ phone, messageId }) => ({ phone, messageId }))).toEqual(rows);
      expect(rows.map(({ phone }) => phone)).toEqual(
        ['0', '2', '3', '4'].map((digit) => `1423555302${digit}`),
      );
      return created;
    });
    expect(made).toMatchObject([texts[0], texts[2], texts[3], texts[4]]);
  });

  it('an empty list creates none', async () => {
    expect(await tried((trx) => createTexts(trx, []))).toEqual([]);
    const texts = [text(poor, '14235553030', { credits: 9 })];
    expect(await tried((trx) => createTexts(trx, texts, { whenShort: 'skip' }))).toEqual([]);
  });
});

it('two texts of a person to one phone are in one conversation, which shows the second', async () => {
  const by = { origin: 'conversation', userId: rich.owner.userId } as const;
  const texts = [
    text(rich, '14235553040', { body: 'One', ...by }),
    text(rich, '14235553040', { body: 'Two', ...by }),
  ];
  await tried(async (trx) => {
    const [one, two] = await createTexts(trx, texts, {
      showIn: (inserted) => touchConversations(trx, inserted),
    });
    expect(one?.conversationId).toBe(two?.conversationId);
    const { rows } = await sql`select conversation_id, last_message_id from conversations`.execute(trx);
    expect(rows).toEqual([{ conversation_id: one?.conversationId, last_message_id: two?.messageId }]);
  });
});
