/**
 * Orders of numbers. A row goes
 *
 *   reserved ──buy──▶ buying ──bought──▶ bought
 *      │                │ ▲
 *      ▼                │ └─ no number was chosen yet: chooses one, then buys it
 *   expired             ├──no answer──▶ doubt ──it is ours──▶ bought
 *                       │                 └────it isn't, asked three times──▶ failed
 *                       └──refused, or somebody else has it──▶ failed
 *
 * It is `buying` before the request to the provider, so no number is bought without a record. A particular
 * number is bought, never "any": a repeated request can't buy two. `look_at` is when a worker processes it;
 * while a request holds it, that is in the future. `held_until` is set while a number is being chosen: even
 * if it becomes due meanwhile, nobody else starts.
 */
import { sql } from 'kysely';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import { addTextNumber } from './add-text-number.ts';

/** Minutes that a number is held for a user. */
const reservedMinutes = 10;
/** The time limit for a request to the provider; then a worker takes over the order. */
const leaseSeconds = 60;

export interface Order {
  account_id: number;
  order_id: number;
  user_id: number | null;
  kind: 'local' | 'tollfree';
  aggregator_id: 2 | 5;
  area_code: string;
  phone: string | null;
  bought_phone: string | null;
  provider_key: string;
  name: string;
  user_ids: number[];
  status: 'reserved' | 'buying' | 'doubt' | 'bought' | 'failed' | 'expired';
  attempts: number;
  problem: string;
  text_number_id: number | null;
}

const columns = sql`account_id, order_id, user_id, kind, aggregator_id, area_code, phone, bought_phone, provider_key, name,
  user_ids, status, attempts, problem, text_number_id`;

export interface WantedOrder {
  accountId: number;
  userId: number | null;
  kind: Order['kind'];
  aggregatorId: number;
  areaCode: string;
}

/**
 * Orders any number in an area code (or elsewhere, if there is none): a worker chooses and buys one after
 * this transaction. A second request while the first is in progress is the same order. For a person who sets
 * an account up.
 */
export async function orderAnyNumber(trx: Trx, wanted: WantedOrder): Promise<number> {
  const { accountId, userId, kind, aggregatorId, areaCode } = wanted;
  await lockOrders(trx, accountId);
  // An order that already has a number is about to buy it.
  const { rows: open } = await sql<{ order_id: number }>`
    select order_id from number_orders
    where account_id = ${accountId} and kind = ${kind} and aggregator_id = ${aggregatorId}
      and phone is not null and status in ('buying', 'doubt')
    order by order_id limit 1`.execute(trx);
  if (open[0] !== undefined) return open[0].order_id;
  const { rows } = await sql<{ order_id: number }>`
    insert into number_orders (account_id, user_id, kind, aggregator_id, area_code, status, look_at)
    values (${accountId}, ${userId}, ${kind}, ${aggregatorId}, ${areaCode}, 'buying', now())
    on conflict (account_id, kind) where phone is null and status in ('reserved', 'buying', 'doubt')
    do update set look_at = least(number_orders.look_at, now())
    returning order_id`.execute(trx);
  await enqueue(trx, 'settle_orders', {});
  return rows[0]?.order_id ?? 0;
}

/**
 * If two requests order for an account, the second sees the result of the first. Locked before an order's
 * row, everywhere, to avoid deadlocks.
 */
export async function lockOrders(trx: Trx, accountId: number): Promise<void> {
  await sql`select from accounts where account_id = ${accountId} for no key update`.execute(trx);
}

/** True if the account has a number or is getting one, apart from this order. */
export async function hasOrGetsNumber(trx: Trx, accountId: number, orderId: number): Promise<boolean> {
  await lockOrders(trx, accountId);
  const { rows } = await sql`
    select from text_numbers where account_id = ${accountId} and released_at is null
    union all
    select from number_orders
    where account_id = ${accountId} and order_id <> ${orderId} and status in ('buying', 'doubt')
    limit 1`.execute(trx);
  return rows.length > 0;
}

