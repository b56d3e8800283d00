import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as calls from '../../../contract/contacts.ts';
import { accessDenied } from '../../../contract/errors.ts';
import * as listCalls from '../../../contract/lists.ts';
import type { SelectionOfIds } from '../../../contract/selection.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { checkKeptContacts } from '../../testing/check-kept-contacts.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { keyOf, openSocket } from '../../testing/test-socket.ts';

const { everyone, unfiled, deleted } = calls.specialGroups;
const all: SelectionOfIds = { Type: 'SelectedAll', Items: [] };

let app: TestApp;
let account: BuiltAccount;
let owner: BuiltUser;
let fieldId: number;
let serial = 0;

beforeAll(async () => {
  app = await testApp();
});

/** A new organization with contacts Ann, Ben, Cay, Dan …, in groups by their names. */
async function people(groups: Record<string, string[]>, names = ['Ann', 'Ben', 'Cay', 'Dan']) {
  account = await buildAccount(app);
  owner = account.owner;
  const ids: Record<string, number> = {};
  for (const name of Object.keys(groups)) ids[name] = await addGroup(name);
  fieldId = (await app.call(calls.addCustomField, { body: { Name: 'Bus' } }, owner)).body.FieldID;
  for (const name of names) {
    serial += 1;
    const inGroups = Object.entries(groups).filter(([, members]) => members.includes(name));
    const { body } = await app.call(
      calls.addContact,
      {
        body: {
          FirstName: name,
          PrimaryPhone: `423555${String(1000 + serial)}`,
          ListIDs: inGroups.map(([group]) => ids[group] ?? 0),
        },
      },
      owner,
    );
    ids[name] = body.PersonID;
  }
  return (name: string) => ids[name] ?? 0;
}

async function addGroup(ListName: string): Promise<number> {
  return (await app.call(listCalls.addList, { body: { ListName } }, owner)).body.ListID;
}

/** The members of a list, by first name, in its order. */
async function namesIn(ListID: number, as = owner): Promise<string[]> {
  const { body } = await app.call(calls.listContacts, { params: { ListID } }, as);
  return body.Items.map(({ FirstName }) => FirstName);
}

function copy(ListID: number, TargetID: number, Selection: SelectionOfIds, more: object = {}) {
  return app.call(calls.copyContacts, { params: { ListID, TargetID }, body: { Selection, ...more } }, owner);
}

function remove(ListID: number, Selection: SelectionOfIds, query: object = {}) {
  return app.call(calls.removeContacts, { params: { ListID }, query, body: { Selection } }, owner);
}

async function undo(UndoID: number | null): Promise<number | null> {
  const { status, body } = await app.call(calls.undoContacts, { params: { UndoID: UndoID ?? 0 } }, owner);
  expect([status, body.UndoExecuted]).toEqual([200, true]);
  return body.UndoID;
}

/** All lists of the organization as a user sees them: names of members by name of list. */
async function everything(): Promise<Record<string, string[]>> {
  const { body } = await app.call(listCalls.listLists, {}, owner);
  const lists: Record<string, string[]> = {};
  for (const { ListID, ListName, RosterCount } of body.Items) {
    lists[ListName] = await namesIn(ListID);
    expect([ListName, RosterCount]).toEqual([ListName, lists[ListName].length]);
  }
  await checkKeptContacts(app, account.accountId);
  return lists;
}

/** Checks the results of a change, its undo, and the undo of the undo. */
async function thereAndBack(change: () => Promise<{ body: { UndoID: number | null } }>) {
  const before = await everything();
  const { body } = await change();
  const after = await everything();
  expect(after).not.toEqual(before);
  const redo = await undo(body.UndoID);
  expect(await everything()).toEqual(before);
  const again = await undo(redo);
  expect(await everything()).toEqual(after);
  await undo(again);
  expect(await everything()).toEqual(before);
  return { before, after };
}

