import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listNotifications } from '../../contract/notifications.ts';
import {
  getTextNumber,
  listTextNumbers,
  listTextNumberUsage,
  type TextNumber,
  updateTextNumber,
  updateTextNumbers,
} from '../../contract/numbers.ts';
import { defaultNotificationSetting } from '../../contract/time/notification-window.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { keyOf, openSocket } from '../testing/test-socket.ts';

let app: TestApp;
let account: BuiltAccount;
let office: number;
let buses: number;
let user: BuiltUser;

beforeAll(async () => {
  app = await testApp();
});
beforeEach(async () => {
  await sql`update text_numbers set released_at = now()`.execute(app.database.system);
  account = await buildAccount(app, { numbers: { '14235550100': 'infobip', '14235550120': 'twilio' } });
  office = account.numbers['14235550100'] ?? 0;
  buses = account.numbers['14235550120'] ?? 0;
  user = await buildUser(app, account.accountId, 'user', { textNumberIds: [office] });
});

const evenings: TextNumber['Notifications'] = {
  IsActive: true,
  Type: 'TextUnread',
  PeriodMinutes: 60,
  Method: 'Text',
  NotificationWindow: {
    Days: ['Monday', 'Friday'],
    StartTimeOfDay: { Hour: 17, Minute: 30 },
    StopTimeOfDay: { Hour: 21, Minute: 0 },
  },
};

function change(TextNumberID: number, body: object, as: BuiltUser = account.owner) {
  return app.call(updateTextNumber, { params: { TextNumberID }, body }, as);
}

async function get(TextNumberID: number, as: BuiltUser = account.owner) {
  return (await app.call(getTextNumber, { params: { TextNumberID } }, as)).body;
}

describe('name, description and default', () => {
  it('are changed one by one, and the rest stays', async () => {
    const socket = await openSocket(app.url, await keyOf(app, user));
    expect((await change(office, { Name: ' Front office ' })).body).toMatchObject({ Name: 'Front office' });
    expect((await change(office, { Description: 'Attendance' })).body).toMatchObject({
      Name: 'Front office',
      Description: 'Attendance',
      IsDefault: true,
    });
    await socket.heard({ type: 'textnumbers.changed' });
  });

  it('one number is the default, in place of any other', async () => {
    expect((await change(buses, { IsDefault: true })).body).toMatchObject({ IsDefault: true });
    expect(await get(office)).toMatchObject({ IsDefault: false });
    await Promise.all([office, buses, office, buses].map((id) => change(id, { IsDefault: true })));
    const { body } = await app.call(listTextNumbers, {}, account.owner);
    expect(body.Items.filter(({ IsDefault }) => IsDefault)).toHaveLength(1);
    expect((await change(office, { IsDefault: false })).status).toBe(400);
  });

  it.each([
    [
      sql`is_blocked = true`,
      'TextNumberBlocked',
      "This text number is blocked. We're working to resolve this for you...",
    ],
    [
      sql`flat_rate_status = 'BillingProblem', flat_rate_end_at = now() - interval '1 day'`,
      'TextNumberBlocked',
      "This text number is blocked. We're working to resolve this for you...",
    ],
    [
      sql`registration_status = 'Pending'`,
      'TextNumberNotRegistered',
      'This text number has to be registered before it can send texts.',
    ],
  ])('a number that can’t text is not made the default (%#)', async (state, Name, Message) => {
    await sql`update text_numbers set ${state} where text_number_id = ${buses}`.execute(app.database.system);
    expect(refusalOf(await change(buses, { IsDefault: true }))).toMatchObject({
      status: 422,
      Message,
      ExtendedData: { Name },
    });
    expect(await get(office)).toMatchObject({ IsDefault: true, CanText: true });
    const { body } = await app.call(listTextNumbers, {}, account.owner);
    expect(body.Items.map(({ TextNumberID, CanText }) => [TextNumberID, CanText])).toEqual([
      [office, true],
      [buses, false],
    ]);
    // It can still be renamed.
    expect((await change(buses, { Name: 'Buses' })).status).toBe(200);
  });

  it.each([{ Name: 'x' }, { Description: 'x' }, { IsDefault: true }])('%j is for admins', async (body) => {
    expect((await change(office, body, user)).status).toBe(403);
    const admin = await buildUser(app, account.accountId, 'admin');
    expect((await change(office, body, admin)).status).toBe(200);
  });

  it.each([
    [{ Name: 'x'.repeat(51) }, 'Name must be at most 50 characters'],
    [{ Description: 'x'.repeat(201) }, 'Description must be at most 200 characters'],
  ])('too long is refused in the form’s words (%#)', async (body, Message) => {
    expect(refusalOf(await change(office, body))).toMatchObject({ status: 400, Message });
  });
});

