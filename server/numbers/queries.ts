import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';

/** The text numbers that this actor may use: all for owners and admins, the assigned ones for others. */
export function usableTextNumbers(trx: Trx, actor: Actor) {
  const all = trx
    .selectFrom('text_numbers')
    .where('account_id', '=', actor.accountId)
    .where('released_at', 'is', null);
  if (actor.role !== 'user') return all;
  return all.where('text_number_id', 'in', (from) =>
    from
      .selectFrom('user_text_numbers')
      .select('user_text_numbers.text_number_id')
      .where('user_text_numbers.account_id', '=', actor.accountId)
      .where('user_text_numbers.user_id', '=', actor.userId),
  );
}

export async function usableTextNumberIds(trx: Trx, actor: Actor): Promise<number[]> {
  const rows = await usableTextNumbers(trx, actor).select('text_number_id').execute();
  return rows.map((row) => row.text_number_id);
}

/** The row in the shape of the wire. */
export function selectTextNumber(trx: Trx, actor: Actor) {
  return usableTextNumbers(trx, actor).select([
    'text_number_id as TextNumberID',
    'name as Name',
    sql<string>`wire_phone(phone)`.as('TextPhoneNumber'),
    'description as Description',
    'registration_status as RegistrationStatus',
    'is_default as IsDefault',
    'is_blocked as IsBlocked',
    'can_create_broadcast as CanCreateBroadcast',
    'can_text as CanText',
    sql<boolean>`flat_rate_status is not null`.as('FlatRateConversation'),
    'flat_rate_status as FlatRateConversationStatus',
    'flat_rate_end_at as FlatRateSubscriptionEndDate',
    sql<2 | 5>`aggregator_id`.as('AggregatorID'),
    'rcs_agent as RcsAgent',
    'browser_notifications_enabled as BrowserNotificationsEnabled',
    'audio_notifications_enabled as AudioNotificationsEnabled',
  ]);
}

/** What sending needs to know of a number that this actor may use. */
export async function requireTextNumber(trx: Trx, actor: Actor, textNumberId: number) {
  const row = await usableTextNumbers(trx, actor)
    .select([
      'text_number_id',
      'phone',
      'aggregator_id',
      'registration_status',
      'is_blocked',
      'can_text',
      'flat_rate_status',
      'flat_rate_end_at',
    ])
    .where('text_number_id', '=', textNumberId)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That text number is not yours to use.');
  return row;
}
