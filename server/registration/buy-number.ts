import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import { findAreaCode } from '../../contract/phone/area-codes.ts';
import { normalizePhone } from '../../contract/phone/normalize-phone.ts';
import { isTollFree } from '../../contract/phone/toll-free.ts';
import { localNumberMessage } from '../../contract/reference/error-codes.ts';
import type {
  buyLocalNumber as buyDefinition,
  listLocalNumbers as listDefinition,
  NumberOrder,
  reserveLocalNumber as reserveDefinition,
  getUnregisteredNumber as unregisteredDefinition,
} from '../../contract/registration.ts';
import { refuseUnless } from '../access/refuse-unless.ts';
import { asAccount, asSystem, type Database, type Trx } from '../db.ts';
import {
  beginBuying,
  findOrderOf,
  hasOrGetsNumber,
  isGettingNumber,
  listHeldPhones,
  lockOrders,
  type Order,
  orderAnyNumber,
  reserveOrder,
} from '../numbers/order-number.ts';
import { listNumbersToRegister } from '../numbers/register-numbers.ts';
import type { NumberProvider } from '../outside/number-provider.ts';
import type { Providers } from '../outside/providers.ts';
import type { Actor } from '../serve.ts';
import { findCurrent } from './queries.ts';
import {
  canadianRefusal,
  canadianTrialRefusal,
  isAreaCode,
  localNumberRefusal,
  numberGone,
  oneNumberForSole,
  oneNumberInTrial,
  providerAway,
  stillBuying,
} from './rules.ts';
import { askProvider, fillOrder } from './settle-orders.ts';

export interface NumberContext {
  database: Database;
  providers: Providers;
}

/**
 * The seller of numbers for this account: Infobip, which registers organizations; Twilio if it is the only
 * one.
 */
function sellerOf(providers: Providers): NumberProvider {
  const seller = providers.numbers.get(5) ?? providers.numbers.get(2);
  if (seller === undefined)
    throw new Refusal('refused', 'No provider of numbers is set up. Ask your Muster administrator.');
  return seller;
}

/** A sole proprietor’s registration is at Twilio and accepts only Twilio’s numbers. */
async function sellerFor({ database, providers }: NumberContext, accountId: number): Promise<NumberProvider> {
  const isSole = await asSystem(database, (trx) => isSoleProprietor(trx, accountId));
  return (isSole ? providers.numbers.get(2) : undefined) ?? sellerOf(providers);
}

async function isSoleProprietor(trx: Trx, accountId: number): Promise<boolean> {
  const current = await findCurrent(trx, accountId, 'Local');
  return current !== undefined && current.status !== 'Failed' && current.aggregator_id === 2;
}

/** The registry accepts one number from a sole proprietor: a second one could never text. */
async function refuseSecondOfSole(trx: Trx, accountId: number, phone: string, orderId = 0): Promise<void> {
  if (isTollFree(phone) || !(await isSoleProprietor(trx, accountId))) return;
  const numbers = await listNumbersToRegister(trx, { accountId, aggregatorId: 2, kind: 'Local' });
  if (
    numbers.length > 0 ||
    (await isGettingNumber(trx, accountId, { orderId, aggregatorId: 2, kind: 'local' }))
  )
    throw new Refusal('refused', oneNumberForSole);
}

const canada = 2;

function isCanadianTrial({ account }: Actor): boolean {
  return account.IsFreeTrial && account.CountryID === canada;
}

