import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import {
  checkImageBytes,
  type ImageUse,
  unsupportedConversationImage,
  unsupportedImage,
} from '../../contract/uploads/image.ts';
import type { Trx } from '../db.ts';
import type { FileStore } from '../files.ts';
import { askEncoder } from './ask-encoder.ts';
import type { EncodedImage } from './encode-image.ts';

/**
 * Decodes a picture and encodes it again, upright, without its metadata (such as its location), small enough
 * for carriers. Anything but a complete png or jpg (for broadcasts: or gif) is refused, whatever its name
 * says. An animated gif stays animated.
 */
export async function encodeImage(bytes: Buffer, use: ImageUse = 'conversation'): Promise<EncodedImage> {
  // By its first bytes before any decoder sees it: other formats are not accepted here.
  const { type, error } = checkImageBytes(bytes, use);
  if (type === undefined) throw new Refusal('refused', error);
  const answer = await askEncoder(bytes, type);
  if ('image' in answer) return answer.image;
  throw new Refusal(
    'refused',
    answer.refusal ?? (use === 'broadcast' ? unsupportedImage : unsupportedConversationImage),
  );
}

/** Saves an encoded picture: the bytes in the store, a row that belongs to the account. */
export async function createImage(
  trx: Trx,
  files: FileStore,
  image: EncodedImage,
  about: {
    accountId: number;
    userId: number | null;
    fileName: string;
    /** Its inbound text. */
    messageId?: number;
    /** True if a service should check it. */
    isToJudge?: boolean;
  },
) {
  const contentHash = await files.save(image.bytes);
  return trx
    .insertInto('media')
    .values({
      account_id: about.accountId,
      public_key: randomBytes(18).toString('base64url'),
      content_type: image.contentType,
      file_name: about.fileName,
      byte_size: image.bytes.length,
      width: image.width,
      height: image.height,
      content_hash: contentHash,
      created_by_user_id: about.userId,
      message_id: about.messageId ?? null,
      explicit_due_at: about.isToJudge ? sql`now()` : null,
    })
    .returning(['media_id', 'public_key', 'content_type', 'file_name', 'explicit_status', 'created_at'])
    .executeTakeFirstOrThrow();
}
