import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallInput } from '../../contract/call.ts';
import {
  addTemplate,
  deleteTemplate,
  deleteTemplates,
  getTemplateSummary,
  listTemplates,
  noteTemplateUse,
  undoTemplates,
  updateTemplate,
  updateTemplateSelection,
} from '../../contract/templates.ts';
import { type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

type Body = CallInput<typeof addTemplate>['body'];

async function add(as: BuiltUser, TemplateName: string, more: Partial<Body> = {}) {
  const body = { TemplateName, TemplateText: `Text of ${TemplateName}`, ...more };
  const reply = await app.call(addTemplate, { body }, as);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return { TemplateID: reply.body.TemplateID };
}

async function list(as: BuiltUser, query: CallInput<typeof listTemplates>['query'] = {}) {
  const { body } = await app.call(listTemplates, { query }, as);
  return [body.Size, ...body.Items.map((item) => item.TemplateName)];
}

/** An organization with two users in addition to its owner. */
async function team() {
  const account = await buildAccount(app);
  const user = () => buildUser(app, account.accountId, 'user');
  return { owner: account.owner, accountId: account.accountId, pat: await user(), sam: await user() };
}

describe('saved texts', () => {
  it('are the user’s own and shared ones, by name; only their own can be changed', async () => {
    const { pat, sam } = await team();
    await add(pat, 'secret');
    const shared = await add(pat, 'Address', {
      IsShared: true,
      TemplateText: '1 Main Street',
      Shortcut: 'addr',
    });
    await add(sam, 'Hours');
    expect(await list(pat)).toEqual([2, 'Address', 'secret']);
    expect(await list(sam)).toEqual([2, 'Address', 'Hours']);
    const { body } = await app.call(listTemplates, { query: { q: 'addr' } }, sam);
    expect(body.Items).toEqual([
      {
        TemplateID: shared.TemplateID,
        TemplateName: 'Address',
        TemplateText: '1 Main Street',
        TemplateType: 'Text',
        Labels: [],
        Shortcut: 'addr',
        IsShared: true,
        IsFavorite: false,
        ReadOnly: true,
        Media: [],
        UseCount: 0,
        LastUsedTimestamp: null,
        AddedBy: expect.stringMatching(/\S/),
      },
    ]);
    const change = await app.call(updateTemplate, { params: shared, body: { TemplateName: 'Mine' } }, sam);
    expect(refusalOf(change)).toMatchObject({
      status: 422,
      Message: expect.stringContaining('somebody else'),
    });
    expect((await app.call(deleteTemplate, { params: shared }, sam)).status).toBe(422);
  });

  it('shared ones can be changed by admins, who don’t see others’ private ones', async () => {
    const { owner, pat } = await team();
    const own = await add(pat, 'Own');
    const shared = await add(pat, 'Shared', { IsShared: true });
    const rename = (params: { TemplateID: number }) =>
      app.call(updateTemplate, { params, body: { TemplateName: 'Renamed' } }, owner);
    expect((await rename(own)).status).toBe(404);
    expect((await rename(shared)).body).toMatchObject({ TemplateName: 'Renamed', ReadOnly: false });
    expect(await list(pat)).toEqual([2, 'Own', 'Renamed']);
    const unshared = await app.call(
      updateTemplate,
      { params: shared, body: { TemplateText: 'Of Pat', IsShared: false } },
      owner,
    );
    expect([unshared.status, unshared.body]).toEqual([
      200,
      expect.objectContaining({ TemplateText: 'Of Pat', IsShared: false, ReadOnly: true }),
    ]);
    expect(await list(owner)).toEqual([0]);
  });

  it('are found by name, shortcut and text, and paged', async () => {
    const { pat } = await team();
    await add(pat, 'Snow day', { TemplateText: 'School is closed' });
    await add(pat, 'Late bus', { TemplateText: '100% sure: late', Shortcut: 'bus' });
    await add(pat, 'Thanks', { TemplateText: 'Thank you' });
    expect(await list(pat, { q: 'SNOW' })).toEqual([1, 'Snow day']);
    expect(await list(pat, { q: 'closed' })).toEqual([1, 'Snow day']);
    expect(await list(pat, { q: 'bus' })).toEqual([1, 'Late bus']);
    expect(await list(pat, { q: '%' })).toEqual([1, 'Late bus']);
    expect(await list(pat, { pagesize: 2 })).toEqual([3, 'Late bus', 'Snow day']);
    expect(await list(pat, { pagesize: 2, page: 2 })).toEqual([3, 'Thanks']);
  });

  it('have labels, by which they are found, counted and filtered', async () => {
    const { pat, sam } = await team();
    const game = await add(pat, 'Game', { Labels: ['Sports', 'sports ', 'Fall'], IsShared: true });
    await add(pat, 'Bus', { Labels: ['SPORTS'], IsShared: true });
    await add(pat, 'Mine', { Labels: ['Private'] });
    expect(await list(sam, { label: 'sports' })).toEqual([2, 'Bus', 'Game']);
    expect(await list(sam, { q: 'fall' })).toEqual([1, 'Game']);
    const summary = async (as: BuiltUser) => (await app.call(getTemplateSummary, {}, as)).body.Labels;
    expect(await summary(sam)).toEqual([
      { Name: 'Fall', Count: 1 },
      { Name: expect.stringMatching(/^sports$/i), Count: 2 },
    ]);
    expect((await summary(pat)).map(({ Name }) => Name)).toContain('Private');
    const labeled = (Labels: string[]) =>
      app.call(updateTemplate, { params: game, body: { Labels } }, pat).then((reply) => reply);
    expect((await labeled([])).body.Labels).toEqual([]);
    expect(await list(sam, { label: 'Sports' })).toEqual([1, 'Bus']);
    expect(refusalOf(await labeled(['x'.repeat(31)]))).toMatchObject({ status: 400 });
    expect(refusalOf(await labeled(Array.from({ length: 11 }, (_, i) => `L${i}`)))).toMatchObject({
      status: 400,
    });
  });

  it('stars belong to each user, also on texts that others share', async () => {
    const { pat, sam } = await team();
    const shared = await add(pat, 'Shared', { IsShared: true });
    await add(pat, 'Other');
    const star = (as: BuiltUser, IsFavorite: boolean) =>
      app.call(updateTemplate, { params: shared, body: { IsFavorite } }, as);
    expect((await star(sam, true)).body).toMatchObject({ IsFavorite: true, ReadOnly: true });
    expect((await star(sam, true)).status).toBe(200);
    expect(await list(sam, { isfavorite: true })).toEqual([1, 'Shared']);
    expect(await list(pat, { isfavorite: true })).toEqual([0]);
    expect(await list(pat, { isfavorite: false })).toEqual([2, 'Other', 'Shared']);
    expect(await list(pat, { isshared: true })).toEqual([1, 'Shared']);
    expect(await list(pat, { isshared: false })).toEqual([1, 'Other']);
    await star(sam, false);
    expect(await list(sam, { isfavorite: true })).toEqual([0]);
  });

  it('missing fields stay unchanged', async () => {
    const { pat } = await team();
    const params = await add(pat, 'Whole', { Shortcut: 'w', IsShared: true });
    const { body } = await app.call(updateTemplate, { params, body: { TemplateText: 'New' } }, pat);
    expect(body).toMatchObject({ TemplateName: 'Whole', TemplateText: 'New', Shortcut: 'w', IsShared: true });
  });

  it.each([
    [{ TemplateName: '' }, 'TemplateName', 'Enter a Template Name'],
    [{ TemplateName: 'x'.repeat(51) }, 'TemplateName', 'Template Name must be at most 50 characters'],
    [{ TemplateText: ' ' }, 'TemplateText', 'Enter a Text Message.'],
    [{ TemplateText: 'x'.repeat(1601) }, 'TemplateText', 'Template Text must be at most 1600 characters'],
    [{ TemplateText: 'Hi {{}}' }, 'TemplateText', 'Personalized fields should not be empty.'],
    [{ Shortcut: 'two words' }, 'Shortcut', 'Shortcut cannot contain any spaces'],
  ])('%j is refused: %s: %s', async (given, Field, Message) => {
    const { pat } = await team();
    const body = { TemplateName: 'Name', TemplateText: 'Text', ...given };
    const reply = await app.call(addTemplate, { body }, pat);
    expect(refusalOf(reply)).toMatchObject({ status: 400, Errors: [{ Field, Message }] });
  });

  it('a shortcut means one thing to a user, ignoring case', async () => {
    const { pat, sam } = await team();
    await add(pat, 'One', { Shortcut: 'hi' });
    await add(sam, 'Theirs', { Shortcut: 'hi' });
    const two = await add(pat, 'Two', { Shortcut: 'hello' });
    const taken = {
      Errors: [{ Field: 'Shortcut', Message: 'You already use this shortcut for another text.' }],
    };
    const body = { TemplateName: 'Three', TemplateText: 'x', Shortcut: 'HI' };
    expect(refusalOf(await app.call(addTemplate, { body }, pat))).toMatchObject(taken);
    const change = await app.call(updateTemplate, { params: two, body: { Shortcut: 'Hi' } }, pat);
    expect(refusalOf(change)).toMatchObject(taken);
  });

  it('pictures are the account’s own', async () => {
    const { pat, accountId } = await team();
    const picture = async (account_id: number) => {
      const row = await app.database.system
        .insertInto('media')
        .values({
          account_id,
          public_key: `template-${account_id}`,
          content_type: 'image/png',
          file_name: 'map.png',
          byte_size: 1,
          width: 1,
          height: 1,
          content_hash: 'none',
          created_by_user_id: pat.userId,
        })
        .returning('media_id')
        .executeTakeFirstOrThrow();
      return [{ MediaID: row.media_id }];
    };
    const Media = await picture(accountId);
    const { body } = await app.call(addTemplate, { body: { TemplateName: 'Map', Media } }, pat);
    expect(body.Media).toMatchObject([{ mediaId: Media[0]?.MediaID, fileName: 'map.png' }]);
    const foreign = await picture((await team()).accountId);
    const refused = await app.call(addTemplate, { body: { TemplateName: 'Map', Media: foreign } }, pat);
    expect(refused.status).toBe(404);
  });

  it('used ones come first', async () => {
    const { pat, sam } = await team();
    await add(pat, 'A');
    const b = await add(pat, 'B', { IsShared: true });
    const c = await add(pat, 'C');
    expect((await app.call(noteTemplateUse, { params: b }, sam)).status).toBe(200);
    await sql`update templates set last_used_at = now() - interval '1 hour' where template_id = ${b.TemplateID}`.execute(
      app.database.system,
    );
    await app.call(noteTemplateUse, { params: c }, pat);
    expect(await list(pat, { sortby: 'used' })).toEqual([3, 'C', 'B', 'A']);
    await app.call(noteTemplateUse, { params: b }, sam);
    expect(await list(pat, { sortby: 'used' })).toEqual([3, 'B', 'C', 'A']);
    expect((await app.call(noteTemplateUse, { params: c }, sam)).status).toBe(404);
  });
});

describe('deleted', () => {
  it('and restored, and deleted again by the undo of the undo', async () => {
    const { pat, sam } = await team();
    const params = await add(pat, 'Keep', { Shortcut: 'k' });
    const { body } = await app.call(deleteTemplate, { params }, pat);
    expect(await list(pat)).toEqual([0]);
    expect((await app.call(deleteTemplate, { params }, pat)).status).toBe(404);
    const undo = (UndoID: number | null, as = pat) =>
      app.call(undoTemplates, { params: { UndoID: UndoID ?? 0 } }, as);
    expect((await undo(body.UndoID, sam)).status).toBe(404);
    const back = await undo(body.UndoID);
    expect(back.body).toEqual({ UndoExecuted: true, UndoID: expect.any(Number) });
    expect(await list(pat, { q: 'k' })).toEqual([1, 'Keep']);
    // A double click has one effect.
    expect((await undo(body.UndoID)).body).toEqual({ UndoExecuted: false, UndoID: null });
    const gone = await undo(back.body.UndoID);
    expect(await list(pat)).toEqual([0]);
    expect((await undo(gone.body.UndoID)).body.UndoExecuted).toBe(true);
    expect(await list(pat)).toEqual([1, 'Keep']);
  });

  it('restored when its shortcut was given to another: without it', async () => {
    const { pat } = await team();
    const params = await add(pat, 'Old', { Shortcut: 'hi' });
    const { body } = await app.call(deleteTemplate, { params }, pat);
    await add(pat, 'New', { Shortcut: 'HI' });
    await app.call(undoTemplates, { params: { UndoID: body.UndoID ?? 0 } }, pat);
    const { body: after } = await app.call(listTemplates, {}, pat);
    expect(after.Items.map((item) => [item.TemplateName, item.Shortcut])).toEqual([
      ['New', 'HI'],
      ['Old', ''],
    ]);
  });
});

describe('selections', () => {
  const summary = async (as: BuiltUser) => (await app.call(getTemplateSummary, {}, as)).body;

  it('star, share and delete only what the user may; each can be undone and is counted', async () => {
    const { pat, sam } = await team();
    const a = await add(pat, 'Alpha', { IsShared: true });
    const b = await add(sam, 'Beta');
    await add(sam, 'Gamma');
    await app.call(noteTemplateUse, { params: b }, sam);
    expect(await summary(sam)).toEqual({ All: 3, Favorited: 0, Shared: 1, Unused: 2, Labels: [] });
    expect(await list(sam, { unused: true })).toEqual([2, 'Alpha', 'Gamma']);

    const all = { Type: 'SelectedAll' as const, Items: [] };
    const starred = await app.call(
      updateTemplateSelection,
      { body: { Selection: all, Update: { IsFavorite: true } } },
      sam,
    );
    expect(starred.body.Size).toBe(3);
    expect(await list(pat, { isfavorite: true })).toEqual([0]);
    const shared = await app.call(
      updateTemplateSelection,
      { query: { q: 'beta' }, body: { Selection: all, Update: { IsShared: true } } },
      sam,
    );
    expect(shared.body.Size).toBe(1);
    expect(await list(pat)).toEqual([2, 'Alpha', 'Beta']);
    expect(await summary(sam)).toEqual({ All: 3, Favorited: 3, Shared: 2, Unused: 2, Labels: [] });

    const removed = await app.call(deleteTemplates, { body: { Selection: all } }, sam);
    expect(removed.body.Size).toBe(2);
    expect(await list(sam)).toEqual([1, 'Alpha']);
    for (const UndoID of [removed, shared, starred].map(({ body }) => body.UndoID ?? 0)) {
      expect((await app.call(undoTemplates, { params: { UndoID } }, sam)).body.UndoExecuted).toBe(true);
    }
    expect(await list(sam)).toEqual([3, 'Alpha', 'Beta', 'Gamma']);
    expect(await summary(sam)).toEqual({ All: 3, Favorited: 0, Shared: 1, Unused: 2, Labels: [] });
    expect(await list(pat)).toEqual([1, 'Alpha']);

    const others = await app.call(
      deleteTemplates,
      { body: { Selection: { Type: 'Selected', Items: [a.TemplateID] } } },
      sam,
    );
    expect([others.status, others.body]).toEqual([200, { UndoID: null, Size: 0 }]);
  });

  it('return how often and when one was used, and who added it', async () => {
    const { pat } = await team();
    const one = await add(pat, 'Once');
    for (const _ of [1, 2, 3]) await app.call(noteTemplateUse, { params: one }, pat);
    const { body } = await app.call(listTemplates, {}, pat);
    expect(body.Items[0]).toMatchObject({
      UseCount: 3,
      LastUsedTimestamp: expect.any(String),
      AddedBy: expect.stringMatching(/\S/),
    });
  });
});