/** True if the account is getting a number of a kind from a provider, apart from this order. */
export async function isGettingNumber(
  trx: Trx,
  accountId: number,
  { orderId, aggregatorId, kind }: { orderId: number; aggregatorId: number; kind: Order['kind'] },
): Promise<boolean> {
  await lockOrders(trx, accountId);
  const { rows } = await sql`
    select from number_orders
    where account_id = ${accountId} and order_id <> ${orderId} and aggregator_id = ${aggregatorId} and kind = ${kind}
      and status in ('buying', 'doubt')
    limit 1`.execute(trx);
  return rows.length > 0;
}

/** Holds a number for an account; undefined if another account holds it. A user's older holds end. */
export async function reserveOrder(
  trx: Trx,
  by: { accountId: number; userId: number },
  number: { phone: string; key: string; aggregatorId: number; kind: Order['kind'] },
): Promise<{ order_id: number; reserved_until: Date } | undefined> {
  const { accountId, userId } = by;
  // Otherwise it could be bought between the check for our own order and the insert, which would then be a
  // second order.
  await lockOrders(trx, accountId);
  // Two accounts that request the same number at once wait for each other here.
  await sql`select pg_advisory_xact_lock(hashtextextended(${number.phone}, 60))`.execute(trx);
  const { rows: held } = await sql`
    select from number_orders
    where phone = ${number.phone} and account_id <> ${accountId}
      and (status in ('buying', 'doubt') or (status = 'reserved' and reserved_until > now()))`.execute(trx);
  if (held.length > 0) return undefined;
  // This account may have bought it a moment ago: a repeated request gets the same order.
  const own = await findOrderOf(trx, accountId, number.phone);
  if (own?.status === 'bought') return { order_id: own.order_id, reserved_until: now() };
  await sql`
    update number_orders set status = 'expired', updated_at = now()
    where account_id = ${accountId} and user_id = ${userId} and status = 'reserved' and phone <> ${number.phone}`.execute(
    trx,
  );
  const { rows } = await sql<{ order_id: number; reserved_until: Date }>`
    insert into number_orders (account_id, user_id, kind, aggregator_id, phone, provider_key, status, reserved_until)
    values (${accountId}, ${userId}, ${number.kind}, ${number.aggregatorId}, ${number.phone}, ${number.key}, 'reserved',
      now() + ${reservedMinutes} * interval '1 minute')
    on conflict (account_id, phone) where phone is not null and status in ('reserved', 'buying', 'doubt')
    do update set
      reserved_until = case when number_orders.status = 'reserved' then excluded.reserved_until
        else number_orders.reserved_until end,
      provider_key = excluded.provider_key
    returning order_id, coalesce(reserved_until, now()) as reserved_until`.execute(trx);
  return rows[0];
}

/**
 * Starts to buy a reserved number: true if the caller may send the request to the provider now, false if that
 * was done before. The row is locked until this transaction ends, so of two requests one gets true.
 */
export async function beginBuying(
  trx: Trx,
  accountId: number,
  orderId: number,
  wanted: { name: string; userIds: readonly number[] },
): Promise<{ order: Order; isMine: boolean } | undefined> {
  const order = await lockOrder(trx, accountId, orderId);
  if (order === undefined) return undefined;
  if (order.status !== 'reserved') return { order, isMine: false };
  const { rows } = await sql<Order>`
    update number_orders
    set status = 'buying', name = ${wanted.name}, user_ids = ${[...wanted.userIds]}::bigint[], asked_at = now(),
      look_at = now() + ${leaseSeconds} * interval '1 second', updated_at = now()
    where account_id = ${accountId} and order_id = ${orderId}
    returning ${columns}`.execute(trx);
  return { order: rows[0] ?? order, isMine: true };
}

