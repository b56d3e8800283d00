import { sql } from 'kysely';
import * as calls from '../../contract/conversations.ts';
import { usableTextNumberIds } from '../numbers/queries.ts';
import { type App, serve } from '../serve.ts';
import { createConversation } from './create-conversation.ts';
import { listConversationRows, listTextRows, requireConversation, requireThread } from './queries.ts';
import { sendTextMessage } from './send-text-message.ts';
import { undoConversations, updateConversation, updateConversations } from './update-conversations.ts';
import { viewConversation } from './view-conversation.ts';

export function conversationRoutes(app: App): void {
  serve(app, calls.listConversations, (trx, actor, { query }) => listConversationRows(trx, actor, query));
  serve(app, calls.createConversation, createConversation);
  serve(app, calls.updateConversations, updateConversations);
  serve(app, calls.undoConversations, undoConversations);

  serve(app, calls.getConversationsSummary, async (trx, actor, { query }) => {
    const usable = await usableTextNumberIds(trx, actor);
    const numbers =
      query.textNumberId === undefined ? usable : usable.filter((id) => id === query.textNumberId);
    const { rows } = await sql<{ UnreadCount: number; OpenCount: number }>`
      select count(*) filter (where unread_count > 0) as "UnreadCount", count(*) as "OpenCount"
      from conversations
      where account_id = ${actor.accountId} and text_number_id = any(${numbers}::bigint[])
        and not is_done and not is_auto_opt_out`.execute(trx);
    return rows[0] ?? { UnreadCount: 0, OpenCount: 0 };
  });

  serve(app, calls.getConversation, (trx, actor, { params }) =>
    requireConversation(trx, actor, params.ConversationID),
  );
  serve(app, calls.updateConversation, updateConversation);
  serve(app, calls.viewConversation, viewConversation);

  serve(app, calls.listTextMessages, async (trx, actor, { params, query }) =>
    listTextRows(trx, actor, await requireThread(trx, actor, params.ConversationID), {
      pagesize: query.pagesize,
      next: query.next,
    }),
  );
  serve(app, calls.sendTextMessage, sendTextMessage);
}
