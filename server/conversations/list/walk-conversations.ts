import { type RawBuilder, sql } from 'kysely';
import type { Cursor } from '../../cursor.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import {
  type ConversationFilter,
  dayConditions,
  markConditions,
  type Scope,
  shownConditions,
} from '../queries.ts';

type Fragment = RawBuilder<unknown>;

/** A row of a page: the conversation, its sort value, and the text that a search has found in it. */
export interface PageRow {
  id: number;
  at: string;
  messageId: number | null;
}

/** A part of a list: where it begins and how many rows are requested, one more than the page shows. */
export interface Part {
  isLatestFirst: boolean;
  after: Cursor | undefined;
  offset: number;
  rows: number;
}

/** The source that a list is read from, in order. */
interface Source {
  /** Tables with their joins; `c` is the conversation. */
  from: Fragment;
  /** The table whose index is scanned. */
  walked: Fragment;
  /** The sort column. */
  at: Fragment;
  /** The leading columns of the index, after the account. */
  keys: Fragment[];
  /** The scanned table has a place and a number before the sort column. */
  hasPlaces: boolean;
  hasNumbers: boolean;
  /** The filter conditions that the source doesn't already imply. */
  rest: ConversationFilter;
}

/**
 * A page of a list without a search: one scan per place, and per text number if the actor doesn't see all,
 * each limited to what fits on the page, merged. So no list skips rows that it doesn't show, however many
 * others there are.
 */
export async function walkConversations(
  trx: Trx,
  actor: Actor,
  { filter, scope, part }: { filter: ConversationFilter; scope: Scope; part: Part },
): Promise<PageRow[]> {
  if (scope.numbers.length === 0) return [];
  const { rows } = await sql<PageRow>`
    select conversation_id as id, to_json(at) #>> '{}' as at, null as "messageId"
    from (${walkedRows(actor, { filter, scope, part, conditions: dayConditions(actor, filter) })}) page
    order by page.at ${direction(part)}, conversation_id ${direction(part)}
    limit ${part.rows} offset ${part.offset}`.execute(trx);
  return rows;
}

/** The rows (conversation_id, at, phone) that include the page, unsorted. */
export function walkedRows(
  actor: Actor,
  {
    filter,
    scope,
    part,
    conditions,
  }: { filter: ConversationFilter; scope: Scope; part: Part; conditions: Fragment[] },
): Fragment {
  const source = sourceOf(actor, filter);
  const isByNumber = source.hasNumbers && !scope.isEveryNumber;
  // The index of the latest covers all places in one scan; the others begin with the place.
  const isOnePlace = source.hasPlaces && (scope.places !== undefined || isByNumber || source.keys.length > 0);
  const where = [
    sql`${source.walked}.account_id = ${actor.accountId}`,
    ...source.keys,
    ...markConditions(actor, source.rest),
    ...shownConditions(scope),
    ...conditions,
    ...beyond(part, source.at, sql`${source.walked}.conversation_id`),
    ...(scope.isEveryNumber || isByNumber ? [] : [sql`c.text_number_id = any(${scope.numbers}::bigint[])`]),
    ...(isOnePlace || scope.places === undefined ? [] : [sql`c.place = any(${scope.places}::smallint[])`]),
  ];
  const walks = (isOnePlace ? (scope.places ?? everywhere) : [undefined]).map((place) => {
    const ofPlace = place === undefined ? [] : [sql`${source.walked}.place = ${sql.lit(place)}`];
    const ofNumber = isByNumber ? [sql`${source.walked}.text_number_id = n.id`] : [];
    const rows = sql`
      select ${source.walked}.conversation_id, ${source.at} as at, c.phone from ${source.from}
      where ${sql.join([...where, ...ofPlace, ...ofNumber], sql` and `)}
      order by ${source.at} ${direction(part)}, ${source.walked}.conversation_id ${direction(part)}
      limit ${part.offset + part.rows}`;
    return isByNumber
      ? sql`(select w.* from unnest(${scope.numbers}::bigint[]) n(id) cross join lateral (${rows}) w)`
      : sql`(${rows})`;
  });
  return sql.join(walks, sql` union all `);
}

/** Every value of conversations.place. */
const everywhere = [0, 1, 2, 3];

function sourceOf(actor: Actor, filter: ConversationFilter): Source {
  const { tag, viewing, assignedTo, broadcastId } = filter;
  const own = { from: sql`conversations c`, walked: sql`c`, at: sql`c.last_message_at`, rest: filter };
  if (broadcastId !== undefined) {
    return {
      from: sql`broadcast_replies b
        join conversations c on c.account_id = b.account_id and c.conversation_id = b.conversation_id`,
      walked: sql`b`,
      at: sql`b.replied_at`,
      keys: [sql`b.broadcast_id = ${broadcastId}`],
      hasPlaces: false,
      hasNumbers: false,
      rest: { ...filter, broadcastId: undefined },
    };
  }
  if (typeof tag === 'number') {
    return {
      from: sql`conversation_tags t
        join conversations c on c.account_id = t.account_id and c.conversation_id = t.conversation_id`,
      walked: sql`t`,
      at: sql`t.last_message_at`,
      keys: [sql`t.tag_id = ${tag}`],
      hasPlaces: true,
      hasNumbers: true,
      rest: { ...filter, tag: undefined },
    };
  }
  if (viewing === 'waiting') {
    // By waiting time: the latest first, or with `oldest` the longest wait first.
    return { ...own, at: sql`c.waiting_since`, keys: [], hasPlaces: true, hasNumbers: true };
  }
  if (viewing === 'noanswer') {
    return { ...own, at: sql`c.courtesy_since`, keys: [], hasPlaces: true, hasNumbers: false };
  }
  const assignee = viewing === 'mine' ? actor.userId : assignedTo;
  if (assignee !== undefined) {
    // A number's rows are checked one by one: the conversations assigned to one person are mostly at numbers
    // that others use too.
    const keys = [sql`c.assigned_user_id = ${assignee}`];
    return { ...own, keys, hasPlaces: true, hasNumbers: false };
  }
  return { ...own, keys: [], hasPlaces: true, hasNumbers: true };
}

/** The rows after the cursor, in the list's order. */
export function beyond({ after, isLatestFirst }: Part, at: Fragment, id: Fragment): Fragment[] {
  if (after === undefined) return [];
  const sign = isLatestFirst ? sql`<` : sql`>`;
  return [sql`(${at}, ${id}) ${sign} (${after.at}::timestamptz, ${after.id}::bigint)`];
}

export function direction({ isLatestFirst }: Part): Fragment {
  return isLatestFirst ? sql`desc` : sql`asc`;
}
