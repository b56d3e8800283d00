/** Texts that need no answer: grouped in the inbox, closed together, and never counted as waiting. */
import { beforeAll, expect, it } from 'vitest';
import {
  getConversationsSummary,
  listConversations,
  moveConversations,
  sendTextMessage,
  undoConversations,
  updateConversations,
} from '../../../contract/conversations.ts';
import { getHome } from '../../../contract/home.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { receiveTexts } from '../../testing/receive-texts.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const ours = '14235550100';
const clinic = '14235550101';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [ours]: 'infobip', [clinic]: 'infobip' });
  account = await buildAccount(app, { numbers: { [ours]: 'infobip', [clinic]: 'infobip' } });
});

type Text = [index: number, body: string, secondsAgo?: number];
const phoneOf = (index: number) => `1${2_015_550_100 + index}`;

async function receive(to: string, ...texts: Text[]): Promise<void> {
  await receiveTexts(
    app,
    to,
    texts.map(([index, body, secondsAgo = 0]) => ({
      ...{ from: phoneOf(index), body, at: new Date(Date.now() - secondsAgo * 1000) },
    })),
  );
}

type Viewing = 'noanswer' | 'waiting';
const list = async (viewing: Viewing, as = account.owner, sortby: 'latest' | 'oldest' = 'latest') =>
  (await app.call(listConversations, { query: { viewing, sortby } }, as)).body.Items;
const shown = async (viewing: Viewing, as = account.owner, sortby: 'latest' | 'oldest' = 'latest') =>
  (await list(viewing, as, sortby)).map(({ PhoneNumber }) => Number(PhoneNumber.slice(-3)) - 100);
const count = async (as = account.owner) =>
  (await app.call(getConversationsSummary, { query: {} }, as)).body.NoAnswerCount;

it('groups them, shows the longest wait first, and closes the group with an undo', async () => {
  await receive(
    ours,
    ...([
      [1, 'Thank you!', 90],
      [2, 'Is there school today?', 80],
      [3, '👍', 70],
      [4, 'Who do I call about lunch?', 600],
      [5, 'ok gracias', 60],
      // Thanks too early: the question before them is unanswered.
      [6, 'Can I pick up Daniel at 2?', 50],
      [6, 'Thanks', 40],
    ] as Text[]),
  );
  expect(await shown('noanswer')).toEqual([5, 3, 1]);
  expect(await count()).toBe(3);
  expect(await shown('waiting', account.owner, 'oldest')).toEqual([4, 2, 6]);
  const { body: home } = await app.call(getHome, {}, account.owner);
  expect(home.Waiting.Size).toBe(3);

  // A person who writes again after thanks is waiting again.
  await receive(ours, [3, 'Wait, what time?']);
  expect(await shown('noanswer')).toEqual([5, 1]);

  const query = { viewing: 'noanswer' as const };
  const all = { Selection: { Type: 'SelectedAll' as const }, Update: { IsDone: true } };
  const { body: closed } = await app.call(updateConversations, { query, body: all }, account.owner);
  expect(closed.Size).toBe(2);
  expect(await count()).toBe(0);
  const undo = { params: { UndoID: closed.UndoID ?? 0 } };
  expect((await app.call(undoConversations, undo, account.owner)).body.UndoExecuted).toBe(true);
  expect(await shown('noanswer')).toEqual([5, 1]);

  // A person whose thanks were answered is not among them.
  const [first] = await list('noanswer');
  await app.call(
    sendTextMessage,
    { params: { ConversationID: first?.ConversationID ?? 0 }, body: { Message: 'You’re welcome!' } },
    account.owner,
  );
  expect(await shown('noanswer')).toEqual([1]);
});

it('starts a new wait after a conversation was marked done', async () => {
  await receive(ours, [11, 'Where is the gym?', 3600]);
  const [row] = (await list('waiting')).filter(({ PhoneNumber }) => PhoneNumber.endsWith('111'));
  const body = {
    Selection: { Type: 'Selected' as const, Items: [row?.ConversationID ?? 0] },
    Update: { IsDone: true },
  };
  await app.call(updateConversations, { query: {}, body }, account.owner);
  await receive(ours, [12, 'And the pool?', 30], [11, 'Found it. Is it open?', 10]);
  const order = await shown('waiting', account.owner, 'oldest');
  expect(order.indexOf(12)).toBeLessThan(order.indexOf(11));
});

it('hides thanks at numbers that the user may not use, and moves with the conversation', async () => {
  await receive(clinic, [21, 'Thanks so much']);
  const nurse = await buildUser(app, account.accountId, 'user', {
    textNumberIds: [account.numbers[clinic] ?? 0],
  });
  const clerk = await buildUser(app, account.accountId, 'user', {
    textNumberIds: [account.numbers[ours] ?? 0],
  });
  expect([await shown('noanswer', nurse), await count(nurse)]).toEqual([[21], 1]);
  expect(await shown('noanswer', clerk)).not.toContain(21);
  const [row] = await list('noanswer', nurse);
  const body = {
    Selection: { Type: 'Selected' as const, Items: [row?.ConversationID ?? 0] },
    TextNumberIDTo: account.numbers[ours] ?? 0,
  };
  await app.call(moveConversations, { query: {}, body }, account.owner);
  expect(await shown('noanswer', nurse)).toEqual([]);
  expect(await shown('noanswer', clerk)).toContain(21);
});
