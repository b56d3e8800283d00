import { type RawBuilder, sql } from 'kysely';
import { isUniqueViolation, type Trx } from '../db.ts';
import { countMoved, movedConsents } from './count-moved.ts';

/**
 * The owner of the phones in the temporary table import_slice, their consent, and where it was declared from.
 */
export interface ImportedPhones {
  accountId: number;
  fileId: number;
  userId: number;
  wording: string;
  address: string;
}

/**
 * Records the declaration of consent for every phone without a consent of its own. For a new phone it is the
 * first entry in the ledger, stored in the phone's row. Most files have only new phones: that cheaper way is
 * tried first.
 *
 * Otherwise the phones are counted. The contacts are locked before (`lock`), because a text that says JOIN locks them
 * before it is counted too.
 */
export async function declareImported(
  trx: Trx,
  plan: ImportedPhones,
  lock: () => Promise<void>,
): Promise<void> {
  await sql`savepoint only_new_phones`.execute(trx);
  try {
    await insertConsents(plan).execute(trx);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await sql`rollback to savepoint only_new_phones`.execute(trx);
    await lock();
    await declareBesideKnown(trx, plan);
  }
}

/** Phones in order, to avoid deadlocks. */
function insertConsents(plan: ImportedPhones): RawBuilder<unknown> {
  return sql`
    insert into phone_consents as k (account_id, phone, text_state, text_changed_at, voice_state, voice_changed_at,
      file_id, declared_at)
    select ${plan.accountId}::bigint, phone, 'in', now(), 'in', now(), ${plan.fileId}::bigint, now()
    from (
      select phone1 as phone from import_slice
      union select phone2 from import_slice where phone2 is not null
      union select phone3 from import_slice where phone3 is not null
      order by phone
    ) phones`;
}

/**
 * An opt-out stays: for a phone that has opted out of calls only texts are declared. New phones, which have
 * only the file's declaration, don't need counting.
 */
async function declareBesideKnown(trx: Trx, plan: ImportedPhones): Promise<void> {
  await sql`
    with moved as (
      ${insertConsents(plan)}
      on conflict (account_id, phone) do update
      set text_state = 'in', text_changed_at = now(),
        voice_state = coalesce(k.voice_state, 'in'),
        voice_changed_at = case when k.voice_state is null then now() else k.voice_changed_at end
      where k.text_state is null
      ${movedConsents}, new.phone, new.voice_changed_at is not distinct from now() as is_both, old.phone is not null as was_known
    ),
    counted as (${countMoved})
    insert into consent_ledger (account_id, phone, channel, state, source, user_id, file_id, wording, address)
    select ${plan.accountId}::bigint, phone, case when is_both then 'both' else 'text' end, 'in', 'import',
      ${plan.userId}::bigint, ${plan.fileId}::bigint, ${plan.wording}, ${plan.address}
    from moved where was_known`.execute(trx);
}
