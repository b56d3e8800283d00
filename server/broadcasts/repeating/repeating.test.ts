import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  addDraftLists,
  addDraftNumbers,
  listDraftContacts,
  removeDraftContacts,
} from '../../../contract/draft-recipients.ts';
import { createDraft, type DraftForm } from '../../../contract/drafts.ts';
import {
  canSafelyDeleteRepeating,
  createRepeating,
  deleteRepeating,
  dismissRepeatingFailures,
  listRepeating,
  listRepeatingFailures,
  updateRepeating,
  validateSchedule,
} from '../../../contract/repeating-broadcasts.ts';
import { asAccount } from '../../db.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { makeOccurrence } from './run-repeating.ts';

const number = '14235550100';
const zone = 'America/New_York';
let app: TestApp;
let account: BuiltAccount;
let ListID: number;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits: 100 });
  await sql`update accounts set quiet_hours_on = false`.execute(app.database.system);
  await sql`update users set time_zone = ${zone} where user_id = ${account.owner.userId}`.execute(
    app.database.system,
  );
  ListID = await group('Families', ['14235550301', '14235550302']);
});

/** A group with contacts of these phones. */
async function group(name: string, phones: string[]): Promise<number> {
  const { system } = app.database;
  const { group_id } = await system
    .insertInto('groups')
    .values({ account_id: account.accountId, name })
    .returning('group_id')
    .executeTakeFirstOrThrow();
  for (const phone of phones) await join(group_id, phone);
  return group_id;
}

async function join(groupId: number, phone: string): Promise<void> {
  await sql`
    with made as (
      insert into contacts (account_id, primary_phone, first_name, created_by_user_id)
      values (${account.accountId}, ${phone}, 'Ana', ${account.owner.userId})
      returning account_id, person_id, sort_name)
    insert into group_members (account_id, group_id, person_id, sort_name)
    select account_id, ${groupId}, person_id, sort_name from made`.execute(app.database.system);
}

const daily = { Interval: 1, IntervalFrequency: 'days', DaysOfWeek: [], EndDateTime: null } as const;

/** Tomorrow at nine, on the sender's clock. */
function nine(days = 1): string {
  return `${Temporal.Now.plainDateISO(zone).add({ days })}T09:00:00`;
}

async function draft(form: Partial<DraftForm> = {}, as = account.owner) {
  const reply = await app.call(
    createDraft,
    {
      body: {
        BroadcastName: 'Lunch menu',
        TextNumberID: account.numbers[number] ?? 0,
        TextMessage: 'Today: soup',
        startOption: 'REPEATING',
        StartDate: nine(),
        RepeatingBroadcastSchedule: { ...daily, DaysOfWeek: [] },
        ...form,
      },
    },
    as,
  );
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return { DraftBroadcastID: reply.body.DraftBroadcastID };
}

async function addGroup(params: { DraftBroadcastID: number }, listId = ListID, as = account.owner) {
  const body = { Selection: { Type: 'Selected' as const, Items: [{ ListID: listId }] } };
  expect((await app.call(addDraftLists, { params, body }, as)).status).toBe(200);
}

/** Removed by hand, in the recipients' table. */
async function takeOut(params: { DraftBroadcastID: number }, phonenumber: string) {
  const { body } = await app.call(listDraftContacts, { params, query: { phonenumber } }, account.owner);
  const Selection = { Type: 'Selected' as const, Items: body.Items.map(({ RecipientID }) => RecipientID) };
  const removed = await app.call(removeDraftContacts, { params, body: { Selection } }, account.owner);
  expect(removed.body.RemovedCount).toBe(1);
}

/** A series to the group, from tomorrow on. */
async function series(form: Partial<DraftForm> = {}, as = account.owner) {
  const body = await draft(form, as);
  await addGroup(body, ListID, as);
  const reply = await app.call(createRepeating, { body }, as);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return { RepeatingBroadcastID: reply.body.RepeatingBroadcastID };
}

type Params = { RepeatingBroadcastID: number };

