import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { recipientsOf } from '../draft/queries.ts';

/**
 * If the recipient of a phone was removed, the first duplicate takes their place, and the others become duplicates of
 * that one.
 */
export async function promoteDuplicates(trx: Trx, accountId: number, broadcastId: number): Promise<void> {
  await sql`
    -- "materialized": who moves up is decided for all rows of a phone before any row changes.
    with orphans as materialized (
      select r.recipient_id, first_value(r.recipient_id) over (partition by r.phone order by r.recipient_id) as goes
      from broadcast_recipients r
      where ${recipientsOf(accountId, broadcastId)} and r.problem = 'duplicate' and not exists (
        select from broadcast_recipients g
        where g.account_id = r.account_id and g.broadcast_id = r.broadcast_id and g.phone = r.phone and g.problem is null)
    )
    update broadcast_recipients r
    set problem = case when o.goes = r.recipient_id then null else 'duplicate' end,
      duplicate_of = nullif(o.goes, r.recipient_id)
    from orphans o
    where ${recipientsOf(accountId, broadcastId)} and r.recipient_id = o.recipient_id`.execute(trx);
}