describe('notification settings', () => {
  it('are each user’s own', async () => {
    const { body } = await change(office, { Notifications: evenings, AudioNotificationsEnabled: true }, user);
    expect(body).toMatchObject({
      Notifications: evenings,
      AudioNotificationsEnabled: true,
      BrowserNotificationsEnabled: true,
    });
    expect(await get(office)).toMatchObject({
      Notifications: defaultNotificationSetting,
      AudioNotificationsEnabled: false,
    });
    expect((await change(office, { BrowserNotificationsEnabled: false }, user)).body).toMatchObject({
      Notifications: evenings,
      BrowserNotificationsEnabled: false,
      AudioNotificationsEnabled: true,
    });
  });

  it('of a number that the user may not use are not found', async () => {
    expect((await change(buses, { AudioNotificationsEnabled: true }, user)).status).toBe(404);
  });

  const windowOf = (start: [number, number], stop: [number, number], more: object = {}) => ({
    Notifications: {
      ...evenings,
      ...more,
      NotificationWindow: {
        Days: ['Monday'],
        StartTimeOfDay: { Hour: start[0], Minute: start[1] },
        StopTimeOfDay: { Hour: stop[0], Minute: stop[1] },
      },
    },
  });
  it.each([
    [windowOf([18, 0], [17, 0]), 'Start Time must be before stop time'],
    [windowOf([9, 0], [9, 0], { PeriodMinutes: 1440 }), 'Start Time must be before stop time'],
    [
      { Notifications: { ...evenings, NotificationWindow: { ...evenings.NotificationWindow, Days: [] } } },
      'Select at least one Notification Window Day',
    ],
  ])('a window that never opens is refused (%#)', async (body, Message) => {
    expect(refusalOf(await change(office, body))).toMatchObject({ status: 400, Message });
  });

  it('equal start and stop times mean the whole day', async () => {
    expect((await change(office, windowOf([9, 0], [9, 0]))).status).toBe(200);
  });

  it('many numbers at once: selected ones that match the search and that the user may use', async () => {
    const select = (body: object, query: object = {}, as = account.owner) =>
      app.call(
        updateTextNumbers,
        { query, body: { Update: { Notifications: evenings }, ...body } as never },
        as,
      );
    const active = async (as = account.owner) => {
      const { body } = await app.call(listTextNumbers, {}, as);
      return body.Items.filter(({ Notifications }) => Notifications.IsActive).map(
        (item) => item.TextNumberID,
      );
    };
    const none = await select({ Selection: { Type: 'Selected', Items: [] } });
    expect([none.body, await active()]).toEqual([{ Size: 0 }, []]);
    const one = await select({ Selection: { Type: 'SelectedAllExcept', Items: [office] } });
    expect([one.body, await active()]).toEqual([{ Size: 1 }, [buses]]);
    const found = await select({ Selection: { Type: 'SelectedAll' } }, { q: '0100' });
    expect([found.body, (await active()).sort((a, b) => a - b)]).toEqual([{ Size: 1 }, [office, buses]]);
    const own = await select({ Selection: { Type: 'Selected', Items: [office, buses] } }, {}, user);
    expect([own.body, await active(user)]).toEqual([{ Size: 1 }, [office]]);
  });
});

it('lists unread texts by number, and the numbers with browser notifications', async () => {
  await sql`insert into conversations (account_id, text_number_id, phone, unread_count)
    select ${account.accountId}, ${buses}, '1423555' || i, 2 from generate_series(2000, 2002) i`.execute(
    app.database.system,
  );
  await change(buses, { BrowserNotificationsEnabled: false });
  const list = async (query: object, as = account.owner) => {
    const { body } = await app.call(listNotifications, { query }, as);
    return { Size: body.Size, Items: body.Items.map((item) => [item.TextNumberID, item.UnreadCount]) };
  };
  expect(await list({})).toEqual({
    Size: 2,
    Items: [
      [office, 0],
      [buses, 3],
    ],
  });
  expect(await list({ BrowserNotifications: true })).toEqual({ Size: 1, Items: [[office, 0]] });
  expect(await list({ pagesize: 1, page: 2 })).toEqual({ Size: 2, Items: [[buses, 3]] });
  // The other user's numbers are not included, however much is unread there.
  expect(await list({}, user)).toEqual({ Size: 1, Items: [[office, 0]] });
});

describe('usage', () => {
  const day = (back: number) => sql`(now() at time zone 'America/New_York')::date - ${back}::integer`;

  it('adds up the days: the last thirty, or the requested ones', async () => {
    await sql`
      insert into daily_texts (account_id, day, text_number_id, sent, delivered, failed, received, credits) values
      (${account.accountId}, ${day(0)}, ${office}, 5, 4, 1, 7, 6),
      (${account.accountId}, ${day(29)}, ${office}, 10, 10, 0, 0, 10),
      (${account.accountId}, ${day(30)}, ${office}, 100, 0, 0, 0, 0),
      (${account.accountId}, ${day(1)}, ${buses}, 1, 1, 0, 0, 1)`.execute(app.database.system);
    const usage = async (query: object = {}, as = account.owner) =>
      (await app.call(listTextNumberUsage, { query }, as)).body;
    expect(await usage()).toEqual({
      Size: 2,
      Items: [
        {
          ...{ TextNumberID: office, Sent: 15, Delivered: 14, Failed: 1, Received: 7, Credits: 16 },
          ...{ UserCount: 1, UserNames: [expect.any(String)] },
        },
        {
          ...{ TextNumberID: buses, Sent: 1, Delivered: 1, Failed: 0, Received: 0, Credits: 1 },
          ...{ UserCount: 0, UserNames: [] },
        },
      ],
    });
    const { rows } = await sql<{ day: string }>`select ${day(30)} as day`.execute(app.database.system);
    const old = rows[0]?.day ?? '';
    expect(await usage({ 'date-from': old, 'date-to': old })).toMatchObject({
      Items: [{ Sent: 100 }, { Sent: 0 }],
    });
    expect(await usage({}, user)).toMatchObject({ Size: 1, Items: [{ TextNumberID: office }] });
    expect(await usage({ pagesize: 1, page: 2 })).toMatchObject({
      Size: 2,
      Items: [{ TextNumberID: buses }],
    });
  });

  it('an invalid day is refused', async () => {
    const reply = await app.call(
      listTextNumberUsage,
      { query: { 'date-from': '0000-01-01' } },
      account.owner,
    );
    expect(reply.status).toBe(400);
  });
});
