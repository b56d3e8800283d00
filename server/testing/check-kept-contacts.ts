import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../db.ts';

/**
 * Compares the data that is kept for contacts with the contacts themselves: counts, unfiled, names,
 * search.
 */
export async function checkKeptContacts(
  { database }: { database: Database },
  accountId: number,
): Promise<void> {
  const { rows } = await sql<{ wrong: string }>`
    with counted as (
      select group_id as list_id, count(*) as many from group_members where account_id = ${accountId} group by 1
      union all
      select case when deleted_at is null then 0 else -2 end, count(*) from contacts
      where account_id = ${accountId} group by 1
    )
    select 'count of list ' || coalesce(k.list_id, n.list_id) as wrong
    -- A segment's count is from its last evaluation.
    from (select * from list_counts where account_id = ${accountId} and list_id not in (
      select group_id from groups where account_id = ${accountId} and segment is not null)) k
    full join counted n on n.list_id = k.list_id
    where coalesce(k.roster_count, 0) <> coalesce(n.many, 0)
    union all
    select 'unfiled ' || c.person_id from contacts c
    where c.account_id = ${accountId} and (c.deleted_at is null and not exists (
        select from group_members m where m.account_id = ${accountId} and m.person_id = c.person_id and m.group_id > 0))
      <> exists (
        select from group_members m where m.account_id = ${accountId} and m.person_id = c.person_id and m.group_id = -1)
    union all
    select 'member ' || m.person_id || ' of ' || m.group_id from group_members m
    left join contacts c on c.account_id = m.account_id and c.person_id = m.person_id and c.deleted_at is null
    where m.account_id = ${accountId} and m.sort_name is distinct from c.sort_name
    union all
    select 'search of ' || coalesce(c.person_id, s.person_id)
    from (select * from contacts where account_id = ${accountId} and deleted_at is null) c
    full join (select * from contact_search where account_id = ${accountId}) s on s.person_id = c.person_id
    where s.search_text is distinct from contact_search_text(c.first_name, c.last_name, c.notes,
      c.primary_phone, c.secondary_phone, c.tertiary_phone, c.custom_data)
      or s.sort_name is distinct from c.sort_name
    union all
    select 'word ' || coalesce(s.word, w.word) || ' of ' || coalesce(s.person_id, w.person_id)
    from (
      select distinct person_id, sort_name, t.word from contact_search, words_of_contact(search_text) t(word)
      where account_id = ${accountId}) s
    full join (select * from contact_words where account_id = ${accountId}) w
      on w.person_id = s.person_id and w.word = s.word and w.sort_name = s.sort_name
    where s.word is null or w.word is null
      or not exists (select from known_words k where k.account_id = ${accountId} and k.word = w.word)
    limit 10`.execute(database.system);
  expect(rows.map(({ wrong }) => wrong)).toEqual([]);
}
