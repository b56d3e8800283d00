import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateUser } from '../../contract/accounts.ts';
import { updateTextNumber } from '../../contract/numbers.ts';
import { defaultNotificationSetting } from '../../contract/time/notification-window.ts';
import { asSystem, openOwnerPool, type Trx } from '../db.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { armNotices } from './arm-notices.ts';
import { noticeText } from './rules.ts';
import { sendNotices } from './send-notices.ts';

const number = '14235550100';
let app: TestApp;
let owner: ReturnType<typeof openOwnerPool>;
let account: BuiltAccount;
let numberId: number;
let serial = 0;

const allDay = {
  ...defaultNotificationSetting,
  IsActive: true,
  Type: 'TextUnread' as const,
  NotificationWindow: {
    Days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const,
    StartTimeOfDay: { Hour: 9, Minute: 0 },
    StopTimeOfDay: { Hour: 9, Minute: 0 },
  },
};

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  owner = openOwnerPool(app.databaseUrl, 1);
});
afterAll(() => owner.end());

/** An account with one number and nobody with notifications on. */
async function build(credits = 100): Promise<void> {
  await sql`update text_numbers set released_at = now()`.execute(app.database.system);
  account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits });
  numberId = account.numbers[number] ?? 0;
}

type Settings = Omit<typeof allDay, 'Method' | 'NotificationWindow'> & {
  Method: 'Email' | 'Text';
  NotificationWindow: {
    Days: readonly (typeof allDay.NotificationWindow.Days)[number][];
    StartTimeOfDay: { Hour: number; Minute: number };
    StopTimeOfDay: { Hour: number; Minute: number };
  };
};

async function want(user: BuiltUser, settings: Partial<Settings> = {}): Promise<void> {
  const Notifications = { ...allDay, ...settings };
  const reply = await app.call(
    updateTextNumber,
    {
      params: { TextNumberID: numberId },
      body: {
        Notifications: {
          ...Notifications,
          NotificationWindow: {
            ...Notifications.NotificationWindow,
            Days: [...Notifications.NotificationWindow.Days],
          },
        },
      },
    },
    user,
  );
  expect(reply.status).toBe(200);
}

/** An unread text from a new person, written and announced as applyInbound does. */
async function writeText(trx: Trx): Promise<void> {
  serial += 1;
  const { accountId } = account;
  const thread = { account_id: accountId, text_number_id: numberId, phone: `1423555${1000 + serial}` };
  const { message_id: messageId } = await trx
    .insertInto('messages')
    .values({
      ...thread,
      is_inbound: true,
      status: 'received',
      origin: 'inbound',
      body: 'Where is the bus?',
    })
    .returning('message_id')
    .executeTakeFirstOrThrow();
  const { conversation_id: conversationId } = await trx
    .insertInto('conversations')
    .values({ ...thread, unread_count: 1, last_message_id: messageId })
    .returning('conversation_id')
    .executeTakeFirstOrThrow();
  await armNotices(trx, [{ accountId, textNumberId: numberId, conversationId, messageId }]);
}

const receive = () => asSystem(app.database, writeText);

async function readAll(): Promise<void> {
  await sql`update conversations set unread_count = 0 where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
}

/** Checks everything that is due at a given time. */
async function look(at: Date | null = null): Promise<void> {
  while (await sendNotices({ database: app.database, publicUrl: 'https://muster.example.org' }, 100, at));
}

async function waitingMails(): Promise<{ to: string; subject: string; text: string }[]> {
  const { rows } = await sql<{ to: string; subject: string; text: string }>`
    select to_address as "to", subject, body_text as text from mails where account_id = ${account.accountId} order by mail_id`.execute(
    app.database.system,
  );
  return rows;
}

async function setting(user: BuiltUser) {
  return app.database.system
    .selectFrom('notification_settings')
    .select(['due_at', 'is_last_look', 'last_notified_at'])
    .where('account_id', '=', account.accountId)
    .where('user_id', '=', user.userId)
    .executeTakeFirstOrThrow();
}

/** The time at which the setting is checked next. */
async function nextLook(user: BuiltUser): Promise<Date> {
  const { due_at } = await setting(user);
  if (due_at === null) throw new Error('nobody looks');
  return due_at;
}

/** Number of transactions that wait for another's row in this database; only its owner sees those of others. */
async function countBlocked(): Promise<number> {
  const { rows } = await owner.query<{ many: number }>(`select count(*)::int as many from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows[0]?.many ?? 0;
}

