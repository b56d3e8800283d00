import { sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import { linkTokenLength } from '../../../contract/text/short-links.ts';
import type { Database } from '../../db.ts';
import { notify } from '../../notify.ts';
import { isPreview, type LinkRequest } from './rules.ts';

const tokenPattern = new RegExp(`^[A-Za-z0-9]{${linkTokenLength}}$`);

/**
 * Where a short link leads. A person's click is counted, and two within a few seconds are one. Carriers and phones look
 * at links before anybody does; those looks are counted apart.
 */
export async function openLink(database: Database, token: string, request: LinkRequest): Promise<string> {
  if (!tokenPattern.test(token)) throw new Refusal('notFound');
  const counts = isPreview(request)
    ? sql`previews = t.previews + 1`
    : sql`clicks = t.clicks + case when t.last_clicked_at > now() - interval '10 seconds' then 0 else 1 end,
        first_clicked_at = coalesce(t.first_clicked_at, now()), last_clicked_at = now()`;
  return database.system.transaction().execute(async (trx) => {
    const { rows } = await sql<{ url: string; account_id: number; broadcast_id: number; is_first: boolean }>`
      update link_tokens t set ${counts}
      from links l
      where t.token = ${token} and l.account_id = t.account_id and l.link_id = t.link_id
      returning l.url, l.account_id, l.broadcast_id, old.clicks = 0 and new.clicks = 1 as is_first`.execute(
      trx,
    );
    const [link] = rows;
    if (link === undefined) throw new Refusal('notFound');
    if (link.is_first)
      await notify(trx, link.account_id, [{ type: 'broadcast.changed', BroadcastID: link.broadcast_id }]);
    return link.url;
  });
}
