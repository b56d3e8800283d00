import { sql } from 'kysely';
import { recordConsents } from '../../consents/record-consents.ts';
import type { Within } from '../../contacts/queries.ts';
import type { Trx } from '../../db.ts';
import { consentRequired } from '../../imports/rules.ts';
import type { Actor } from '../../serve.ts';

/**
 * Records the consent that was declared for the people of a file, before they are checked. As in an import,
 * opt-outs stay.
 */
export async function declareFileConsents(
  trx: Trx,
  actor: Actor,
  { fileId, address }: { fileId: number; address: string },
  within: Within = { firstId: 0, lastId: 2 ** 31 - 1 },
): Promise<void> {
  const { rows } = await sql<{ phone: string; at: Date }>`
    select distinct p.phone, now() as at
    from file_rows r cross join unnest(array[r.phone1, r.phone2, r.phone3]) p(phone)
    left join phone_consents k on k.account_id = r.account_id and k.phone = p.phone
    where r.account_id = ${actor.accountId} and r.file_id = ${fileId} and r.state not in ('rejected', 'removed')
      and r.row_number between ${within.firstId} and ${within.lastId} and p.phone is not null and k.text_state is null`.execute(
    trx,
  );
  await recordConsents(
    trx,
    rows.map(({ phone, at }) => ({
      accountId: actor.accountId,
      phone,
      channel: 'both',
      state: 'in',
      at,
      source: 'import',
      userId: actor.userId,
      fileId,
      wording: consentRequired,
      address,
    })),
  );
}
