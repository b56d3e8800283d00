import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type {
  getPhoneNumber as getDefinition,
  lookUpPhoneNumbers as lookUpDefinition,
  PhoneNumber,
  validatePhoneNumber as validateDefinition,
} from '../../contract/consents.ts';
import { asynchronousMessages } from '../../contract/fields/asynchronous-checks.ts';
import { normalizePhone, wirePhone } from '../../contract/phone/normalize-phone.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { LineType, LookedUp, PhoneLookup } from '../outside/phone-lookup.ts';
import type { Actor } from '../serve.ts';
import { type ClaimedPhone, lookUpOnce } from './ask-once.ts';
import { getPlace } from './queries.ts';
import { isTextable, lookupDays, lookupsPerUserAndDay } from './rules.ts';

/**
 * The asking user and the provider: transactions are open while reading and saving, never during the request
 * to the provider.
 */
export interface Asking {
  actor: Actor;
  inTransaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
  /** Undefined: no provider, so the saved data is the answer. */
  provider: PhoneLookup | undefined;
}

export async function getPhoneNumber(asking: Asking, { params, query }: Input<typeof getDefinition>) {
  const { countryId } = await asking.inTransaction((trx) => getPlace(trx, asking.actor));
  const isAsked = query.include === 'all';
  return describeNumber(await findNumbers(asking, [params.Number], countryId, isAsked), params.Number);
}

export async function lookUpPhoneNumbers(asking: Asking, { query, body }: Input<typeof lookUpDefinition>) {
  const { countryId } = await asking.inTransaction((trx) => getPlace(trx, asking.actor));
  const numbers = await findNumbers(asking, body.Source, countryId, query.include === 'all');
  return Object.fromEntries(body.Source.map((given) => [given, describeNumber(numbers, given)]));
}

export async function validatePhoneNumber(asking: Asking, { query, body }: Input<typeof validateDefinition>) {
  const { countryId } = await asking.inTransaction((trx) => getPlace(trx, asking.actor));
  const country = body.CountryID ?? countryId;
  const asksForTexts = query.includeTextability === 'true';
  const { error } = validatePhone(body.Source, country);
  if (error !== undefined) {
    return { Success: false, ErrorMessage: error, ...(asksForTexts ? { IsTextablePhone: false } : {}) };
  }
  if (!asksForTexts) return { Success: true, ErrorMessage: '' };
  const numbers = await findNumbers(asking, [body.Source], country, true);
  const { IsTextable } = describeNumber(numbers, body.Source);
  return {
    Success: IsTextable,
    ErrorMessage: IsTextable ? '' : asynchronousMessages.notTextable,
    IsTextablePhone: IsTextable,
  };
}

interface Known {
  phone: string;
  textState: 'in' | 'out' | null;
  voiceState: 'in' | 'out' | null;
  isValid: boolean | null;
  lineType: LineType | null;
  carrierName: string | null;
  lookedUpAt: Date | null;
  isOld: boolean;
}

/** The given numbers, by their text: the number, whether it can exist, and the saved data about it. */
interface Numbers {
  countryId: number;
  byText: Map<string, { phone: string | undefined; isPossible: boolean; known: Known | undefined }>;
}

async function findNumbers(
  asking: Asking,
  given: string[],
  countryId: number,
  isAsked: boolean,
): Promise<Numbers> {
  const { accountId } = asking.actor;
  const numbers: Numbers['byText'] = new Map();
  for (const text of given) {
    const isPossible = validatePhone(text, countryId).error === undefined;
    numbers.set(text, { phone: normalizePhone(text, countryId), isPossible, known: undefined });
  }
  const phones = [...numbers.values()].flatMap(({ phone }) => phone ?? []);
  const read = () => asking.inTransaction((trx) => readKnown(trx, accountId, phones));
  let known = await read();
  if (isAsked && asking.provider !== undefined) {
    const wanted = [...numbers.values()].flatMap(({ phone, isPossible }) => {
      const kept = known.get(phone ?? '');
      return phone !== undefined && isPossible && (!kept?.lookedUpAt || kept.isOld) ? phone : [];
    });
    if (wanted.length > 0) {
      await lookUpOnce(
        {
          ...{ provider: asking.provider, inTransaction: asking.inTransaction, keep: keepLookups },
          userId: asking.actor.userId,
          choose: (trx, claimed) => payForLookups(trx, asking.actor, claimed),
        },
        [...new Set(wanted)].map((phone) => ({ accountId, phone })),
      );
      known = await read();
    }
  }
  for (const number of numbers.values()) number.known = known.get(number.phone ?? '');
  return { countryId, byText: numbers };
}

