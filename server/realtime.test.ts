import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { updateAccountUser, updateAccountUsers } from '../contract/account-users.ts';
import { listSessions, login, logout, replaceExpiredPassword, revokeSession } from '../contract/auth.ts';
import { createConversation, updateConversation } from '../contract/conversations.ts';
import type { Event } from '../contract/events.ts';
import { dayMs } from '../contract/time/wall-clock.ts';
import { getSecret } from './auth/queries.ts';
import { socketKey } from './auth/rules.ts';
import { shiftClock } from './clock.ts';
import { asAccount } from './db.ts';
import { notify } from './notify.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser, password } from './testing/builders.ts';
import { type TestApp, testApp } from './testing/test-app.ts';
import { keyOf, openSocket } from './testing/test-socket.ts';
import { waitUntil } from './testing/wait-until.ts';

let app: TestApp;
let account: BuiltAccount;
let other: BuiltAccount;
let secondUrl: string;
let owner: pg.Client;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  other = await buildAccount(app);
  secondUrl = await app.startSecondWeb();
  owner = new pg.Client({ connectionString: app.databaseUrl, application_name: 'the test' });
  await owner.connect();
});
afterAll(() => owner.end());

const changed = (ConversationID: number): Event => ({ type: 'conversation.changed', ConversationID });

/** Notifies the account's pages of changes, like any change of rows. */
function tell(accountId: number, ...calls: Event[][]): Promise<void> {
  return asAccount(app.database, accountId, async (trx) => {
    for (const events of calls) await notify(trx, accountId, events);
  });
}

