import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { updateAccount } from '../../../contract/accounts.ts';
import { deleteBroadcastDetails } from '../../../contract/broadcast-results.ts';
import { type Broadcast, updateBroadcast } from '../../../contract/broadcasts.ts';
import type { CallInput } from '../../../contract/call.ts';
import { aBroadcast, type BroadcastOptions, checkBroadcast } from '../../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits: 30 });
});

const tomorrow = new Date(Date.now() + 24 * 3_600_000);

async function scheduled(options: BroadcastOptions = {}) {
  const sender = {
    accountId: account.accountId,
    userId: account.owner.userId,
    textNumberId: account.numbers[number] ?? 0,
  };
  const given = { status: 'scheduled', startAt: tomorrow, ...options } as const;
  return { BroadcastID: await aBroadcast(app.database, sender, given) };
}

function change(params: { BroadcastID: number }, body: CallInput<typeof updateBroadcast>['body']) {
  return app.call(updateBroadcast, { params, body }, account.owner);
}

const cancel = (params: { BroadcastID: number }) => change(params, { BroadcastStatus: 'Canceled' });

async function row({ BroadcastID }: Pick<Broadcast, 'BroadcastID'>) {
  return app.database.system
    .selectFrom('broadcasts')
    .selectAll()
    .where('broadcast_id', '=', BroadcastID)
    .executeTakeFirstOrThrow();
}

async function reserveEntries() {
  const { rows } = await sql<{ kind: string; reserved_delta: number }>`
    select kind, reserved_delta from credit_entries
    where account_id = ${account.accountId} and kind in ('reserve', 'release') order by credit_entry_id`.execute(
    app.database.system,
  );
  return rows.map(({ reserved_delta }) => reserved_delta);
}

/** So that it takes two segments. */
const long = 'The bus leaves at eight and comes back at three. '.repeat(4).trim();