/** Numbers for sale in an area code. Those that other accounts hold are left out. */
export async function listLocalNumbers(
  context: NumberContext,
  actor: Actor,
  { query }: Input<typeof listDefinition>,
) {
  const areaCode = query.areacode.trim();
  if (!isAreaCode(areaCode)) throw localNumberRefusal('InvalidAreaCode');
  const place = findAreaCode(areaCode);
  if (place?.country === 'CA') throw canadianRefusal();
  if (isCanadianTrial(actor)) throw canadianTrialRefusal();
  const contains = query.q.replace(/\D/g, '').slice(0, 7);
  const seller = await sellerFor(context, actor.accountId);
  const found = await seller.search({
    kind: 'local',
    areaCode,
    contains,
    page: query.page,
    size: query.pagesize,
  });
  if (found === undefined) throw new Refusal('product', providerAway);
  if (found.size === 0 && contains === '') throw localNumberRefusal('NoAvailableLocalNumbers');
  const phones = found.items.map(({ phone }) => phone);
  const held = await asSystem(context.database, (trx) => listHeldPhones(trx, actor.accountId, phones));
  return {
    Items: found.items
      .filter(({ phone }) => !held.has(phone))
      .map((number) => ({
        PhoneNumber: number.phone.replace(/^1/, ''),
        City: number.city,
        State: number.state || (place?.state ?? ''),
        IsTollFree: isTollFree(number.phone),
      })),
    Size: found.size,
    Place: place ? { State: place.state, City: place.place, TimeZones: [...place.zones] } : null,
  };
}

function digitsOf(text: string): string {
  const phone = normalizePhone(text)?.replace(/\D/g, '');
  const digits = phone?.length === 10 ? `1${phone}` : phone;
  if (digits === undefined || !/^1[2-9]\d{9}$/.test(digits)) throw localNumberRefusal('InvalidAreaCode');
  return digits;
}

/** The number as the provider currently sells it. */
async function requireForSale(context: NumberContext, accountId: number, phone: string) {
  const seller = await sellerFor(context, accountId);
  const kind = isTollFree(phone) ? ('tollfree' as const) : ('local' as const);
  const found = await seller.search({
    kind,
    areaCode: phone.slice(1, 4),
    contains: phone.slice(4),
    page: 1,
    size: 20,
  });
  if (found === undefined) throw new Refusal('product', providerAway);
  const number = found.items.find((each) => each.phone === phone);
  if (number === undefined)
    throw new Refusal('notFound', numberGone, { extendedData: { Name: 'NoAvailableLocalNumbers' } });
  return { number, kind, aggregatorId: seller.aggregatorId };
}

/** Holds a number for ten minutes: in our own table, since providers can't hold numbers. */
export async function reserveLocalNumber(
  context: NumberContext,
  actor: Actor,
  { body }: Input<typeof reserveDefinition>,
) {
  const phone = digitsOf(body.PhoneNumber);
  if (isCanadianTrial(actor) && !isTollFree(phone)) throw canadianTrialRefusal();
  const { number, kind, aggregatorId } = await requireForSale(context, actor.accountId, phone);
  const held = await asSystem(context.database, async (trx) => {
    await refuseSecondOfSole(trx, actor.accountId, phone);
    return reserveOrder(trx, actor, { phone, key: number.key, aggregatorId, kind });
  });
  if (held === undefined)
    throw new Refusal('notFound', numberGone, { extendedData: { Name: 'NoAvailableLocalNumbers' } });
  return {
    ReservationID: held.order_id,
    PhoneNumber: phone.slice(1),
    ReservedUntil: held.reserved_until.toISOString(),
  };
}

/**
 * Buys a number. The order's row is saved before the request to the provider; a repeat finds the same row.
 */
export async function buyLocalNumber(
  context: NumberContext,
  actor: Actor,
  { body }: Input<typeof buyDefinition>,
): Promise<NumberOrder> {
  const { database, providers } = context;
  const phone = digitsOf(body.PhoneNumber);
  const findOwn = () =>
    asAccount(database, actor.accountId, (trx) => findOrderOf(trx, actor.accountId, phone));
  let orderId = (await findOwn())?.order_id;
  if (orderId === undefined) {
    try {
      const reserved = { body, params: undefined, query: undefined };
      orderId = (await reserveLocalNumber(context, actor, reserved)).ReservationID;
    } catch (error) {
      // It is no longer for sale if another request of ours has just bought it.
      orderId = (await findOwn())?.order_id;
      if (orderId === undefined) throw error;
    }
  }
  const { order: begun, isMine } = await begin(context, actor, orderId, body);
  const order = isMine ? await askProvider({ database, providers }, begun) : begun;
  return toOrder(order);
}

