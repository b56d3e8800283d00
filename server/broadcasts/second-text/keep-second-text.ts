import type { SecondTextForm } from '../../../contract/second-text.ts';
import type { Trx } from '../../db.ts';

interface BroadcastKey {
  accountId: number;
  broadcastId: number;
}

/** Saves the second text of a draft from the wizard, or removes it. */
export async function keepSecondText(
  trx: Trx,
  { accountId, broadcastId }: BroadcastKey,
  form: SecondTextForm | null | undefined,
): Promise<void> {
  if (form === undefined) return;
  if (form === null) {
    await trx
      .deleteFrom('second_texts')
      .where('account_id', '=', accountId)
      .where('broadcast_id', '=', broadcastId)
      .execute();
    return;
  }
  const kept = {
    text_message: form.TextMessage,
    share: form.Share,
    decide_by: form.DecideBy === 'Clicks' ? ('clicks' as const) : ('replies' as const),
    hours: form.Hours,
  };
  await trx
    .insertInto('second_texts')
    .values({ account_id: accountId, broadcast_id: broadcastId, ...kept })
    .onConflict((row) => row.columns(['account_id', 'broadcast_id']).doUpdateSet(kept))
    .execute();
}

/** The second text of a broadcast, or undefined. */
export async function findSecondText(trx: Trx, { accountId, broadcastId }: BroadcastKey) {
  return trx
    .selectFrom('second_texts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .executeTakeFirst();
}

/** The same in the wizard's format; null where there is one text. */
export async function readSecondText(trx: Trx, of: BroadcastKey): Promise<SecondTextForm | null> {
  const row = await findSecondText(trx, of);
  if (row === undefined) return null;
  return {
    TextMessage: row.text_message,
    Share: row.share as SecondTextForm['Share'],
    DecideBy: row.decide_by === 'clicks' ? 'Clicks' : 'Replies',
    Hours: row.hours as SecondTextForm['Hours'],
  };
}
