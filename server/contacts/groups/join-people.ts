import { type RawBuilder, sql } from 'kysely';
import { refuseField } from '../../../contract/errors.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import { recordAddedContacts } from '../../record-added-contacts.ts';
import type { Actor } from '../../serve.ts';
import { keepContacts, keepMembers, rowsWritten } from '../keep-written.ts';
import { lockContacts } from '../lock-contacts.ts';
import { findOrCreateGroups, groupNameTaken } from './find-or-create-groups.ts';

export interface JoinedPeople {
  groupId: number;
  /** The people who joined the group, and how many of them had to become contacts first. */
  joined: number;
  created: number;
}

/**
 * Adds people to the group with this name, which is created if there is none. `people` is a select of (person_id,
 * phone, first_name, last_name). With an id, that contact joins; otherwise all contacts with that primary phone; an
 * unknown phone becomes a contact. Contacts that the actor doesn't see are skipped. Two statements, whatever the number
 * of people.
 */
export async function joinPeople(
  trx: Trx,
  actor: Actor,
  groupName: string,
  people: RawBuilder<unknown>,
): Promise<JoinedPeople> {
  const { accountId } = actor;
  await lockContacts(trx, accountId);
  const { groupIds } = await findOrCreateGroups(trx, accountId, [groupName]);
  const groupId = groupIds.get(groupName.toLowerCase());
  if (groupId === undefined) throw refuseField('Update.ListName', groupNameTaken);
  const created = await createMissing(trx, actor, people);
  const { rows } = await sql<{ joined: number }>`
    with people as materialized (${people}),
    found as (
      select c.person_id, c.sort_name from people p
      join contacts c on c.account_id = ${accountId} and c.person_id = p.person_id and ${isSeen(actor)}
      union
      select c.person_id, c.sort_name from people p cross join lateral (
        ${having(actor, 'primary_phone')}
        union ${having(actor, 'secondary_phone')} and not exists (${having(actor, 'primary_phone')})
        union ${having(actor, 'tertiary_phone')} and not exists (${having(actor, 'primary_phone')})) c
      where not exists (${isContact(actor)}) and ${isSeen(actor)}
    ),
    joined as (
      insert into group_members (account_id, group_id, person_id, sort_name)
      select ${accountId}::bigint, ${groupId}::bigint, person_id, sort_name from found order by person_id
      on conflict do nothing
      returning ${rowsWritten}
    )
    select many as joined from ${keepMembers(sql`joined`)}`.execute(trx);
  await notify(trx, accountId, [{ type: 'contacts.changed' }]);
  return { groupId, joined: rows[0]?.joined ?? 0, created };
}

function isSeen(actor: Actor): RawBuilder<unknown> {
  return actor.canSeeAllRoster
    ? sql`c.deleted_at is null`
    : sql`c.deleted_at is null and c.created_by_user_id = ${actor.userId}`;
}

type PhoneColumn = 'primary_phone' | 'secondary_phone' | 'tertiary_phone';

/** Contacts with the phone of `p`. */
function having({ accountId }: Actor, column: PhoneColumn): RawBuilder<unknown> {
  return sql`select c.person_id, c.sort_name, c.deleted_at, c.created_by_user_id from contacts c
    where c.account_id = ${accountId} and c.${sql.ref(column)} = p.phone and c.deleted_at is null`;
}

function isContact({ accountId }: Actor): RawBuilder<unknown> {
  return sql`select from contacts c
    where c.account_id = ${accountId} and c.person_id = p.person_id and c.deleted_at is null`;
}

/** Phones of people who aren't contacts, and that no contact has. */
async function createMissing(trx: Trx, actor: Actor, people: RawBuilder<unknown>): Promise<number> {
  // "materialized": the people are selected once, before each is looked up among the contacts by four keys.
  const { rows } = await sql<{ created: number }>`
    with people as materialized (${people}),
    created as (
      insert into contacts (account_id, primary_phone, first_name, last_name, created_by_user_id)
      select distinct on (p.phone) ${actor.accountId}::bigint, p.phone, p.first_name, p.last_name, ${actor.userId}::bigint
      from people p
      where p.phone is not null and not exists (${isContact(actor)})
        and not exists (${having(actor, 'primary_phone')}) and not exists (${having(actor, 'secondary_phone')})
        and not exists (${having(actor, 'tertiary_phone')})
      order by p.phone
      returning account_id, person_id, ${rowsWritten}
    ),
    told as (${recordAddedContacts(sql`created`)})
    select many as created from ${keepContacts(sql`created`)}`.execute(trx);
  return rows[0]?.created ?? 0;
}
