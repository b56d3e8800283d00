import { sql } from 'kysely';
import { specialGroups } from '../../../contract/contacts.ts';
import {
  type EmergencyChannel,
  type EmergencyMessage,
  emergencyJoinMinutes,
  emergencyRefusals,
  type RunningEmergency,
} from '../../../contract/emergencies.ts';
import { Refusal } from '../../../contract/errors.ts';
import { validatePhone } from '../../../contract/phone/validate-phone.ts';
import { getList } from '../../contacts/groups/list-lists.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import type { GivenPerson } from '../recipients/find-candidates.ts';

/** A prepared group means everybody in it, no matter who starts the emergency or who owns the contacts. */
export function seeingEverybody(actor: Actor): Actor {
  return { ...actor, canSeeAllRoster: true };
}

export function selectMessages(trx: Trx, accountId: number) {
  return trx
    .selectFrom('emergency_messages')
    .select([
      'emergency_message_id as EmergencyMessageID',
      'title as Title',
      'body as TextMessage',
      'spoken_text as SpokenText',
    ])
    .where('account_id', '=', accountId)
    .orderBy('emergency_message_id');
}

export async function requireMessage(trx: Trx, actor: Actor, messageId: number): Promise<EmergencyMessage> {
  const row = await selectMessages(trx, actor.accountId)
    .where('emergency_message_id', '=', messageId)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', emergencyRefusals.messageGone);
  return row;
}

export interface PreparedSettings {
  list_ids: number[];
  drill_list_id: number | null;
  is_for_everyone: boolean;
}

export async function readSettings(trx: Trx, accountId: number): Promise<PreparedSettings> {
  const row = await trx
    .selectFrom('emergency_settings')
    .select(['list_ids', 'drill_list_id', 'is_for_everyone'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ?? { list_ids: [], drill_list_id: null, is_for_everyone: false };
}

/** The groups that still exist, in the order in which they were chosen. */
export async function listPrepared(trx: Trx, actor: Actor, listIds: readonly number[]) {
  const lists = [];
  for (const listId of listIds) {
    const list = await findList(trx, actor, listId);
    if (list !== undefined) lists.push(list);
  }
  return lists;
}

async function findList(trx: Trx, actor: Actor, listId: number) {
  try {
    const { ListID, ListName, RosterCount } = await getList(trx, seeingEverybody(actor), listId);
    return { ListID, ListName, Count: RosterCount };
  } catch (error) {
    // A group that has been deleted.
    if (error instanceof Refusal && error.kind === 'notFound') return undefined;
    throw error;
  }
}

/**
 * The recipients of an emergency: the prepared groups, or Everyone as long as nothing is prepared, and if all of them
 * have been deleted.
 */
export async function listOffered(trx: Trx, actor: Actor, { list_ids }: PreparedSettings) {
  const prepared = await listPrepared(trx, actor, list_ids);
  return prepared.length > 0 ? prepared : listPrepared(trx, actor, [specialGroups.everyone]);
}

/** The staff who get a drill when no group was chosen for it: active users with a phone in their profile. */
export async function listStaff(trx: Trx, { accountId, account }: Actor): Promise<GivenPerson[]> {
  const users = await trx
    .selectFrom('users')
    .select(['first_name', 'last_name', 'phone'])
    .where('account_id', '=', accountId)
    .where('is_active', '=', true)
    .where('phone', '<>', '')
    .orderBy('user_id')
    .execute();
  return users.flatMap(({ first_name, last_name, phone: typed }) => {
    const { phone } = validatePhone(typed, account.CountryID);
    return phone === undefined ? [] : [{ firstName: first_name, lastName: last_name, phone, typed }];
  });
}

/** The drill's group, if one was chosen and still exists. */
export async function findDrillList(trx: Trx, actor: Actor, { drill_list_id }: PreparedSettings) {
  return drill_list_id === null ? undefined : findList(trx, actor, drill_list_id);
}

interface RunningRow {
  BroadcastID: number;
  BroadcastName: string;
  EmergencyMessageID: number | null;
  IsDrill: boolean;
  StartedBy: RunningEmergency['StartedBy'];
  StartDate: Date;
  Count: number;
}

const runningColumns = sql`
  b.broadcast_id as "BroadcastID", b.name as "BroadcastName", b.emergency_message_id as "EmergencyMessageID",
  b.is_drill as "IsDrill", b.confirmed_at as "StartDate", coalesce(b.reach_count, b.going_count) as "Count",
  json_build_object('UserID', b.user_id, 'Name', coalesce((
    select btrim(u.first_name || ' ' || u.last_name) from users u
    where u.account_id = b.account_id and u.user_id = b.user_id), '')) as "StartedBy"`;

/** Emergencies and drills of the last hour, the newest first. */
export async function listRunning(trx: Trx, accountId: number): Promise<RunningRow[]> {
  const { rows } = await sql<RunningRow>`
    select ${runningColumns} from broadcasts b
    where b.account_id = ${accountId} and b.is_emergency and b.confirmed_at > now() - interval '1 hour'
      and b.status not in ('draft', 'canceled') and b.deleted_at is null
    order by b.confirmed_at desc, b.broadcast_id desc limit 20`.execute(trx);
  return rows;
}

/** An emergency that another user may join: by which channels it goes out, and what keeps it waiting. */
export interface SameRow extends RunningRow {
  Channel: EmergencyChannel;
  IsPaused: boolean;
  /** Time when quiet hours or the calling window let the first of its waiting texts and calls go. */
  HeldUntil: Date | null;
}

/**
 * Emergencies with the same words that were started just now, the oldest first: people whom they reach get
 * nothing a second time.
 */
export async function listSame(
  trx: Trx,
  accountId: number,
  same: { messageId: number | null; words: string; isDrill: boolean },
): Promise<SameRow[]> {
  const { rows } = await sql<SameRow>`
    select ${runningColumns}, b.status = 'paused' as "IsPaused",
      case b.broadcast_type when 'SMS' then 'Text' when 'Announcement' then 'Call' else 'TextAndCall' end as "Channel",
      least((
        select min(z.opens_at) from broadcast_zones z
        where z.account_id = b.account_id and z.broadcast_id = b.broadcast_id and z.fed < z.total and z.opens_at > now()), (
        select min(q.due_at) from call_queue q
        where q.account_id = b.account_id and q.broadcast_id = b.broadcast_id and q.state = 'waiting'
          and q.attempt = 0 and q.due_at > now())) as "HeldUntil"
    from broadcasts b
    where b.account_id = ${accountId} and b.is_emergency
      and b.confirmed_at > now() - ${emergencyJoinMinutes} * interval '1 minute'
      and b.status not in ('draft', 'canceled') and b.deleted_at is null and b.is_drill = ${same.isDrill}
      and b.emergency_message_id is not distinct from ${same.messageId}::bigint and b.emergency_words = ${same.words}
    order by b.confirmed_at, b.broadcast_id`.execute(trx);
  return rows;
}

/** Includes a hash of the choices. */
export interface StartedRow extends RunningRow {
  choices: string | null;
}

/** The emergency that was started with this key: it is sent once, however often it is confirmed. */
export async function findByKey(trx: Trx, accountId: number, key: string): Promise<StartedRow | undefined> {
  const { rows } = await sql<StartedRow>`
    select ${runningColumns}, b.emergency_choices as choices from broadcasts b
    where b.account_id = ${accountId} and b.emergency_key = ${key}::uuid and b.status <> 'draft'`.execute(
    trx,
  );
  return rows[0];
}
