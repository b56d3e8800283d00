import { sql } from 'kysely';
import type { features } from '../../contract/accounts.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { type EventActor, recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';
import { changesOf } from './rules.ts';

type Feature = (typeof features)[number];

/** Sets what only the operator of an installation can set; with `by`, what a user of the account does. */
export async function setFeature(
  trx: Trx,
  of: { accountId: number; userId?: number | undefined },
  feature: Feature,
  isOn: boolean,
): Promise<void> {
  const table = of.userId === undefined ? sql`accounts` : sql`users`;
  const whose = of.userId === undefined ? sql`true` : sql`user_id = ${of.userId}`;
  await sql`
    update ${table}
    set features = array_remove(features, ${feature}) || ${isOn ? [feature] : []}::text[]
    where account_id = ${of.accountId} and ${whose}`.execute(trx);
  await tell(trx, of.accountId, { [feature]: [!isOn, isOn], ...(of.userId ? { UserID: of.userId } : {}) });
}

export async function setAccountFlags(
  trx: Trx,
  accountId: number,
  flags: {
    is_api_authorized?: boolean;
    voice_allowed?: boolean;
    group_code?: string;
    link_host?: string | null;
    pays_invoices_offline?: boolean;
    invoice_self_service?: boolean;
    is_monthly_mms_enabled?: boolean;
    partial_credits_enabled?: boolean;
  },
  by?: Actor,
): Promise<void> {
  const before = await trx
    .selectFrom('accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  await trx.updateTable('accounts').set(flags).where('account_id', '=', accountId).execute();
  await tell(trx, accountId, changesOf(before, flags), by);
}

async function tell(
  trx: Trx,
  accountId: number,
  changes: Record<string, unknown>,
  by: EventActor = { accountId, isOperator: true },
): Promise<void> {
  await recordEvents(trx, by, [{ kind: 'account.updated', id: accountId, changes }]);
  await notify(trx, accountId, [{ type: 'settings.changed' }]);
}
