import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { classifyMedia as definition } from '../../contract/media.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { seenMedia } from './queries.ts';
import { type MediaRow, toMediaItem } from './rules.ts';

/** A user who may see a picture marks it as explicit or not. A service never overrides this. */
export async function classifyMedia(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  const { rows } = await sql<MediaRow & { sender_name: string; conversation_id: number | null }>`
    with judged as (
      update media f set explicit_status = ${body.ExplicitStatus}, explicit_due_at = null
      where f.media_id = ${params.MediaID} and ${seenMedia(actor)}
      returning *
    )
    select f.media_id, f.public_key, f.content_type, f.file_name, f.explicit_status, f.created_at,
      coalesce(u.first_name || ' ' || u.last_name, '') as sender_name, c.conversation_id
    from judged f
    left join users u on u.account_id = f.account_id and u.user_id = f.created_by_user_id
    left join messages m on m.account_id = f.account_id and m.message_id = f.message_id
    left join conversations c
      on c.account_id = m.account_id and c.text_number_id = m.text_number_id and c.phone = m.phone`.execute(
    trx,
  );
  const [row] = rows;
  if (row === undefined) throw new Refusal('notFound', 'That picture is no longer here.');
  await notify(trx, actor.accountId, [
    row.conversation_id === null
      ? { type: 'conversations.changed' }
      : { type: 'conversation.changed', ConversationID: row.conversation_id },
  ]);
  return toMediaItem(row, row.sender_name);
}
