import { isTollFree } from '../../contract/phone/toll-free.ts';
import type { CarrierLine } from './carrier-line.ts';
import { readCarrierPhone } from './carrier-phone.ts';
import {
  type BuyOutcome,
  enumOf,
  isGood,
  isPassing,
  type NumberProvider,
  type ProviderNumber,
  readReply,
  recordsOf,
  textOf,
} from './number-provider.ts';

const json = 'application/json';
const path = '/numbers/1/numbers';
/** The maximum size of a list page. */
const pageSize = 1000;
/** The search doesn't return the kind of number: toll-free ones are recognized by their prefix. */
const tollFreeCodes = ['888', '877', '866', '855', '844', '833'];

/** Infobip’s numbers: search, buy, cancel, and set where texts to them go. */
export function infobipNumbers(line: CarrierLine, inboundUrl: string): NumberProvider {
  async function list(from: string): Promise<{ items: ProviderNumber[]; size: number } | undefined> {
    const reply = readReply(await line.get(from));
    if (reply === undefined || !isGood(reply.status)) return undefined;
    const items = recordsOf(reply.body.numbers).flatMap((row) => readNumber(row) ?? []);
    const { numberCount } = reply.body;
    return { items, size: typeof numberCount === 'number' ? numberCount : items.length };
  }

  async function findOwned(phone: string) {
    const found = await list(`${path}?number=${phone}&limit=10&page=0`);
    return found && (found.items.find((each) => each.phone === phone) ?? ('none' as const));
  }

  return {
    aggregatorId: 5,
    async search({ kind, areaCode, contains, page, size }) {
      for (const npa of kind === 'local' ? [areaCode] : tollFreeCodes) {
        const query = new URLSearchParams({
          capabilities: 'SMS',
          country: 'US',
          ...(npa === '' ? {} : { npa }),
          ...(contains === '' ? {} : { number: contains }),
          limit: String(size),
          page: String(page - 1),
        });
        const found = await list(`${path}/available?${query}`);
        if (found === undefined || found.size > 0) return found;
      }
      return { items: [], size: 0 };
    },

    async buy(number): Promise<BuyOutcome> {
      const exchange = await line.post(path, json, JSON.stringify({ numberKey: number.key }));
      if (exchange.kind === 'unsent') return { outcome: 'later', reason: exchange.reason };
      const reply = readReply(exchange);
      if (reply === undefined || isPassing(reply.status))
        return { outcome: 'doubt', reason: 'no whole answer' };
      const { status, body } = reply;
      if (!isGood(status))
        return status === 404 || status === 409
          ? { outcome: 'gone' }
          : { outcome: 'refused', reason: `the answer was ${status}` };
      const state = enumOf(body.reservationStatus);
      // The purchase continues there: its result is queried until it is known.
      if (state === 'PENDING') return { outcome: 'doubt', reason: 'the purchase is pending' };
      if (state === 'BILLING_FAILED') return { outcome: 'refused', reason: 'the provider could not bill it' };
      if (state !== '') return { outcome: 'gone' };
      const bought = readNumber(body);
      return bought === undefined
        ? { outcome: 'doubt', reason: 'the answer names no number' }
        : { outcome: 'bought', number: bought };
    },

    findOwned,

    async listOwned() {
      const all: ProviderNumber[] = [];
      for (let page = 0; ; page++) {
        const found = await list(`${path}?limit=${pageSize}&page=${page}`);
        if (found === undefined) return undefined;
        all.push(...found.items);
        if (found.items.length === 0 || all.length >= found.size) return all;
      }
    },

    async pointHere({ key }) {
      const at = `/numbers/2/numbers/${encodeURIComponent(key)}`;
      const texts = { type: 'HTTP_FORWARD', url: inboundUrl, httpMethod: 'POST', contentType: 'JSON' };
      const pictures = { type: 'HTTP_FORWARD', url: inboundUrl };
      for (const [kind, action] of [
        ['sms', texts],
        ['mms', pictures],
      ] as const) {
        const known = readReply(await line.get(`${at}/${kind}?limit=100&page=0`));
        if (known === undefined || isPassing(known.status)) return false;
        if (JSON.stringify(known.body).includes(JSON.stringify(inboundUrl))) continue;
        const set = readReply(await line.post(`${at}/${kind}`, json, JSON.stringify({ action })));
        // Not every number supports pictures.
        if (set === undefined || (!isGood(set.status) && kind === 'sms')) return false;
      }
      return true;
    },

    async release(key) {
      const reply = readReply(await line.delete(`${path}/${encodeURIComponent(key)}`));
      return reply !== undefined && (isGood(reply.status) || reply.status === 404);
    },

    close: () => line.close(),
  };
}

function readNumber(row: Record<string, unknown>): ProviderNumber | undefined {
  const phone = readCarrierPhone(textOf(row.number));
  const key = textOf(row.numberKey);
  if (phone === undefined || key === '') return undefined;
  return { phone, key, city: '', state: isTollFree(phone) ? '' : textOf(row.state) };
}