describe('selections', () => {
  it('include only the listed, all rows of the list, or all but the listed', async () => {
    const id = await people({ Bus: ['Ann', 'Ben'], Choir: [] });
    const one = await copy(everyone, id('Choir'), { Type: 'Selected', Items: [id('Ann'), 999_999_999] });
    expect(one.body).toMatchObject({ Size: 1, WorkID: null });
    expect(await namesIn(id('Choir'))).toEqual(['Ann']);
    // Only rows of the list: Cay is not in Bus.
    const none = await copy(id('Bus'), id('Choir'), { Type: 'Selected', Items: [id('Cay')] });
    expect(none.body).toEqual({ Size: 0, UndoID: null, WorkID: null });
    const except = await copy(everyone, id('Choir'), { Type: 'SelectedAllExcept', Items: [id('Dan')] });
    expect(except.body.Size).toBe(3);
    expect(await namesIn(id('Choir'))).toEqual(['Ann', 'Ben', 'Cay']);
    await copy(everyone, id('Choir'), all);
    expect(await namesIn(id('Choir'))).toEqual(['Ann', 'Ben', 'Cay', 'Dan']);
  });

  it('include the matches of the search, without the excepted', async () => {
    const id = await people({ Choir: [] }, ['Maria', 'Marie', 'Mark', 'Paul']);
    const { body } = await app.call(
      calls.copyContacts,
      {
        params: { ListID: everyone, TargetID: id('Choir') },
        query: { q: 'mar' },
        body: { Selection: { Type: 'SelectedAllExcept', Items: [id('Marie')] } },
      },
      owner,
    );
    expect(body.Size).toBe(2);
    expect(await namesIn(id('Choir'))).toEqual(['Maria', 'Mark']);
  });

  it('include only a user’s own contacts if they can’t see all', async () => {
    const id = await people({ Choir: [] });
    const user = await buildUser(app, account.accountId, 'user', { canSeeAllRoster: false });
    await app.call(calls.addContact, { body: { FirstName: 'Mine', PrimaryPhone: '4235559001' } }, user);
    const moved = await app.call(
      calls.copyContacts,
      { params: { ListID: everyone, TargetID: id('Choir') }, body: { Selection: all } },
      user,
    );
    expect(moved.body.Size).toBe(1);
    expect(await namesIn(id('Choir'))).toEqual(['Mine']);
    for (const call of [calls.getContact, calls.listContactHistory]) {
      const reply = await app.call(call, { params: { PersonID: id('Ann') } }, user);
      expect(reply.status).toBe(404);
    }
    const gone = await app.call(
      calls.removeContacts,
      { params: { ListID: id('Choir') }, body: { Selection: all } },
      user,
    );
    expect(gone.body.Size).toBe(1);
    expect(await namesIn(everyone)).toEqual(['Ann', 'Ben', 'Cay', 'Dan', 'Mine']);
    // Users can't undo the changes of others.
    const undone = await app.call(calls.undoContacts, { params: { UndoID: gone.body.UndoID ?? 0 } }, owner);
    expect(refusalOf(undone)).toMatchObject({ status: 404, Message: 'That can no longer be undone.' });
  });
});

