import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as calls from '../../contract/audio.ts';
import { pathOf, prefixOf, queryOf } from '../../contract/call-address.ts';
import { asAccount } from '../db.ts';
import { createFileStore } from '../files.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { writeMuLawWav } from './code-mulaw.ts';
import { createAudio } from './create-audio.ts';
import { noteAudioUse } from './note-audio-use.ts';
import { prepareSound } from './prepare-sound.ts';
import { tone } from './testing/sounds.ts';

let app: TestApp;
let account: BuiltAccount;
let admin: BuiltUser;
let user: BuiltUser;
beforeAll(async () => {
  app = await testApp();
});
beforeEach(async () => {
  account = await buildAccount(app);
  admin = await buildUser(app, account.accountId, 'admin');
  user = await buildUser(app, account.accountId, 'user');
});

async function record(
  by: BuiltUser,
  name: string,
  audioType: calls.AudioType = 'announcement',
): Promise<number> {
  const sound = await prepareSound({ bytes: writeMuLawWav(tone(1 + name.length / 10, { hz: 400 })) }, true);
  const insert = await createAudio(createFileStore(`${app.dataDir}/media`), sound, {
    accountId: account.accountId,
    userId: by.userId,
    name,
    audioType,
    origin: 'Upload',
  });
  return asAccount(app.database, account.accountId, insert);
}

type Query = {
  q?: string;
  isfavorite?: boolean;
  isshared?: boolean;
  unused?: boolean;
  type?: calls.AudioType;
};

async function names(by: BuiltUser, query: Query & { sort?: (typeof calls.audioSorts)[number] } = {}) {
  const { body } = await app.call(calls.listAudio, { query }, by);
  expect(body.Size).toBe(body.Items.length);
  return body.Items.map(({ Name }) => Name);
}

const summary = async (by: BuiltUser) => (await app.call(calls.getAudioSummary, {}, by)).body;
const share = (by: BuiltUser, AudioID: number, Shared = true) =>
  app.call(calls.updateAudio, { params: { AudioID }, body: { Shared } }, by);
const letSee = (who: BuiltUser) =>
  sql`update users set can_see_group_audio = true where user_id = ${who.userId}`.execute(app.database.system);
const selected = (...Items: number[]) => ({ Type: 'Selected' as const, Items });
const undo = (by: BuiltUser, UndoID: number | null) =>
  app.call(calls.undoAudio, { params: { UndoID: UndoID ?? 0 } }, by);

describe('the list', () => {
  it('shows All, Starred, Shared and Unused, with the counts of each', async () => {
    const [snow, bus] = [await record(account.owner, 'Snow'), await record(account.owner, 'Bus', 'survey')];
    await record(account.owner, 'Office', 'transfer-connect');
    await app.call(calls.updateAudio, { params: { AudioID: snow }, body: { Favorite: true } }, account.owner);
    await share(account.owner, bus);
    await asAccount(app.database, account.accountId, (trx) =>
      noteAudioUse(trx, account.accountId, [bus, bus]),
    );
    expect(await names(account.owner)).toEqual(['Bus', 'Office', 'Snow']);
    expect(await names(account.owner, { isfavorite: true })).toEqual(['Snow']);
    expect(await names(account.owner, { isshared: true })).toEqual(['Bus']);
    expect(await names(account.owner, { unused: true })).toEqual(['Office', 'Snow']);
    expect(await names(account.owner, { type: 'survey' })).toEqual(['Bus']);
    expect(await names(account.owner, { type: 'transfer-connect' })).toEqual(['Office']);
    expect(await names(account.owner, { q: 'sNo' })).toEqual(['Snow']);
    expect(await names(account.owner, { sort: '-length' })).toEqual(['Office', 'Snow', 'Bus']);
    expect(await names(account.owner, { sort: 'newest' })).toEqual(['Office', 'Bus', 'Snow']);
    expect(await names(account.owner, { sort: 'used' })).toEqual(['Bus', 'Office', 'Snow']);
    expect(await summary(account.owner)).toEqual({ All: 3, Favorited: 1, Shared: 1, Unused: 2 });
    const { body } = await app.call(calls.getAudio, { params: { AudioID: bus } }, account.owner);
    expect(body).toMatchObject({
      UseCount: 1,
      LastUsedTimestamp: expect.any(String),
      AddedBy: expect.any(String),
    });
  });

  it('shows what others share to the owner and to those with CanSeeGroupAudio', async () => {
    const [own, shared] = [await record(user, 'Kept to myself'), await record(user, 'For all')];
    await share(user, shared);
    expect(await names(user)).toEqual(['For all', 'Kept to myself']);
    expect(await names(account.owner)).toEqual(['For all']);
    expect(await names(admin)).toEqual([]);
    const reply = await app.call(calls.getAudio, { params: { AudioID: shared } }, admin);
    expect(reply.status).toBe(404);
    await letSee(admin);
    expect(await names(admin)).toEqual(['For all']);
    expect((await app.call(calls.getAudio, { params: { AudioID: own } }, admin)).status).toBe(404);
    expect(await summary(admin)).toEqual({ All: 1, Favorited: 0, Shared: 1, Unused: 1 });
  });

  it('says what is read-only, and refuses to change it', async () => {
    const AudioID = await record(account.owner, 'Of the owner');
    await share(account.owner, AudioID);
    await letSee(user);
    await letSee(admin);
    const get = async (by: BuiltUser) =>
      (await app.call(calls.getAudio, { params: { AudioID } }, by)).body.ReadOnly;
    expect([await get(account.owner), await get(admin), await get(user)]).toEqual([false, false, true]);
    const rename = await app.call(calls.updateAudio, { params: { AudioID }, body: { Name: 'Mine' } }, user);
    expect(refusalOf(rename)).toMatchObject({
      status: 422,
      Message: 'This recording belongs to somebody else. You can use it, but not change it.',
    });
    const gone = await app.call(calls.deleteAudio, { body: { Selection: selected(AudioID) } }, user);
    expect(gone.body).toEqual({ Size: 0, UndoID: null });
    // Each user has their own star.
    const star = await app.call(calls.updateAudio, { params: { AudioID }, body: { Favorite: true } }, user);
    expect(star.body).toMatchObject({ Favorite: true, ReadOnly: true, Name: 'Of the owner' });
    expect((await summary(account.owner)).Favorited).toBe(0);
    const unshared = await share(admin, AudioID, false);
    expect([unshared.status, unshared.body]).toEqual([
      200,
      expect.objectContaining({ Shared: false, ReadOnly: true }),
    ]);
    expect((await share(admin, AudioID)).status).toBe(404);
  });
});

