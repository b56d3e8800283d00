import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type { updateTextNumber as definition } from '../../contract/numbers.ts';
import { refuseUnless } from '../access/refuse-unless.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { requireTextNumber } from './queries.ts';
import { refuseUnlessCanText } from './rules.ts';

/** Renames a number, describes it or makes it the default: for users who manage text numbers. */
export async function updateTextNumber(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof definition>,
): Promise<void> {
  const { Name, Description, IsDefault } = body;
  const number = await requireTextNumber(trx, actor, params.TextNumberID);
  const isOfNumber = Name !== undefined || Description !== undefined || IsDefault !== undefined;
  if (isOfNumber) refuseUnless(actor, 'manageTextNumbers');
  if (IsDefault) {
    // Notifications are texted from it, and new conversations begin with it.
    refuseUnlessCanText(number, now());
    await clearDefault(trx, actor);
  }
  if (isOfNumber) {
    await trx
      .updateTable('text_numbers')
      .set({
        ...(Name !== undefined && { name: Name }),
        ...(Description !== undefined && { description: Description }),
        ...(IsDefault && { is_default: true }),
      })
      .where('account_id', '=', actor.accountId)
      .where('text_number_id', '=', params.TextNumberID)
      .execute();
    await notify(trx, actor.accountId, [{ type: 'textnumbers.changed' }]);
  }
}

/** First none, then the new one: there are never two. A concurrent change waits for this account's row. */
async function clearDefault(trx: Trx, actor: Actor): Promise<void> {
  await sql`select from accounts where account_id = ${actor.accountId} for no key update`.execute(trx);
  await trx
    .updateTable('text_numbers')
    .set({ is_default: false })
    .where('account_id', '=', actor.accountId)
    .where('is_default', '=', true)
    .execute();
}
