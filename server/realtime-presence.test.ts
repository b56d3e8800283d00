import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateAccountUser } from '../contract/account-users.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from './testing/builders.ts';
import { type TestApp, testApp } from './testing/test-app.ts';
import { keyOf, openSocket } from './testing/test-socket.ts';
import { waitUntil } from './testing/wait-until.ts';

let app: TestApp;
let other: BuiltAccount;
let secondUrl: string;

beforeAll(async () => {
  app = await testApp();
  other = await buildAccount(app);
  secondUrl = await app.startSecondWeb();
});

describe('viewers and typing users', () => {
  let account: BuiltAccount;
  let one: BuiltUser;
  let both: BuiltUser;
  /** Conversations at the first and the second number. */
  let first: number;
  let second: number;
  let lastNumber = 14235550600;

  beforeEach(async () => {
    lastNumber += 2;
    const numbers = { [lastNumber]: 'infobip', [lastNumber + 1]: 'infobip' } as const;
    account = await buildAccount(app, { numbers });
    const ids = Object.values(account.numbers);
    one = await buildUser(app, account.accountId, 'user', { textNumberIds: ids.slice(0, 1) });
    both = await buildUser(app, account.accountId, 'user', { textNumberIds: ids });
    [first = 0, second = 0] = await Promise.all(ids.map(talkAt));
  });

  async function talkAt(text_number_id: number): Promise<number> {
    const { conversation_id } = await app.database.system
      .insertInto('conversations')
      .values({ account_id: account.accountId, text_number_id, phone: '14235550101' })
      .returning('conversation_id')
      .executeTakeFirstOrThrow();
    return conversation_id;
  }

  const open = async (user: BuiltUser, url = app.url) => openSocket(url, await keyOf(app, user));

  it('are sent to users of the number, in every process, and not to the user themselves', async () => {
    const mine = await open(both);
    const mineToo = await open(both, secondUrl);
    const admin = await open(account.owner, secondUrl);
    const narrow = await open(one);
    const theirs = await open(other.owner);
    mine.say('viewing', { ConversationID: second });
    mine.say('typing', { ConversationID: second });
    mine.say('viewing', { ConversationID: first });
    await Promise.all([
      admin.heardOf({ ConversationID: first, Kind: 'viewing' }),
      narrow.heardOf({ ConversationID: first, Kind: 'viewing' }),
    ]);
    expect(admin.presences.map(({ ConversationID, Kind }) => [ConversationID, Kind])).toEqual([
      [second, 'viewing'],
      [second, 'typing'],
      [second, 'left'],
      [first, 'viewing'],
    ]);
    expect(admin.presences[0]).toEqual({
      ConversationID: second,
      UserID: both.userId,
      Name: expect.stringMatching(/^Pat Number \d+$/),
      Kind: 'viewing',
    });
    expect(narrow.presences.map((presence) => presence.ConversationID)).toEqual([first]);
    expect([mine.presences, mineToo.presences, theirs.presences]).toEqual([[], [], []]);
  });

  it('count only for a conversation that the user may see, and only in a valid message', async () => {
    const admin = await open(account.owner);
    const narrow = await open(one);
    const stranger = await open(other.owner);
    stranger.say('viewing', { ConversationID: first });
    for (const given of [undefined, null, 'first', {}, { ConversationID: '1' }, { ConversationID: -1 }]) {
      narrow.say('viewing', given);
    }
    narrow.say('viewing', { ConversationID: second });
    narrow.say('typing', { ConversationID: second });
    narrow.say('typing', { ConversationID: first });
    await admin.heardOf({ Kind: 'typing' });
    expect(admin.presences).toMatchObject([{ ConversationID: first, UserID: one.userId, Kind: 'typing' }]);
  });

  it('a typing user is announced once in five seconds, however often the page says so', async () => {
    const admin = await open(account.owner);
    const mine = await open(both);
    for (let time = 0; time < 5; time += 1) mine.say('typing', { ConversationID: first });
    mine.say('typing', { ConversationID: second });
    await admin.heardOf({ ConversationID: second });
    expect(admin.presences.map((presence) => presence.ConversationID)).toEqual([first, second]);
  });

  it('a page that sends too much is ignored', async () => {
    const admin = await open(account.owner);
    const mine = await open(both);
    for (let time = 0; time < 60; time += 1) {
      mine.say('typing', { ConversationID: time % 2 === 0 ? first : second });
    }
    const typings = () => admin.presences.filter(({ Kind }) => Kind === 'typing').length;
    await waitUntil(async () => typings() >= 20);
    const again = await open(both);
    again.say('viewing', { ConversationID: first });
    await admin.heardOf({ Kind: 'viewing' });
    expect(typings()).toBe(20);
  });

  it('a page that floods is disconnected, and others hardly notice', async () => {
    const admin = await open(account.owner);
    const flooding = await open(both);
    for (let time = 0; time < 30_000; time += 1) flooding.say('typing', { ConversationID: first });
    const before = process.cpuUsage();
    expect(await flooding.closed).toBe('io server disconnect');
    const next = await open(both);
    next.say('viewing', { ConversationID: second });
    await admin.heardOf({ ConversationID: second, Kind: 'viewing' });
    // CPU time, which doesn't depend on other load: copying an array at every frame took nineteen seconds.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(6);
  });

  it('stop at once for a user who loses the number', async () => {
    const admin = await open(account.owner);
    const mine = await open(both);
    const narrow = await open(one);
    mine.say('viewing', { ConversationID: first });
    await narrow.heardOf({ Kind: 'viewing' });
    const give = (TextNumbers: number[]) =>
      app.call(updateAccountUser, { params: { UserID: one.userId }, body: { TextNumbers } }, account.owner);
    await give([]);
    mine.say('typing', { ConversationID: first });
    await admin.heardOf({ Kind: 'typing' });
    await give([Object.values(account.numbers)[0] ?? 0]);
    mine.say('viewing', { ConversationID: second });
    mine.say('viewing', { ConversationID: first });
    await waitUntil(async () => narrow.presences.at(-1)?.Kind === 'viewing' && narrow.presences.length > 1);
    expect(narrow.presences.map(({ Kind }) => Kind)).not.toContain('typing');
  });

  it('end when the page closes, unless another of the same user views it too', async () => {
    const admin = await open(account.owner);
    const mine = await open(both);
    mine.say('viewing', { ConversationID: first });
    await admin.heardOf({ Kind: 'viewing' });
    const mineToo = await open(both);
    mineToo.say('viewing', { ConversationID: first });
    await waitUntil(async () => admin.presences.length === 2);
    mine.close();
    mineToo.say('viewing', { ConversationID: second });
    await admin.heardOf({ ConversationID: second, Kind: 'viewing' });
    expect(admin.presences.map(({ Kind }) => Kind)).toEqual(['viewing', 'viewing', 'left', 'viewing']);
  });

  it('a new viewer is told who is there already, by the other process too', async () => {
    const mine = await open(both);
    const late = await open(account.owner, secondUrl);
    mine.say('viewing', { ConversationID: first });
    await late.heardOf({ Kind: 'viewing' });
    const later = await open(one, secondUrl);
    later.say('viewing', { ConversationID: first });
    await later.heardOf({ UserID: both.userId, Kind: 'viewing' });
    await mine.heardOf({ UserID: one.userId, Kind: 'viewing' });
    // Only the new viewer is told; the others know.
    expect(late.presences.map(({ UserID }) => UserID)).toEqual([both.userId, one.userId]);
  });
});
