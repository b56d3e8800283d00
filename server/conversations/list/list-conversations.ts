import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { Conversation, listConversations as definition } from '../../../contract/conversations.ts';
import { readCursor, writeCursor } from '../../cursor.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import {
  type ConversationFilter,
  type ConversationRow,
  conversationsById,
  readScope,
  shortMessage,
} from '../queries.ts';
import { listFoundConversations } from './list-found-conversations.ts';
import { type PageRow, type Part, walkConversations } from './walk-conversations.ts';

type LastMessage = NonNullable<Conversation['LastMessage']>;

/** A page, and for the answers to a broadcast its name: the page's title. */
export async function listConversations(trx: Trx, actor: Actor, { query }: Input<typeof definition>) {
  const page = await listConversationRows(trx, actor, query);
  if (query.broadcastId === undefined) return page;
  const numbers = actor.textNumberIds;
  const broadcast = await trx
    .selectFrom('broadcasts')
    .select('name')
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', query.broadcastId)
    .where('text_number_id', 'in', numbers.concat(-1))
    .executeTakeFirst();
  return broadcast === undefined ? page : { ...page, BroadcastName: broadcast.name };
}

/**
 * A page of conversations. Every list without a search reads one index in its own order, or a few that are
 * merged; related data is joined only for the page's rows.
 */
export async function listConversationRows(trx: Trx, actor: Actor, filter: ConversationFilter) {
  const scope = await readScope(trx, actor, filter);
  const after = filter.next === undefined ? undefined : readCursor(filter.next);
  const part: Part = {
    isLatestFirst: filter.sortby === 'latest',
    after,
    offset: after === undefined ? (filter.page - 1) * filter.pagesize : 0,
    rows: filter.pagesize + 1,
  };
  if (filter.q === '') {
    return toPage(trx, actor, filter, await walkConversations(trx, actor, { filter, scope, part }));
  }
  const { rows, searchedFrom } = await listFoundConversations(trx, actor, { filter, scope, part });
  const page = await toPage(trx, actor, filter, rows);
  const found = await shortMessages(trx, actor, rows);
  const texts = new Map(rows.map(({ id, messageId }) => [id, found.get(messageId ?? 0)]));
  return {
    ...page,
    Items: page.Items.map((item) => ({ ...item, Found: texts.get(item.ConversationID) ?? null })),
    SearchedFrom: searchedFrom,
  };
}

async function toPage(
  trx: Trx,
  actor: Actor,
  { pagesize }: ConversationFilter,
  rows: PageRow[],
): Promise<{ Items: ConversationRow[]; Next: string | null }> {
  const kept = rows.slice(0, pagesize);
  const last = kept.at(-1);
  const ids = kept.map(({ id }) => id);
  return {
    Items: ids.length === 0 ? [] : await conversationsById(trx, actor, ids),
    Next: rows.length > pagesize && last !== undefined ? writeCursor(last) : null,
  };
}

async function shortMessages(trx: Trx, actor: Actor, page: PageRow[]) {
  const ids = page.flatMap(({ messageId }) => messageId ?? []);
  if (ids.length === 0) return new Map<number, LastMessage>();
  const { rows } = await sql<{ id: number; message: LastMessage }>`
    select m.message_id as id, ${shortMessage} as message from messages m
    where m.account_id = ${actor.accountId} and m.message_id = any(${ids}::bigint[])`.execute(trx);
  return new Map(rows.map(({ id, message }) => [id, message]));
}
