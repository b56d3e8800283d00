import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  deleteBroadcast,
  getBroadcast,
  undoBroadcasts,
  updateBroadcast,
} from '../../../contract/broadcasts.ts';
import type { CallInput } from '../../../contract/call.ts';
import { asAccount } from '../../db.ts';
import { aBroadcast, type BroadcastOptions, recipientPhone } from '../../testing/broadcasts.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { withdrawTexts } from '../../texts/withdraw-texts.ts';

const number = '14235550100';
const second = '14235550120';
let app: TestApp;
let account: BuiltAccount;
/** Its texts are sent while the tests run; the other's only when they are drained. */
let live: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip', [second]: 'infobip' }, { SEND_SLICE: '7' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  live = await buildAccount(app, { numbers: { [second]: 'infobip' } });
});

const senderOf = (of: BuiltAccount) => ({
  accountId: of.accountId,
  userId: of.owner.userId,
  textNumberId: Object.values(of.numbers)[0] ?? 0,
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const tomorrow = inHours(24);

async function sent(options: BroadcastOptions = {}, of = account) {
  return { BroadcastID: await aBroadcast(app.database, senderOf(of), options) };
}

type Change = CallInput<typeof updateBroadcast>['body'];
type Params = { BroadcastID: number };

function change(params: Params, body: Change, as: BuiltUser = account.owner) {
  return app.call(updateBroadcast, { params, body }, as);
}

async function get(params: Params, as: BuiltUser = account.owner) {
  return (await app.call(getBroadcast, { params }, as)).body;
}

/** The account's credits, and whether the ledger sums to them. */
async function creditsOf({ accountId }: BuiltAccount) {
  const { rows } = await sql<{ balance: number; reserved: number; isRight: boolean }>`
    select credit_balance as balance, credit_reserved as reserved,
      (credit_balance, credit_reserved) = (
        select sum(balance_delta), sum(reserved_delta) from credit_entries e where e.account_id = a.account_id) as "isRight"
    from accounts a where account_id = ${accountId}`.execute(app.database.system);
  return rows[0];
}

describe('before its start', () => {
  it('paused it does not begin, and resumed it waits for its start', async () => {
    const params = await sent({ status: 'scheduled', startAt: tomorrow });
    expect((await change(params, { BroadcastStatus: 'Paused' })).body).toMatchObject({
      BroadcastStatus: 'Paused',
      BroadcastStatusCategory: 'Broadcasting',
    });
    const { body } = await change(params, { BroadcastStatus: 'Broadcasting' });
    expect(body).toMatchObject({ BroadcastStatus: 'Scheduled', WaitingTotal: 10 });
    // The second request finds it done.
    expect((await change(params, { BroadcastStatus: 'Broadcasting' })).status).toBe(200);
  });

  it('one whose start has passed while it was paused is sent when it is resumed', async () => {
    const params = await sent({ status: 'paused', startAt: inHours(-1), count: 3, firstPhone: 500 });
    await app.drain();
    expect(await app.sandbox.messages(recipientPhone(0, 500))).toHaveLength(0);
    expect((await change(params, { BroadcastStatus: 'Broadcasting' })).body.BroadcastStatus).toBe(
      'Broadcasting',
    );
    await app.until(async () => (await get(params)).BroadcastStatus === 'Completed');
    expect(await app.sandbox.messages(recipientPhone(2, 500))).toHaveLength(1);
  });

  it('canceled returns all its credits in one entry', async () => {
    const before = await creditsOf(account);
    const params = await sent({ status: 'scheduled', startAt: tomorrow, count: 25 });
    const { body } = await change(params, { BroadcastStatus: 'Canceled' });
    expect(body).toMatchObject({
      BroadcastStatus: 'Canceled',
      BroadcastStatusCategory: 'Completed',
      CanceledTotal: 25,
      WaitingTotal: 0,
      EndDate: expect.any(String),
      Credits: { Reserved: 0, Settled: 0, Released: 25 },
    });
    expect(await creditsOf(account)).toEqual({ ...before, isRight: true });
    expect(refusalOf(await change(params, { BroadcastStatus: 'Broadcasting' }))).toMatchObject({
      status: 409,
      Message: 'This broadcast has been canceled already.',
    });
  });
});

describe('while it goes out', () => {
  it('paused and resumed twenty times: everybody gets one text', async () => {
    await app.startWorker();
    const count = 70;
    const params = await sent({ count, perMinute: 1_000, firstPhone: 1_000 }, live);
    for (let turn = 0; turn < 20; turn += 1) {
      expect((await change(params, { BroadcastStatus: 'Paused' }, live.owner)).status).toBe(200);
      expect((await change(params, { BroadcastStatus: 'Broadcasting' }, live.owner)).status).toBe(200);
    }
    // The rest as fast as it goes.
    await sql`update broadcasts set per_minute = null where broadcast_id = ${params.BroadcastID}`.execute(
      app.database.system,
    );
    const after = await app.until(async () => {
      const found = await get(params, live.owner);
      return found.BroadcastStatus === 'Completed' ? found : undefined;
    });
    expect(after).toMatchObject({ DeliveredTexts: count, WaitingTotal: 0, SentTotal: 0 });
    const received = await Promise.all(
      Array.from({ length: count }, (_, index) => app.sandbox.messages(recipientPhone(index, 1_000))),
    );
    expect(received.filter((texts) => texts.length !== 1)).toEqual([]);
    expect(await creditsOf(live)).toEqual({ balance: 1000 - count, reserved: 0, isRight: true });
  });

  it('canceled it stops: people not reached yet get nothing, and nothing is charged for them', async () => {
    const count = 500;
    const before = await creditsOf(live);
    // Slow enough that it can't be over before somebody cancels it.
    const params = await sent({ count, perMinute: 60, firstPhone: 2_000 }, live);
    await app.until(async () => (await get(params, live.owner)).DeliveredTexts > 0);
    const { status, body } = await change(params, { BroadcastStatus: 'Canceled' }, live.owner);
    expect([status, body.BroadcastStatus]).toEqual([200, 'Canceled']);
    const after = await app.until(async () => {
      const found = await get(params, live.owner);
      return found.WaitingTotal + found.SentTotal === 0 ? found : undefined;
    });
    expect(after.CanceledTotal).toBe(count - after.DeliveredTexts);
    const { rows } = await sql<{ texts: number; waiting: number }>`
      select count(*)::int as texts, (select count(*)::int from outbox o where o.broadcast_id = m.broadcast_id) as waiting
      from messages m where broadcast_id = ${params.BroadcastID} group by broadcast_id`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ texts: after.DeliveredTexts, waiting: 0 }]);
    expect(await creditsOf(live)).toEqual({
      balance: (before?.balance ?? 0) - after.DeliveredTexts,
      reserved: 0,
      isRight: true,
    });
  });
});