it('only managers delete people from Everyone; everybody may remove them from a group', async () => {
  const id = await people({ Choir: ['Ann', 'Ben'] });
  const { accountId } = account;
  const user = await buildUser(app, accountId, 'user', { canSeeAllRoster: true });
  const blind = await buildUser(app, accountId, 'admin', { canSeeAllRoster: false });
  const admin = await buildUser(app, accountId, 'admin', { canSeeAllRoster: true });
  const remove = (as: BuiltUser, ListID: number, query = {}) =>
    app.call(calls.removeContacts, { params: { ListID }, query, body: { Selection: all } }, as);
  const before = await namesIn(everyone);
  for (const one of [user, blind]) {
    const merge = { body: { PersonIDs: [id('Ann'), id('Ben')] } };
    for (const reply of [
      await app.call(calls.deleteContact, { params: { PersonID: id('Ann') } }, one),
      await remove(one, everyone),
      await remove(one, unfiled),
      await remove(one, deleted),
      await remove(one, id('Choir'), { removefromeveryone: true }),
      await app.call(calls.mergeContacts, merge, one),
      await app.call(calls.listDuplicates, {}, one),
    ]) {
      expect(refusalOf(reply)).toMatchObject({ status: 403, Message: accessDenied });
    }
  }
  expect(await namesIn(everyone)).toEqual(before);
  expect((await remove(user, id('Choir'))).body.Size).toBe(2);
  expect(await namesIn(everyone)).toEqual(before);
  expect((await app.call(calls.deleteContact, { params: { PersonID: id('Ann') } }, admin)).status).toBe(200);
  expect(await namesIn(everyone)).toEqual(before.filter((name) => name !== 'Ann'));
});

describe('copying and moving, with undo', () => {
  it('copies into a group', async () => {
    const id = await people({ Bus: ['Ann', 'Ben'], Choir: ['Ben'] });
    const { after } = await thereAndBack(() => copy(id('Bus'), id('Choir'), all));
    expect(after).toMatchObject({ Bus: ['Ann', 'Ben'], Choir: ['Ann', 'Ben'], Unfiled: ['Cay', 'Dan'] });
  });

  it('moves from a group into another', async () => {
    const id = await people({ Bus: ['Ann', 'Ben'], Choir: ['Ben'] });
    const { after } = await thereAndBack(() => copy(id('Bus'), id('Choir'), all, { Move: true }));
    expect(after).toMatchObject({ Bus: [], Choir: ['Ann', 'Ben'], Unfiled: ['Cay', 'Dan'] });
  });

  it('moves unfiled contacts into a group, and out of all groups', async () => {
    const id = await people({ Bus: ['Ann'], Choir: ['Ann', 'Ben'] });
    const filed = await thereAndBack(() => copy(unfiled, id('Bus'), all, { Move: true }));
    expect(filed.after).toMatchObject({ Bus: ['Ann', 'Cay', 'Dan'], Unfiled: [] });
    const { after } = await thereAndBack(() => copy(id('Choir'), unfiled, all));
    expect(after).toMatchObject({ Bus: [], Choir: [], Unfiled: ['Ann', 'Ben', 'Cay', 'Dan'] });
  });

  it('removes from a group', async () => {
    const id = await people({ Bus: ['Ann', 'Ben'], Choir: ['Ben'] });
    const { after } = await thereAndBack(() => remove(id('Bus'), all));
    expect(after).toMatchObject({ Bus: [], Choir: ['Ben'], Unfiled: ['Ann', 'Cay', 'Dan'], Deleted: [] });
  });

  it('deletes from a group with removefromeveryone, and from Everyone without', async () => {
    const id = await people({ Bus: ['Ann', 'Ben'] });
    const first = await thereAndBack(() => remove(id('Bus'), all, { removefromeveryone: true }));
    expect(first.after).toMatchObject({ Bus: [], Everyone: ['Cay', 'Dan'], Deleted: ['Ann', 'Ben'] });
    const second = await thereAndBack(() => remove(everyone, { Type: 'Selected', Items: [id('Ann')] }));
    expect(second.after).toMatchObject({ Bus: ['Ben'], Deleted: ['Ann'] });
  });

  it('restores from Deleted: to the previous groups, to a new one too, or to none', async () => {
    const id = await people({ Bus: ['Ann', 'Ben'], Choir: [] });
    await remove(id('Bus'), all, { removefromeveryone: true });
    const plain = await thereAndBack(() => copy(deleted, everyone, all));
    expect(plain.after).toMatchObject({ Bus: ['Ann', 'Ben'], Deleted: [] });
    const also = await thereAndBack(() => copy(deleted, id('Choir'), all));
    expect(also.after).toMatchObject({ Bus: ['Ann', 'Ben'], Choir: ['Ann', 'Ben'], Deleted: [] });
    const already = await thereAndBack(() => copy(deleted, id('Bus'), all));
    expect(already.after).toMatchObject({ Bus: ['Ann', 'Ben'], Choir: [], Deleted: [] });
    const bare = await thereAndBack(() => copy(deleted, unfiled, all));
    expect(bare.after).toMatchObject({ Bus: [], Unfiled: ['Ann', 'Ben', 'Cay', 'Dan'], Deleted: [] });
  });

  it('purges contacts in Deleted, which can’t be undone', async () => {
    const id = await people({ Bus: ['Ann', 'Ben'] });
    const { body: removed } = await remove(id('Bus'), all, { removefromeveryone: true });
    const { body } = await remove(deleted, { Type: 'Selected', Items: [id('Ann'), id('Cay')] });
    expect(body).toEqual({ Size: 1, UndoID: null, WorkID: null });
    expect(await everything()).toMatchObject({ Deleted: ['Ben'], Everyone: ['Cay', 'Dan'] });
    await undo(removed.UndoID);
    expect(await everything()).toMatchObject({ Bus: ['Ben'], Everyone: ['Ben', 'Cay', 'Dan'], Deleted: [] });
  });

  it('has one effect however often it is undone', async () => {
    const id = await people({ Bus: ['Ann'] });
    const { body } = await remove(id('Bus'), all);
    await undo(body.UndoID);
    const again = await app.call(calls.undoContacts, { params: { UndoID: body.UndoID ?? 0 } }, owner);
    expect(again.body).toEqual({ UndoExecuted: false, UndoID: null });
  });

  it('applies two requests with the same Idempotency-Key once', async () => {
    const id = await people({ Bus: ['Ann'], Choir: [] });
    const as = { cookie: owner.cookie, headers: { 'idempotency-key': 'copy-1' } };
    const input = {
      params: { ListID: id('Bus'), TargetID: id('Choir') },
      body: { Selection: all, Move: true },
    };
    const first = await app.call(calls.copyContacts, input, as);
    const second = await app.call(calls.copyContacts, input, as);
    expect(second.body).toEqual(first.body);
    expect(first.body.Size).toBe(1);
  });
});