/** As if it were due: `ago` is in hours. */
async function makeDue({ RepeatingBroadcastID }: Params, ago = 0.001) {
  await sql`update repeating_broadcasts set next_at = now() - ${ago} * interval '1 hour'
    where repeating_id = ${RepeatingBroadcastID}`.execute(app.database.system);
}

async function occurrencesOf({ RepeatingBroadcastID }: Params) {
  const { rows } = await sql<{ id: number; name: string; status: string; going: number; deleted: boolean }>`
    select broadcast_id as id, name, status, going_count as going, deleted_at is not null as deleted from broadcasts
    where repeating_id = ${RepeatingBroadcastID} order by broadcast_id`.execute(app.database.system);
  return rows;
}

async function seriesRow({ RepeatingBroadcastID }: Params) {
  return app.database.system
    .selectFrom('repeating_broadcasts')
    .selectAll()
    .where('repeating_id', '=', RepeatingBroadcastID)
    .executeTakeFirstOrThrow();
}

async function picture(accountId: number): Promise<{ MediaID: number }> {
  const { media_id } = await app.database.system
    .insertInto('media')
    .values({
      ...{ account_id: accountId, public_key: `menu-${accountId}`, content_type: 'image/gif' },
      ...{ file_name: 'menu.gif', byte_size: 10, width: 4, height: 3, content_hash: 'none' },
    })
    .returning('media_id')
    .executeTakeFirstOrThrow();
  return { MediaID: media_id };
}

const textsTo = async (phone: string) => (await app.sandbox.messages(phone)).map(({ Text }) => Text);

describe('a schedule', () => {
  const judge = (body: object) =>
    app.call(
      validateSchedule,
      { body: { ...daily, DaysOfWeek: [], StartDateTime: nine(), ...body } },
      account.owner,
    );

  it('is described, with its first times', async () => {
    const { body } = await judge({ IntervalFrequency: 'weeks', DaysOfWeek: ['Friday', 'Monday'] });
    expect(body.ScheduleDescription).toBe('Every week on Monday and Friday at 9:00 AM');
    expect(body.Occurrences).toHaveLength(5);
  });

  it('keeps its time of day when the clocks change', async () => {
    // Five of them span a year, which includes both changes.
    const { body } = await judge({ IntervalFrequency: 'months', Interval: 3 });
    const hours = body.Occurrences.map((at) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).hour);
    expect(hours).toEqual([9, 9, 9, 9, 9]);
    const offsets = body.Occurrences.map((at) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).offset);
    expect(new Set(offsets).size).toBe(2);
  });

  it.each([
    [{ Interval: 0 }, 'Must be greater than or equal to 1'],
    [
      { Interval: 53, IntervalFrequency: 'weeks', DaysOfWeek: ['Monday'] },
      'Must be less than or equal to 52',
    ],
    [{ IntervalFrequency: 'weeks' }, 'Please select at least one day of the week'],
    [{ EndDateTime: nine(0) }, 'End Date cannot be earlier than the start'],
    [{ StartDateTime: nine(-2) }, 'Your start date and time cannot be in the past.'],
    [{ StartDateTime: 'never' }, 'There was an error validating your start date.'],
  ])('%o: %s', async (given, Message) => {
    expect(refusalOf(await judge(given))).toMatchObject({ status: 422, Message });
  });
});

