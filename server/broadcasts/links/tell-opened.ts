import { sql } from 'kysely';
import { asSystem, type Database, type Trx } from '../../db.ts';
import { recordEvents } from '../../record-events.ts';

/** Openings in one event and in one transaction. */
const toldAtOnce = 500;

/** A recipient who opened a link, as stored in the event. */
export interface OpenedLink {
  linkId: number;
  recipientId: number;
  at: string;
}

/** True if there are openings of links that webhooks haven't received yet. */
export const opensWait = sql`exists (select from opened_links)`;

/**
 * Creates one event about up to 500 people who opened links of an account. Taking the rows and writing the
 * event commit together, so each opening is reported once. A second process takes others.
 */
export async function tellOpenedLinks(database: Database): Promise<void> {
  while ((await asSystem(database, tellSome)) === toldAtOnce);
}

async function tellSome(trx: Trx): Promise<number> {
  const { rows } = await sql<OpenedLink & { accountId: number }>`
    delete from opened_links o using (
      select account_id, link_id, recipient_id from opened_links
      limit ${toldAtOnce} for update skip locked) some_of
    where o.account_id = some_of.account_id and o.link_id = some_of.link_id
      and o.recipient_id = some_of.recipient_id
    returning o.account_id as "accountId", o.link_id as "linkId", o.recipient_id as "recipientId",
      o.opened_at as at`.execute(trx);
  for (const [accountId, some] of Map.groupBy(rows, (row) => row.accountId)) {
    const opens = some.map(({ linkId, recipientId, at }) => ({ linkId, recipientId, at }));
    await recordEvents(trx, { accountId }, [
      { kind: 'link.opened', count: opens.length, changes: { opens } },
    ]);
  }
  return rows.length;
}
