import { sql } from 'kysely';
import { eventsOf, recordConsents } from '../consents/record-consents.ts';
import type { Trx } from '../db.ts';

/** Phones per statement. */
const atOnce = 5_000;

/** Withdraws the consents that an import declared for the phones of these rows and has not withdrawn yet. */
export async function takeBackConsents(
  trx: Trx,
  part: { accountId: number; fileId: number; userId: number; firstRow: number; lastRow: number },
): Promise<void> {
  const { accountId, fileId, userId } = part;
  const rows = sql`account_id = ${accountId} and file_id = ${fileId}`;
  const { rows: declared } = await sql<{ phone: string; channel: 'text' | 'both'; at: Date }>`
    with taken as materialized (
      select phone1, phone2, phone3 from file_rows
      where ${rows} and row_number between ${part.firstRow} and ${part.lastRow} and state in ('good', 'repaired')
      union all
      select phone1, phone2, phone3 from file_rows
      where ${rows} and first_row between ${part.firstRow} and ${part.lastRow} and state = 'duplicate'
    ),
    -- "materialized": each phone once, before its events are looked up.
    phones as materialized (
      select phone1 as phone from taken
      union select phone2 from taken where phone2 is not null
      union select phone3 from taken where phone3 is not null
    )
    select e.phone, e.channel, now() as at
    from (select ${accountId}::bigint as account_id, phone from phones) p cross join lateral ${eventsOf(sql`p`)} e
    where e.file_id = ${fileId} and e.source = 'import'
    group by e.phone, e.channel
    having sum(case e.state when 'none' then -1 else 1 end) > 0`.execute(trx);
  for (let from = 0; from < declared.length; from += atOnce) {
    await recordConsents(
      trx,
      declared.slice(from, from + atOnce).map(({ phone, channel, at }) => ({
        accountId,
        phone,
        channel,
        state: 'none',
        at,
        source: 'import',
        userId,
        fileId,
        wording: 'The import was undone.',
      })),
    );
  }
}