it('a text in the outbox is canceled with it, but not one held by a worker or in doubt', async () => {
  const { accountId } = account;
  const { BroadcastID } = await sent({ status: 'paused', count: 3, firstPhone: 3_000 });
  const { rows } = await sql<{ message_id: number }>`
    with slice as (
      insert into broadcast_slices (account_id, broadcast_id, first_message_id, last_message_id, total, waiting)
      values (${accountId}, ${BroadcastID}, 0, 0, 3, 3) returning slice_id
    ),
    made as (
      insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, credits, broadcast_id, slice_id)
      select ${accountId}, ${account.numbers[number]}, r.phone, false, 'waiting', 'broadcast', 'Hi', 1, ${BroadcastID}, slice_id
      from broadcast_recipients r, slice where r.broadcast_id = ${BroadcastID} order by r.recipient_id
      returning *
    )
    insert into outbox (account_id, message_id, text_number_id, aggregator_id, phone, broadcast_id, lease_id, lease_until, in_doubt)
    select account_id, message_id, text_number_id, 5, phone, broadcast_id,
      case when phone = ${recipientPhone(1, 3_000)} then gen_random_uuid() end,
      case when phone = ${recipientPhone(1, 3_000)} then now() + interval '1 hour' end,
      phone = ${recipientPhone(2, 3_000)}
    from made order by message_id
    returning message_id`.execute(app.database.system);
  expect(rows).toHaveLength(3);
  const released = await asAccount(app.database, accountId, (trx) =>
    withdrawTexts(trx, accountId, BroadcastID),
  );
  expect(released).toBe(1);
  const { rows: texts } = await sql<{ status: string }>`
    select status from messages where broadcast_id = ${BroadcastID} order by message_id`.execute(
    app.database.system,
  );
  expect(texts.map(({ status }) => status)).toEqual(['canceled', 'waiting', 'waiting']);
  const slice = await app.database.system
    .selectFrom('broadcast_slices')
    .select(['waiting', 'canceled', 'released'])
    .where('broadcast_id', '=', BroadcastID)
    .executeTakeFirst();
  expect(slice).toEqual({ waiting: 2, canceled: 1, released: 1 });
  await sql`delete from outbox where broadcast_id = ${BroadcastID}`.execute(app.database.system);
});

