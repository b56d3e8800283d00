import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { Contact, listDuplicates as definition } from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import { wirePhone } from '../../../contract/phone/normalize-phone.ts';
import { isSeenContact } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { contactRows } from '../queries.ts';

/** A thousand contacts may share a switchboard number: the first of them are shown. */
const mostContacts = 20;

/** Phones that several contacts have, sorted, with those contacts. */
export async function listDuplicates(trx: Trx, actor: Actor, { query }: Input<typeof definition>) {
  const after = query.next === undefined ? '' : readPhone(query.next);
  const phones = await sharedPhones(trx, actor, after, query.pagesize + 1);
  const page = phones.slice(0, query.pagesize);
  const owners = await ownersOf(trx, actor, page);
  const personIds = [...new Set(owners.flatMap((owner) => owner.personIds))];
  const contacts = new Map(
    (await contactRows(trx, actor, personIds)).map((contact) => [contact.PersonID, contact]),
  );
  return {
    Items: owners.map(({ phone, personIds }) => ({
      PhoneNumber: wirePhone(phone, actor.account.CountryID),
      Contacts: personIds
        .map((personId) => contacts.get(personId))
        .filter((contact): contact is Contact => contact !== undefined),
    })),
    Next: phones.length > query.pagesize ? writePhone(page.at(-1) ?? '') : null,
  };
}

const phoneColumns = ['primary_phone', 'secondary_phone', 'tertiary_phone'] as const;

/** True if `c` is a relevant contact: not deleted, and visible to the actor. */
function counts(actor: Actor) {
  const isSeen = isSeenContact(actor);
  return sql`c.account_id = ${actor.accountId} and c.deleted_at is null and ${isSeen}`;
}

/**
 * The three indexes on phones are merged in their order, and the reading ends with the page: nothing is
 * sorted, and only the current phone is in memory. No contact has a phone twice.
 */
async function sharedPhones(trx: Trx, actor: Actor, after: string, most: number): Promise<string[]> {
  const inOrder = phoneColumns.map((column) => {
    const phone = sql.ref(`c.${column}`);
    return sql`(
      select ${phone} as phone from contacts c
      where ${counts(actor)} and ${phone} is not null and ${phone} > ${after}
      order by ${phone})`;
  });
  const { rows } = await sql<{ phone: string }>`
    select phone from (${sql.join(inOrder, sql` union all `)}) every
    group by phone having count(*) > 1
    order by phone limit ${most}`.execute(trx);
  return rows.map(({ phone }) => phone);
}

async function ownersOf(trx: Trx, actor: Actor, phones: string[]) {
  const owning = phoneColumns.map(
    (column) => sql`
      (select c.person_id from contacts c
      where ${counts(actor)} and ${sql.ref(`c.${column}`)} = p.phone order by c.person_id limit ${mostContacts})`,
  );
  const { rows } = await sql<{ phone: string; personIds: number[] }>`
    select p.phone, array(
      select person_id from (${sql.join(owning, sql` union `)}) owner
      order by person_id limit ${mostContacts}) as "personIds"
    from unnest(${phones}::text[]) with ordinality p(phone, place)
    order by p.place`.execute(trx);
  return rows.filter(({ personIds }) => personIds.length > 1);
}

function writePhone(phone: string): string {
  return Buffer.from(phone).toString('base64url');
}

function readPhone(text: string): string {
  const phone = Buffer.from(text, 'base64url').toString();
  if (!/^\d{1,15}$/.test(phone)) throw new Refusal('invalid', 'next is not a place in this list');
  return phone;
}
