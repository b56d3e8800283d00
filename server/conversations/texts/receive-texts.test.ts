import { expect, it } from 'vitest';
import {
  afterConversationEvent,
  type ConversationState,
} from '../../../contract/states/conversation-state.ts';
import { asSystem, type Database } from '../../db.ts';
import { testDb } from '../../testing/test-db.ts';
import { receiveTexts } from './receive-texts.ts';

type Word = 'stop' | 'unstop' | 'help' | undefined;

async function build(database: Database) {
  return asSystem(database, async (trx) => {
    const { account_id } = await trx
      .insertInto('accounts')
      .values({ company_name: 'A' })
      .returning('account_id')
      .executeTakeFirstOrThrow();
    const { text_number_id } = await trx
      .insertInto('text_numbers')
      .values({ account_id, phone: '14235550100', aggregator_id: 5 })
      .returning('text_number_id')
      .executeTakeFirstOrThrow();
    return { account_id, text_number_id };
  });
}

/**
 * Every sequence of up to three texts, one at a time and in one batch, has the same result as the contract's
 * rule.
 */
it('agrees with the contract about unread, done and opted-out conversations', async () => {
  const database = await testDb();
  const { account_id, text_number_id } = await build(database);
  const words: Word[] = [undefined, 'stop', 'unstop'];
  const sequences = words.flatMap((a) => [
    [a],
    ...words.flatMap((b) => [[a, b], ...words.map((c) => [a, b, c])]),
  ]);
  const starts = [
    { IsDone: false, IsAutoOptOut: false, UnreadCount: 0 },
    { IsDone: true, IsAutoOptOut: false, UnreadCount: 0 },
    { IsDone: false, IsAutoOptOut: true, UnreadCount: 0 },
    { IsDone: false, IsAutoOptOut: false, UnreadCount: 2 },
  ];
  let serial = 0;
  for (const begin of starts) {
    for (const sequence of sequences) {
      const expected = sequence.reduce<ConversationState>(
        (state, word) => afterConversationEvent(state, { type: 'incoming', word }),
        { ...begin, OptedIn: false, OptedOut: false, LastMessage: null },
      );
      for (const isBatch of [true, false]) {
        serial += 1;
        const phone = `1423${5_550_000 + serial}`;
        const at = Date.now();
        const texts = sequence.map((word, index) => ({
          accountId: account_id,
          textNumberId: text_number_id,
          phone,
          messageId: serial * 10 + index,
          at: new Date(at + index),
          word,
        }));
        const found = await asSystem(database, async (trx) => {
          await trx
            .insertInto('conversations')
            .values({
              account_id,
              text_number_id,
              phone,
              is_done: begin.IsDone,
              is_auto_opt_out: begin.IsAutoOptOut,
              unread_count: begin.UnreadCount,
              last_message_at: new Date(at - 1000),
            })
            .execute();
          for (const batch of isBatch ? [texts] : texts.map((text) => [text])) await receiveTexts(trx, batch);
          return trx
            .selectFrom('conversations')
            .select([
              'is_done as IsDone',
              'is_auto_opt_out as IsAutoOptOut',
              'unread_count as UnreadCount',
              'last_message_id',
            ])
            .where('phone', '=', phone)
            .executeTakeFirstOrThrow();
        });
        expect({ begin, sequence, isBatch, ...found }).toEqual({
          begin,
          sequence,
          isBatch,
          IsDone: expected.IsDone,
          IsAutoOptOut: expected.IsAutoOptOut,
          UnreadCount: expected.UnreadCount,
          last_message_id: texts.at(-1)?.messageId,
        });
      }
    }
  }
});

it('a first STOP creates a conversation among the opt-outs that isn’t waiting', async () => {
  const database = await testDb();
  const { account_id, text_number_id } = await build(database);
  await asSystem(database, (trx) =>
    receiveTexts(trx, [
      {
        accountId: account_id,
        textNumberId: text_number_id,
        phone: '14235550101',
        messageId: 1,
        at: new Date(),
        word: 'stop',
      },
    ]),
  );
  const rows = await database.system
    .selectFrom('conversations')
    .select(['is_auto_opt_out', 'unread_count', 'waiting_since'])
    .execute();
  expect(rows).toEqual([{ is_auto_opt_out: true, unread_count: 0, waiting_since: null }]);
});
