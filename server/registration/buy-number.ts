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
import { asAccount, asSystem, type Database } from '../db.ts';
import {
  beginBuying,
  findOrderOf,
  listHeldPhones,
  type Order,
  orderAnyNumber,
  reserveOrder,
} from '../numbers/order-number.ts';
import type { NumberProvider } from '../outside/number-provider.ts';
import type { Providers } from '../outside/providers.ts';
import type { Actor } from '../serve.ts';
import { isAreaCode, localNumberRefusal, numberGone, providerAway, stillBuying } from './rules.ts';
import { askProvider, fillOrder } from './settle-orders.ts';

export interface NumberContext {
  database: Database;
  providers: Providers;
}

/** Who sells numbers to this account: Infobip, which registers organizations; Twilio where that is all there is. */
function sellerOf(providers: Providers): NumberProvider {
  const seller = providers.numbers.get(5) ?? providers.numbers.get(2);
  if (seller === undefined)
    throw new Refusal('refused', 'No provider of numbers is set up. Ask your Muster administrator.');
  return seller;
}

/** Numbers for sale in an area code. Those that other accounts hold are left out. */
export async function listLocalNumbers(
  { database, providers }: NumberContext,
  actor: Actor,
  { query }: Input<typeof listDefinition>,
) {
  const areaCode = query.areacode.trim();
  if (!isAreaCode(areaCode)) throw localNumberRefusal('InvalidAreaCode');
  const contains = query.q.replace(/\D/g, '').slice(0, 7);
  const found = await sellerOf(providers).search({
    kind: 'local',
    areaCode,
    contains,
    page: query.page,
    size: query.pagesize,
  });
  if (found === undefined) throw new Refusal('product', providerAway);
  if (found.size === 0 && contains === '') throw localNumberRefusal('NoAvailableLocalNumbers');
  const phones = found.items.map(({ phone }) => phone);
  const held = await asSystem(database, (trx) => listHeldPhones(trx, actor.accountId, phones));
  const place = findAreaCode(areaCode);
  return {
    Items: found.items
      .filter(({ phone }) => !held.has(phone))
      .map((number) => ({
        PhoneNumber: number.phone.replace(/^1/, ''),
        City: number.city || (place?.place ?? ''),
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

/** The number as the provider sells it now. */
async function requireForSale(providers: Providers, phone: string) {
  const seller = sellerOf(providers);
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

/** Holds a number for ten minutes: in our own book, since providers hold nothing. */
export async function reserveLocalNumber(
  context: NumberContext,
  actor: Actor,
  { body }: Input<typeof reserveDefinition>,
) {
  const phone = digitsOf(body.PhoneNumber);
  const { number, kind, aggregatorId } = await requireForSale(context.providers, phone);
  const held = await asSystem(context.database, (trx) =>
    reserveOrder(trx, actor, { phone, key: number.key, aggregatorId, kind }),
  );
  if (held === undefined)
    throw new Refusal('notFound', numberGone, { extendedData: { Name: 'NoAvailableLocalNumbers' } });
  return {
    ReservationID: held.order_id,
    PhoneNumber: phone.slice(1),
    ReservedUntil: held.reserved_until.toISOString(),
  };
}

/** Buys a number. The order is in its row before the provider hears of it; asking again finds the same row. */
export async function buyLocalNumber(
  context: NumberContext,
  actor: Actor,
  { body }: Input<typeof buyDefinition>,
): Promise<NumberOrder> {
  const { database, providers } = context;
  const phone = digitsOf(body.PhoneNumber);
  let order = await asAccount(database, actor.accountId, (trx) => findOrderOf(trx, actor.accountId, phone));
  if (order === undefined) {
    const { ReservationID } = await reserveLocalNumber(context, actor, {
      body,
      params: undefined,
      query: undefined,
    });
    const begun = await begin(context, actor, ReservationID, body);
    order = begun.order;
    if (begun.isMine) order = await askProvider({ database, providers }, order);
  } else if (order.status === 'reserved') {
    const begun = await begin(context, actor, order.order_id, body);
    order = begun.order;
    if (begun.isMine) order = await askProvider({ database, providers }, order);
  }
  return toOrder(order);
}

async function begin(
  { database }: NumberContext,
  actor: Actor,
  orderId: number,
  body: Input<typeof buyDefinition>['body'],
) {
  const begun = await asAccount(database, actor.accountId, (trx) =>
    beginBuying(trx, actor.accountId, orderId, { name: body.Name, userIds: body.UserIDs }),
  );
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

/** The number of a free trial: one for each account, unregistered, in the area code that was asked for if there is one. */
export async function getUnregisteredNumber(
  { database, providers }: NumberContext,
  actor: Actor,
  { body }: Input<typeof unregisteredDefinition>,
) {
  refuseUnless(actor, 'getFreeTextNumber');
  const areaCode = body.AreaCode.trim();
  if (areaCode !== '' && !isAreaCode(areaCode)) throw localNumberRefusal('InvalidAreaCode');
  const own = await asAccount(database, actor.accountId, (trx) =>
    trx
      .selectFrom('text_numbers')
      .select('phone')
      .where('account_id', '=', actor.accountId)
      .where('released_at', 'is', null)
      .orderBy('text_number_id')
      .executeTakeFirst(),
  );
  if (own !== undefined) return { phoneNumber: own.phone.replace(/^1/, ''), Message: '' };
  const { aggregatorId } = sellerOf(providers);
  const orderId = await asAccount(database, actor.accountId, (trx) =>
    orderAnyNumber(trx, {
      accountId: actor.accountId,
      userId: actor.userId,
      kind: 'local',
      aggregatorId,
      areaCode,
    }),
  );
  const order = await fillOrder({ database, providers }, { accountId: actor.accountId, orderId });
  if (order.status === 'failed') {
    if (order.problem === localNumberMessage('NoAvailableLocalNumbers'))
      throw localNumberRefusal('NoAvailableLocalNumbers');
    throw new Refusal('product', 'There was an error getting an unregistered local number.');
  }
  const { PhoneNumber, Message } = toOrder(order);
  return { phoneNumber: PhoneNumber, Message };
}
