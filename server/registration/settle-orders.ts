/** Processes orders of numbers; their states are at the head of server/numbers/order-number.ts. */
import { sql } from 'kysely';
import { localNumberMessage } from '../../contract/reference/error-codes.ts';
import { asSystem, type Database } from '../db.ts';
import {
  chooseNumber,
  claimOrders,
  listHeldPhones,
  type Order,
  recordBought,
  recordDoubt,
  recordFailed,
  restOrder,
  unchooseNumber,
} from '../numbers/order-number.ts';
import type { NumberProvider } from '../outside/number-provider.ts';
import type { Providers } from '../outside/providers.ts';
import { joinRegistration, type OwnNumber } from './join-registration.ts';
import { doubtPauseSeconds, doubtTries, numberGone, numberNotBought, providerAway } from './rules.ts';

export interface OrderContext {
  database: Database;
  providers: Providers;
}

const atOnce = 20;
/** Number of phone numbers to try when others are faster. */
const mostChoices = 5;

/** Processes the orders that are due; true if there may be more. */
export async function settleOrders(context: OrderContext): Promise<boolean> {
  const orders = await asSystem(context.database, (trx) => claimOrders(trx, atOnce));
  for (const order of orders) await settleOne(context, order);
  return orders.length === atOnce;
}

async function settleOne(context: OrderContext, order: Order): Promise<void> {
  const { database, providers } = context;
  const provider = providers.numbers.get(order.aggregator_id);
  if (provider === undefined) {
    await asSystem(database, (trx) => restOrder(trx, order, 600));
    return;
  }
  if (order.status === 'bought') await finishNumber(context, order, provider);
  else if (order.status === 'reserved') await asSystem(database, (trx) => restOrder(trx, order, null));
  else if (order.phone === null) await buyAny(context, order, provider);
  else await settleDoubt(context, order, order.phone);
}

/** Is it ours? Until that is known, nothing else is bought and nothing is given up. */
async function settleDoubt(
  { database, providers }: OrderContext,
  order: Order,
  phone: string,
): Promise<void> {
  const owned = await providers.numbers.get(order.aggregator_id)?.findOwned(phone);
  await asSystem(database, async (trx) => {
    if (owned !== undefined && owned !== 'none') {
      await recordBought(trx, order, owned);
    } else if (owned === 'none' && order.attempts >= doubtTries) {
      await recordFailed(trx, order, numberNotBought);
    } else {
      await recordDoubt(trx, order, order.problem, doubtPauseSeconds(order.attempts));
    }
  });
}

/** Our webhooks for a number that is ours, and its registration. */
async function finishNumber(context: OrderContext, order: Order, provider: NumberProvider): Promise<void> {
  const number = await findNumber(context.database, order);
  const isDone =
    number === undefined || ((await provider.pointHere(number)) && (await joinRegistration(context, number)));
  await asSystem(context.database, (trx) =>
    restOrder(trx, order, isDone ? null : doubtPauseSeconds(order.attempts)),
  );
}

async function findNumber(database: Database, order: Order): Promise<OwnNumber | undefined> {
  const { rows } = await sql<OwnNumber>`
    select account_id, text_number_id, aggregator_id, phone, provider_key as key, '' as city, '' as state
    from text_numbers
    where account_id = ${order.account_id} and text_number_id = ${order.text_number_id} and released_at is null`.execute(
    database.system,
  );
  return rows[0];
}

/** Asks the provider for the order’s number and records the result. */
export async function askProvider({ database, providers }: OrderContext, order: Order): Promise<Order> {
  const provider = providers.numbers.get(order.aggregator_id);
  const phone = order.phone ?? '';
  const number = { phone, key: order.provider_key, city: '', state: '' };
  const outcome = (await provider?.buy(number, `muster-${order.account_id}-${order.order_id}`)) ?? {
    outcome: 'later' as const,
    reason: 'it is not set up',
  };
  await asSystem(database, async (trx) => {
    switch (outcome.outcome) {
      case 'bought':
        await recordBought(trx, order, outcome.number);
        return;
      case 'doubt':
        await recordDoubt(trx, order, outcome.reason, doubtPauseSeconds(order.attempts));
        return;
      case 'gone':
        await recordFailed(trx, order, numberGone);
        return;
      case 'refused':
        await recordFailed(trx, order, numberNotBought);
        return;
      case 'later':
        await recordFailed(trx, order, providerAway);
    }
  });
  return readOrder(database, order);
}

/**
 * Chooses and buys a number for an order of any number, now. If another worker has the order, that one does it.
 * A number that is chosen already may have been paid for: a worker asks the provider, and nothing else is
 * bought.
 */
export async function fillOrder(
  context: OrderContext,
  { accountId, orderId }: { accountId: number; orderId: number },
): Promise<Order> {
  const { database, providers } = context;
  const claimed = await asSystem(database, (trx) => claimOrders(trx, 1, { accountId, orderId }));
  const order = claimed[0] ?? (await readOrder(database, { account_id: accountId, order_id: orderId }));
  const provider = providers.numbers.get(order.aggregator_id);
  if (claimed.length > 0 && provider !== undefined) await buyAny(context, order, provider);
  return readOrder(database, order);
}

/** In its area code first, then anywhere. */
async function buyAny(context: OrderContext, order: Order, provider: NumberProvider): Promise<void> {
  const { database } = context;
  for (const areaCode of order.area_code === '' ? [''] : [order.area_code, '']) {
    const wanted = { kind: order.kind, areaCode, contains: '', page: 1, size: 20 };
    const found = await provider.search(wanted);
    if (found === undefined) {
      await asSystem(database, (trx) => restOrder(trx, order, doubtPauseSeconds(order.attempts)));
      return;
    }
    const phones = found.items.map(({ phone }) => phone);
    const held = await asSystem(database, (trx) => listHeldPhones(trx, order.account_id, phones));
    for (const number of found.items.filter(({ phone }) => !held.has(phone)).slice(0, mostChoices)) {
      await asSystem(database, (trx) => chooseNumber(trx, order, number));
      const outcome = await provider.buy(number, `muster-${order.account_id}-${order.order_id}`);
      if (outcome.outcome === 'gone') continue;
      const chosen = { ...order, phone: number.phone, provider_key: number.key };
      await asSystem(database, async (trx) => {
        if (outcome.outcome === 'bought') await recordBought(trx, chosen, outcome.number);
        else if (outcome.outcome === 'doubt')
          await recordDoubt(trx, chosen, outcome.reason, doubtPauseSeconds(order.attempts));
        else if (outcome.outcome === 'later')
          await unchooseNumber(trx, chosen, doubtPauseSeconds(order.attempts));
        else await recordFailed(trx, chosen, numberNotBought);
      });
      return;
    }
  }
  await asSystem(database, (trx) => recordFailed(trx, order, localNumberMessage('NoAvailableLocalNumbers')));
}

async function readOrder(
  database: Database,
  { account_id, order_id }: Pick<Order, 'account_id' | 'order_id'>,
): Promise<Order> {
  const row = await database.system
    .selectFrom('number_orders')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow();
  return row as unknown as Order;
}
