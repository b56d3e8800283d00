import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { changePlan } from '../billing/change-plan.ts';
import { moveCredits } from '../billing/move-credits.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
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

type Settings = Pick<Config, 'SSO_ONLY_GROUP_CODES' | 'SPECIAL_GROUP_CODES' | 'REGISTRATION_GROUP_CODES'>;

/**
 * A code adds its credits to an account once. It becomes the account's group code, unless the present one has
 * rules that only the operator may lift.
 */
export async function useGroupCode(trx: Trx, actor: Actor, name: string, config: Settings) {
  const code = await findGroupCode(trx, name);
  if (code === undefined) throw new Refusal('refused', errorCatalog.groupCode);
  const used = await trx
    .insertInto('group_code_uses')
    .values({ account_id: actor.accountId, name: code.name, credits: code.free_credits })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst();
  if (used === undefined) throw new Refusal('refused', 'Your organization has used this code already.');
  const before = await trx
    .selectFrom('accounts')
    .select('group_code')
    .where('account_id', '=', actor.accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const after = (await isBinding(trx, before.group_code, config)) ? before : { group_code: code.name };
  const changed = await changePlan(trx, actor.accountId, after);
  await moveCredits(trx, [
    {
      accountId: actor.accountId,
      kind: 'grant',
      credits: code.free_credits,
      note: `Group code ${code.name}`,
      userId: actor.userId,
    },
  ]);
  const changes = { Name: code.name, FreeCredits: code.free_credits, ...changed };
  await recordEvents(trx, actor, [{ kind: 'groupCode.used', changes }]);
  await notify(trx, actor.accountId, [{ type: 'credits.changed' }, { type: 'billing.changed' }]);
  return {
    Name: code.name,
    FreeCredits: code.free_credits,
    AccountType: code.account_type,
    PromoMessage: code.promo_message,
    IsSsoLoginOnly: await isSsoOnlyCode(trx, code.name, config),
  };
}

/** True if accounts with this group code sign in with their directory only. */
async function isSsoOnlyCode(trx: Trx, name: string, { SSO_ONLY_GROUP_CODES }: Settings): Promise<boolean> {
  if (SSO_ONLY_GROUP_CODES.includes(name.toLowerCase())) return true;
  const code = await trx
    .selectFrom('group_codes')
    .select('is_sso_login_only')
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst();
  return code?.is_sso_login_only === true;
}

/** A group code that decides how people sign in, who registers, or that has rules of its own. */
async function isBinding(trx: Trx, name: string, config: Settings): Promise<boolean> {
  const ruled = [...config.SPECIAL_GROUP_CODES, ...config.REGISTRATION_GROUP_CODES];
  return ruled.includes(name.toLowerCase()) || (await isSsoOnlyCode(trx, name, config));
}