describe('the text of one that has not begun', () => {
  it('is changed with its credits: the difference is reserved, or returns', async () => {
    const params = await scheduled();
    const entries = (await reserveEntries()).length;
    await sql`update users set text_character_limit = 320 where user_id = ${account.owner.userId}`.execute(
      app.database.system,
    );
    const { body } = await change(params, { TextMessage: long });
    expect(body).toMatchObject({
      TextMessage: long,
      BroadcastStatus: 'Scheduled',
      StartDate: tomorrow.toISOString(),
      Segments: 2,
      PhoneNumberCount: 10,
      Credits: { Reserved: 20, Settled: 0, Released: 0 },
    });
    expect(await row(params)).toMatchObject({
      sent_body: long,
      credits_each: 2,
      credits_unfed: 20,
      going_count: 10,
    });
    await change(params, { TextMessage: 'Short again' });
    expect(await row(params)).toMatchObject({ sent_body: 'Short again', credits_each: 1, credits_unfed: 10 });
    expect((await reserveEntries()).slice(entries)).toEqual([10, -10]);
    const { rows } = await sql<{ total: number }>`
      select sum(total)::int as total from broadcast_zones where broadcast_id = ${params.BroadcastID}`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ total: 10 }]);
    await cancel(params);
  });

  it('after people were taken out, doesn’t return their credits again', async () => {
    const params = await scheduled();
    const { rows } = await sql<{ id: number }>`
      select recipient_id as id from broadcast_recipients where broadcast_id = ${params.BroadcastID}
      order by recipient_id limit 4`.execute(app.database.system);
    const { body } = await app.call(
      deleteBroadcastDetails,
      { params, query: {}, body: { Selection: { Type: 'Selected', Items: rows.map(({ id }) => id) } } },
      account.owner,
    );
    expect(body.RemovedCount).toBe(4);
    expect((await change(params, { TextMessage: 'Short again' })).body.Credits.Reserved).toBe(6);
    await checkBroadcast(app.database, params.BroadcastID);
    await cancel(params);
    expect(await checkBroadcast(app.database, params.BroadcastID)).toMatchObject({ reserved: 0 });
  });

  it('without the credits for it stays unchanged', async () => {
    const params = await scheduled({ count: 20 });
    const reply = await change(params, { TextMessage: long });
    expect(refusalOf(reply)).toMatchObject({
      status: 402,
      ErrorCode: 4100,
      Message: 'Unable to modify broadcast. Not enough credits to send message.',
    });
    expect(await row(params)).toMatchObject({
      status: 'scheduled',
      body: 'School is closed today.',
      credits_unfed: 20,
    });
    await cancel(params);
  });

  it('is checked as by Send', async () => {
    const params = await scheduled();
    const refused = async (TextMessage: string) => refusalOf(await change(params, { TextMessage })).Message;
    expect(await refused('')).toBe('Enter a Text Message');
    expect(await refused('x'.repeat(321))).toBe("Can't exceed 320 characters.");
    expect(await refused('Hello {{}}')).toBe('Personalized fields should not be empty.');
    await cancel(params);
  });

  it('is not judged by its length where the edit leaves it as it is', async () => {
    const limitTo = (characters: number, signature = '') =>
      sql`update users set text_character_limit = ${characters}, signature_text = ${signature}
        where user_id = ${account.owner.userId}`.execute(app.database.system);
    const params = await scheduled();
    await limitTo(320);
    expect((await change(params, { TextMessage: long, IncludeSignature: true })).status).toBe(200);
    await sql`update broadcasts set is_text_survey = true, yes_reply = ${long}, no_reply = 'Thanks'
      where broadcast_id = ${params.BroadcastID}`.execute(app.database.system);
    // The limit was lowered, and the signature grew.
    await limitTo(160, 'Dana Whitfield, Main office, 12 School Street');
    const later = (days: number) => new Date(tomorrow.getTime() + days * 24 * 3_600_000).toISOString();
    const moved = await change(params, { StartDate: later(1) });
    expect([moved.status, moved.body]).toEqual([200, expect.objectContaining({ StartDate: later(1) })]);
    const again = await change(params, { StartDate: later(2), TextMessage: moved.body.TextMessage });
    expect(again.status).toBe(200);
    const refused = async (edit: Parameters<typeof change>[1]) =>
      refusalOf(await change(params, edit)).Message;
    const tooLong = "Can't exceed 160 characters.";
    expect(await refused({ TextMessage: `${long}!` })).toBe(tooLong);
    await change(params, { TextMessage: 'Short again', IncludeSignature: false });
    const short = 'x'.repeat(150);
    expect((await change(params, { TextMessage: short })).status).toBe(200);
    expect(await refused({ IncludeSignature: true })).toBe(tooLong);
    await limitTo(320);
    await cancel(params);
  });

  it('with fields is merged with everybody; each one has its own cost', async () => {
    const params = await scheduled({ count: 3 });
    const { rows } = await sql`
      update broadcast_recipients set first_name = repeat('Anna', 30)
      where broadcast_id = ${params.BroadcastID} and recipient_id = (
        select min(recipient_id) from broadcast_recipients where broadcast_id = ${params.BroadcastID})
      returning recipient_id`.execute(app.database.system);
    expect(rows).toHaveLength(1);
    const text = `Dear {{FirstName}}, ${'word '.repeat(20)}`.trim();
    const { body } = await change(params, { TextMessage: text });
    expect(body.Credits).toMatchObject({ Reserved: 4 });
    expect(await row(params)).toMatchObject({ is_personalized: true, merge_state: 'done', credits_unfed: 4 });
    // And without them it is the same for everybody again.
    expect((await change(params, { TextMessage: 'Dear all' })).body.Credits.Reserved).toBe(3);
    expect(await row(params)).toMatchObject({ is_personalized: false, merge_state: 'none' });
    await cancel(params);
  });
});

describe('the picture of one that has not begun', () => {
  async function picture(accountId: number): Promise<{ MediaID: number }> {
    const { media_id } = await app.database.system
      .insertInto('media')
      .values({
        ...{ account_id: accountId, public_key: `picture-${accountId}`, content_type: 'image/gif' },
        ...{ file_name: 'a.gif', byte_size: 10, width: 4, height: 3, content_hash: 'none' },
      })
      .returning('media_id')
      .executeTakeFirstOrThrow();
    return { MediaID: media_id };
  }

  it('is added and removed with its credits, and must be the user’s own', async () => {
    const params = await scheduled();
    const mine = await picture(account.accountId);
    const added = await change(params, { Media: [mine] });
    expect(added.body).toMatchObject({
      Media: [{ mediaId: mine.MediaID, contentType: 'image/gif' }],
      Credits: { Reserved: 20 },
    });
    expect((await change(params, { Media: [] })).body).toMatchObject({
      Media: [],
      Credits: { Reserved: 10 },
    });
    // Without words the text would be empty.
    await change(params, { Media: [mine], TextMessage: '' });
    expect((await change(params, { Media: [] })).status).toBe(400);
    const other = await buildAccount(app, { numbers: {}, credits: 0 });
    const theirs = await change(params, { Media: [await picture(other.accountId)] });
    expect(theirs.status).toBeGreaterThanOrEqual(400);
    expect(await row(params)).toMatchObject({ media_ids: [mine.MediaID], credits_reserved: 20 });
    await cancel(params);
  });
});

