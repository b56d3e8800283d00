import { sql } from 'kysely';
import { asSystem, type Database, type Trx } from '../../db.ts';
import { recordEvents } from '../../record-events.ts';

/** Openings of one event and of one transaction. */
const toldAtOnce = 500;

/** Who opened a link, as the event keeps it for its readers. */
export interface OpenedLink {
  linkId: number;
  recipientId: number;
  at: string;
}

/** Whether anybody opened a link that webhooks aren't told of. */
export const opensWait = sql`exists (select from opened_links)`;

/**
 * Makes one event of up to 500 people who opened links of an account. Taking the rows and writing the event commit
 * together: each opening is told once. A second process takes others.
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
