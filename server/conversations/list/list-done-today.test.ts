import { beforeAll, expect, it } from 'vitest';
import { listDoneToday, undoConversations, updateConversations } from '../../../contract/conversations.ts';
import { asSystem } from '../../db.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { addThread } from '../testing/thread-rows.ts';

let app: TestApp;
let account: BuiltAccount;
let office: number;
let buses: number;

beforeAll(async () => {
  const numbers = { '14235550100': 'infobip', '18655550100': 'infobip' } as const;
  app = await testApp(numbers);
  account = await buildAccount(app, { numbers });
  office = account.numbers['14235550100'] ?? 0;
  buses = account.numbers['18655550100'] ?? 0;
});

let serial = 0;
async function thread(textNumberId: number, isDone = false): Promise<number> {
  const phone = `1423555${String(7000 + serial++)}`;
  return (await addThread(app, account.accountId, { phone, textNumberId, isDone })).conversationId;
}

async function mark(IsDone: boolean, ...Items: number[]): Promise<number> {
  const Selection = { Type: 'Selected' as const, Items };
  const { body } = await app.call(
    updateConversations,
    { body: { Selection, Update: { IsDone } } },
    account.owner,
  );
  return body.UndoID ?? 0;
}

async function today(as = account.owner, textNumberId?: number) {
  const { body } = await app.call(listDoneToday, { query: textNumberId ? { textNumberId } : {} }, as);
  expect(body.Size).toBe(body.Items.length);
  return body.Items.map(({ ConversationID }) => ConversationID);
}

it('contains conversations marked done since midnight, the latest first, of the user’s numbers', async () => {
  // Done before the time was recorded.
  await thread(office, true);
  const [early, late, bus, before] = [
    await thread(office),
    await thread(office),
    await thread(buses),
    await thread(office),
  ];
  await mark(true, before);
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await asSystem(app.database, (trx) =>
    trx
      .updateTable('conversations')
      .set({ done_at: yesterday })
      .where('account_id', '=', account.accountId)
      .where('conversation_id', '=', before)
      .execute(),
  );
  await mark(true, early);
  await mark(true, bus);
  await mark(true, late);
  expect(await today()).toEqual([late, bus, early]);
  expect(await today(account.owner, buses)).toEqual([bus]);
  const user = await buildUser(app, account.accountId, 'user', { textNumberIds: [office] });
  expect(await today(user)).toEqual([late, early]);

  // Marked again it keeps its time; when reopened it disappears, and an undo puts it back.
  await mark(true, early, late);
  const undoId = await mark(false, bus, before);
  expect(await today()).toEqual([late, early]);
  await app.call(undoConversations, { params: { UndoID: undoId } }, account.owner);
  expect(await today()).toEqual([late, bus, early]);
});
