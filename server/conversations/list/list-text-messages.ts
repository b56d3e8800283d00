import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { listTextMessages as definition } from '../../../contract/conversations.ts';
import { Refusal } from '../../../contract/errors.ts';
import { type Cursor, readCursor, writeCursor } from '../../cursor.ts';
import type { Trx } from '../../db.ts';
import { prepared } from '../../prepared.ts';
import type { Actor } from '../../serve.ts';
import { requireThread, type TextRow, textColumns, toTextMessage } from '../queries.ts';

interface Thread {
  accountId: number;
  phone: string;
  /** The conversation's own number, and those of the conversations moved into it. */
  numbers: number[];
}

/** The texts of a conversation, the latest first: a page from the end, further up, or around one of them. */
export async function listTextMessages(trx: Trx, actor: Actor, { params, query }: Input<typeof definition>) {
  const thread = await readThread(trx, actor, params.ConversationID);
  const { pagesize, next, previous, around } = query;
  const Size = await countTexts(trx, thread);
  if (around !== undefined) return { ...(await listAround(trx, thread, around, pagesize)), Size };
  if (previous !== undefined) {
    return { ...(await listLater(trx, thread, readCursor(previous), pagesize)), Size };
  }
  const rows = await textsFrom(trx, thread, {
    side: 'older',
    from: next === undefined ? undefined : readCursor(next),
    most: pagesize + 1,
  });
  const page = toPage(rows.slice(0, pagesize), {
    hasOlder: rows.length > pagesize,
    ...(next === undefined ? {} : { hasLater: true }),
  });
  return { ...page, Size };
}

async function countTexts(trx: Trx, thread: Thread): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    ${prepared} select count(*) as size from all_messages m
    where ${inThread(thread)} and m.text_number_id = any(${thread.numbers}::bigint[])`.execute(trx);
  return rows[0]?.size ?? 0;
}

/** The text in the middle; if one side has too few, the older side gets more. */
async function listAround(trx: Trx, thread: Thread, messageId: number, pagesize: number) {
  const { rows } = await sql<{ at: string }>`
    select to_json(m.created_at) #>> '{}' as at from all_messages m
    where ${inThread(thread)} and m.text_number_id = any(${thread.numbers}::bigint[])
      and m.message_id = ${messageId}`.execute(trx);
  const at = rows[0]?.at;
  if (at === undefined) throw new Refusal('notFound', 'That text is no longer here.');
  const middle: Cursor = { at, id: messageId };
  const half = Math.floor((pagesize - 1) / 2);
  const later = await textsFrom(trx, thread, { side: 'later', from: middle, most: half + 1 });
  const shown = later.slice(0, half).reverse();
  // The text itself is the first of those that aren't later.
  const most = pagesize - shown.length;
  const older = await textsFrom(trx, thread, { side: 'here', from: middle, most: most + 1 });
  return toPage([...shown, ...older.slice(0, most)], {
    hasOlder: older.length > most,
    hasLater: later.length > half,
  });
}

async function listLater(trx: Trx, thread: Thread, after: Cursor, pagesize: number) {
  const later = await textsFrom(trx, thread, { side: 'later', from: after, most: pagesize + 1 });
  return toPage(later.slice(0, pagesize).reverse(), { hasOlder: true, hasLater: later.length > pagesize });
}

function toPage(rows: TextRow[], { hasOlder, hasLater }: { hasOlder: boolean; hasLater?: boolean }) {
  const cursor = (row: TextRow | undefined) =>
    row === undefined ? null : writeCursor({ at: row.created_at, id: row.TextMessageID });
  return {
    Items: rows.map(toTextMessage),
    Next: hasOlder ? cursor(rows.at(-1)) : null,
    ...(hasLater === undefined ? {} : { Previous: hasLater ? cursor(rows[0]) : null }),
  };
}

/** A conversation that was moved, perhaps more than once, is read in the one that continues it. */
async function readThread(trx: Trx, actor: Actor, conversationId: number): Promise<Thread> {
  const { textNumberId, phone } = await requireThread(trx, actor, conversationId);
  const { rows } = await sql<{ textNumberId: number }>`
    ${prepared} with recursive ended as (
      select c.conversation_id, c.text_number_id, c.continued_in_id from conversations c
      where c.account_id = ${actor.accountId} and c.phone = ${phone} and c.is_retired and c.continued_in_id is not null
    ),
    part as (
      select conversation_id, text_number_id from ended where continued_in_id = ${conversationId}
      union
      select e.conversation_id, e.text_number_id from ended e join part p on e.continued_in_id = p.conversation_id
    )
    select distinct text_number_id as "textNumberId" from part
    where text_number_id <> ${textNumberId}`.execute(trx);
  const numbers = [textNumberId, ...rows.map((row) => row.textNumberId)];
  return { accountId: actor.accountId, phone, numbers };
}

/**
 * A notification of unread texts goes to a user's own phone; it is not part of the conversation with that
 * phone.
 */
function inThread({ accountId, phone }: Thread): RawBuilder<unknown> {
  return sql`m.account_id = ${accountId} and m.phone = ${phone} and m.origin <> 'notification'`;
}

const sides = {
  older: { sign: sql`<`, order: sql`desc` },
  here: { sign: sql`<=`, order: sql`desc` },
  later: { sign: sql`>`, order: sql`asc` },
} as const;

/** Texts on one side of a position, the nearest first: one scan per number, merged. */
async function textsFrom(
  trx: Trx,
  thread: Thread,
  { side, from, most }: { side: keyof typeof sides; from: Cursor | undefined; most: number },
): Promise<TextRow[]> {
  const { sign, order } = sides[side];
  const beyond =
    from === undefined
      ? sql``
      : sql`and (m.created_at, m.message_id) ${sign} (${from.at}::timestamptz, ${from.id}::bigint)`;
  // "materialized": the page first, and the senders only for its rows.
  const { rows } = await sql<TextRow>`
    ${prepared} with page as materialized (
      select w.* from unnest(${thread.numbers}::bigint[]) n(id) cross join lateral (
        select m.* from all_messages m
        where ${inThread(thread)} and m.text_number_id = n.id ${beyond}
        order by m.created_at ${order}, m.message_id ${order} limit ${most}) w
      order by w.created_at ${order}, w.message_id ${order} limit ${most}
    )
    select ${textColumns}
    from page m left join users u on u.account_id = m.account_id and u.user_id = m.user_id
    order by m.created_at ${order}, m.message_id ${order}`.execute(trx);
  return rows;
}