describe('name, labels, archive', () => {
  it('change at any time', async () => {
    const params = await sent({ status: 'scheduled', startAt: tomorrow });
    const [mine, theirs] = await Promise.all(
      [account, live].map(async ({ accountId }) => {
        const { label_id } = await app.database.system
          .insertInto('labels')
          .values({ account_id: accountId, name: 'Weather' })
          .returning('label_id')
          .executeTakeFirstOrThrow();
        return { LabelID: label_id };
      }),
    );
    if (mine === undefined || theirs === undefined) throw new Error('no labels');
    const { body } = await change(params, {
      BroadcastName: ' Ice day ',
      Labels: [mine, mine],
      IsArchived: true,
    });
    expect(body).toMatchObject({
      BroadcastName: 'Ice day',
      IsArchived: true,
      Labels: [{ ...mine, LabelName: 'Weather' }],
    });
    expect((await change(params, { Labels: [] })).body.Labels).toEqual([]);
    expect(refusalOf(await change(params, { Labels: [theirs] }))).toMatchObject({
      status: 400,
      Message: 'That label is no longer here.',
    });
  });
});

describe('who may', () => {
  it('own ones with CanCreateBroadcast; others’ only with CanSeeAllBroadcasts', async () => {
    const params = await sent({ status: 'scheduled', startAt: tomorrow });
    const user = await buildUser(app, account.accountId, 'admin');
    const set = (flags: string) =>
      sql`update users set ${sql.raw(flags)} where user_id = ${user.userId}`.execute(app.database.system);
    await set('can_see_all_broadcasts = false, can_create_broadcast = true');
    expect((await change(params, { IsArchived: true }, user)).status).toBe(404);
    await set('can_see_all_broadcasts = true');
    expect((await change(params, { IsArchived: true }, user)).status).toBe(200);
    await set('can_create_broadcast = false');
    expect((await change(params, { BroadcastStatus: 'Canceled' }, user)).status).toBe(403);
    expect((await app.call(deleteBroadcast, { params }, user)).status).toBe(403);
    // A draft isn't a broadcast yet.
    const draft = await sent({ status: 'draft' });
    expect((await change(draft, { BroadcastStatus: 'Canceled' })).status).toBe(404);
  });
});

describe('deleted', () => {
  it('it is canceled first, and comes back canceled', async () => {
    const before = await creditsOf(account);
    const params = await sent({ status: 'scheduled', startAt: tomorrow });
    const { UndoID } = (await app.call(deleteBroadcast, { params }, account.owner)).body;
    expect((await app.call(getBroadcast, { params }, account.owner)).status).toBe(404);
    expect(await creditsOf(account)).toEqual({ ...before, isRight: true });
    const undo = () => app.call(undoBroadcasts, { params: { UndoID: UndoID ?? 0 } }, account.owner);
    const undone = await undo();
    expect(undone.body).toEqual({ UndoExecuted: true, UndoID: expect.any(Number) });
    expect((await get(params)).BroadcastStatus).toBe('Canceled');
    // A second click has no second effect; and a broadcast that was restored can be deleted again.
    expect((await undo()).body.UndoExecuted).toBe(false);
    const again = { UndoID: undone.body.UndoID ?? 0 };
    await app.call(undoBroadcasts, { params: again }, account.owner);
    expect((await app.call(getBroadcast, { params }, account.owner)).status).toBe(404);
  });
});
