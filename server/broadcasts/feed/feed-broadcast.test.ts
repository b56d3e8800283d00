import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { recordConsents } from '../../consents/record-consents.ts';
import { asSystem } from '../../db.ts';
import {
  aBroadcast,
  type BroadcastSender,
  checkBroadcast,
  recipientPhone,
} from '../../testing/broadcasts.ts';
import { buildAccount } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { feedSlice } from './feed-broadcast.ts';
import { moveBroadcasts } from './move-broadcasts.ts';

const infobip = '14235550100';
const twilio = '14235550120';
const tollFree = '18005550199';
let app: TestApp;

beforeAll(async () => {
  app = await testApp(
    { [infobip]: 'infobip', [twilio]: 'twilio', [tollFree]: 'infobip' },
    { SEND_SLICE: '50' },
  );
});

/** An account of its own for each test; a phone belongs to one at a time. */
async function aSender(phone = infobip, options: { timeZone?: string } = {}): Promise<BroadcastSender> {
  await sql`update text_numbers set released_at = now() where phone = ${phone}`.execute(app.database.system);
  const account = await buildAccount(app, {
    numbers: { [phone]: phone === twilio ? 'twilio' : 'infobip' },
    ...options,
  });
  return {
    accountId: account.accountId,
    userId: account.owner.userId,
    textNumberId: account.numbers[phone] ?? 0,
  };
}

