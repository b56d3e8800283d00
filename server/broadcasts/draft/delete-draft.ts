import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { deleteDraft as definition } from '../../../contract/drafts.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { lockDraft } from './queries.ts';

/** Deletes a draft. A nightly job deletes its recipients; additions in progress stop. */
export async function deleteDraft(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const { broadcast_id } = await lockDraft(trx, actor, params.DraftBroadcastID);
  await sql`
    update broadcasts set deleted_at = now(), updated_at = now(), merge_state = 'none'
    where account_id = ${actor.accountId} and broadcast_id = ${broadcast_id}`.execute(trx);
  await notify(trx, actor.accountId, [
    { type: 'broadcasts.changed' },
    { type: 'draft.changed', DraftBroadcastID: broadcast_id },
  ]);
  return {};
}
