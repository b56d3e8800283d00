import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';

/**
 * Marks these recordings as used by a broadcast: they leave Unused. Called when it is sent, in its
 * transaction.
 */
export async function noteAudioUse(trx: Trx, accountId: number, audioIds: readonly number[]): Promise<void> {
  await trx
    .updateTable('audio')
    .set({ use_count: sql`use_count + 1`, last_used_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('audio_id', 'in', [...new Set(audioIds)])
    .execute();
  await notify(trx, accountId, [{ type: 'audio.changed' }]);
}