describe('an invalid change', () => {
  it('is refused with a message', async () => {
    const id = await people({ Bus: ['Ann'] });
    const Segment = { Rules: [{ Kind: 'added' as const, Is: 'within' as const, Days: 3 }] };
    const { body: segment } = await app.call(
      listCalls.addList,
      { body: { ListName: 'New', Segment } },
      owner,
    );
    const sentences: [() => Promise<{ status: number; body: unknown; headers: Headers }>, string][] = [
      [() => copy(id('Bus'), deleted, all), 'Contacts are put into Deleted by deleting them.'],
      [() => copy(id('Bus'), everyone, all), 'Every contact is in Everyone already.'],
      [() => copy(id('Bus'), id('Bus'), all), 'They are in this group already.'],
      [
        () => copy(id('Bus'), segment.ListID, all),
        'A segment finds its contacts by its conditions. You can’t add or remove anyone yourself.',
      ],
      [
        () => remove(segment.ListID, all),
        'A segment finds its contacts by its conditions. You can’t add or remove anyone yourself.',
      ],
    ];
    for (const [attempt, Message] of sentences) {
      expect(refusalOf(await attempt())).toMatchObject({ status: 422, Message });
    }
    // As a source a segment is an ordinary list.
    expect((await copy(segment.ListID, id('Bus'), all)).body.Size).toBe(4);
    expect(await namesIn(id('Bus'))).toEqual(['Ann', 'Ben', 'Cay', 'Dan']);
    expect((await remove(segment.ListID, all, { removefromeveryone: true })).body.Size).toBe(4);
  });

  it('is not found with the ids of another account', async () => {
    const theirs = await people({ Bus: ['Ann'] });
    const theirOwner = owner;
    const mine = await people({ Choir: ['Ann'] });
    expect((await copy(everyone, theirs('Bus'), all)).status).toBe(404);
    expect((await copy(theirs('Bus'), mine('Choir'), all)).status).toBe(404);
    const ids: SelectionOfIds = { Type: 'Selected', Items: [theirs('Ann')] };
    expect((await remove(everyone, ids)).body.Size).toBe(0);
    const add = await app.call(
      calls.addContact,
      { body: { PrimaryPhone: '4235559002', ListIDs: [theirs('Bus')] } },
      owner,
    );
    expect(add.status).toBe(404);
    expect(await namesIn(theirs('Bus'), theirOwner)).toEqual(['Ann']);
  });
});

