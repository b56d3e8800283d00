import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type {
  getSignatureSetting as getDefinition,
  updateSignatureSetting as updateDefinition,
} from '../../../contract/signature-settings.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { requireThread } from '../queries.ts';

/** Returns whether the user's signature is added to texts here: by the setting here, or else the general one. */
export async function getSignatureSetting(trx: Trx, actor: Actor, { params }: Input<typeof getDefinition>) {
  const { conversationId } = await requireThread(trx, actor, params.ConversationID);
  return trx
    .selectFrom('users as u')
    .leftJoin('conversation_signatures as s', (join) =>
      join
        .onRef('s.account_id', '=', 'u.account_id')
        .onRef('s.user_id', '=', 'u.user_id')
        .on('s.conversation_id', '=', conversationId),
    )
    .select(sql<boolean>`coalesce(s.is_enabled, u.signature_enabled)`.as('isEnabled'))
    .where('u.account_id', '=', actor.accountId)
    .where('u.user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
}

export async function updateSignatureSetting(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof updateDefinition>,
) {
  const { conversationId } = await requireThread(trx, actor, params.ConversationID);
  await trx
    .insertInto('conversation_signatures')
    .values({
      account_id: actor.accountId,
      conversation_id: conversationId,
      user_id: actor.userId,
      is_enabled: body.isEnabled,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'conversation_id', 'user_id'])
        .doUpdateSet({ is_enabled: body.isEnabled }),
    )
    .execute();
  // Notifies the user's other windows.
  await notify(trx, actor.accountId, [{ type: 'conversation.changed', ConversationID: conversationId }]);
  return body;
}
