import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { changesBetween } from '../../../contract/event-changes.ts';
import type { updateAccountSecurity as definition } from '../../../contract/second-factors.ts';
import type { Trx } from '../../db.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { isSecondFactorRequired } from './queries.ts';

export async function getSecurity(trx: Trx, actor: Actor) {
  const { rows } = await sql<{ users: number; without: number }>`
    select count(*)::int as users, count(*) filter (where not exists (
        select from totp_secrets t where (t.account_id, t.user_id) = (u.account_id, u.user_id))
      and not exists (
        select from passkeys p where (p.account_id, p.user_id) = (u.account_id, u.user_id)))::int as without
    from users u where account_id = ${actor.accountId} and is_active`.execute(trx);
  return {
    RequiresSecondFactor: await isSecondFactorRequired(trx, actor.accountId),
    Users: rows[0]?.users ?? 0,
    UsersWithoutSecondFactor: rows[0]?.without ?? 0,
  };
}

/** Takes effect at the next sign-in: nobody in the middle of their work is signed out. */
export async function updateSecurity(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  const before = { RequiresSecondFactor: await isSecondFactorRequired(trx, actor.accountId) };
  await sql`
    insert into account_security (account_id, requires_second_factor)
    values (${actor.accountId}, ${body.RequiresSecondFactor})
    on conflict (account_id) do update set requires_second_factor = excluded.requires_second_factor`.execute(
    trx,
  );
  const changes = changesBetween(before, body);
  await recordEvents(trx, actor, [{ kind: 'security.updated', ...(changes && { changes }) }]);
  return {};
}
