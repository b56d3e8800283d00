import { type RawBuilder, sql } from 'kysely';
import { Refusal, refuseField } from '../../contract/errors.ts';
import type { Event } from '../../contract/events.ts';
import { normalizePhone } from '../../contract/phone/normalize-phone.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import { isOfUsableNumber, isSeenContact } from '../access/queries.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';

/** The organization's country and time zone. */
export function getPlace(trx: Trx, actor: Actor) {
  return trx
    .selectFrom('accounts')
    .select(['country_id as countryId', 'time_zone as timeZone'])
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
}

/** Contacts, aliased `c`, that this actor sees. */
function isSeen(actor: Actor): RawBuilder<unknown> {
  const own = isSeenContact(actor);
  return sql`c.account_id = ${actor.accountId} and c.deleted_at is null and ${own}`;
}

/** The contacts that have a phone, seen by this actor: one query for each of the three, so that each uses its index. */
export function contactsWith(actor: Actor, phone: RawBuilder<unknown>): RawBuilder<unknown> {
  const having = (column: string) => sql`
    (select c.person_id, c.first_name, c.last_name from contacts c
    where ${isSeen(actor)} and ${sql.ref(`c.${column}`)} = ${phone} order by c.person_id limit 1)`;
  return sql.join(['primary_phone', 'secondary_phone', 'tertiary_phone'].map(having), sql` union all `);
}

/**
 * A phone as somebody typed it into an address, for data that requires a relation to it: it belongs to a
 * contact that they see, or to a conversation that they may use. Users who see everybody need none, except for
 * a number that nobody here could text: people write to us from such numbers too, but a typed one may be
 * somebody else's.
 */
export async function requireSeenNumber(trx: Trx, actor: Actor, typed: string): Promise<string> {
  const { countryId } = await getPlace(trx, actor);
  const { phone, error } = validatePhone(typed, countryId);
  if (phone !== undefined && (actor.canSeeAllRoster || (await isSeenNumber(trx, actor, phone)))) return phone;
  if (error === undefined) throw new Refusal('notFound', 'That number is not among your contacts.');
  const read = normalizePhone(typed, countryId);
  if (read !== undefined && (await isSeenNumber(trx, actor, read))) return read;
  throw refuseField('Number', error);
}

async function isSeenNumber(trx: Trx, actor: Actor, phone: string): Promise<boolean> {
  const { rows } = await sql<{ is_seen: boolean }>`
    select exists (${contactsWith(actor, sql`${phone}`)}) or exists (
      select from conversations
      where account_id = ${actor.accountId} and phone = ${phone} and ${isOfUsableNumber(actor, sql`text_number_id`)}
    ) as is_seen`.execute(trx);
  return rows[0]?.is_seen === true;
}

/** The data that pages have to refetch when a phone's consent changed. */
export async function consentEventsOf(trx: Trx, actor: Actor, phone: string): Promise<Event[]> {
  const conversations = await trx
    .selectFrom('conversations')
    .select('conversation_id as ConversationID')
    .where('account_id', '=', actor.accountId)
    .where('phone', '=', phone)
    .execute();
  return [
    { type: 'contacts.changed' },
    ...conversations.map(({ ConversationID }) => ({ type: 'conversation.changed' as const, ConversationID })),
  ];
}
