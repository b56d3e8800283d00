/** Removing people from a draft, and undoing it. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { undoDraftContacts } from '../../../contract/draft-recipients.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { createDraftSteps } from '../draft/testing/draft-steps.ts';

let app: TestApp;
let account: BuiltAccount;
let steps: ReturnType<typeof createDraftSteps>;
let draft: number;

beforeAll(async () => {
  app = await testApp();
});

beforeEach(async () => {
  account = await buildAccount(app);
  steps = createDraftSteps(app, account);
  draft = await steps.begin();
});

const undo = (UndoID: number | null, as = account.owner) =>
  app.call(undoDraftContacts, { params: { UndoID: UndoID ?? 0 } }, as);

/** Everything that the page shows about the recipients of the draft. */
async function everything() {
  const rows = await app.database.system
    .selectFrom('broadcast_recipients')
    .select(['recipient_id', 'first_name', 'phone', 'problem', 'duplicate_of', 'source_id', 'zone'])
    .where('broadcast_id', '=', draft)
    .orderBy('recipient_id')
    .execute();
  return { rows, summary: await steps.summary(draft) };
}

/** Two groups that share Dee, and two pasted numbers, one of them Eve's. Ann was removed by hand. */
async function people() {
  const [ann = 0, dee = 0, eve = 0] = await steps.addContacts([
    { first: 'Ann', phone: '14235550101' },
    { first: 'Dee', phone: '14235550102' },
    { first: 'Eve', phone: '14235550103' },
  ]);
  const both = [await steps.addGroup('Parents', [ann, dee, eve]), await steps.addGroup('Drivers', [dee])];
  await steps.addLists(draft, both);
  await steps.paste(draft, ['4235550103', '4235550104'], 'Typed');
  const [first] = await steps.items(draft);
  await steps.remove(draft, { Type: 'Selected', Items: [first?.RecipientID ?? 0] });
  const before = await everything();
  return { before, sourceId: before.summary.Sources[0]?.SourceID ?? 0 };
}

it('restores a source: its people, and who was promoted, moved elsewhere, removed by hand', async () => {
  const { before, sourceId } = await people();
  const { body } = await steps.remove(draft, { Type: 'SelectedAll' }, { sourceId });
  expect(body).toEqual({ RemovedCount: 1, WorkID: null, UndoID: expect.any(Number) });
  expect((await steps.list(draft)).map(([name]) => name)).toEqual(['Dee', 'Typed', 'Typed']);
  expect((await undo(body.UndoID)).body).toEqual({ UndoExecuted: true, UndoID: null });
  expect(await everything()).toEqual(before);
  // A double click has one effect.
  expect((await undo(body.UndoID)).body).toEqual({ UndoExecuted: false, UndoID: null });
  expect(await everything()).toEqual(before);
});

it('restores selected people, and everybody with all sources', async () => {
  const { before } = await people();
  const chosen = (await steps.items(draft)).slice(0, 3).map(({ RecipientID }) => RecipientID);
  for (const selection of [{ Type: 'Selected' as const, Items: chosen }, { Type: 'SelectedAll' as const }]) {
    const { body } = await steps.remove(draft, selection);
    expect(await everything()).not.toEqual(before);
    await undo(body.UndoID);
    expect(await everything()).toEqual(before);
  }
});

it('keeps the person who was added meanwhile with the same phone', async () => {
  const { sourceId } = await people();
  await steps.remove(draft, { Type: 'SelectedAll' }, { q: 'typed' });
  const { body } = await steps.remove(draft, { Type: 'SelectedAll' }, { sourceId });
  await steps.paste(draft, ['4235550103'], 'Later');
  await undo(body.UndoID);
  expect(await steps.list(draft)).toEqual([
    ['Dee', null],
    ['Eve', 'duplicate'],
    ['Later', null],
  ]);
  const [, eve, later] = await steps.items(draft);
  expect(eve?.DuplicateOf).toMatchObject({ RecipientID: later?.RecipientID });
});

it('is for the user who removed them, and not for sent broadcasts', async () => {
  const { sourceId } = await people();
  const { body } = await steps.remove(draft, { Type: 'SelectedAll' }, { sourceId });
  const after = await everything();
  const other = await buildUser(app, account.accountId, 'admin');
  expect((await undo(body.UndoID, other)).status).toBe(404);
  expect((await undo(body.UndoID, (await buildAccount(app)).owner)).status).toBe(404);
  const setStatus = (status: 'draft' | 'scheduled') =>
    app.database.system.updateTable('broadcasts').set({ status }).where('broadcast_id', '=', draft).execute();
  await setStatus('scheduled');
  expect(refusalOf(await undo(body.UndoID)).status).toBe(409);
  await setStatus('draft');
  expect(await everything()).toEqual(after);
});