const minutes = (count: number, from: Date) => new Date(from.getTime() + count * 60_000);

describe('by mail', () => {
  it('reports the number of unread texts, once, and contains none of their words', async () => {
    await build();
    await want(account.owner);
    await look();
    expect(await waitingMails()).toEqual([]);
    await receive();
    await receive();
    await look();
    await look();
    const mails = await waitingMails();
    expect(mails).toEqual([
      {
        to: `${account.owner.userName}@example.org`,
        subject: '2 unread conversations at Number 1',
        text: expect.stringContaining(`https://muster.example.org/inbox?textNumberId=${numberId}`),
      },
    ]);
    expect(mails[0]?.text).not.toContain('bus');
  });

  it('again after the period, and only if a text has arrived since', async () => {
    await build();
    await want(account.owner);
    await receive();
    await look();
    const told = (await setting(account.owner)).last_notified_at ?? new Date(0);
    // Nothing new: the last check, and then no more checks.
    await look(await nextLook(account.owner));
    expect(await setting(account.owner)).toMatchObject({ due_at: null, is_last_look: false });
    await receive();
    await look();
    expect(await waitingMails()).toHaveLength(1);
    expect(await nextLook(account.owner)).toEqual(minutes(15, told));
    await look(minutes(14, told));
    expect(await waitingMails()).toHaveLength(1);
    await look(minutes(15, told));
    await look(minutes(15, told));
    expect((await waitingMails()).map(({ subject }) => subject)).toEqual([
      '1 unread conversation at Number 1',
      '2 unread conversations at Number 1',
    ]);
  });

  it('not when everything was read meanwhile', async () => {
    await build();
    await want(account.owner);
    await receive();
    await readAll();
    await look();
    await look(await nextLook(account.owner));
    expect(await setting(account.owner)).toMatchObject({ due_at: null, last_notified_at: null });
    expect(await waitingMails()).toEqual([]);
  });

  it('waits for the window to open, in the user’s own zone', async () => {
    await build();
    await sql`update users set time_zone = 'Asia/Singapore' where user_id = ${account.owner.userId}`.execute(
      app.database.system,
    );
    await want(account.owner, {
      NotificationWindow: {
        Days: ['Monday'],
        StartTimeOfDay: { Hour: 9, Minute: 30 },
        StopTimeOfDay: { Hour: 17, Minute: 0 },
      },
    });
    await receive();
    // A Sunday evening there, whatever day it is.
    const sunday = new Date('2030-03-03T12:00:00Z');
    await look(sunday);
    const opens = await nextLook(account.owner);
    expect(opens.toISOString()).toBe('2030-03-04T01:30:00.000Z');
    await look(minutes(-1, opens));
    expect(await waitingMails()).toEqual([]);
    await look(opens);
    expect(await waitingMails()).toHaveLength(1);
  });

  it('once a day at the start time; an hour late when the server was down, not longer', async () => {
    await build();
    await sql`update users set time_zone = 'America/New_York' where user_id = ${account.owner.userId}`.execute(
      app.database.system,
    );
    await want(account.owner, {
      PeriodMinutes: 1440,
      NotificationWindow: {
        Days: [...allDay.NotificationWindow.Days],
        StartTimeOfDay: { Hour: 9, Minute: 0 },
        StopTimeOfDay: { Hour: 17, Minute: 0 },
      },
    });
    await sql`update notification_settings set due_at = '2030-06-03T20:00:00Z' where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    await receive();
    await look(new Date('2030-06-03T20:00:00Z'));
    expect((await nextLook(account.owner)).toISOString()).toBe('2030-06-04T13:00:00.000Z');
    // Down all morning: that would be noon.
    await look(new Date('2030-06-04T16:00:00Z'));
    expect((await nextLook(account.owner)).toISOString()).toBe('2030-06-05T13:00:00.000Z');
    expect(await waitingMails()).toEqual([]);
    await look(new Date('2030-06-05T13:20:00Z'));
    expect(await waitingMails()).toHaveLength(1);
  });

  it('notifies nobody who is deactivated, may not use the number, or has turned it off', async () => {
    await build();
    const [off, lost, quiet, told] = [
      await buildUser(app, account.accountId, 'user', { textNumberIds: [numberId] }),
      await buildUser(app, account.accountId, 'user', { textNumberIds: [numberId] }),
      await buildUser(app, account.accountId, 'admin'),
      await buildUser(app, account.accountId, 'user', { textNumberIds: [numberId] }),
    ];
    for (const user of [off, lost, quiet, told]) await want(user);
    await receive();
    await want(quiet, { IsActive: false });
    await sql`update users set is_active = false where user_id = ${off.userId}`.execute(app.database.system);
    await sql`delete from user_text_numbers where user_id = ${lost.userId}`.execute(app.database.system);
    await look();
    expect((await waitingMails()).map(({ to }) => to)).toEqual([`${told.userName}@example.org`]);
  });

  it('includes existing unread texts when it is turned on', async () => {
    await build();
    await receive();
    await want(account.owner);
    await look();
    expect(await waitingMails()).toHaveLength(1);
    // Saving it once more sends nothing again.
    await want(account.owner);
    await look();
    expect(await waitingMails()).toHaveLength(1);
  });
});

it('from a telephone to the mailbox, by the jobs alone', async () => {
  await build();
  await want(account.owner);
  await app.sandbox.text('14235550146', number, 'Where is the bus?');
  const to = `${account.owner.userName}@example.org`;
  const [mail] = await app.until(async () => {
    const mails = await app.sandbox.mails(to);
    return mails.length > 0 && mails;
  });
  expect(mail).toMatchObject({ Subject: '1 unread conversation at Number 1', From: 'muster@example.org' });
  await app.sandbox.text('14235550146', number, 'Hello?');
  await app.until(async () => {
    const { rows } =
      await sql`select from messages where account_id = ${account.accountId} and is_inbound`.execute(
        app.database.system,
      );
    return rows.length === 2;
  });
  await app.drain();
  expect(await app.sandbox.mails(to)).toHaveLength(1);
});

describe('exactly once', () => {
  it('with four concurrent checks', async () => {
    await build();
    const users = [account.owner];
    for (let i = 0; i < 4; i++) users.push(await buildUser(app, account.accountId, 'admin'));
    for (const user of users) await want(user);
    await receive();
    await Promise.all(Array.from({ length: 4 }, () => look()));
    const to = (await waitingMails()).map((mail) => mail.to);
    expect(to.sort()).toEqual(users.map((user) => `${user.userName}@example.org`).sort());
  });

  it('with a second check while the first is in progress', async () => {
    await build();
    await app.call(updateUser, { body: { NotificationPhone: '4235550145' } }, account.owner);
    await want(account.owner, { Method: 'Text' });
    await receive();
    const looks: Promise<void>[] = [];
    await asSystem(app.database, async (trx) => {
      // The first gets as far as the credits, and waits there.
      await sql`select from accounts where account_id = ${account.accountId} for update`.execute(trx);
      looks.push(look());
      await waitUntil(async () => (await countBlocked()) >= 1);
      let isOver = false;
      const second = look().finally(() => {
        isOver = true;
      });
      looks.push(second);
      await waitUntil(async () => isOver || (await countBlocked()) >= 2);
    });
    await Promise.all(looks);
    const { rows } = await sql`select from messages
      where account_id = ${account.accountId} and origin = 'notification'`.execute(app.database.system);
    expect([rows.length, await waitingMails()]).toEqual([1, []]);
  });

  it('a text whose transaction ends during a check is found by the last check', async () => {
    await build();
    await want(account.owner);
    await receive();
    await readAll();
    // Written while the setting is armed, so that it arms nothing; ends after the check.
    await asSystem(app.database, async (trx) => {
      await writeText(trx);
      await look();
    });
    expect(await waitingMails()).toEqual([]);
    const again = await nextLook(account.owner);
    await look(again);
    await look(again);
    expect(await waitingMails()).toHaveLength(1);
  });
});

describe('by text', () => {
  const phone = '14235550143';
  const texts = async () => (await app.sandbox.messages(phone)).map(({ From, Text }) => ({ From, Text }));

  it('is in the language of its recipient, without letters that halve the capacity', () => {
    const told = { company: 'Harlow', name: 'Office', phone: number, url: 'https://muster.example.org' };
    const spanish = [1, 2].map((unread) => noticeText({ ...told, unread }, 2));
    expect(spanish).toEqual([
      'Mensajes sin leer de 1 persona en Office. https://muster.example.org',
      'Mensajes sin leer de 2 personas en Office. https://muster.example.org',
    ]);
    expect(noticeText({ ...told, unread: 2 }, 1)).toMatch(/^2 unread conversations at Office\. /);
  });

  it('comes from the default number, costs its credits and appears in no conversation', async () => {
    await build();
    await app.call(updateUser, { body: { NotificationPhone: '(423) 555-0143' } }, account.owner);
    await want(account.owner, { Method: 'Text' });
    await receive();
    await look();
    const url = `https://muster.example.org/inbox?textNumberId=${numberId}`;
    const [text] = await app.until(async () => {
      const found = await texts();
      return found.length > 0 && found;
    });
    expect(text).toEqual({ From: number, Text: `1 unread conversation at Number 1. ${url}` });
    expect(await waitingMails()).toEqual([]);
    const { rows } = await sql`
      select (select count(*) from conversations where account_id = ${account.accountId} and phone = ${phone}) as threads,
        (select count(*) from messages where account_id = ${account.accountId} and origin = 'notification') as texts`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ threads: 0, texts: 1 }]);
  });

  it.each([
    ['without a phone', async () => undefined],
    [
      'without credits',
      async () => {
        await app.call(updateUser, { body: { NotificationPhone: phone } }, account.owner);
        await sql`update accounts set credit_reserved = credit_balance where account_id = ${account.accountId}`.execute(
          app.database.system,
        );
      },
    ],
    [
      'from a blocked number',
      async () => {
        await app.call(updateUser, { body: { NotificationPhone: phone } }, account.owner);
        await sql`update text_numbers set is_blocked = true where text_number_id = ${numberId}`.execute(
          app.database.system,
        );
      },
    ],
    [
      'to a phone that is out',
      async () => {
        await app.call(updateUser, { body: { NotificationPhone: '4235550144' } }, account.owner);
        await sql`insert into phone_consents (account_id, phone, text_state, text_changed_at)
          values (${account.accountId}, '14235550144', 'out', now())`.execute(app.database.system);
      },
    ],
  ])('%s it is a mail', async (_, prepare) => {
    await build();
    await prepare();
    await want(account.owner, { Method: 'Text' });
    await receive();
    await look();
    expect(await waitingMails()).toHaveLength(1);
    const { rows } =
      await sql`select from messages where account_id = ${account.accountId} and origin = 'notification'`.execute(
        app.database.system,
      );
    expect(rows).toHaveLength(0);
  });
});
