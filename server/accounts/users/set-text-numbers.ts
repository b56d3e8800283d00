import { sql } from 'kysely';
import { refuseField } from '../../../contract/errors.ts';
import type { Trx } from '../../db.ts';
import { notifySockets } from '../../notify.ts';
import type { Actor } from '../../serve.ts';

/**
 * Sets which text numbers a user may use: exactly these. Returns their names before and after if they
 * changed.
 */
export async function setTextNumbers(
  trx: Trx,
  actor: Actor,
  userId: number,
  textNumberIds: readonly number[],
): Promise<[before: string[], after: string[]] | undefined> {
  const wanted = [...new Set(textNumberIds)];
  const { rows } = await sql<{ known: number }>`
    select count(*) as known from text_numbers
    where account_id = ${actor.accountId} and released_at is null and text_number_id = any(${wanted}::bigint[])`.execute(
    trx,
  );
  if (rows[0]?.known !== wanted.length) {
    throw refuseField('TextNumbers', 'One of these text numbers is no longer yours. Reload the page.');
  }
  const before = await namesOf(trx, actor.accountId, userId);
  const gone = await sql`
    delete from user_text_numbers
    where account_id = ${actor.accountId} and user_id = ${userId} and text_number_id <> all(${wanted}::bigint[])`.execute(
    trx,
  );
  const added = await sql`
    insert into user_text_numbers (account_id, user_id, text_number_id)
    select ${actor.accountId}, ${userId}, id from unnest(${wanted}::bigint[]) as id
    on conflict do nothing`.execute(trx);
  const isChanged = (gone.numAffectedRows ?? 0n) + (added.numAffectedRows ?? 0n) > 0n;
  if (!isChanged) return undefined;
  await notifySockets(trx, [{ accessChangedOf: actor.accountId }]);
  return [before, await namesOf(trx, actor.accountId, userId)];
}

async function namesOf(trx: Trx, accountId: number, userId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(nullif(n.name, ''), n.phone) as name
    from user_text_numbers u
    join text_numbers n on n.account_id = u.account_id and n.text_number_id = u.text_number_id
    where u.account_id = ${accountId} and u.user_id = ${userId} order by n.text_number_id`.execute(trx);
  return rows.map(({ name }) => name);
}
