import type { TestApp } from '../../testing/test-app.ts';

export interface ThreadRow {
  phone: string;
  textNumberId: number;
  at?: string;
  isDone?: boolean;
  isAutoOptOut?: boolean;
  unread?: number;
  tagIds?: number[];
  assignedUserId?: number | null;
}

/** A conversation with one inbound text, inserted directly. */
export async function addThread(app: TestApp, accountId: number, row: ThreadRow) {
  const common = { account_id: accountId, text_number_id: row.textNumberId, phone: row.phone };
  const at = row.at ?? new Date().toISOString();
  const { message_id: messageId } = await app.database.system
    .insertInto('messages')
    .values({
      ...common,
      is_inbound: true,
      origin: 'inbound',
      status: 'received',
      body: 'Hello',
      created_at: at,
    })
    .returning('message_id')
    .executeTakeFirstOrThrow();
  const { conversation_id: conversationId } = await app.database.system
    .insertInto('conversations')
    .values({
      ...common,
      last_message_id: messageId,
      last_message_at: at,
      is_done: row.isDone ?? false,
      is_auto_opt_out: row.isAutoOptOut ?? false,
      unread_count: row.unread ?? 0,
      tag_ids: row.tagIds ?? [],
      assigned_user_id: row.assignedUserId ?? null,
    })
    .returning('conversation_id')
    .executeTakeFirstOrThrow();
  return { conversationId, messageId };
}
