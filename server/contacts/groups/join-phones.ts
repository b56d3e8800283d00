import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { recordAddedContacts } from '../../record-added-contacts.ts';
import { keepContacts, rowsWritten, writeMembers } from '../keep-written.ts';

export interface JoiningPhone {
  accountId: number;
  phone: string;
  /** The group that its contacts join; null for none. */
  groupId: number | null;
}

/**
 * Creates contacts for unknown phones, and adds the owners of phones to groups: all contacts with it as the
 * first phone, or without any, those with it as another phone. Deleted groups and segments are skipped. Two
 * statements whatever their number. The caller holds the accounts' contacts (lock-contacts.ts).
 */
export async function joinPhones(trx: Trx, joining: JoiningPhone[]): Promise<void> {
  if (joining.length === 0) return;
  const wanted = sql`
    select * from unnest(
      ${joining.map((each) => each.accountId)}::bigint[], ${joining.map((each) => each.phone)}::text[],
      ${joining.map((each) => each.groupId)}::bigint[]) as w(account_id, phone, group_id)`;
  const having = (column: 'primary_phone' | 'secondary_phone' | 'tertiary_phone') => sql`
    select c.account_id, c.person_id, c.sort_name from contacts c
    where c.account_id = w.account_id and c.${sql.ref(column)} = w.phone and c.deleted_at is null`;
  await sql`
    with made as (
      insert into contacts (account_id, primary_phone)
      select distinct w.account_id, w.phone from (${wanted}) w
      where not exists (${having('primary_phone')}) and not exists (${having('secondary_phone')})
        and not exists (${having('tertiary_phone')})
      order by 1, 2
      returning account_id, person_id, ${rowsWritten}
    ),
    told as (${recordAddedContacts(sql`made`)})
    select from ${keepContacts(sql`made`)}`.execute(trx);
  if (joining.every(({ groupId }) => groupId === null)) return;
  await writeMembers(
    trx,
    sql`
    insert into group_members (account_id, group_id, person_id, sort_name)
    select distinct g.account_id, g.group_id, p.person_id, p.sort_name
    from (${wanted}) w
    join groups g on g.account_id = w.account_id and g.group_id = w.group_id and g.deleted_at is null and g.segment is null
    join lateral (
      ${having('primary_phone')}
      union ${having('secondary_phone')} and not exists (${having('primary_phone')})
      union ${having('tertiary_phone')} and not exists (${having('primary_phone')})
    ) p on true
    order by 1, 2, 3
    on conflict do nothing`,
  );
}
