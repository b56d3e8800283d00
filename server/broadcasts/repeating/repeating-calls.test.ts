import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { createDraft, type DraftForm } from '../../../contract/drafts.ts';
import {
  createRepeating,
  deleteRepeating,
  listRepeating,
  updateRepeating,
} from '../../../contract/repeating-broadcasts.ts';
import type { BuiltAccount } from '../../testing/builders.ts';
import { aCallDraft, callAtAnyHour, callingAccount, callingApp, phoneOf } from '../../testing/calls.ts';
import { refusalOf, type TestApp } from '../../testing/test-app.ts';

const caller = '18655554300';
const zone = 'America/New_York';
const outsideWindow = 'Choose a Start Time within your Calling Window';
const tooSoon = 'Start Time must be at least 5 minutes from now';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await callingApp([caller]);
  account = await callingAccount(app, caller);
  await sql`update users set time_zone = ${zone} where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
});

const daily = { Interval: 1, IntervalFrequency: 'days' as const, DaysOfWeek: [], EndDateTime: null };

/** Tomorrow at this time, on the sender's clock. */
const tomorrowAt = (time: string) => `${Temporal.Now.plainDateISO(zone).add({ days: 1 })}T${time}:00`;

const inMinutes = (minutes: number) =>
  Temporal.Now.zonedDateTimeISO(zone).add({ minutes }).toPlainDateTime().toString().slice(0, 19);

/** From 9:00 AM to 5:00 PM only. */
async function callInTheDay() {
  await sql`update users set calling_start = '09:00', calling_stop = '17:00'
    where account_id = ${account.accountId}`.execute(app.database.system);
}

function draft(phones: string[], form: Partial<DraftForm> = {}) {
  return aCallDraft(app, account, phones, {
    startOption: 'REPEATING',
    StartDate: tomorrowAt('10:00'),
    RepeatingBroadcastSchedule: daily,
    ...form,
  });
}

const create = (DraftBroadcastID: number) =>
  app.call(createRepeating, { body: { DraftBroadcastID } }, account.owner);
const update = (RepeatingBroadcastID: number, body: object) =>
  app.call(updateRepeating, { params: { RepeatingBroadcastID }, body }, account.owner);

async function listed(id: number) {
  const { body } = await app.call(listRepeating, { query: {} }, account.owner);
  return body.Items.find(({ RepeatingBroadcastID }) => RepeatingBroadcastID === id);
}

it('a series of calls counts the people it calls, and has no text', async () => {
  await sql`insert into phone_consents (account_id, phone, voice_state, voice_changed_at)
    values (${account.accountId}, ${`1${phoneOf('0103')}`}, 'out', now())`.execute(app.database.system);
  const modelId = await draft([phoneOf('0101'), phoneOf('0102'), phoneOf('0103')]);
  const { RepeatingBroadcastID: id } = (await create(modelId)).body;
  expect(await listed(id)).toMatchObject({
    BroadcastType: 'Announcement',
    IsTextSurvey: false,
    TextMessage: '',
    PhoneNumberCount: 2,
  });
  const { rows } =
    await sql`select reach_count, left_out_count from broadcasts where broadcast_id = ${modelId}`.execute(
      app.database.system,
    );
  expect(rows).toEqual([{ reach_count: 2, left_out_count: 1 }]);
  const texted = refusalOf(await update(id, { TextMessage: 'School is closed.' }));
  expect([texted.status, texted.Errors]).toEqual([
    400,
    [{ Field: 'TextMessage', Message: 'This broadcast makes calls and sends no texts.' }],
  ]);
  const StartDateTime = tomorrowAt('11:00');
  const { body } = await update(id, {
    BroadcastName: 'Bus delays',
    StartDateTime,
    TextMessage: '',
    Media: [],
  });
  expect(body).toMatchObject({ BroadcastName: 'Bus delays', ScheduleDescription: 'Every day at 11:00 AM' });
  await app.call(deleteRepeating, { params: { RepeatingBroadcastID: id } }, account.owner);
});

it('a series of texts or calls counts both', async () => {
  await sql`insert into phone_lookups (account_id, phone, is_valid, line_type)
    values (${account.accountId}, ${`1${phoneOf('0105')}`}, true, 'landline')`.execute(app.database.system);
  const { body } = await create(
    await draft([phoneOf('0104'), phoneOf('0105')], {
      ...{ BroadcastType: 'SMSOrAnnouncement', TextMessage: 'School is closed.' },
      TextNumberID: account.numbers[caller] ?? 0,
    }),
  );
  expect(await listed(body.RepeatingBroadcastID)).toMatchObject({
    BroadcastType: 'SMSOrAnnouncement',
    PhoneNumberCount: 2,
  });
  const changed = await update(body.RepeatingBroadcastID, { TextMessage: 'School is open.' });
  expect(changed.body.TextMessage).toBe('School is open.');
});

it('the first calls are at least five minutes ahead and inside the calling window', async () => {
  const refused = (reply: Awaited<ReturnType<typeof create | typeof update>>) => {
    const { status, Errors } = refusalOf(reply);
    return [status, ...(Errors ?? []).map(({ Field, Message }) => `${Field}: ${Message}`)];
  };
  expect(refused(await create(await draft([phoneOf('0101')], { StartDate: inMinutes(3) })))).toEqual([
    400,
    `StartDate: ${tooSoon}`,
  ]);
  await callInTheDay();
  try {
    const late = await draft([phoneOf('0101')], { StartDate: tomorrowAt('20:00') });
    expect(refused(await create(late))).toEqual([400, `StartDate: ${outsideWindow}`]);
    const { RepeatingBroadcastID: id } = (await create(await draft([phoneOf('0101')]))).body;
    expect(refused(await update(id, { StartDateTime: tomorrowAt('20:00') }))).toEqual([
      400,
      `StartDateTime: ${outsideWindow}`,
    ]);
    expect(refused(await update(id, { StartDateTime: inMinutes(3) }))[1]).toMatch(/^StartDateTime: /);
    expect((await update(id, { StartDateTime: tomorrowAt('16:30') })).status).toBe(200);
  } finally {
    await callAtAnyHour(app, account);
  }
});

it('texts repeat at any hour', async () => {
  await callInTheDay();
  try {
    const { body } = await app.call(
      createDraft,
      {
        body: {
          ...{ BroadcastName: 'Lunch menu', TextMessage: 'Soup', TextNumberID: account.numbers[caller] ?? 0 },
          ...{ startOption: 'REPEATING', StartDate: tomorrowAt('20:00'), RepeatingBroadcastSchedule: daily },
        },
      },
      account.owner,
    );
    const reply = await create(body.DraftBroadcastID);
    // Nobody gets it yet: its start is not what is wrong.
    expect(refusalOf(reply).Message).toBe('Please add at least one valid recipient to your broadcast.');
  } finally {
    await callAtAnyHour(app, account);
  }
});
