import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import { Refusal } from '../../contract/errors.ts';
import { imageLimits } from '../../contract/media.ts';
import {
  animationTooLarge,
  checkImageBytes,
  type ImageType,
  type ImageUse,
  unsupportedConversationImage,
  unsupportedImage,
} from '../../contract/uploads/image.ts';
import type { Trx } from '../db.ts';
import type { FileStore } from '../files.ts';

/** Carriers take pictures up to about 600 kB everywhere; larger ones are scaled down until they fit. */
const carrierBytes = 600_000;
const widths = [1600, 1200, 900, 640] as const;

export interface EncodedImage {
  bytes: Buffer;
  contentType: ImageType;
  width: number;
  height: number;
}

const decoding = { limitInputPixels: imageLimits.pixels, failOn: 'error' } as const;

/**
 * Decodes a picture and encodes it anew, upright, without its metadata (where it was taken), small
 * enough for carriers. What isn't a png or jpg (of broadcasts: or gif) through and through is refused, whatever its
 * name says. A gif that moves still does.
 */
export async function encodeImage(bytes: Buffer, use: ImageUse = 'conversation'): Promise<EncodedImage> {
  // By its first bytes before any decoder sees it: those of other formats have no business here.
  const { type, error } = checkImageBytes(bytes, use);
  if (type === undefined) throw new Refusal('refused', error);
  try {
    const { format, pages = 1 } = await sharp(bytes, decoding).metadata();
    if (`image/${format}` !== type) throw new Error(`${format} in the clothes of ${type}`);
    return await (pages > 1 ? encodeAnimation(bytes) : encodeStill(bytes, format));
  } catch (problem) {
    if (problem instanceof Refusal) throw problem;
    throw new Refusal('refused', use === 'broadcast' ? unsupportedImage : unsupportedConversationImage);
  }
}

/** Telephones show them small; a frame costs as much as a picture. */
const animationWidths = [480, 320, 240] as const;
/** Of ten. At the usual seven four frames of noise take ten seconds instead of one, and are a hundredth smaller. */
const animationEffort = 3;

/** As it is where carriers take it so, else scaled down; all of its frames have to be sound. */
async function encodeAnimation(bytes: Buffer): Promise<EncodedImage> {
  const options = { ...decoding, animated: true } as const;
  const { width, height, pageHeight = height } = await sharp(bytes, options).metadata();
  if (bytes.length <= carrierBytes) {
    await sharp(bytes, options).stats();
    return { bytes, contentType: 'image/gif', width, height: pageHeight };
  }
  for (const most of animationWidths.filter((one) => one < width)) {
    const made = await sharp(bytes, options)
      .resize({ width: most })
      .gif({ effort: animationEffort })
      .toBuffer();
    if (made.length > carrierBytes) continue;
    return {
      bytes: made,
      contentType: 'image/gif',
      width: most,
      height: Math.round((pageHeight * most) / width),
    };
  }
  throw new Refusal('refused', animationTooLarge);
}

async function encodeStill(bytes: Buffer, format: string): Promise<EncodedImage> {
  const options = { ...decoding, animated: false } as const;
  for (const width of widths) {
    const scaled = sharp(bytes, options)
      .rotate()
      .resize({ width, height: width, fit: 'inside', withoutEnlargement: true });
    // A gif that doesn't move is drawn, and so is a png.
    const isPng = format !== 'jpeg' && width === widths[0];
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
  throw new Error('none of the widths is the last one');
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
