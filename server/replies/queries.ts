import { sql } from 'kysely';
import type { AutoReply } from '../../contract/auto-replies.ts';
import type { Keyword } from '../../contract/keywords.ts';
import type { Trx } from '../db.ts';
import { prepared } from '../prepared.ts';
import type { Actor } from '../serve.ts';
import type { AnsweringNumber, MatchedKeyword } from './rules.ts';

/** Text numbers with their own and their accounts' settings for answers, by id. Across accounts. */
export async function findAnsweringNumbers(
  trx: Trx,
  textNumberIds: number[],
): Promise<Map<number, AnsweringNumber>> {
  const { rows } = await sql<AnsweringNumber>`
    ${prepared} select n.account_id, n.text_number_id, n.phone, n.aggregator_id, n.registration_status, n.is_blocked, n.can_text,
      n.flat_rate_status, n.flat_rate_end_at,
      n.carrier_answers_words,
      a.is_free_trial, a.company_name, a.country_id, a.type_id, a.time_zone,
      case when a.is_auto_reply_on then a.auto_reply_message end as account_message,
      case when r.auto_reply_id is not null then json_build_object('Active', r.active, 'AutoReplyTypeID', r.type_id,
        'DaySchedules', r.day_schedules, 'Message', r.message) end as own_reply
    from text_numbers n
    join accounts a on a.account_id = n.account_id
    left join auto_reply_numbers o on o.account_id = n.account_id and o.text_number_id = n.text_number_id
    left join auto_replies r on r.account_id = o.account_id and r.auto_reply_id = o.auto_reply_id
    where n.text_number_id = any(${textNumberIds}::bigint[])`.execute(trx);
  return new Map(rows.map((row) => [row.text_number_id, row]));
}

/** Those of these words that are an active keyword at their number, with the keyword. Across accounts. */
export async function findKeywords<Asked extends { accountId: number; textNumberId: number; word: string }>(
  trx: Trx,
  words: Asked[],
): Promise<{ asked: Asked; keyword: MatchedKeyword }[]> {
  if (words.length === 0) return [];
  const keyOf = (of: { accountId: number; textNumberId: number; word: string }) =>
    `${of.accountId} ${of.textNumberId} ${of.word}`;
  const { rows } = await sql<MatchedKeyword & { accountId: number; textNumberId: number; word: string }>`
    ${prepared} select n.account_id as "accountId", n.text_number_id as "textNumberId", n.word, k.keyword_id as "keywordId", k.message, k.group_id as "groupId"
    from unnest(
      ${words.map((each) => each.accountId)}::bigint[], ${words.map((each) => each.textNumberId)}::bigint[],
      ${words.map((each) => each.word)}::text[]
    ) as w(account_id, text_number_id, word)
    join keyword_numbers n on n.account_id = w.account_id and n.text_number_id = w.text_number_id and n.word = w.word
    join keywords k on k.account_id = n.account_id and k.keyword_id = n.keyword_id
    where k.active`.execute(trx);
  const found = new Map(
    rows.map(({ accountId, textNumberId, word, ...keyword }) => [
      keyOf({ accountId, textNumberId, word }),
      keyword,
    ]),
  );
  return words.flatMap((asked) => {
    const keyword = found.get(keyOf(asked));
    return keyword === undefined ? [] : [{ asked, keyword }];
  });
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/**
 * Auto replies in the API's format, the oldest first. For users of some numbers only, those of these numbers,
 * and only these numbers' ids.
 */
export async function listAutoReplyRows(
  trx: Trx,
  actor: Actor,
  usableIds: number[],
  which: { id?: number; textNumberId?: number; q?: string; limit?: number; offset?: number } = {},
): Promise<{ Items: AutoReply[]; Size: number }> {
  const { id = null, textNumberId = null, q = '', limit = 1, offset = 0 } = which;
  const { rows } = await sql<AutoReply & { size: number }>`
    select r.auto_reply_id as "ID", r.active as "Active", r.type_id as "AutoReplyTypeID", r.message as "Message",
      '' as "Keyword", r.day_schedules as "DaySchedules", coalesce(n.ids, '{}') as "TextNumberIDs", count(*) over () as size
    from auto_replies r
    left join lateral (
      select array_agg(o.text_number_id order by o.text_number_id) as ids from auto_reply_numbers o
      where o.account_id = r.account_id and o.auto_reply_id = r.auto_reply_id
        and o.text_number_id = any(${usableIds}::bigint[])) n on true
    where r.account_id = ${actor.accountId}
      and (${actor.role !== 'user'} or n.ids is not null)
      and (${id}::bigint is null or r.auto_reply_id = ${id})
      and (${textNumberId}::bigint is null or ${textNumberId} = any(n.ids))
      and strpos(lower(r.message), lower(${q})) > 0
    order by r.auto_reply_id limit ${limit} offset ${offset}`.execute(trx);
  return {
    Items: rows.map((row) => ({
      ...row,
      DaySchedules: Object.fromEntries(
        days.map((day) => [day, row.DaySchedules[day] ?? null]),
      ) as AutoReply['DaySchedules'],
    })),
    Size: rows[0]?.size ?? 0,
  };
}

/** Keywords in the API's format, by word; those that this actor may see, as above. */
export async function listKeywordRows(
  trx: Trx,
  actor: Actor,
  usableIds: number[],
  which: { id?: number; textNumberId?: number; q?: string; limit?: number; offset?: number } = {},
): Promise<{ Items: Keyword[]; Size: number }> {
  const { id = null, textNumberId = null, q = '', limit = 1, offset = 0 } = which;
  const { rows } = await sql<Keyword & { size: number }>`
    select k.keyword_id as "ID", k.keyword as "Keyword", k.message as "Message", k.active as "Active",
      coalesce(n.ids, '{}') as "TextNumberIDs", g.group_id as "ListID", coalesce(g.name, '') as "ListName",
      count(*) over () as size
    from keywords k
    left join groups g on g.account_id = k.account_id and g.group_id = k.group_id and g.deleted_at is null
    left join lateral (
      select array_agg(o.text_number_id order by o.text_number_id) as ids from keyword_numbers o
      where o.account_id = k.account_id and o.keyword_id = k.keyword_id
        and o.text_number_id = any(${usableIds}::bigint[])) n on true
    where k.account_id = ${actor.accountId}
      and (${actor.role !== 'user'} or n.ids is not null)
      and (${id}::bigint is null or k.keyword_id = ${id})
      and (${textNumberId}::bigint is null or ${textNumberId} = any(n.ids))
      and (strpos(lower(k.keyword), lower(${q})) > 0 or strpos(lower(k.message), lower(${q})) > 0)
    order by lower(k.keyword), k.keyword_id limit ${limit} offset ${offset}`.execute(trx);
  return { Items: rows, Size: rows[0]?.size ?? 0 };
}
