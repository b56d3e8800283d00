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
    recipients.map((one) => ({ recipientId: one.recipientId, body: writeText(one, common) })),
  );
  const segments = recipients.map((one, index) => {
    const reserved = one.segments ?? due.segments;
    return due.second === null || !due.is_personalized
      ? reserved
      : segmentsOf(due, texts[index]?.body ?? '', reserved);
  });
  return sql`
    select * from unnest(
      ${recipients.map((one) => one.recipientId)}::bigint[], ${recipients.map((one) => one.phone)}::text[],
      ${texts.map(({ body }) => body)}::text[], ${segments}::smallint[],
      ${segments.map((many) => (due.credits_each > 0 ? many : 0))}::smallint[]
    ) as t(recipient_id, phone, body, segments, credits)`;
}
