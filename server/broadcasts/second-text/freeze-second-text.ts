import { sql } from 'kysely';
import { textToSend } from '../../../contract/text/normalize-text.ts';
import { withSuffix } from '../../../contract/text/segments.ts';
import type { Trx } from '../../db.ts';
import type { Sending } from '../draft/read-sending.ts';
import { commonSegments } from '../preflight/reckon-sending.ts';
import { isTriedOn } from './rules.ts';

/**
 * Freezes the second text when Send is pressed: its words, what one text of each takes, and who gets which first. Counting
 * them reads an index of the recipients once. After an edit, nothing of the first Send is left.
 */
export async function freezeSecondText(trx: Trx, sending: Sending): Promise<void> {
  const { accountId, broadcast_id: broadcastId, second } = sending;
  await trx
    .deleteFrom('second_text_zones')
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .execute();
  if (second === undefined) return;
  const { keepCharacters } = sending;
  await trx
    .updateTable('second_texts')
    .set({
      body: textToSend(second.placed, { keepCharacters }),
      sent_body: withSuffix(second.body, sending.suffix),
      sent_prefix: second.prefix,
      first_segments: commonSegments({ ...sending, second: undefined }),
      second_segments: commonSegments({ ...sending, body: second.body, second: undefined }),
    })
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .execute();
  const { share } = second;
  await sql`
    insert into second_text_zones (account_id, broadcast_id, zone, place, total)
    select ${accountId}, ${broadcastId}, r.zone, case when ${isTriedOn(1, share)} then 1 else 2 end, count(*)
    from broadcast_recipients r
    where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.problem is null
      and (${isTriedOn(1, share)} or ${isTriedOn(2, share)})
    group by 3, 4`.execute(trx);
}