async function lockOrder(trx: Trx, accountId: number, orderId: number): Promise<Order | undefined> {
  const { rows } = await sql<Order>`
    select ${columns} from number_orders where account_id = ${accountId} and order_id = ${orderId} for update`.execute(
    trx,
  );
  return rows[0];
}

/** The open or bought order of this account for a phone. */
export async function findOrderOf(trx: Trx, accountId: number, phone: string): Promise<Order | undefined> {
  const { rows } = await sql<Order>`
    select ${columns} from number_orders
    where account_id = ${accountId} and phone = ${phone}
      and (status in ('buying', 'doubt') or (status = 'reserved' and reserved_until > now())
        or (status = 'bought' and exists (select from text_numbers t where t.account_id = number_orders.account_id
          and t.text_number_id = number_orders.text_number_id and t.released_at is null)))
    order by order_id desc limit 1`.execute(trx);
  return rows[0];
}

/**
 * The number that was chosen for an order of any number: from now on it is an order of this one. A concurrent
 * request for any number waits, and finds it.
 */
export async function chooseNumber(
  trx: Trx,
  { account_id, order_id }: Order,
  number: { phone: string; key: string },
): Promise<void> {
  await lockOrders(trx, account_id);
  await sql`
    update number_orders set phone = ${number.phone}, provider_key = ${number.key}, asked_at = now(), updated_at = now(),
      look_at = now() + ${leaseSeconds} * interval '1 second'
    where account_id = ${account_id} and order_id = ${order_id}`.execute(trx);
}

/** It is ours. `number` may differ from the requested one. */
export async function recordBought(
  trx: Trx,
  order: Order,
  number: { phone: string; key: string },
): Promise<number> {
  const { account_id: accountId, order_id } = order;
  await lockOrders(trx, accountId);
  const locked = await lockOrder(trx, accountId, order_id);
  if (locked?.status === 'bought' && locked.text_number_id !== null) return locked.text_number_id;
  const textNumberId = await addTextNumber(trx, {
    accountId,
    userId: order.user_id,
    phone: number.phone,
    aggregatorId: order.aggregator_id,
    providerKey: number.key,
    name: order.name,
    userIds: order.user_ids,
  });
  await sql`
    update number_orders
    set status = 'bought', text_number_id = ${textNumberId}, bought_phone = ${number.phone}, problem = '', updated_at = now(),
      -- A worker sets up its webhooks and its registration.
      look_at = now(), held_until = null, attempts = 0
    where account_id = ${accountId} and order_id = ${order_id}`.execute(trx);
  await enqueue(trx, 'settle_orders', {});
  return textNumberId;
}

/** Unknown: it is checked again after a while, longer each time. */
export async function recordDoubt(trx: Trx, order: Order, reason: string, seconds: number): Promise<void> {
  await sql`
    update number_orders
    set status = 'doubt', problem = ${reason}, attempts = attempts + 1, updated_at = now(), held_until = null,
      look_at = now() + ${seconds} * interval '1 second'
    where account_id = ${order.account_id} and order_id = ${order.order_id} and status in ('buying', 'doubt')`.execute(
    trx,
  );
  await notify(trx, order.account_id, [{ type: 'registration.changed' }]);
}

export async function recordFailed(trx: Trx, order: Order, problem: string): Promise<void> {
  await sql`
    update number_orders
    set status = 'failed', problem = ${problem}, look_at = null, held_until = null, updated_at = now()
    where account_id = ${order.account_id} and order_id = ${order.order_id} and status in ('buying', 'doubt')`.execute(
    trx,
  );
  await notify(trx, order.account_id, [{ type: 'registration.changed' }]);
}

/** Orders that are due and that nobody is processing. */
export const dueOrders = sql<boolean>`look_at <= now() and (held_until is null or held_until <= now())`;