describe('a recording', () => {
  it('is renamed', async () => {
    const AudioID = await record(user, 'Old');
    const put = (Name: string) => app.call(calls.updateAudio, { params: { AudioID }, body: { Name } }, user);
    expect((await put(' Snow closing ')).body.Name).toBe('Snow closing');
    expect(refusalOf(await put('  '))).toMatchObject({ status: 400, Message: 'Enter a name' });
    expect(refusalOf(await put('x'.repeat(51))).Message).toBe('Name must be at most 50 characters');
  });
});

describe('a selection', () => {
  it('is starred, shared and deleted within the filter, and each change can be undone', async () => {
    const ids = [await record(user, 'One'), await record(user, 'Two'), await record(user, 'Three')];
    const [one = 0] = ids;
    const star = await app.call(
      calls.updateAudioSelection,
      { body: { Selection: { Type: 'SelectedAllExcept', Items: [one] }, Update: { Favorite: true } } },
      user,
    );
    expect(star.body.Size).toBe(2);
    expect(await names(user, { isfavorite: true })).toEqual(['Three', 'Two']);
    const shared = await app.call(
      calls.updateAudioSelection,
      { query: { q: 'T' }, body: { Selection: { Type: 'SelectedAll' }, Update: { Shared: true } } },
      user,
    );
    expect(shared.body.Size).toBe(2);
    const gone = await app.call(
      calls.deleteAudio,
      { query: { isshared: true }, body: { Selection: { Type: 'SelectedAll' } } },
      user,
    );
    expect(gone.body.Size).toBe(2);
    expect(await names(user)).toEqual(['One']);

    const back = await undo(user, gone.body.UndoID);
    expect(back.body.UndoExecuted).toBe(true);
    expect(await names(user)).toEqual(['One', 'Three', 'Two']);
    expect((await undo(user, gone.body.UndoID)).body.UndoExecuted).toBe(false);
    // Changes that were undone can be made again.
    await undo(user, back.body.UndoID);
    expect(await names(user)).toEqual(['One']);
    await undo(user, shared.body.UndoID);
    await undo(user, star.body.UndoID);
    const { rows } = await sql<{ shared: number; stars: number }>`
      select (select count(*) from audio where account_id = ${account.accountId} and is_shared) as shared,
        (select count(*) from audio_favorites where account_id = ${account.accountId}) as stars`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ shared: 0, stars: 0 }]);
    expect((await undo(admin, gone.body.UndoID)).status).toBe(404);
  });

  it('must say what to change', async () => {
    const reply = await app.call(
      calls.updateAudioSelection,
      { body: { Selection: { Type: 'SelectedAll' }, Update: {} as { Shared: boolean } } },
      user,
    );
    expect(reply.status).toBe(400);
  });

  it('is downloaded as one archive', async () => {
    await record(user, 'Snow / ice');
    await record(user, 'Snow ? ice');
    const get = async (by: BuiltUser) => {
      const query = queryOf({ select: 'SelectedAll' });
      const { path } = calls.downloadAudioSelection;
      return fetch(app.url + prefixOf(calls.downloadAudioSelection) + path + query, {
        headers: { cookie: by.cookie },
      });
    };
    const answer = await get(user);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const zip = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    expect(zip).toContain('Snow ice.mp3');
    expect(zip).toContain('Snow ice (2).mp3');
    expect((await get(admin)).status).toBe(422);
    expect(pathOf(calls.downloadAudio, { AudioID: 5 })).toBe('/audio/5.mp3');
  });
});
