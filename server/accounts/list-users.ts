import { sql } from 'kysely';
import type { AccountUser, listAccountUsers } from '../../contract/accounts.ts';
import type { Input, Reply } from '../../contract/call.ts';
import { usesNumber } from '../access/queries.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';

/** The people of the organization by name, with the numbers that each may use. */
export async function listUsers(
  trx: Trx,
  actor: Actor,
  { query }: Input<typeof listAccountUsers>,
): Promise<Reply<typeof listAccountUsers>> {
  const { page, pagesize } = query;
  const text = query.q.toLowerCase();
  const condition = sql`u.account_id = ${actor.accountId}
    and (${query.enabled ?? null}::boolean is null or u.is_active = ${query.enabled ?? null}::boolean)
    and (${text} = '' or strpos(lower(u.first_name || ' ' || u.last_name), ${text}) > 0
      or strpos(lower(u.user_name), ${text}) > 0)`;
  const paging = page === 'all' ? sql`` : sql`limit ${pagesize} offset ${(page - 1) * pagesize}`;
  const { rows: Items } = await sql<AccountUser>`
    select u.user_id as "UserID", u.first_name as "FirstName", u.last_name as "LastName", u.user_name as "UserName",
      u.is_active as "IsActive", array(
        select n.text_number_id from text_numbers n
        where n.account_id = u.account_id and n.released_at is null and ${usesNumber(sql`n.text_number_id`)}
        order by n.text_number_id) as "TextNumbers"
    from users u where ${condition}
    order by lower(u.first_name), lower(u.last_name), u.user_id ${paging}`.execute(trx);
  const { rows } = await sql<{
    size: number;
  }>`select count(*) as size from users u where ${condition}`.execute(trx);
  return { Items, Size: rows[0]?.size ?? 0 };
}