describe('a draft becomes a series', () => {
  it('once, however often it is requested; nothing is reserved', async () => {
    const body = await draft();
    await addGroup(body);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => app.call(createRepeating, { body }, account.owner)),
    );
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.body.RepeatingBroadcastID}`)).size).toBe(
      1,
    );
    const { body: list } = await app.call(listRepeating, { query: { q: 'lunch' } }, account.owner);
    expect(list.Items).toHaveLength(1);
    expect(list.Items[0]).toMatchObject({
      BroadcastName: 'Lunch menu',
      TextMessage: 'Today: soup',
      PhoneNumberCount: 2,
      RepeatingBroadcastSchedule: { ScheduleFrequency: 'Daily', Interval: 1, IntervalFrequency: 'days' },
      ScheduleDescription: 'Every day at 9:00 AM',
      LastBroadcastID: null,
    });
    const account_ = await app.database.system
      .selectFrom('accounts')
      .select('credit_reserved')
      .where('account_id', '=', account.accountId)
      .executeTakeFirst();
    expect(account_?.credit_reserved).toBe(0);
  });

  it('is refused as Send refuses, and without a schedule', async () => {
    const create = async (body: { DraftBroadcastID: number }) =>
      refusalOf(await app.call(createRepeating, { body }, account.owner)).Message;
    expect(await create(await draft())).toBe('Please add at least one valid recipient to your broadcast.');
    expect(await create(await draft({ RepeatingBroadcastSchedule: null }))).toBe(
      'Choose how often this broadcast repeats.',
    );
    expect(await create(await draft({ StartDate: nine(-1) }))).toBe(
      'Your start date and time cannot be in the past.',
    );
    await sql`update accounts set is_free_trial = true where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    const { status } = await app.call(createRepeating, { body: await draft() }, account.owner);
    await sql`update accounts set is_free_trial = false where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect(status).toBe(403);
  });
});

describe('when its time comes', () => {
  it('goes to the group’s members at that time, and to people who were typed', async () => {
    const body = await draft({ TextMessage: 'Hello {{FirstName|friend}}', BroadcastName: 'x'.repeat(50) });
    const listId = await group('Riders', ['14235550310', '14235550311', '14235550313']);
    await addGroup(body, listId);
    await takeOut(body, '4235550313');
    const Items = [{ PrimaryPhone: '4235550320' }, { PrimaryPhone: '4235550310' }];
    await app.call(addDraftNumbers, { params: body, body: { Items } }, account.owner);
    await sql`update broadcasts set merge_state = 'running', merge_cursor = 0 where broadcast_id = ${body.DraftBroadcastID}`.execute(
      app.database.system,
    );
    await app.drain();
    const made = await app.call(createRepeating, { body }, account.owner);
    expect([made.status, made.body]).toEqual([200, expect.anything()]);
    // One joins, one leaves, one is removed by hand.
    await join(listId, '14235550312');
    await sql`delete from group_members m using contacts c
      where m.group_id = ${listId} and c.person_id = m.person_id and c.primary_phone = '14235550311'`.execute(
      app.database.system,
    );
    await makeDue(made.body);
    await app.until(async () => (await textsTo('4235550312')).length === 1);
    await app.until(async () => (await occurrencesOf(made.body))[0]?.status === 'completed');
    expect(await textsTo('4235550312')).toEqual(['Hello Ana']);
    expect(await textsTo('4235550320')).toEqual(['Hello friend']);
    expect(await textsTo('4235550310')).toHaveLength(1);
    expect(await textsTo('4235550311')).toEqual([]);
    expect(await textsTo('4235550313')).toEqual([]);
    const [occurrence] = await occurrencesOf(made.body);
    expect(occurrence).toMatchObject({ name: expect.stringMatching(/^x+…, [A-Z][a-z]+ \d+$/), going: 3 });
    expect(occurrence?.name).toHaveLength(50);
    const { rows: told } = await sql<{ kind: string }>`
      select kind from events where subject_id = ${occurrence?.id} and kind like 'broadcast.%' order by event_id`.execute(
      app.database.system,
    );
    expect(told.map(({ kind }) => kind)).toEqual(['broadcast.sent', 'broadcast.completed']);
    await app.call(deleteRepeating, { params: made.body }, account.owner);
  });

  it('is created once by any number of workers, and once after days of missed ones', async () => {
    const params = await series();
    await sql`update repeating_broadcasts set start_wall = ${nine(-20)}
      where repeating_id = ${params.RepeatingBroadcastID}`.execute(app.database.system);
    await makeDue(params, 24 * 10);
    const { accountId } = account;
    const make = () =>
      asAccount(app.database, accountId, (trx) =>
        makeOccurrence(trx, accountId, params.RepeatingBroadcastID),
      );
    const made = await Promise.all(Array.from({ length: 6 }, make));
    expect(made.filter(Boolean)).toHaveLength(1);
    await app.drain();
    expect(await occurrencesOf(params)).toHaveLength(1);
    const { next_at, last_broadcast_id } = await seriesRow(params);
    expect(next_at?.getTime()).toBeGreaterThan(Date.now());
    expect(last_broadcast_id).not.toBeNull();
    await app.call(deleteRepeating, { params }, account.owner);
  });

  it('a worker that dies while creating it leaves it due', async () => {
    const params = await series();
    await makeDue(params);
    const { accountId } = account;
    const dies = asAccount(app.database, accountId, async (trx) => {
      expect(await makeOccurrence(trx, accountId, params.RepeatingBroadcastID)).toBe(true);
      throw new Error('killed');
    });
    await expect(dies).rejects.toThrow('killed');
    expect(await occurrencesOf(params)).toEqual([]);
    await app.drain();
    expect(await occurrencesOf(params)).toHaveLength(1);
    await app.call(deleteRepeating, { params }, account.owner);
  });

  it('after its end there are none', async () => {
    const params = await series({
      RepeatingBroadcastSchedule: { ...daily, DaysOfWeek: [], EndDateTime: nine(2) },
    });
    await sql`update repeating_broadcasts set schedule = schedule || jsonb_build_object('EndDateTime', ${nine(0)}::text),
      start_wall = ${nine(-3)} where repeating_id = ${params.RepeatingBroadcastID}`.execute(
      app.database.system,
    );
    await makeDue(params);
    await app.drain();
    // It may be before nine today: then there is one more.
    const last = Temporal.PlainDateTime.from(nine(0)).toZonedDateTime(zone).epochMilliseconds;
    expect((await seriesRow(params)).next_at?.getTime() ?? 0).toBe(last > Date.now() ? last : 0);
    await app.call(deleteRepeating, { params }, account.owner);
  });
});

describe('when it can’t be sent', () => {
  const failures = async (as = account.owner) => (await app.call(listRepeatingFailures, {}, as)).body.Items;

  it.each([
    ['accounts', 'credit_reserved = credit_balance', 'credit_reserved = 0', 4100],
    ['accounts', 'is_free_trial = true', 'is_free_trial = false', 2003],
    ['text_numbers', 'released_at = now()', 'released_at = null', 2003],
    ['text_numbers', 'is_blocked = true', 'is_blocked = false', 101],
  ])('because %s.%s: recorded with its code; the series goes on', async (table, change, back, ErrorCode) => {
    const params = await series();
    const set = (to: string) =>
      sql`update ${sql.table(table)} set ${sql.raw(to)} where account_id = ${account.accountId}`.execute(
        app.database.system,
      );
    await app.until(async () => {
      const { rows } = await sql`select from outbox union all select from outbox_slices`.execute(
        app.database.system,
      );
      return rows.length === 0;
    });
    await set(change);
    await makeDue(params);
    await app.drain();
    await set(back);
    const found = await failures();
    expect(found).toMatchObject([{ ErrorCode, ...params, BroadcastName: 'Lunch menu' }]);
    expect(found[0]?.Message).toMatch(/^This broadcast did not go out because/);
    expect((await occurrencesOf(params)).filter(({ deleted }) => !deleted)).toEqual([]);
    expect((await seriesRow(params)).next_at?.getTime()).toBeGreaterThan(Date.now());
    await app.call(dismissRepeatingFailures, { body: { Items: [found[0]?.FailureID ?? 0] } }, account.owner);
    expect(await failures()).toEqual([]);
    await app.call(deleteRepeating, { params }, account.owner);
  });

  it('because its creator is no longer here; others aren’t notified', async () => {
    const maker = await buildUser(app, account.accountId, 'admin');
    await sql`update users set can_see_all_roster = true, can_create_broadcast = true where user_id = ${maker.userId}`.execute(
      app.database.system,
    );
    const other = await buildUser(app, account.accountId, 'user');
    const params = await series({}, maker);
    await sql`update users set is_active = false where user_id = ${maker.userId}`.execute(
      app.database.system,
    );
    await makeDue(params);
    await app.drain();
    expect(await failures()).toMatchObject([{ ErrorCode: 2003 }]);
    expect(await failures(other)).toEqual([]);
    await app.call(dismissRepeatingFailures, { body: {} }, other);
    expect(await failures()).toHaveLength(1);
    await app.call(dismissRepeatingFailures, { body: {} }, account.owner);
    expect(await failures()).toEqual([]);
  });
});

describe('a series is changed', () => {
  it('in its text and its time; the next start is at least five minutes ahead', async () => {
    const params = await series();
    const update = (body: object) => app.call(updateRepeating, { params, body }, account.owner);
    const StartDateTime = `${nine(3).slice(0, 10)}T17:30:00`;
    const { body } = await update({
      BroadcastName: 'Dinner menu',
      TextMessage: 'Today: stew',
      StartDateTime,
      RepeatingBroadcastSchedule: { Interval: 2, IntervalFrequency: 'days' },
    });
    expect(body).toMatchObject({
      BroadcastName: 'Dinner menu',
      TextMessage: 'Today: stew',
      ScheduleDescription: 'Every 2 days at 5:30 PM',
      NextStartDate: new Date(
        Temporal.PlainDateTime.from(StartDateTime).toZonedDateTime(zone).epochMilliseconds,
      ).toISOString(),
    });
    // Only the days: the time of day stays.
    const weekly = await update({
      RepeatingBroadcastSchedule: { Interval: 1, IntervalFrequency: 'weeks', DaysOfWeek: ['Monday'] },
    });
    expect(weekly.body.ScheduleDescription).toBe('Every week on Monday at 5:30 PM');
    const until = (EndDateTime: string) =>
      update({ RepeatingBroadcastSchedule: { Interval: 1, IntervalFrequency: 'days', EndDateTime } });
    expect((await until(`${nine(30).slice(0, 10)}T23:59:00`)).body.ScheduleDescription).toMatch(/, until /);
    expect(refusalOf(await until('2020-01-01T23:59:00'))).toMatchObject({
      status: 422,
      Message: 'End Date cannot be earlier than the start',
    });
    const soon = Temporal.Now.zonedDateTimeISO(zone)
      .add({ minutes: 4 })
      .toPlainDateTime()
      .toString()
      .slice(0, 19);
    expect(refusalOf(await update({ StartDateTime: soon, RepeatingBroadcastSchedule: daily }))).toMatchObject(
      {
        status: 400,
        Errors: [{ Field: 'StartDateTime', Message: 'Start Time must be at least 5 minutes from now' }],
      },
    );
    expect(refusalOf(await update({ TextMessage: ' ' })).status).toBe(400);
    await app.call(deleteRepeating, { params }, account.owner);
    expect((await update({ TextMessage: 'Gone' })).status).toBe(404);
  });

  it('in its picture and its speed, which apply to the next one', async () => {
    const params = await series();
    const update = (body: object) => app.call(updateRepeating, { params, body }, account.owner);
    const mine = await picture(account.accountId);
    const { body } = await update({ Media: [mine], PerMinute: 50, TextMessage: '' });
    expect(body).toMatchObject({ Media: [{ mediaId: mine.MediaID }], PerMinute: 50, TextMessage: '' });
    // Without words the text would be empty.
    expect(refusalOf(await update({ Media: [] }))).toMatchObject({
      status: 400,
      Message: 'Enter a Text Message',
    });
    const other = await buildAccount(app, { numbers: {}, credits: 0 });
    expect((await update({ Media: [await picture(other.accountId)] })).status).toBe(404);
    await makeDue(params);
    await app.drain();
    const { rows } = await sql`
      select status, media_ids, per_minute from broadcasts where repeating_id = ${params.RepeatingBroadcastID}`.execute(
      app.database.system,
    );
    expect(rows).toMatchObject([{ media_ids: [mine.MediaID], per_minute: 50 }]);
    expect(rows).not.toMatchObject([{ status: 'draft' }]);
    expect((await update({ Media: [], PerMinute: null, TextMessage: 'Soup' })).body).toMatchObject({
      Media: [],
      PerMinute: null,
    });
  });

  it('in its speed and picture, though the text that stays has become too long', async () => {
    const limitTo = (characters: number) =>
      sql`update users set text_character_limit = ${characters} where user_id = ${account.owner.userId}`.execute(
        app.database.system,
      );
    const prepend = (isOn: boolean) =>
      sql`update accounts set prepend_organization_to_text = ${isOn}
        where account_id = ${account.accountId}`.execute(app.database.system);
    await limitTo(320);
    const TextMessage = 'x'.repeat(200);
    const params = await series({ TextMessage });
    const update = (body: object) => app.call(updateRepeating, { params, body }, account.owner);
    await limitTo(160);
    await prepend(true);
    expect((await update({ Media: [], PerMinute: 50 })).body).toMatchObject({ TextMessage, PerMinute: 50 });
    expect(refusalOf(await update({ TextMessage: `${TextMessage}y` })).Message).toBe(
      "Can't exceed 160 characters.",
    );
    await prepend(false);
    await limitTo(320);
    await app.call(deleteRepeating, { params }, account.owner);
  });

  it('goes on with the words that were saved, whatever limits came since', async () => {
    const limitTo = (characters: number) =>
      sql`update users set text_character_limit = ${characters} where user_id = ${account.owner.userId}`.execute(
        app.database.system,
      );
    await limitTo(320);
    const TextSurveyAutoReplies = [
      { Label: 'Yes' as const, Message: 'y'.repeat(170) },
      { Label: 'No' as const, Message: 'Too bad' },
    ];
    const params = await series({ TextMessage: 'x'.repeat(200), IsTextSurvey: true, TextSurveyAutoReplies });
    await limitTo(160);
    await makeDue(params);
    await app.drain();
    await limitTo(320);
    expect((await app.call(listRepeatingFailures, {}, account.owner)).body.Items).toEqual([]);
    const { rows } = await sql`
      select status, yes_reply from broadcasts where repeating_id = ${params.RepeatingBroadcastID}`.execute(
      app.database.system,
    );
    expect(rows).toMatchObject([{ yes_reply: 'y'.repeat(170) }]);
    expect(rows).not.toMatchObject([{ status: 'draft' }]);
    await app.call(deleteRepeating, { params }, account.owner);
  });

  it('is deleted safely, unless one is about to start or under way', async () => {
    const params = await series();
    const safely = async () => (await app.call(canSafelyDeleteRepeating, { params }, account.owner)).body;
    expect(await safely()).toEqual({ CanSafelyDelete: true, Message: '' });
    await sql`update repeating_broadcasts set next_at = now() + interval '4 minutes'
      where repeating_id = ${params.RepeatingBroadcastID}`.execute(app.database.system);
    expect(await safely()).toMatchObject({
      CanSafelyDelete: false,
      Message: expect.stringContaining('about to start'),
    });
    await makeDue(params);
    await app.drain();
    await sql`update broadcasts set status = 'paused' where repeating_id = ${params.RepeatingBroadcastID}`.execute(
      app.database.system,
    );
    expect(await safely()).toMatchObject({
      CanSafelyDelete: false,
      Message: expect.stringContaining('under way'),
    });
    await app.call(deleteRepeating, { params }, account.owner);
    expect(await occurrencesOf(params)).toMatchObject([{ status: 'paused', deleted: false }]);
  });
});

it('the list is paged, the next one first', async () => {
  const made = [];
  for (const days of [3, 2, 4])
    made.push(await series({ StartDate: nine(days), BroadcastName: `Paged ${days}` }));
  const names: string[] = [];
  let next: string | undefined;
  do {
    const query = { q: 'paged', pagesize: 2, ...(next === undefined ? {} : { next }) };
    const { body } = await app.call(listRepeating, { query }, account.owner);
    names.push(...body.Items.map((item) => item.BroadcastName));
    next = body.Next ?? undefined;
  } while (next !== undefined);
  expect(names).toEqual(['Paged 2', 'Paged 3', 'Paged 4']);
  for (const params of made) await app.call(deleteRepeating, { params }, account.owner);
});
