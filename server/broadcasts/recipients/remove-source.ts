import { type RawBuilder, sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { isChangingRecipients, recipientsOf } from '../draft/queries.ts';
import { conditionOf, requireLists } from './find-candidates.ts';

/** Removes a whole source from a draft: its people, and with the last of them the source itself. */
export interface WholeSource {
  broadcastId: number;
  sourceId: number;
}

/** People still being added from it would appear after the removal. */
export async function refuseWhileChanging(trx: Trx, actor: Actor, broadcastId: number): Promise<void> {
  if (!(await isChangingRecipients(trx, actor.accountId, broadcastId))) return;
  throw new Refusal(
    'conflict',
    'People are still being added to this broadcast or taken out of it. Try again when that is done.',
  );
}

/**
 * Somebody who was in several lists that were added together came once, from the first of them. If that list is
 * removed, they now come from the next list they are in: one statement per remaining list, whatever the number of
 * people. Lists that were added later have them as duplicates, who are promoted anyway.
 */
export async function handOnPeople(
  trx: Trx,
  actor: Actor,
  source: WholeSource,
  slice: RawBuilder<unknown>,
): Promise<void> {
  const { accountId } = actor;
  const own = recipientsOf(accountId, source.broadcastId);
  const stay = await listsThatStay(trx, accountId, source);
  const listIds = stay.map(({ listId }) => listId);
  const lists = await requireLists(trx, actor, listIds);
  for (const [index, { sourceId }] of stay.entries()) {
    const list = lists[index];
    if (list === undefined) continue;
    const isMember = await conditionOf(trx, actor, list);
    await sql`
      update broadcast_recipients r set source_id = ${sourceId}
      from contacts c
      where ${own} and r.source_id = ${source.sourceId} ${slice}
        and c.account_id = r.account_id and c.person_id = r.person_id and c.deleted_at is null and (${isMember})
        and r.person_id not in (
          select d.person_id from broadcast_recipients d
          where d.account_id = ${accountId} and d.broadcast_id = ${source.broadcastId} and d.source_id = ${sourceId}
            and d.person_id is not null)`.execute(trx);
  }
}

/** The other groups and segments of a draft that still exist, in the order in which they were added. */
async function listsThatStay(trx: Trx, accountId: number, { broadcastId, sourceId }: WholeSource) {
  const { rows } = await sql<{ sourceId: number; listId: number }>`
    with lists as (
      select source_id, (input ->> 'listId')::bigint as list_id from broadcast_sources
      where account_id = ${accountId} and broadcast_id = ${broadcastId} and kind = 'lists'
    )
    select source_id as "sourceId", list_id as "listId" from lists
    where source_id <> ${sourceId} and exists (select from lists where source_id = ${sourceId})
      and (list_id <= 0 or exists (
        select from groups g where g.account_id = ${accountId} and g.group_id = list_id and g.deleted_at is null))
    order by source_id`.execute(trx);
  return rows;
}

/**
 * A repeating broadcast must not query it again, so people who were removed from it by hand need not be
 * remembered.
 */
export async function forgetSource(
  trx: Trx,
  accountId: number,
  { broadcastId, sourceId }: WholeSource,
): Promise<void> {
  const own = recipientsOf(accountId, broadcastId);
  await sql`
    delete from broadcast_recipients r
    where ${own} and r.source_id = ${sourceId} and r.problem = 'excluded'`.execute(trx);
  // A person who was typed meanwhile keeps it.
  await sql`
    delete from broadcast_sources s
    where s.account_id = ${accountId} and s.broadcast_id = ${broadcastId} and s.source_id = ${sourceId}
      and not exists (select from broadcast_recipients r where ${own} and r.source_id = s.source_id)`.execute(
    trx,
  );
}
