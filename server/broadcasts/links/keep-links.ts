import { sql } from 'kysely';
import { linkBase, shortenLinks } from '../../../contract/text/short-links.ts';
import type { Trx } from '../../db.ts';
import type { Sending } from '../draft/read-sending.ts';
import { newTokens } from './rules.ts';

/** A text with placeholders as long as its future short links. */
export async function withPlaces(
  trx: Trx,
  accountId: number,
  { text, publicUrl }: { text: string; publicUrl: string },
): Promise<string> {
  const { link_host } = await trx
    .selectFrom('accounts')
    .select('link_host')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return shortenLinks(text, link_host === null ? linkBase(publicUrl) : `https://${link_host}/l/`).text;
}

/** Turns the shortening of a draft's links on or off, on the account's own host or on this installation's address. */
export async function setLinkBase(
  trx: Trx,
  { accountId, broadcastId }: { accountId: number; broadcastId: number },
  { isOn, publicUrl }: { isOn: boolean; publicUrl: string },
): Promise<void> {
  await sql`
    update broadcasts b set link_base = case when ${isOn} then
      coalesce('https://' || a.link_host || '/l/', ${linkBase(publicUrl)}) end
    from accounts a
    where a.account_id = b.account_id and b.account_id = ${accountId} and b.broadcast_id = ${broadcastId}`.execute(
    trx,
  );
}

/**
 * Puts the links of everything that isn't sent yet on the account's present host: drafts, and what repeating
 * broadcasts and campaigns copy each time. What was sent or scheduled keeps its own, because its length is
 * frozen.
 */
export async function renewLinkBases(trx: Trx, accountId: number, publicUrl: string): Promise<void> {
  await sql`
    update broadcasts b set link_base = coalesce('https://' || a.link_host || '/l/', ${linkBase(publicUrl)})
    from accounts a
    where a.account_id = b.account_id and b.account_id = ${accountId} and b.link_base is not null
      and b.status in ('draft', 'model') and b.deleted_at is null`.execute(trx);
}

/**
 * Saves the destinations of the links of a broadcast that is being sent. Sent again after an edit, it may
 * have others.
 */
export async function keepLinks(
  trx: Trx,
  { accountId, broadcast_id, links, link_base }: Sending,
): Promise<void> {
  if (link_base === null) return;
  await sql`delete from links where account_id = ${accountId} and broadcast_id = ${broadcast_id}`.execute(
    trx,
  );
  await sql`
    insert into links (account_id, broadcast_id, url, place)
    select ${accountId}::bigint, ${broadcast_id}::bigint, url, place
    from unnest(${links.map(({ url }) => url)}::text[], ${links.map(({ place }) => place)}::text[]) as l(url, place)`.execute(
    trx,
  );
}

interface LinkedBroadcast {
  account_id: number;
  broadcast_id: number;
  link_base: string | null;
}

interface Written {
  recipientId: number;
  body: string;
}

/** Gives every text of a slice its own links, all in one statement. */
export async function giveLinks<Text extends Written>(
  trx: Trx,
  { account_id, broadcast_id, link_base }: LinkedBroadcast,
  texts: Text[],
): Promise<Text[]> {
  if (link_base === null || texts.length === 0) return texts;
  const { rows: links } = await sql<{ link_id: number; place: string }>`
    select link_id, place from links where account_id = ${account_id} and broadcast_id = ${broadcast_id}`.execute(
    trx,
  );
  const tokens = newTokens(texts.length * links.length);
  const given: { token: string; linkId: number; recipientId: number }[] = [];
  const linked = texts.map((text) => {
    let { body } = text;
    for (const { link_id: linkId, place } of links) {
      if (!body.includes(place)) continue;
      const token = tokens.pop() ?? '';
      given.push({ token, linkId, recipientId: text.recipientId });
      body = body.replaceAll(place, link_base + token);
    }
    return { ...text, body };
  });
  await sql`
    insert into link_tokens (account_id, token, link_id, recipient_id)
    select ${account_id}::bigint, * from unnest(
      ${given.map(({ token }) => token)}::text[], ${given.map(({ linkId }) => linkId)}::bigint[],
      ${given.map(({ recipientId }) => recipientId)}::bigint[])`.execute(trx);
  return linked;
}