async function begin(
  { database }: NumberContext,
  actor: Actor,
  orderId: number,
  body: Input<typeof buyDefinition>['body'],
) {
  const begun = await asAccount(database, actor.accountId, async (trx) => {
    const { accountId } = actor;
    await lockOrders(trx, accountId);
    const order = await beginBuying(trx, accountId, orderId, { name: body.Name, userIds: body.UserIDs });
    const isNew = order?.isMine === true && actor.account.IsFreeTrial;
    if (isNew && (await hasOrGetsNumber(trx, accountId, orderId)))
      throw new Refusal('refused', oneNumberInTrial);
    if (order?.isMine === true) await refuseSecondOfSole(trx, accountId, order.order.phone ?? '', orderId);
    return order;
  });
  if (begun === undefined) throw new Refusal('notFound');
  return begun;
}

export function toOrder(order: Order): NumberOrder {
  const phone = order.bought_phone ?? order.phone ?? '';
  const isOther = order.bought_phone !== null && order.phone !== null && order.bought_phone !== order.phone;
  const isElsewhere =
    order.area_code !== '' &&
    order.bought_phone !== null &&
    !order.bought_phone.startsWith(`1${order.area_code}`);
  const status = { reserved: 'Reserved', buying: 'Buying', doubt: 'Buying', bought: 'Bought' } as const;
  const Status = order.status in status ? status[order.status as keyof typeof status] : 'Failed';
  return {
    OrderID: order.order_id,
    Status,
    PhoneNumber: phone.replace(/^1(?=\d{10}$)/, ''),
    TextNumberID: order.text_number_id,
    Message:
      Status === 'Failed'
        ? order.problem
        : Status === 'Buying'
          ? stillBuying
          : isOther || isElsewhere
            ? localNumberMessage('General')
            : '',
  };
}

/** A trial gets one number: a second request gets the open order, even for another area code. */
async function findOpenOrder(trx: Trx, accountId: number): Promise<number | undefined> {
  const open = await trx
    .selectFrom('number_orders')
    .select('order_id')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['buying', 'doubt'])
    .orderBy('order_id')
    .executeTakeFirst();
  return open?.order_id;
}

/** The number of a free trial: one per account, unregistered, in the requested area code if there is one. */
export async function getUnregisteredNumber(
  { database, providers }: NumberContext,
  actor: Actor,
  { body }: Input<typeof unregisteredDefinition>,
) {
  refuseUnless(actor, 'getFreeTextNumber');
  const areaCode = body.AreaCode.trim();
  if (areaCode !== '' && !isAreaCode(areaCode)) throw localNumberRefusal('InvalidAreaCode');
  const { accountId, userId } = actor;
  const begun = await asAccount(database, accountId, async (trx) => {
    await lockOrders(trx, accountId);
    const own = await trx
      .selectFrom('text_numbers')
      .select('phone')
      .where('account_id', '=', accountId)
      .where('released_at', 'is', null)
      .orderBy('text_number_id')
      .executeTakeFirst();
    if (own !== undefined) return own;
    const open = await findOpenOrder(trx, accountId);
    if (open !== undefined) return open;
    const { aggregatorId } = sellerOf(providers);
    // A local number doesn't reach Canada, whatever area code was typed (decision 0183).
    const isInCanada = isCanadianTrial(actor) || findAreaCode(areaCode)?.country === 'CA';
    const kind = isInCanada ? ('tollfree' as const) : ('local' as const);
    return orderAnyNumber(trx, { accountId, userId, kind, aggregatorId, areaCode });
  });
  if (typeof begun === 'object') return { phoneNumber: begun.phone.replace(/^1/, ''), Message: '' };
  const order = await fillOrder({ database, providers }, { accountId, orderId: begun });
  if (order.status === 'failed') {
    if (order.problem === localNumberMessage('NoAvailableLocalNumbers'))
      throw localNumberRefusal('NoAvailableLocalNumbers');
    throw new Refusal('product', 'There was an error getting an unregistered local number.');
  }
  const { PhoneNumber, Message } = toOrder(order);
  return { phoneNumber: PhoneNumber, Message };
}
