import { sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import { linkTokenLength } from '../../../contract/text/short-links.ts';
import type { Database, Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import { isPreview, type LinkRequest } from './rules.ts';

const tokenPattern = new RegExp(`^[A-Za-z0-9]{${linkTokenLength}}$`);

interface Opened {
  url: string;
  account_id: number;
  broadcast_id: number;
  link_id: number;
  recipient_id: number;
  is_first: boolean;
}

/**
 * The destination of a short link. A person's click is counted, and two within a few seconds count as one.
 * Carriers and phones open links before any person does; those visits are counted separately.
 */
export async function openLink(database: Database, token: string, request: LinkRequest): Promise<string> {
  if (!tokenPattern.test(token)) throw new Refusal('notFound');
  const counts = isPreview(request)
    ? sql`previews = t.previews + 1`
    : sql`clicks = t.clicks + case when t.last_clicked_at > now() - interval '10 seconds' then 0 else 1 end,
        first_clicked_at = coalesce(t.first_clicked_at, now()), last_clicked_at = now()`;
  return database.system.transaction().execute(async (trx) => {
    const { rows } = await sql<Opened>`
      update link_tokens t set ${counts}
      from links l
      where t.token = ${token} and l.account_id = t.account_id and l.link_id = t.link_id
      returning l.url, l.account_id, l.broadcast_id, l.link_id, t.recipient_id,
        old.clicks = 0 and new.clicks = 1 as is_first`.execute(trx);
    const [link] = rows;
    if (link === undefined) throw new Refusal('notFound');
    if (link.is_first) {
      await notify(trx, link.account_id, [{ type: 'broadcast.changed', BroadcastID: link.broadcast_id }]);
      await keepOpening(trx, link);
    }
    return link.url;
  });
}

/**
 * For webhooks, if there are any: reported in batches (tell-opened.ts). Two links to one place are opened
 * once.
 */
async function keepOpening(trx: Trx, { account_id, link_id, recipient_id }: Opened): Promise<void> {
  await sql`
    insert into opened_links (account_id, link_id, recipient_id)
    select ${account_id}::bigint, ${link_id}::bigint, ${recipient_id}::bigint
    where exists (
      select from webhook_endpoints
      where account_id = ${account_id} and is_enabled and deleted_at is null and event_types @> '{link.opened}')
    on conflict do nothing`.execute(trx);
}