/** Orders that a worker processes now, held for a minute. `only`: this one, if no number is chosen yet. */
export async function claimOrders(
  trx: Trx,
  size: number,
  only?: { accountId: number; orderId: number },
): Promise<Order[]> {
  const one =
    only === undefined
      ? sql``
      : sql`and account_id = ${only.accountId} and order_id = ${only.orderId} and phone is null`;
  const { rows } = await sql<Order>`
    with due as materialized (
      select account_id as a, order_id as o from number_orders
      where ${dueOrders} ${one} order by look_at limit ${size} for update skip locked
    )
    update number_orders
    set look_at = now() + ${leaseSeconds} * interval '1 second', held_until = now() + ${leaseSeconds} * interval '1 second'
    from due where account_id = a and order_id = o
    returning ${columns}`.execute(trx);
  return rows;
}

/**
 * Nothing was bought, and it can be retried: any number will do then. Another order of any takes its place.
 */
export async function unchooseNumber(trx: Trx, order: Order, seconds: number): Promise<void> {
  await lockOrders(trx, order.account_id);
  await sql`
    update number_orders o set phone = null, provider_key = '', updated_at = now()
    where account_id = ${order.account_id} and order_id = ${order.order_id} and status = 'buying'
      and not exists (select from number_orders other where other.account_id = o.account_id and other.kind = o.kind
        and other.phone is null and other.status in ('buying', 'doubt'))`.execute(trx);
  await restOrder(trx, order, seconds);
}

/** Nothing more to do for it, or again in this many seconds. */
export async function restOrder(trx: Trx, order: Order, seconds: number | null): Promise<void> {
  await sql`
    update number_orders set attempts = attempts + 1, held_until = null,
      look_at = ${seconds === null ? null : seconds}::integer * interval '1 second' + now()
    where account_id = ${order.account_id} and order_id = ${order.order_id}`.execute(trx);
}

/**
 * Processes the orders of numbers that still wait for this registration: it was completed while they arrived.
 */
export async function reopenOrders(trx: Trx, accountId: number, requestId: number): Promise<void> {
  const { rows } = await sql`
    update number_orders o set look_at = now()
    from text_numbers n
    where o.account_id = ${accountId} and o.status = 'bought'
      and n.account_id = o.account_id and n.text_number_id = o.text_number_id and n.released_at is null
      and n.request_id = ${requestId} and n.registration_status = 'Pending'
    returning o.order_id`.execute(trx);
  if (rows.length > 0) await enqueue(trx, 'settle_orders', {});
}

export async function listOrders(trx: Trx, accountId: number): Promise<Order[]> {
  const { rows } = await sql<Order>`
    select ${columns} from number_orders
    where account_id = ${accountId} and status <> 'expired' and (status <> 'reserved' or reserved_until > now())
    order by order_id desc limit 20`.execute(trx);
  return rows;
}

/** The phones among these that other accounts hold or are buying. */
export async function listHeldPhones(
  trx: Trx,
  accountId: number,
  phones: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ phone: string }>`
    select phone from number_orders
    where phone = any(${[...phones]}::text[]) and account_id <> ${accountId}
      and (status in ('buying', 'doubt') or (status = 'reserved' and reserved_until > now()))`.execute(trx);
  return new Set(rows.map(({ phone }) => phone));
}

/** An order that failed although the number is ours at the provider: the comparison found it. */
export async function findLostOrder(
  trx: Trx,
  aggregatorId: number,
  phone: string,
): Promise<Order | undefined> {
  const { rows } = await sql<Order>`
    select ${columns} from number_orders
    where phone = ${phone} and aggregator_id = ${aggregatorId} and status in ('failed', 'doubt', 'buying')
    order by updated_at desc limit 1`.execute(trx);
  return rows[0];
}

/** Holds that ended, and rows that are useless after a month. */
export async function sweepOrders(trx: Trx): Promise<void> {
  await sql`
    update number_orders set status = 'expired', updated_at = now()
    where status = 'reserved' and reserved_until < now() - interval '1 hour'`.execute(trx);
  await sql`
    delete from number_orders where status in ('expired', 'failed') and updated_at < now() - interval '30 days'`.execute(
    trx,
  );
}