/** Waits until both processes are connected to each other. */
async function untilBothListen(): Promise<void> {
  await waitUntil(async () => {
    const { rowCount } = await owner.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'muster_listen'
       and query like 'listen%'`,
    );
    return rowCount === 2;
  });
}

function terminate(condition: string) {
  return owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
  );
}

describe('the key', () => {
  it('is required, and must be from this server, fresh, and of a valid session', async () => {
    const secret = await getSecret(app.database);
    const { body } = await app.call(listSessions, {}, account.owner);
    const who = { accountId: account.accountId, sessionId: body.Items[0]?.SessionID ?? 0 };
    const good = socketKey(secret, who, Date.now());
    const bad = {
      none: undefined,
      empty: '',
      expired: socketKey(secret, who, Date.now() - 62_000),
      tampered: good.replace(/^\d+/, String(other.accountId)),
      'of another secret': socketKey(Buffer.from('guessed'), who, Date.now()),
      'of a session that never was': socketKey(secret, { ...who, sessionId: 999_999 }, Date.now()),
      'of another account’s session': socketKey(secret, { ...who, accountId: other.accountId }, Date.now()),
    };
    for (const [name, key] of Object.entries(bad)) {
      await expect(openSocket(app.url, key), name).rejects.toThrow('signInRequired');
    }
    await openSocket(app.url, good);
  });

  it('ends with its session and with its user', async () => {
    const user = await buildUser(app, account.accountId, 'user');
    const key = await keyOf(app, user);
    await app.database.system
      .updateTable('users')
      .set({ is_active: false })
      .where('user_id', '=', user.userId)
      .execute();
    await expect(openSocket(app.url, key)).rejects.toThrow('signInRequired');

    const second = await buildUser(app, account.accountId, 'user');
    const secondKey = await keyOf(app, second);
    await app.call(logout, {}, second);
    await expect(openSocket(app.url, secondKey)).rejects.toThrow('signInRequired');
  });
});

describe('events', () => {
  // A separate account for each: another test's late events would be in the same packet.
  let account: BuiltAccount;
  let lastNumber = 14235550130;
  beforeEach(async () => {
    lastNumber += 1;
    account = await buildAccount(app, { numbers: { [lastNumber]: 'infobip' } });
  });

  it('reach only the account’s own pages, in every web process', async () => {
    const mine = await openSocket(app.url, await keyOf(app, account.owner));
    const mineToo = await openSocket(secondUrl, await keyOf(app, account.owner));
    const theirs = await openSocket(app.url, await keyOf(app, other.owner));
    await tell(account.accountId, [changed(1)]);
    await tell(other.accountId, [changed(2)]);
    await Promise.all([
      mine.heard({ type: 'conversation.changed' }),
      mineToo.heard({ type: 'conversation.changed' }),
      theirs.heard({ type: 'conversation.changed' }),
    ]);
    expect(mine.packets).toEqual([[changed(1)]]);
    expect(mineToo.packets).toEqual([[changed(1)]]);
    expect(theirs.packets).toEqual([[changed(2)]]);
  });

  it('that were missed are detected: each process returns how long an account had no events', async () => {
    await untilBothListen();
    const since = performance.now();
    for (const url of [app.url, secondUrl]) {
      const early = await openSocket(url, await keyOf(app, account.owner));
      await tell(account.accountId, [changed(1)]);
      await early.heard(changed(1));
      const late = await openSocket(url, await keyOf(app, account.owner));
      expect(await late.quietMs()).toBeLessThan(performance.now() - since);
      const theirs = await openSocket(url, await keyOf(app, other.owner));
      const atLeast = performance.now() - since;
      expect(await theirs.quietMs()).toBeGreaterThan(atLeast);
    }
  });

  it('are sent when a change commits, and not when it is rolled back or refused', async () => {
    const socket = await openSocket(app.url, await keyOf(app, account.owner));
    const rolledBack = asAccount(app.database, account.accountId, async (trx) => {
      await notify(trx, account.accountId, [changed(66)]);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    const body = (Message: string) => ({
      TextNumberID: account.numbers[lastNumber] ?? 0,
      LastMessage: { Contact: { PrimaryPhone: '4235550101' }, Message },
    });
    expect((await app.call(createConversation, { body: body(' ') }, account.owner)).status).toBe(400);
    const made = await app.call(createConversation, { body: body('Hello') }, account.owner);
    await socket.heard({ type: 'credits.changed' });
    expect(socket.packets).toEqual([[changed(made.body.ConversationID), { type: 'credits.changed' }]]);
  });

  it('of a change are in the database before they are sent', async () => {
    const socket = await openSocket(app.url, await keyOf(app, account.owner));
    const { conversation_id: ConversationID } = await app.database.system
      .insertInto('conversations')
      .values({
        account_id: account.accountId,
        text_number_id: account.numbers[lastNumber] ?? 0,
        phone: '14235550101',
      })
      .returning('conversation_id')
      .executeTakeFirstOrThrow();
    const reply = app.call(
      updateConversation,
      { params: { ConversationID }, body: { IsDone: true } },
      account.owner,
    );
    await socket.heard({ type: 'conversation.changed' });
    const row = await app.database.system
      .selectFrom('conversations')
      .select('is_done')
      .where('conversation_id', '=', ConversationID)
      .executeTakeFirstOrThrow();
    expect(row.is_done).toBe(true);
    await reply;
  });

  it('of a conversation reach only users of its number, from the moment they may use it', async () => {
    const numbers = { [lastNumber + 200]: 'infobip', [lastNumber + 201]: 'infobip' } as const;
    const shared = await buildAccount(app, { numbers });
    const [firstId = 0, secondId = 0] = Object.values(shared.numbers);
    const user = await buildUser(app, shared.accountId, 'user', { textNumberIds: [firstId] });
    const talkAt = async (text_number_id: number) => {
      const made = await app.database.system
        .insertInto('conversations')
        .values({ account_id: shared.accountId, text_number_id, phone: '14235550101' })
        .returning('conversation_id')
        .executeTakeFirstOrThrow();
      return made.conversation_id;
    };
    const first = await talkAt(firstId);
    const second = await talkAt(secondId);
    const ofSecond: Event[] = [
      changed(second),
      { type: 'conversation.read', ConversationID: second },
      { type: 'notes.changed', ConversationID: second },
      { type: 'message.changed', ConversationID: second, TextMessageID: 1 },
      { type: 'message.received', ConversationID: second, TextNumberID: secondId, TextMessageID: 2 },
    ];
    const credits: Event = { type: 'credits.changed' };
    const narrow = await openSocket(app.url, await keyOf(app, user));
    const narrowToo = await openSocket(secondUrl, await keyOf(app, user));
    const wide = await openSocket(app.url, await keyOf(app, shared.owner));

    await tell(shared.accountId, [...ofSecond, changed(first), credits]);
    await Promise.all([narrow, narrowToo, wide].map((socket) => socket.heard(credits)));
    expect(wide.packets).toEqual([[...ofSecond, changed(first), credits]]);
    expect([narrow.packets, narrowToo.packets]).toEqual([
      [[changed(first), credits]],
      [[changed(first), credits]],
    ]);

    // They get nothing about others' conversations, not even that something happened.
    await tell(shared.accountId, ofSecond);
    await waitUntil(async () => wide.packets.length === 2);
    const give = async (TextNumbers: number[]) => {
      const params = { UserID: user.userId };
      const reply = await app.call(updateAccountUser, { params, body: { TextNumbers } }, shared.owner);
      expect(reply.status).toBe(200);
      // The page is notified that a user changed; the event checked here comes after it.
      await narrow.heard({ type: 'users.changed' });
      narrow.packets.length = 0;
    };
    await give([firstId, secondId]);
    await tell(shared.accountId, [changed(second)]);
    await narrow.heard(changed(second));
    expect(narrow.packets).toEqual([[changed(second)]]);

    await give([]);
    await tell(shared.accountId, [changed(first), { type: 'tags.changed' }]);
    await narrow.heard({ type: 'tags.changed' });
    expect(narrow.packets).toEqual([[{ type: 'tags.changed' }]]);
  });

  it('at the same time are sent together: the first at once, the rest in one packet, each once', async () => {
    const socket = await openSocket(app.url, await keyOf(app, account.owner));
    const many = Array.from({ length: 50 }, (_, index) => [changed(index % 10)]);
    await tell(account.accountId, ...many);
    await socket.heard({ type: 'conversation.changed' });
    // A later event, so that nothing is still on its way.
    await tell(account.accountId, [{ type: 'credits.changed' }]);
    await socket.heard({ type: 'credits.changed' });
    const [first, ...rest] = socket.packets;
    expect(first).toEqual([changed(0)]);
    expect(rest.length).toBeLessThanOrEqual(2);
    expect(rest.flat()).toEqual([
      ...Array.from({ length: 9 }, (_, index) => changed(index + 1)),
      { type: 'credits.changed' },
    ]);
  });

  it('beyond a limit become "refetch the lists"', async () => {
    const socket = await openSocket(app.url, await keyOf(app, account.owner));
    // Ten per notice: PostgreSQL then sends all of them at once, and none can arrive a moment later.
    const tens = Array.from({ length: 12 }, (_, ten) =>
      Array.from({ length: 10 }, (_each, index) => changed(10 * ten + index)),
    );
    await tell(account.accountId, ...tens, [{ type: 'credits.changed' }]);
    await socket.heard({ type: 'credits.changed' });
    expect(socket.packets).toEqual([
      tens[0],
      [{ type: 'conversations.changed' }, { type: 'credits.changed' }],
    ]);
  });

  it('of one change that do not fit into a notice too', async () => {
    const socket = await openSocket(app.url, await keyOf(app, account.owner));
    const events: Event[] = Array.from({ length: 5000 }, (_, index) => changed(1_000_000 + index));
    await tell(account.accountId, [...events, { type: 'textnumbers.changed' }]);
    await socket.heard({ type: 'textnumbers.changed' });
    expect(socket.packets).toEqual([[{ type: 'conversations.changed' }, { type: 'textnumbers.changed' }]]);
  });
});

describe('the sockets of a session close', () => {
  const ends: Record<string, (user: BuiltUser) => Promise<unknown>> = {
    'when it is revoked from elsewhere': async (user) => {
      const elsewhere = await app.call(login, { body: { UserName: user.userName, Password: password } });
      const cookie = elsewhere.headers.get('set-cookie')?.split(';')[0] ?? '';
      const { body } = await app.call(listSessions, {}, user);
      const params = { SessionID: body.Items.find((item) => item.IsCurrent)?.SessionID ?? 0 };
      return app.call(revokeSession, { params }, { cookie });
    },
    'when the user is switched off': (user) =>
      app.call(
        updateAccountUser,
        { params: { UserID: user.userId }, body: { IsActive: false } },
        account.owner,
      ),
    'when the user is switched off among others': (user) =>
      app.call(
        updateAccountUsers,
        {
          body: {
            Selection: { Type: 'Selected', Items: [user.userId] },
            Update: { IsActive: false },
          },
        },
        account.owner,
      ),
    'when its time is over': async (user) => {
      await owner.query('update sessions set expires_at = now() where user_id = $1', [user.userId]);
      // The processes know its expiry, and check again after that.
      shiftClock(100 * dayMs);
      onTestFinished(() => shiftClock(-100 * dayMs));
    },
    'when one signs out': (user) => app.call(logout, {}, user),
    'when one signs in again': (user) =>
      app.call(login, { body: { UserName: user.userName, Password: password } }, { cookie: user.cookie }),
    'when an expired password is replaced': async (user) => {
      await owner.query('update users set password_expires_at = now() where user_id = $1', [user.userId]);
      return app.call(replaceExpiredPassword, {
        body: { UserName: user.userName, Password: password, NewPassword: 'quite-new-8' },
      });
    },
  };

  it.each(Object.entries(ends))('%s, in whichever process they are', async (when, end) => {
    await untilBothListen();
    const user = await buildUser(app, account.accountId, 'user');
    const sockets = await Promise.all(
      [app.url, secondUrl].map(async (url) => openSocket(url, await keyOf(app, user))),
    );
    const bystander = await openSocket(secondUrl, await keyOf(app, account.owner));
    await end(user);
    // The expiry of a session isn't announced: the processes detect it. All other ends are announced.
    if (when === 'when its time is over') await Promise.all(sockets.map((socket) => socket.closed));
    await tell(account.accountId, [{ type: 'tags.changed' }]);
    await bystander.heard({ type: 'tags.changed' });
    expect(await Promise.all(sockets.map((socket) => socket.closed))).toEqual([
      'io server disconnect',
      'io server disconnect',
    ]);
    // At once, however busy the machine is: later messages don't reach them.
    expect(sockets.flatMap(({ packets }) => packets.flat())).not.toContainEqual({ type: 'tags.changed' });
  });
});

describe('after the database has cut connections', () => {
  it('the listening one reconnects and tells everybody to refetch', async () => {
    const socket = await openSocket(app.url, await keyOf(app, account.owner));
    await terminate("application_name = 'muster_listen'");
    await socket.heard({ type: 'conversations.changed' });
    expect(socket.packets).toEqual([
      [
        { type: 'conversations.changed' },
        { type: 'contacts.changed' },
        { type: 'textnumbers.changed' },
        { type: 'credits.changed' },
        { type: 'tags.changed' },
        { type: 'scheduled.changed' },
        { type: 'replies.changed' },
        { type: 'templates.changed' },
        { type: 'settings.changed' },
        { type: 'users.changed' },
        { type: 'registration.changed' },
        { type: 'sequences.changed' },
        { type: 'webhooks.changed' },
        { type: 'apikeys.changed' },
        { type: 'integrations.changed' },
      ],
    ]);
    await tell(account.accountId, [changed(8)]);
    await socket.heard(changed(8));
  });

  it('processes are notified of each other’s ended sessions again, however often it happened', async () => {
    for (let time = 0; time < 3; time += 1) {
      await untilBothListen();
      await terminate("application_name = 'muster_listen'");
    }
    await untilBothListen();
    const user = await buildUser(app, account.accountId, 'user');
    const socket = await openSocket(secondUrl, await keyOf(app, user));
    await app.call(logout, {}, user);
    expect(await socket.closed).toBe('io server disconnect');
  });

  it('of many sessions at once, in notices that are small enough', async () => {
    const user = await buildUser(app, account.accountId, 'user');
    const told: number[][] = [];
    await owner.query('listen muster_events');
    owner.on('notification', ({ payload }) => {
      const notice = JSON.parse(payload ?? '{}') as { endedSessionIds?: number[] };
      if (notice.endedSessionIds !== undefined) told.push(notice.endedSessionIds);
    });
    const { rows } = await owner.query<{ session_id: number }>(
      `insert into sessions (account_id, user_id, token_hash, expires_at)
      select $1, $2, sha256(n::text::bytea), now() - interval '1 minute' from generate_series(1, 700) n
      returning session_id`,
      [account.accountId, user.userId],
    );
    await app.sweep();
    await waitUntil(async () => {
      await owner.query('select 1');
      return told.flat().length >= 700;
    });
    await owner.query('unlisten muster_events');
    owner.removeAllListeners('notification');
    const ours = new Set(rows.map(({ session_id }) => Number(session_id)));
    expect(told.flat().filter((id) => ours.has(id))).toHaveLength(700);
    expect(told.length).toBeGreaterThan(2);
    expect(await owner.query('select from sessions where user_id = $1', [user.userId])).toMatchObject({
      rowCount: 1,
    });
  });

  it('sessions that ended while nobody listened are ended then', async () => {
    await untilBothListen();
    const user = await buildUser(app, account.accountId, 'user');
    const socket = await openSocket(secondUrl, await keyOf(app, user));
    await owner.query('delete from sessions where user_id = $1', [user.userId]);
    await terminate("application_name = 'muster_listen'");
    expect(await socket.closed).toBe('io server disconnect');
  });
});
