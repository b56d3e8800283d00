import { sql } from 'kysely';
import type { BroadcastLink } from '../../../contract/broadcasts.ts';
import type { Trx } from '../../db.ts';

/** The links of a broadcast with their clicks. A person counts once for a link, however often they open it. */
export async function listLinks(trx: Trx, accountId: number, broadcastId: number): Promise<BroadcastLink[]> {
  const { rows } = await sql<BroadcastLink>`
    select l.url as "Url", coalesce(t.people, 0)::int as "PeopleCount", coalesce(t.clicks, 0)::int as "ClickCount",
      coalesce(t.previews, 0)::int as "PreviewCount"
    from links l
    left join lateral (
      select count(*) filter (where clicks > 0) as people, sum(clicks) as clicks, sum(previews) as previews
      from link_tokens t
      where t.account_id = l.account_id and t.link_id = l.link_id and (t.clicks > 0 or t.previews > 0)) t on true
    where l.account_id = ${accountId} and l.broadcast_id = ${broadcastId}
    order by l.place`.execute(trx);
  return rows;
}

/** Time when a recipient first opened each link. */
export async function listClicks(
  trx: Trx,
  { accountId, recipientId }: { accountId: number; recipientId: number },
): Promise<{ url: string; clicks: number; at: Date }[]> {
  const { rows } = await sql<{ url: string; clicks: number; at: Date }>`
    select l.url, t.clicks, t.first_clicked_at as at from link_tokens t
    join links l on l.account_id = t.account_id and l.link_id = t.link_id
    where t.account_id = ${accountId} and t.recipient_id = ${recipientId} and t.clicks > 0
    order by t.first_clicked_at`.execute(trx);
  return rows;
}
