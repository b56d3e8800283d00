import { sql } from 'kysely';
import { normalizePhone } from '../../contract/phone/normalize-phone.ts';
import type { Trx } from '../db.ts';
import { ownTables, type Person, tracesOf } from './rules.ts';
import { searchTraces } from './search-traces.ts';

/** Reason why a person can't be erased, as a message for the operator. */
export class ErasureRefused extends Error {
  override name = 'ErasureRefused';
}

export type Wanted = { phone: string } | { personId: number };

export interface FoundPerson extends Person {
  personIds: number[];
  /** The kept data, and why: sentences. */
  remarks: string[];
}

interface Contact {
  personId: number;
  first: string;
  last: string;
  phones: string[];
}

const contactColumns = sql`
  person_id as "personId", first_name as first, last_name as last,
  array_remove(array[primary_phone, secondary_phone, tertiary_phone]::text[], null) as phones`;

function withPhones(phones: readonly string[]) {
  return sql`(primary_phone = any(${phones}::text[]) or secondary_phone = any(${phones}::text[])
    or tertiary_phone = any(${phones}::text[]))`;
}

const nameOf = ({ first, last, personId }: Contact) => `${`${first} ${last}`.trim()} (PersonID ${personId})`;

/**
 * The person to erase: a contact with their phones, or a phone with its contacts. A phone that others also
 * have stays theirs, unless it was named itself; a name that others also have can't be searched for.
 */
export async function findPerson(
  trx: Trx,
  accountId: number,
  wanted: Wanted,
  takesAll: boolean,
): Promise<FoundPerson> {
  const contacts = await findContacts(trx, accountId, wanted);
  if ('phone' in wanted && contacts.length > 1 && !takesAll) {
    throw new ErasureRefused(
      `Several contacts have this phone: ${contacts.map(nameOf).join(', ')}. Name one of them by PersonID, or say "all" to erase every one of them.`,
    );
  }
  const personIds = contacts.map(({ personId }) => personId);
  const remarks: string[] = [];
  const phones = new Set('phone' in wanted ? [readPhone(wanted.phone)] : []);
  for (const phone of new Set(contacts.flatMap((contact) => contact.phones))) {
    if (phones.has(phone)) continue;
    const others = (await findWithPhone(trx, accountId, phone)).filter(
      ({ personId }) => !personIds.includes(personId),
    );
    const [other] = others;
    if (other === undefined) phones.add(phone);
    else remarks.push(`+${phone} is ${nameOf(other)}'s too: its texts and calls stay.`);
  }
  const names = await searchableNames(trx, accountId, contacts, remarks);
  const person = { phones: [...phones], names, personIds, remarks };
  await refuseOwnPhones(trx, accountId, person);
  return person;
}

function readPhone(text: string): string {
  const phone = /^\+?[1-9]\d{10,14}$/.test(text) ? text.replace('+', '') : normalizePhone(text);
  if (phone === undefined || !/^\d{7,15}$/.test(phone))
    throw new ErasureRefused(
      `"${text}" is not a phone: write it with its country code, such as +14235550123.`,
    );
  return phone;
}

async function findContacts(trx: Trx, accountId: number, wanted: Wanted): Promise<Contact[]> {
  if ('phone' in wanted) return findWithPhone(trx, accountId, readPhone(wanted.phone));
  const { rows } = await sql<Contact>`
    select ${contactColumns} from contacts
    where account_id = ${accountId} and person_id = ${wanted.personId}`.execute(trx);
  if (rows.length === 0)
    throw new ErasureRefused(`There is no contact with the PersonID ${wanted.personId} in this account.`);
  return rows;
}

async function findWithPhone(trx: Trx, accountId: number, phone: string): Promise<Contact[]> {
  const { rows } = await sql<Contact>`
    select ${contactColumns} from contacts
    where account_id = ${accountId} and ${withPhones([phone])} order by person_id`.execute(trx);
  return rows;
}

async function searchableNames(
  trx: Trx,
  accountId: number,
  contacts: Contact[],
  remarks: string[],
): Promise<Person['names']> {
  const names: Person['names'] = [];
  for (const { personId, first, last } of contacts) {
    if (first.trim() === '' || last.trim() === '') continue;
    const { rows } = await sql`
      select from contacts where account_id = ${accountId} and person_id <> ${personId}
        and person_id <> all(${contacts.map((contact) => contact.personId)}::bigint[])
        and lower(trim(first_name)) = lower(trim(${first}::text)) and lower(trim(last_name)) = lower(trim(${last}::text))
      union all
      select from users where account_id = ${accountId}
        and lower(trim(first_name)) = lower(trim(${first}::text)) and lower(trim(last_name)) = lower(trim(${last}::text))
      limit 1`.execute(trx);
    if (rows.length === 0) names.push({ first, last });
    else remarks.push(`Somebody else is called ${first} ${last}: texts that mention the name stay.`);
  }
  return names;
}

/** A phone of the organization or of its staff is needed to run it: its settings have to be changed first. */
async function refuseOwnPhones(trx: Trx, accountId: number, { phones }: Person): Promise<void> {
  if (phones.length === 0) return;
  const traces = tracesOf({ phones, names: [] });
  const found = await searchTraces(trx, accountId, traces, { only: ownTables });
  const [first] = found.places;
  if (first !== undefined) {
    throw new ErasureRefused(
      `This phone is one of the organization’s own (${first.table}.${first.column}): take it out of the account’s settings first.`,
    );
  }
}