describe('time and speed', () => {
  it('change, and it stays paused if it was', async () => {
    const params = await scheduled();
    await change(params, { BroadcastStatus: 'Paused' });
    const StartDate = new Date(Date.now() + 48 * 3_600_000).toISOString();
    const { body } = await change(params, { StartDate, PerMinute: 50 });
    expect(body).toMatchObject({ BroadcastStatus: 'Paused', StartDate, PerMinute: 50 });
    expect(await row(params)).toMatchObject({ next_feed_at: new Date(StartDate), credits_unfed: 10 });
    expect((await change(params, { BroadcastStatus: 'Broadcasting' })).body.BroadcastStatus).toBe(
      'Scheduled',
    );
    await cancel(params);
  });

  it.each([
    [new Date(Date.now() - 60_000).toISOString(), 'Your start date and time cannot be in the past.'],
    [
      new Date(Date.now() + 400 * 86_400_000).toISOString(),
      'Your start date and time is too far in the future.',
    ],
    ['soon', 'There was an error validating your start date.'],
  ])('to %s: refused', async (StartDate, Message) => {
    const params = await scheduled();
    expect(refusalOf(await change(params, { StartDate }))).toMatchObject({
      status: 400,
      Errors: [{ Field: 'StartDate', Message }],
    });
    await cancel(params);
  });

  it('a time without an offset is in the user’s own time zone', async () => {
    await sql`update users set time_zone = 'America/Denver' where user_id = ${account.owner.userId}`.execute(
      app.database.system,
    );
    const params = await scheduled();
    const day = Temporal.Now.plainDateISO('America/Denver').add({ days: 3 });
    const { body } = await change(params, { StartDate: `${day}T17:00:00` });
    const wanted = day.toZonedDateTime({ timeZone: 'America/Denver', plainTime: '17:00' }).toInstant();
    expect(Date.parse(body.StartDate ?? '')).toBe(wanted.epochMilliseconds);
    await cancel(params);
  });
});

it('one that has begun can’t be changed', async () => {
  const params = await scheduled({ status: 'broadcasting', startAt: new Date(), perMinute: 1 });
  expect(refusalOf(await change(params, { TextMessage: 'Other' }))).toMatchObject({
    status: 409,
    Message: 'This broadcast has begun. Its text, time and speed can’t be changed any more.',
  });
  await cancel(params);
});

describe('quiet hours', () => {
  it('are shown and changed, and messages held for the old ones are decided again', async () => {
    // Paused, so that nothing is fed while the queue runs.
    const params = await scheduled({ status: 'paused', startAt: new Date(), keepsQuietHours: true });
    await sql`update broadcasts set held_reason = 'Quiet hours until 8:00 AM Eastern', next_feed_at = now() + interval '9 hours'
      where broadcast_id = ${params.BroadcastID}`.execute(app.database.system);
    const QuietHours = { IsOn: false, Start: '9:30 AM', Stop: '8:00 PM' };
    const { body } = await app.call(updateAccount, { body: { QuietHours } }, account.owner);
    expect(body.QuietHours).toEqual(QuietHours);
    await app.drain();
    const after = await row(params);
    expect(after.held_reason).toBe('');
    expect(after.next_feed_at?.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
    await cancel(params);
  });

  it('are refused at the field', async () => {
    const QuietHours = { IsOn: true, Start: '9:00 PM', Stop: '8:00 AM' };
    expect(refusalOf(await app.call(updateAccount, { body: { QuietHours } }, account.owner))).toMatchObject({
      status: 400,
      Errors: [{ Field: 'QuietHours.Start', Message: 'Start Time must be before stop time' }],
    });
  });
});
