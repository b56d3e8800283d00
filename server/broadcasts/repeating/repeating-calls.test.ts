import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { DraftForm } from '../../../contract/drafts.ts';
import {
  createRepeating,
  deleteRepeating,
  listRepeating,
  updateRepeating,
} from '../../../contract/repeating-broadcasts.ts';
import type { BuiltAccount } from '../../testing/builders.ts';
import { aCallDraft, callingAccount, callingApp, phoneOf } from '../../testing/calls.ts';
import { refusalOf, type TestApp } from '../../testing/test-app.ts';

const caller = '18655554300';
const zone = 'America/New_York';
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
