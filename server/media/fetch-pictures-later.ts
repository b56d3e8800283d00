import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { fetchJob } from './fetch-inbound-media.ts';

export interface TextWithPictures {
  accountId: number;
  messageId: number;
  aggregator_id: number;
  media: { url: string }[];
}

/** Lists the pictures that are still at the carrier, each with a job that fetches it. */
export async function fetchPicturesLater(trx: Trx, texts: TextWithPictures[]): Promise<void> {
  const pictures = texts.flatMap((text) =>
    text.media.map(({ url }, position) => ({ ...text, position, url })),
  );
  if (pictures.length === 0) return;
  const column = <T>(pick: (picture: (typeof pictures)[number]) => T) => pictures.map(pick);
  await sql`
    with picture as (
      insert into inbound_media (account_id, message_id, position, aggregator_id, url)
      select * from unnest(
        ${column((p) => p.accountId)}::bigint[], ${column((p) => p.messageId)}::bigint[], ${column((p) => p.position)}::smallint[],
        ${column((p) => p.aggregator_id)}::smallint[], ${column((p) => p.url)}::text[])
      returning account_id, message_id, position
    )
    select ${fetchJob} from picture`.execute(trx);
}
