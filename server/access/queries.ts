import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db.ts';
import type { Actor } from './load-actor.ts';

type Condition = RawBuilder<boolean>;

/** The text numbers that this actor may use: all for owners and admins, the assigned ones for others. */
export function usableTextNumbers(trx: Trx, actor: Actor) {
  return trx
    .selectFrom('text_numbers')
    .where('account_id', '=', actor.accountId)
    .where('released_at', 'is', null)
    .where(sql<boolean>`text_number_id = any(${actor.textNumberIds}::bigint[])`);
}

/**
 * The text numbers whose past this actor sees in reports: owners and admins also see those that were released.
 */
export async function listReportNumbers(trx: Trx, actor: Actor): Promise<number[]> {
  if (actor.role === 'user') return actor.textNumberIds;
  const { rows } = await sql<{ id: number }>`
    select text_number_id as id from text_numbers where account_id = ${actor.accountId} order by 1`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}

/** True if the user `u` may use a text number of their account: the same rule for queries over many users. */
export function usesNumber(textNumberId: RawBuilder<unknown>, user = sql`u`): Condition {
  return sql`(${user}.role <> 'user' or exists (
    select from user_text_numbers g
    where g.account_id = ${user}.account_id and g.user_id = ${user}.user_id and g.text_number_id = ${textNumberId}))`;
}

/**
 * Users who may use a number see its conversations, texts and scheduled texts: a condition on the number's
 * id.
 */
export function isOfUsableNumber(actor: Actor, textNumberId: RawBuilder<unknown>): Condition {
  return sql`${textNumberId} = any(${actor.textNumberIds}::bigint[])`;
}

/**
 * A condition for the contacts that this actor sees: all with CanSeeAllRoster, otherwise those they added.
 */
export function isSeenContact(actor: Actor, contact = sql`c`): Condition {
  return actor.canSeeAllRoster ? sql`true` : sql`${contact}.created_by_user_id = ${actor.userId}`;
}

/** The same for a user `u`, whose permissions a broadcast is sent with. */
export function seesContact(user = sql`u`, contact = sql`c`): Condition {
  return sql`(${user}.role = 'owner' or ${user}.can_see_all_roster or ${contact}.created_by_user_id = ${user}.user_id)`;
}

/** The user whose contacts are visible; null for everybody's. */
export function onlyContactsOf(actor: Actor): number | null {
  return actor.canSeeAllRoster ? null : actor.userId;
}

/**
 * A condition for the broadcasts, drafts and repeating broadcasts that this actor sees: all with
 * CanSeeAllBroadcasts, otherwise their own.
 */
export function isSeenBroadcast(actor: Actor, broadcast = sql`b`): Condition {
  return actor.canSeeAllBroadcasts ? sql`true` : sql`${broadcast}.user_id = ${actor.userId}`;
}

/**
 * True if an account `a` may not send, the SQL version of maySend in contract/states/account-status.ts: every account
 * except active ones and canceled ones whose subscription is still running.
 */
export const cannotSend: Condition = sql`(
  a.status_id not in (0, 8) or (a.status_id = 8 and coalesce(a.subscription_end_at <= now(), true)))`;

/** Saved texts, aliased `t`, that this actor may use: their own and those that others share. */
export function isUsableTemplate(actor: Actor): RawBuilder<unknown> {
  return sql`t.account_id = ${actor.accountId} and t.deleted_at is null and (t.user_id = ${actor.userId} or t.is_shared)`;
}
