import { type RawBuilder, sql } from 'kysely';
import { shortenLinks } from '../../../contract/text/short-links.ts';
import type { Trx } from '../../db.ts';
import { readMergeRecipients, writeText } from '../draft/merge-recipients.ts';
import { giveLinks } from '../links/keep-links.ts';
import { segmentsOf, type Taken } from '../second-text/next-part.ts';
import type { DueBroadcast } from './find-due.ts';

/**
 * The next recipients of a zone with a text for each, using their contacts' current values. Each costs what was
 * reserved for it.
 */
export async function composeBodies(
  trx: Trx,
  due: DueBroadcast,
  { zone, count, cursor, who }: { zone: string; count: number } & Taken,
): Promise<RawBuilder<unknown>> {
  const recipients = await readMergeRecipients(
    trx,
    { accountId: due.account_id, broadcastId: due.broadcast_id, text: due.body },
    {
      where: sql`r.zone = ${zone} and r.problem is null and r.recipient_id > ${cursor} and ${who}`,
      rest: sql`order by r.recipient_id limit ${count}`,
    },
  );
  const text = due.link_base === null ? due.body : shortenLinks(due.body, due.link_base).text;
  const common = {
    body: due.sent_prefix + text,
    suffix: due.sent_suffix,
    keepCharacters: due.keep_characters,
  };
  const texts = await giveLinks(
    trx,
    due,
    recipients.map((one) => ({ ...one, body: writeText(one, common) })),
  );
  const written = texts.map(({ recipientId, phone, body, segments: reserved }) => {
    const most = reserved ?? due.segments;
    const segments = due.second === null || !due.is_personalized ? most : segmentsOf(due, body, most);
    return { recipientId, phone, body, segments, credits: due.credits_each > 0 ? segments : 0 };
  });
  const column = <T>(pick: (one: (typeof written)[number]) => T) => written.map(pick);
  return sql`
    select * from unnest(
      ${column((one) => one.recipientId)}::bigint[], ${column((one) => one.phone)}::text[],
      ${column((one) => one.body)}::text[], ${column((one) => one.segments)}::smallint[],
      ${column((one) => one.credits)}::smallint[]
    ) as t(recipient_id, phone, body, segments, credits)`;
}