describe('changing many', () => {
  it('sets notes and custom fields, and restores the previous ones', async () => {
    const id = await people({ Bus: ['Ann', 'Ben', 'Cay'] });
    const put = (name: string, more: object) =>
      app.call(
        calls.updateContact,
        {
          params: { PersonID: id(name) },
          body: { FirstName: name, PrimaryPhone: `42355580${(id(name) % 90) + 10}`, ...more },
        },
        owner,
      );
    await put('Ann', { Notes: 'Front seat', CustomData: { Bus: '7' } });
    await put('Ben', { Notes: 'Late' });
    const values = async () => {
      const { rows } = await sql<{ name: string; notes: string; bus: string | null }>`
        select first_name as name, notes, custom_data ->> ${String(fieldId)} as bus from contacts
        where account_id = ${account.accountId} order by first_name`.execute(app.database.system);
      return rows.map(({ name, notes, bus }) => [name, notes, bus]);
    };
    const before = await values();
    const { body } = await app.call(
      calls.updateContacts,
      {
        params: { ListID: id('Bus') },
        body: { Selection: all, Update: { Notes: 'Late', CustomData: { bus: '4' } } },
      },
      owner,
    );
    expect(body).toMatchObject({ Size: 3, WorkID: null });
    const after = [
      ['Ann', 'Late', '4'],
      ['Ben', 'Late', '4'],
      ['Cay', 'Late', '4'],
      ['Dan', '', null],
    ];
    expect(await values()).toEqual(after);
    const found = await app.call(
      calls.listContacts,
      { params: { ListID: everyone }, query: { q: 'late' } },
      owner,
    );
    expect(found.body.Size).toBe(3);
    const redo = await undo(body.UndoID);
    expect(await values()).toEqual(before);
    await undo(redo);
    expect(await values()).toEqual(after);
    const cleared = await app.call(
      calls.updateContacts,
      { params: { ListID: everyone }, body: { Selection: all, Update: { CustomData: { Bus: '' } } } },
      owner,
    );
    expect((await values()).map(([, , bus]) => bus)).toEqual([null, null, null, null]);
    await undo(cleared.body.UndoID);
    expect(await values()).toEqual(after);
    await checkKeptContacts(app, account.accountId);
  });

  it('refuses an unknown field, notes that are too long, and an empty change', async () => {
    await people({});
    const change = (Update: object) =>
      app.call(
        calls.updateContacts,
        { params: { ListID: everyone }, body: { Selection: all, Update } },
        owner,
      );
    expect(refusalOf(await change({ CustomData: { Coach: '1' } }))).toMatchObject({
      status: 400,
      Errors: [{ Field: 'Update.CustomData.Coach', Message: 'There is no custom field Coach.' }],
    });
    expect(refusalOf(await change({ Notes: 'x'.repeat(51) })).Message).toBe(
      'Notes must be at most 50 characters',
    );
    expect(refusalOf(await change({})).Message).toBe('Choose what to change.');
  });

  it('notifies the open pages', async () => {
    const id = await people({ Bus: ['Ann'] });
    const socket = await openSocket(app.url, await keyOf(app, owner));
    await remove(id('Bus'), all);
    await socket.heard({ type: 'contacts.changed' });
  });
});
