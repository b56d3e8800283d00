import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { changePlan } from '../billing/change-plan.ts';
import { moveCredits } from '../billing/move-credits.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { DB } from '../schema.types.ts';
import type { Actor } from '../serve.ts';

export function findGroupCode(trx: Kysely<DB>, name: string) {
  return trx
    .selectFrom('group_codes')
    .selectAll()
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .where('is_active', '=', true)
    .executeTakeFirst();
}

/** A code adds its credits to an account once. */
export async function useGroupCode(trx: Trx, actor: Actor, name: string) {
  const code = await findGroupCode(trx, name);
  if (code === undefined) throw new Refusal('refused', errorCatalog.groupCode);
  const used = await trx
    .insertInto('group_code_uses')
    .values({ account_id: actor.accountId, name: code.name, credits: code.free_credits })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst();
  if (used === undefined) throw new Refusal('refused', 'Your organization has used this code already.');
  await changePlan(trx, actor.accountId, { group_code: code.name });
  await moveCredits(trx, [
    {
      accountId: actor.accountId,
      kind: 'grant',
      credits: code.free_credits,
      note: `Group code ${code.name}`,
      userId: actor.userId,
    },
  ]);
  await notify(trx, actor.accountId, [{ type: 'credits.changed' }, { type: 'billing.changed' }]);
  return {
    Name: code.name,
    FreeCredits: code.free_credits,
    AccountType: code.account_type,
    PromoMessage: code.promo_message,
    IsSsoLoginOnly: code.is_sso_login_only,
  };
}
