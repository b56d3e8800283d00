import { type RawBuilder, sql } from 'kysely';
import type { AccountUser, listAccountUsers, userSorts } from '../../contract/account-users.ts';
import type { Input, Reply } from '../../contract/call.ts';
import { usesNumber } from '../access/queries.ts';
import { may } from '../access/refuse-unless.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { type Installation, pictureUrl } from './queries.ts';
import { selectMembers, shownUsers } from './users/queries.ts';

const byName = sql`lower(u.first_name), lower(u.last_name), u.user_id`;
const orders: Record<(typeof userSorts)[number], RawBuilder<unknown>> = {
  name: byName,
  '-name': sql`lower(u.first_name) desc, lower(u.last_name) desc, u.user_id desc`,
  lastseen: sql`u.last_seen_at desc nulls last, ${byName}`,
  '-lastseen': sql`u.last_seen_at nulls first, ${byName}`,
};

/**
 * The users of the organization: complete for those who manage users, for others only what is needed to
 * assign conversations.
 */
export async function listUsers(
  trx: Trx,
  actor: Actor,
  { query }: Input<typeof listAccountUsers>,
  installation: Installation,
): Promise<Reply<typeof listAccountUsers>> {
  const { page, pagesize, sortby } = query;
  const mayManage = may(actor, 'manageUsers');
  const where = shownUsers(actor, query, mayManage);
  const paging = page === 'all' ? sql`` : sql`limit ${pagesize} offset ${(page - 1) * pagesize}`;
  const order = sql`order by ${orders[sortby]} ${paging}`;
  const { rows } = await sql<{ size: number }>`select count(*) as size from users u where ${where}`.execute(
    trx,
  );
  const Size = rows[0]?.size ?? 0;
  if (mayManage) return { Items: await selectMembers(trx, { where, order, installation }), Size };
  return { Items: await selectColleagues(trx, where, order), Size };
}

async function selectColleagues(
  trx: Trx,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<AccountUser[]> {
  const { rows } = await sql<AccountUser & { pictureKey: string | null }>`
    select u.user_id as "UserID", u.first_name as "FirstName", u.last_name as "LastName", u.user_name as "UserName",
      u.is_active as "IsActive", u.picture_key as "pictureKey", array(
        select n.text_number_id from text_numbers n
        where n.account_id = u.account_id and n.released_at is null and ${usesNumber(sql`n.text_number_id`)}
        order by n.text_number_id) as "TextNumbers"
    from users u where ${where} ${order}`.execute(trx);
  return rows.map(({ pictureKey, ...row }) => ({ ...row, PictureUrl: pictureUrl(pictureKey) }));
}
