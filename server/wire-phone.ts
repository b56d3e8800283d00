import { type RawBuilder, sql } from 'kysely';
import { findDialingPlan } from '../contract/phone/dialing-plans.ts';
import { isInternational } from '../contract/reference/countries.ts';
import type { Actor } from './serve.ts';

/**
 * A stored phone in the API's format: what wirePhone of contract/phone/normalize-phone.ts makes of it, as SQL. For
 * organizations in the United States and Canada it is the function of the database, as it always was.
 */
export function wirePhone(
  { account }: Pick<Actor, 'account'>,
  phone: RawBuilder<unknown>,
): RawBuilder<string> {
  const { CountryID } = account;
  if (!isInternational(CountryID)) return sql<string>`wire_phone(${phone})`;
  const own = findDialingPlan(CountryID)?.callingCode ?? '';
  return sql<string>`case when starts_with(${phone}, ${own}::text) then ${phone}::text else coalesce('+' || ${phone}, '') end`;
}
