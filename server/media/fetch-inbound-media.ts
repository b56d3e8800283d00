import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { imageLimits } from '../../contract/media.ts';
import type { Config } from '../config.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import type { FileStore } from '../files.ts';
import { enqueue, type Tasks } from '../jobs.ts';
import { notify } from '../notify.ts';
import type { Carrier } from '../outside/carrier.ts';
import { MediaRefused } from '../outside/fetch-media.ts';
import { attachMedia } from './attach-media.ts';
import { createImage, encodeImage } from './create-image.ts';
import type { EncodedImage } from './encode-image.ts';

/**
 * Fetches one picture of an inbound text from the carrier, outside any transaction, and attaches it to the
 * text. If a carrier doesn't respond, the job engine retries; a file that isn't a picture or is unavailable
 * for good is recorded and skipped.
 */
export async function fetchInboundMedia(
  context: { config: Config; database: Database; files: FileStore; carriers: Map<number, Carrier> },
  { accountId, messageId, position }: Tasks['fetch_inbound_media'],
): Promise<void> {
  const { config, database, files, carriers } = context;
  const row = await database.system
    .selectFrom('inbound_media')
    .select(['url', 'aggregator_id'])
    .where('account_id', '=', accountId)
    .where('message_id', '=', messageId)
    .where('position', '=', position)
    .where('problem', 'is', null)
    .executeTakeFirst();
  const carrier = row && carriers.get(row.aggregator_id);
  if (row === undefined || carrier === undefined) return;
  const note = (trx: Trx, problem: string) =>
    trx
      .updateTable('inbound_media')
      .set({ problem })
      .where('account_id', '=', accountId)
      .where('message_id', '=', messageId)
      .where('position', '=', position)
      .execute();
  let image: EncodedImage;
  try {
    // Telephones also send animated pictures, though a conversation here sends none.
    image = await encodeImage(await carrier.fetchMedia(row.url, imageLimits.bytes), 'broadcast');
  } catch (error) {
    if (!(error instanceof MediaRefused) && !(error instanceof Refusal)) throw error;
    const problem = error instanceof MediaRefused ? error.message : 'not a picture';
    await asSystem(database, (trx) => note(trx, problem));
    return;
  }
  await asSystem(database, async (trx) => {
    const extension = image.contentType.replace('image/', '').replace('jpeg', 'jpg');
    const fileName = `picture-${messageId}-${position + 1}.${extension}`;
    const isToJudge = config.VISION_API_KEY !== undefined;
    const about = { accountId, userId: null, fileName, messageId, isToJudge };
    const { media_id } = await createImage(trx, files, image, about);
    if (isToJudge) await enqueue(trx, 'classify_media', {});
    const conversationId = await attachMedia(trx, { accountId, messageId, position, mediaId: media_id });
    if (conversationId !== undefined) {
      await notify(trx, accountId, [{ type: 'conversation.changed', ConversationID: conversationId }]);
    }
  });
}

/** A job for a row of inbound_media, in a statement that selects from it; at most one waiting at a time. */
export const fetchJob = sql`enqueue('fetch_inbound_media',
  json_build_object('accountId', account_id, 'messageId', message_id, 'position', position),
  null, 'media-' || account_id || '-' || message_id || '-' || position, 12, 0)`;

/**
 * Requests again everything that still has to be fetched: the job of a killed worker stays locked for hours.
 * Fetching a picture twice attaches it once.
 */
export async function resumeInboundMedia(database: Database): Promise<void> {
  await sql`select ${fetchJob} from inbound_media where problem is null`.execute(database.system);
}