/**
 * As many of these as the user's daily budget still allows, and those that it has paid for. For the others, the saved
 * data is the answer.
 */
async function payForLookups(trx: Trx, actor: Actor, claimed: ClaimedPhone[]): Promise<ClaimedPhone[]> {
  const [paid, unpaid] = [claimed.filter(({ isPaid }) => isPaid), claimed.filter(({ isPaid }) => !isPaid)];
  if (unpaid.length === 0) return paid;
  // In one statement, so that concurrent calls share one budget.
  const { rows } = await sql<{ granted: number }>`
    insert into lookup_budgets as b (account_id, user_id, day, asked)
    values (${actor.accountId}, ${actor.userId}, (now() at time zone 'utc')::date,
      least(${unpaid.length}::integer, ${lookupsPerUserAndDay}::integer))
    on conflict (account_id, user_id) do update set day = excluded.day,
      contacts_asked = case when b.day = excluded.day then b.contacts_asked else 0 end,
      asked = case when b.day = excluded.day
        then least(b.asked + ${unpaid.length}::integer, ${lookupsPerUserAndDay}::integer) else excluded.asked end
    returning new.asked - case when old.day = new.day then old.asked else 0 end as granted`.execute(trx);
  return [...paid, ...unpaid.slice(0, rows[0]?.granted ?? 0)];
}

async function readKnown(trx: Trx, accountId: number, phones: string[]): Promise<Map<string, Known>> {
  const { rows } = await sql<Known>`
    select p.phone, c.text_state as "textState", c.voice_state as "voiceState", l.is_valid as "isValid",
      l.line_type as "lineType", l.carrier_name as "carrierName", l.looked_up_at as "lookedUpAt",
      coalesce(l.looked_up_at < now() - ${lookupDays} * interval '1 day', false) as "isOld"
    from (select distinct phone from unnest(${phones}::text[]) phone) p
    left join phone_consents c on c.account_id = ${accountId} and c.phone = p.phone
    left join phone_lookups l on l.account_id = ${accountId} and l.phone = p.phone`.execute(trx);
  return new Map(rows.map((row) => [row.phone, row]));
}

type Kept = Pick<Known, 'isValid' | 'lineType' | 'carrierName' | 'lookedUpAt'> & {
  accountId: number;
  phone: string;
};

/**
 * Saves the provider's answers, in one statement, and notifies the pages of the accounts: whether a phone can
 * be texted may have changed.
 */
export async function keepLookups(
  trx: Trx,
  learned: ({ accountId: number; phone: string } & LookedUp)[],
): Promise<Kept[]> {
  const column = <T>(pick: (each: (typeof learned)[number]) => T) => learned.map(pick);
  const { rows } = await sql<Kept>`
    insert into phone_lookups (account_id, phone, is_valid, line_type, carrier_name)
    select * from unnest(
      ${column((l) => l.accountId)}::bigint[], ${column((l) => l.phone)}::text[], ${column((l) => l.isValid)}::boolean[],
      ${column((l) => l.lineType)}::text[], ${column((l) => l.carrierName)}::text[]
    ) as l(account_id, phone, is_valid, line_type, carrier_name)
    -- In one order, to avoid deadlocks between two who look up the same phones.
    order by 1, 2
    on conflict (account_id, phone) do update set is_valid = excluded.is_valid, line_type = excluded.line_type,
      carrier_name = excluded.carrier_name, looked_up_at = now()
    returning account_id as "accountId", phone, is_valid as "isValid", line_type as "lineType",
      carrier_name as "carrierName", looked_up_at as "lookedUpAt"`.execute(trx);
  for (const accountId of new Set(rows.map((row) => row.accountId))) {
    await notify(trx, accountId, [{ type: 'contacts.changed' }]);
  }
  return rows;
}

function describeNumber({ countryId, byText }: Numbers, given: string): PhoneNumber {
  const { phone, isPossible = false, known } = byText.get(given) ?? {};
  const isValid = isPossible && known?.isValid !== false;
  const lineType = known?.lineType ?? null;
  return {
    Number: phone === undefined ? given : wirePhone(phone, countryId),
    IsValid: isValid,
    IsTextable: isTextable({ isValid, lineType }),
    OptedIn: known?.textState === 'in',
    OptedOut: known?.textState === 'out',
    DoNotCall: known?.voiceState === 'out',
    LineType: lineType ?? '',
    CarrierName: known?.carrierName ?? '',
    LookupTimestamp: known?.lookedUpAt?.toISOString() ?? null,
  };
}
