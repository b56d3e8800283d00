import type { CarrierLine } from './carrier-line.ts';
import { readCarrierPhone } from './carrier-phone.ts';
import {
  type BuyOutcome,
  isGood,
  isPassing,
  type NumberProvider,
  type ProviderNumber,
  readReply,
  recordsOf,
  textOf,
} from './number-provider.ts';

const form = 'application/x-www-form-urlencoded';
const pageSize = 1000;
/** 21422: no longer for sale. 21452: none in the area code. */
const goneCodes = [21422, 21452];

/** Twilio’s numbers: AvailablePhoneNumbers and IncomingPhoneNumbers. */
export function twilioNumbers(line: CarrierLine, accountSid: string, hooksUrl: string): NumberProvider {
  const account = `/2010-04-01/Accounts/${accountSid}`;
  const hooks = {
    SmsUrl: `${hooksUrl}/inbound`,
    SmsMethod: 'POST',
    VoiceUrl: `${hooksUrl}/voice`,
    VoiceMethod: 'POST',
  };

  return {
    aggregatorId: 2,
    async search({ kind, areaCode, contains, page, size }) {
      const query = new URLSearchParams({
        ...(areaCode === '' ? {} : { AreaCode: areaCode }),
        ...(contains === '' ? {} : { Contains: contains }),
        SmsEnabled: 'true',
        PageSize: String(size),
        Page: String(page - 1),
      });
      const at = `${account}/AvailablePhoneNumbers/US/${kind === 'local' ? 'Local' : 'TollFree'}.json`;
      const reply = readReply(await line.get(`${at}?${query}`));
      if (reply === undefined || !isGood(reply.status)) return undefined;
      const items = recordsOf(reply.body.available_phone_numbers).flatMap((row) => readNumber(row) ?? []);
      // The list doesn't contain the total: another page may follow a full one.
      const before = (page - 1) * size;
      return { items, size: before + items.length + (items.length === size ? 1 : 0) };
    },

    async buy(number, label): Promise<BuyOutcome> {
      const body = new URLSearchParams({ PhoneNumber: `+${number.phone}`, ...hooks, FriendlyName: label });
      const exchange = await line.post(`${account}/IncomingPhoneNumbers.json`, form, body.toString());
      if (exchange.kind === 'unsent') return { outcome: 'later', reason: exchange.reason };
      const reply = readReply(exchange);
      if (reply === undefined || isPassing(reply.status))
        return { outcome: 'doubt', reason: 'no whole answer' };
      if (!isGood(reply.status)) {
        const code = Number(reply.body.code ?? 0);
        return goneCodes.includes(code)
          ? { outcome: 'gone' }
          : { outcome: 'refused', reason: `the answer was ${reply.status} ${code}` };
      }
      const bought = readNumber(reply.body);
      return bought === undefined
        ? { outcome: 'doubt', reason: 'the answer names no number' }
        : { outcome: 'bought', number: bought };
    },

    async findOwned(phone) {
      const query = new URLSearchParams({ PhoneNumber: `+${phone}` });
      const reply = readReply(await line.get(`${account}/IncomingPhoneNumbers.json?${query}`));
      if (reply === undefined || !isGood(reply.status)) return undefined;
      const owned = recordsOf(reply.body.incoming_phone_numbers).flatMap((row) => readNumber(row) ?? []);
      return owned.find((each) => each.phone === phone) ?? 'none';
    },

    async listOwned() {
      const all: ProviderNumber[] = [];
      let next = `${account}/IncomingPhoneNumbers.json?PageSize=${pageSize}`;
      while (next !== '') {
        const reply = readReply(await line.getFromRoot(next));
        if (reply === undefined || !isGood(reply.status)) return undefined;
        all.push(...recordsOf(reply.body.incoming_phone_numbers).flatMap((row) => readNumber(row) ?? []));
        next = textOf(reply.body.next_page_uri);
      }
      return all;
    },

    async pointHere({ key }) {
      const at = `${account}/IncomingPhoneNumbers/${encodeURIComponent(key)}.json`;
      const reply = readReply(await line.post(at, form, new URLSearchParams(hooks).toString()));
      return reply !== undefined && isGood(reply.status);
    },

    async release(key) {
      const at = `${account}/IncomingPhoneNumbers/${encodeURIComponent(key)}.json`;
      const reply = readReply(await line.delete(at));
      return reply !== undefined && (isGood(reply.status) || reply.status === 404);
    },

    close: () => line.close(),
  };
}

/** A number for sale has no SID: there the number itself is the key. */
function readNumber(row: Record<string, unknown>): ProviderNumber | undefined {
  const phone = readCarrierPhone(textOf(row.phone_number));
  if (phone === undefined) return undefined;
  const city = textOf(row.locality) || textOf(row.rate_center);
  return { phone, key: textOf(row.sid) || `+${phone}`, city, state: textOf(row.region) };
}
