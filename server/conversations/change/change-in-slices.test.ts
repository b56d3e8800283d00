import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallInput } from '../../../contract/call.ts';
import {
  conversationLimits,
  getConversationsSummary,
  listConversations,
  undoConversations,
  updateConversations,
} from '../../../contract/conversations.ts';
import { addTag, deleteTag } from '../../../contract/tags.ts';
import { getWork } from '../../../contract/work.ts';
import { type BuiltUser, buildAccount } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

let app: TestApp;
let serial = 0;

beforeAll(async () => {
  app = await testApp();
});

type Update = CallInput<typeof updateConversations>['body']['Update'];
const undo = (UndoID: number | null, as: BuiltUser) =>
  app.call(undoConversations, { params: { UndoID: UndoID ?? 0 } }, as);

describe('more than are changed at once', () => {
  const many = conversationLimits.rowsAtOnce + 10;

  /** An account with that many open conversations, each with a tag. */
  async function large() {
    serial += 1;
    const number = `1931555${String(1000 + serial)}`;
    const built = await buildAccount(app, { numbers: { [number]: 'infobip' } });
    const TagID = (await app.call(addTag, { body: { TagName: 'On all' } }, built.owner)).body.TagID;
    await sql`insert into conversations (account_id, text_number_id, phone, tag_ids)
      select ${built.accountId}, ${built.numbers[number]}, (14230000000 + n)::text, array[${TagID}::bigint]
      from generate_series(1, ${many}) n`.execute(app.database.system);
    const all = (Update: Update, query = {}) =>
      app.call(
        updateConversations,
        { query, body: { Selection: { Type: 'SelectedAll' }, Update } },
        built.owner,
      );
    const counts = async () => (await app.call(getConversationsSummary, {}, built.owner)).body;
    const workOf = async (WorkID: number | undefined) =>
      (await app.call(getWork, { params: { WorkID: WorkID ?? 0 } }, built.owner)).body;
    return { ...built, TagID, all, counts, workOf };
  }

  it('continue in the background, slice by slice, and are undone the same way', async () => {
    const { all, counts, workOf, owner } = await large();
    const marked = await all({ IsDone: true }, { isDone: false });
    expect(marked.body).toEqual({
      Size: many,
      UndoID: expect.any(Number),
      WorkID: expect.any(Number),
    });
    expect(await counts()).toMatchObject({ OpenCount: many, DoneCount: 0 });
    await app.drain();
    expect(await workOf(marked.body.WorkID)).toMatchObject({
      Kind: 'conversations.change',
      Status: 'Complete',
      Done: many,
      Total: many,
      ErrorMessage: '',
    });
    expect(await counts()).toMatchObject({ OpenCount: 0, DoneCount: many });
    const undone = await undo(marked.body.UndoID, owner);
    await app.drain();
    expect(await counts()).toMatchObject({ OpenCount: many, DoneCount: 0 });
    await undo(undone.body.UndoID, owner);
    await app.drain();
    expect(await counts()).toMatchObject({ OpenCount: 0, DoneCount: many });
  });

  it('stop when they are undone midway', async () => {
    const { all, counts, workOf, owner } = await large();
    const marked = await all({ IsDone: true });
    expect((await undo(marked.body.UndoID, owner)).body).toEqual({ UndoExecuted: true, UndoID: null });
    await app.drain();
    expect(await workOf(marked.body.WorkID)).toMatchObject({ Status: 'Complete', Done: 0 });
    expect(await counts()).toMatchObject({ OpenCount: many, DoneCount: 0 });
  });

  it('a tag of that many disappears at once, and is removed from them soon', async () => {
    const { TagID, accountId, owner } = await large();
    await app.call(deleteTag, { params: { TagID } }, owner);
    const [item] = (await app.call(listConversations, {}, owner)).body.Items;
    expect(item?.Tags).toEqual([]);
    await app.drain();
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from conversations where account_id = ${accountId} and tag_ids <> '{}')
        + (select count(*) from conversation_tags where account_id = ${accountId}) as left`.execute(
      app.database.system,
    );
    expect(rows[0]?.left).toBe(0);
  });
});