const check = (broadcastId: number) => checkBroadcast(app.database, broadcastId);
async function eventsOf(broadcastId: number): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from events where subject_id = ${broadcastId} and kind like 'broadcast.%' order by event_id`.execute(
    app.database.system,
  );
  return rows.map(({ kind }) => kind);
}
const settled = (broadcastId: number) =>
  app.until(async () => {
    const { texts, status } = await check(broadcastId);
    const isOpen = (texts.waiting ?? 0) + (texts.sent ?? 0) > 0;
    return status === 'completed' && !isOpen;
  });

it('sends to everybody once, counts and pays them, and completes', async () => {
  const sender = await aSender();
  const id = await aBroadcast(app.database, sender, { count: 230, firstPhone: 1000 });
  await settled(id);
  expect(await check(id)).toEqual({
    status: 'completed',
    heldReason: '',
    texts: { delivered: 230 },
    unfed: 0,
    balance: 770,
    reserved: 0,
  });
  for (const index of [0, 49, 50, 229]) {
    const [only, ...more] = await app.sandbox.messages(recipientPhone(index, 1000));
    expect([only?.Text, only?.From, more.length]).toEqual(['School is closed today.', infobip, 0]);
  }
  await sql`update broadcast_samples set taken_at = taken_at - interval '1 minute' where broadcast_id = ${id}`.execute(
    app.database.system,
  );
  await app.drain();
  const { rows } = await sql<{ slices: number; sample: number; day: number; outbox: number }>`
    select (select count(*) from broadcast_slices where broadcast_id = ${id}) as slices,
      (select max(sent) from broadcast_samples where broadcast_id = ${id}) as sample,
      (select sent from daily_texts where account_id = ${sender.accountId}) as day,
      (select count(*) from outbox) + (select count(*) from outbox_slices) as outbox`.execute(
    app.database.system,
  );
  expect(rows).toEqual([{ slices: 5, sample: 230, day: 230, outbox: 0 }]);
});

it('goes through the carrier that takes one at a time as well', async () => {
  const id = await aBroadcast(app.database, await aSender(twilio), { count: 90, firstPhone: 2000 });
  await settled(id);
  expect(await check(id)).toMatchObject({ texts: { delivered: 90 }, balance: 910, reserved: 0 });
  const { rows } = await sql`
    select from messages where broadcast_id = ${id} and carrier_message_id is null`.execute(
    app.database.system,
  );
  expect(rows).toEqual([]);
});

it('counts texts that are refused, fail or stay with the carrier under their actual result', async () => {
  const endings = [
    ...['0180', '0184', '0187', '0188', '0190', '0192', '0193', '0194', '0197'],
    ...['0101', '0102'],
  ];
  const phones = endings.map((ending) => `1423555${ending}`);
  const sender = await aSender();
  const id = await aBroadcast(app.database, sender, { phones });
  await app.until(async () => (await check(id)).texts.delivered === 2);
  await app.until(async () => ((await check(id)).texts.sent ?? 0) <= 1);
  const { texts, status, balance, reserved } = await check(id);
  expect({ texts, status, reserved }).toEqual({
    // One carrier never answered: the broadcast can't be called complete yet.
    status: 'sent',
    reserved: 0,
    texts: {
      sent: 1,
      delivered: 2,
      carrier_limit_exceeded: 1,
      number_unavailable: 2,
      opted_out: 1,
      blacklisted: 2,
      not_delivered: 1,
      carrier_rejected: 1,
    },
  });
  // Three were refused at once and cost nothing.
  expect(balance).toBe(1000 - (endings.length - 3));

  const sentAgo = (hours: number) =>
    sql`update broadcasts set all_sent_at = now() - ${hours} * interval '1 hour', look_at = now() where broadcast_id = ${id}`.execute(
      app.database.system,
    );
  await sentAgo(47);
  await app.drain();
  expect(await check(id)).toMatchObject({ status: 'sent', texts: { sent: 1 } });
  // So do the texts that it had before the number changed carriers, although the new one tries for ten hours only.
  const setStatus = (status: string) =>
    sql`update broadcasts set status = ${status} where broadcast_id = ${id}`.execute(app.database.system);
  await setStatus('paused');
  const move = { accountId: sender.accountId, textNumberId: sender.textNumberId, aggregatorId: 2 };
  expect(await asSystem(app.database, (trx) => moveBroadcasts(trx, move))).toBe(1);
  await setStatus('sent');
  await sentAgo(12);
  await app.drain();
  expect(await check(id)).toMatchObject({ status: 'sent', texts: { sent: 1 } });
  // The carrier tries for two days; an hour later the rest is Unknown. It stays paid.
  await sentAgo(50);
  await app.drain();
  await app.until(async () => (await check(id)).status === 'completed');
  const closed = await check(id);
  expect(closed).toMatchObject({ balance, reserved: 0 });
  expect(closed.texts).toEqual({ ...texts, sent: undefined, unknown: 1 });
  const { rows } = await sql<{ failed: number }>`
    select sum(failed)::int as failed from daily_texts where account_id = ${sender.accountId}`.execute(
    app.database.system,
  );
  expect(rows).toEqual([{ failed: endings.length - 2 }]);
});

it('leaves out people who opted out after it was sent, and returns their credits', async () => {
  const sender = await aSender();
  const id = await aBroadcast(app.database, sender, { count: 60, firstPhone: 3000 });
  await asSystem(app.database, (trx) =>
    recordConsents(
      trx,
      [0, 7, 59].map((index) => ({
        accountId: sender.accountId,
        phone: recipientPhone(index, 3000),
        state: 'out' as const,
        at: new Date(),
        source: 'inbound' as const,
      })),
    ),
  );
  await settled(id);
  expect(await check(id)).toMatchObject({
    texts: { delivered: 57, opted_out: 3 },
    balance: 943,
    reserved: 0,
  });
  expect(await app.sandbox.messages(recipientPhone(7, 3000))).toEqual([]);
});

/** The zone whose clocks are this many hours ahead of UTC. */
const zoneAhead = (hours: number) => `Etc/GMT${hours === 0 ? '' : hours > 0 ? -hours : `+${-hours}`}`;

it('waits for the end of quiet hours, by zone', async () => {
  // One zone where it is noon, so that an hour before and after is the same day, and one that is eight hours away
  // from it.
  const ahead = 12 - new Date().getUTCHours();
  const noon = zoneAhead(ahead);
  const elsewhere = zoneAhead(ahead > 0 ? ahead - 8 : ahead + 8);
  const sender = await aSender(infobip, { timeZone: noon });
  const id = await aBroadcast(app.database, sender, {
    phones: ['12015550111', '18085550111'],
    zoneOf: (phone) => (phone === '18085550111' ? elsewhere : ''),
    keepsQuietHours: true,
  });
  const setHours = (from: number, to: number) =>
    sql`update accounts set quiet_hours_on = true, quiet_start = date_trunc('minute', now() at time zone ${noon} + ${from} * interval '1 hour')::time,
      quiet_stop = date_trunc('minute', now() at time zone ${noon} + ${to} * interval '1 hour')::time
      where account_id = ${sender.accountId}`.execute(app.database.system);
  await setHours(2, 4);
  await app.drain();
  const held = await check(id);
  expect(held).toMatchObject({ status: 'broadcasting', texts: {}, unfed: 2 });
  expect(held.heldReason).toMatch(/^Quiet hours until \d+:\d\d [AP]M GMT/);
  // Now it is daytime in the account's zone, and night in the other.
  await setHours(-1, 1);
  await sql`update broadcasts set next_feed_at = now() where broadcast_id = ${id}`.execute(
    app.database.system,
  );
  await app.until(async () => (await check(id)).texts.delivered === 1);
  expect(await check(id)).toMatchObject({ status: 'broadcasting', unfed: 1 });
  expect((await check(id)).heldReason.split(' ').at(-1)).toBe(elsewhere.split('/').at(-1));
  expect(await app.sandbox.messages('18085550111')).toEqual([]);
});

it('spreads over the daily cap of a toll-free number', async () => {
  const sender = await aSender(tollFree);
  await sql`insert into daily_texts (account_id, day, text_number_id, sent, credits)
    select account_id, (now() at time zone time_zone)::date, ${sender.textNumberId}, 1990, 1990
    from accounts where account_id = ${sender.accountId}`.execute(app.database.system);
  const id = await aBroadcast(app.database, sender, { count: 30, firstPhone: 4000 });
  await app.until(async () => (await check(id)).texts.delivered === 10);
  expect(await check(id)).toMatchObject({
    status: 'broadcasting',
    heldReason: 'Daily limit of toll-free numbers: goes on tomorrow',
    unfed: 20,
    reserved: 20,
  });
});

it('writes a personalized text to each, with the current values', async () => {
  const sender = await aSender();
  const { rows } = await sql<{ person_id: number }>`
    with fields as (
      insert into custom_fields (account_id, name) values (${sender.accountId}, 'Room'), (${sender.accountId}, 'Bus')
      returning field_id, name)
    insert into contacts (account_id, first_name, last_name, primary_phone, custom_data)
    select ${sender.accountId}, 'Mia', 'Lopez', '12015550120', jsonb_object_agg(field_id::text, name || ' of the contact')
    from fields returning person_id`.execute(app.database.system);
  const id = await aBroadcast(app.database, sender, {
    phones: ['12015550120', '12015550121', '12015550122'],
    body: 'Hi {{FirstName|friend}}, {{LastName}}: {{Room|no room}}, {{Bus|no bus}}',
    isPersonalized: true,
  });
  await sql`update broadcast_recipients set
      person_id = case when phone = '12015550120' then ${rows[0]?.person_id ?? 0}::bigint end,
      own_body = case when phone = '12015550122' then 'By hand' end, segments = case when phone = '12015550121' then 2 else 1 end,
      first_name = '', last_name = 'Row', custom_data = '{"Bus": "Bus 7"}'
    where broadcast_id = ${id}`.execute(app.database.system);
  await sql`with one as (
      update broadcasts set credits_unfed = 4, credits_reserved = 4, sent_suffix = 'Ms Lee' where broadcast_id = ${id}),
    two as (update accounts set credit_reserved = 4 where account_id = ${sender.accountId})
    insert into credit_entries
      (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after, reference_kind, reference_ids)
    values (${sender.accountId}, 'reserve', 0, 1, 1000, 4, 'broadcast', array[${id}::bigint])`.execute(
    app.database.system,
  );
  await settled(id);
  const texts = await Promise.all(
    ['12015550120', '12015550121', '12015550122'].map(
      async (phone) => (await app.sandbox.messages(phone))[0]?.Text,
    ),
  );
  expect(texts).toEqual([
    // A value typed for this broadcast overrides the contact's.
    'Hi Mia, Lopez: Room of the contact, Bus 7\n\nMs Lee',
    'Hi friend, Row: no room, Bus 7\n\nMs Lee',
    'By hand',
  ]);
  expect(await check(id)).toMatchObject({ balance: 996, reserved: 0 });
});

it('keeps its pace, and adds to the slice of the minute', async () => {
  const id = await aBroadcast(app.database, await aSender(), { count: 40, firstPhone: 5000, perMinute: 60 });
  await app.drain();
  expect((await check(id)).unfed).toBe(39);
  // As if four seconds had passed since, and then an hour.
  const pass = (interval: string) =>
    sql`update broadcasts set pace_from = pace_from - ${interval}::interval, next_feed_at = now()
      where broadcast_id = ${id}`.execute(app.database.system);
  await pass('4 seconds');
  await app.drain();
  const after = (await check(id)).unfed;
  expect(after).toBeGreaterThanOrEqual(34);
  expect(after).toBeLessThanOrEqual(35);
  await pass('1 hour');
  await app.drain();
  // Five seconds' worth and no burst.
  expect((await check(id)).unfed).toBeGreaterThanOrEqual(after - 6);
  const { rows } = await sql`select from broadcast_slices where broadcast_id = ${id}`.execute(
    app.database.system,
  );
  expect(rows).toHaveLength(1);
});

it('returns the credits of people who were removed before their turn', async () => {
  const id = await aBroadcast(app.database, await aSender(), { count: 10, firstPhone: 6000 });
  await sql`update broadcast_recipients set problem = 'excluded'
    where broadcast_id = ${id} and phone in (${recipientPhone(3, 6000)}, ${recipientPhone(9, 6000)})`.execute(
    app.database.system,
  );
  await settled(id);
  expect(await check(id)).toMatchObject({ texts: { delivered: 8 }, balance: 992, reserved: 0 });
});

it('starts when its time has come', async () => {
  const id = await aBroadcast(app.database, await aSender(), {
    count: 5,
    firstPhone: 7000,
    status: 'scheduled',
    startAt: new Date(Date.now() + 3_600_000),
  });
  await app.drain();
  expect(await check(id)).toMatchObject({ status: 'scheduled', unfed: 5 });
  await sql`update broadcasts set start_at = now(), next_feed_at = now() where broadcast_id = ${id}`.execute(
    app.database.system,
  );
  await settled(id);
  expect(await eventsOf(id)).toEqual(['broadcast.started', 'broadcast.completed']);
});

it('pauses with an event when its account may no longer send', async () => {
  const sender = await aSender();
  await sql`update accounts set status_id = 2 where account_id = ${sender.accountId}`.execute(
    app.database.system,
  );
  const id = await aBroadcast(app.database, sender, { count: 3, firstPhone: 8200 });
  await app.drain();
  expect(await check(id)).toMatchObject({ status: 'paused', unfed: 3 });
  expect(await eventsOf(id)).toEqual(['broadcast.paused']);
});

it('postpones one that can’t be fed, so that others are not delayed', async () => {
  const sender = await aSender();
  const broken = await aBroadcast(app.database, sender, { count: 3, firstPhone: 8000 });
  await sql`update broadcasts set text_number_id = 0 where broadcast_id = ${broken}`.execute(
    app.database.system,
  );
  const good = await aBroadcast(app.database, sender, { count: 3, firstPhone: 8100 });
  await expect(feedSlice(app.database, 5, 10)).rejects.toThrow('has no text number');
  await settled(good);
  expect((await check(broken)).heldReason).toMatch(/tried again/);
});
