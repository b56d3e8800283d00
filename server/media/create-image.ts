import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import { Refusal } from '../../contract/errors.ts';
import { imageLimits } from '../../contract/media.ts';
import { checkImageBytes, unsupportedConversationImage } from '../../contract/uploads/image.ts';
import type { Trx } from '../db.ts';
import type { FileStore } from '../files.ts';

/** Carriers take pictures up to about 600 kB everywhere; larger ones are scaled down until they fit. */
const carrierBytes = 600_000;
const widths = [1600, 1200, 900, 640] as const;

export interface EncodedImage {
  bytes: Buffer;
  contentType: 'image/png' | 'image/jpeg';
  width: number;
  height: number;
}

/**
 * Decodes a picture and encodes it anew, upright, without its metadata (where it was taken), small
 * enough for carriers. What isn't a png or jpg through and through is refused, whatever its name says.
 */
export async function encodeImage(bytes: Buffer): Promise<EncodedImage> {
  // By its first bytes before any decoder sees it: those of other formats have no business here.
  if (checkImageBytes(bytes, 'conversation').error !== undefined)
    throw new Refusal('refused', unsupportedConversationImage);
  const options = { limitInputPixels: imageLimits.pixels, failOn: 'error', animated: false } as const;
  let format: string;
  try {
    ({ format } = await sharp(bytes, options).metadata());
  } catch {
    throw new Refusal('refused', unsupportedConversationImage);
  }
  if (format !== 'png' && format !== 'jpeg') throw new Refusal('refused', unsupportedConversationImage);
  try {
    for (const width of widths) {
      const scaled = sharp(bytes, options)
        .rotate()
        .resize({ width, height: width, fit: 'inside', withoutEnlargement: true });
      const isPng = format === 'png' && width === widths[0];
      const made = await (isPng
        ? scaled.png()
        : scaled.flatten({ background: '#fff' }).jpeg({ quality: 82 })
      ).toBuffer({
        resolveWithObject: true,
      });
      if (made.data.length <= carrierBytes || width === widths.at(-1)) {
        return {
          bytes: made.data,
          contentType: isPng ? 'image/png' : 'image/jpeg',
          width: made.info.width,
          height: made.info.height,
        };
      }
    }
  } catch {
    throw new Refusal('refused', unsupportedConversationImage);
  }
  throw new Refusal('refused', unsupportedConversationImage);
}

/** Keeps an encoded picture: the bytes in the store, a row that belongs to the account. */
export async function createImage(
  trx: Trx,
  files: FileStore,
  image: EncodedImage,
  about: {
    accountId: number;
    userId: number | null;
    fileName: string;
    /** The inbound text that brought it. */
    messageId?: number;
    /** Whether a service should look at it. */
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
