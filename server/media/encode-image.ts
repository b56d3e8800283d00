import sharp from 'sharp';
import { Refusal } from '../../contract/errors.ts';
import { imageLimits } from '../../contract/media.ts';
import { animationTooLarge, type ImageType } from '../../contract/uploads/image.ts';

/** All carriers accept pictures up to about 600 kB; larger ones are scaled down until they fit. */
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
 * Decodes a picture and encodes it again, upright, without its metadata, small enough for carriers. Throws
 * when the data doesn't match its first bytes.
 */
export async function encodeHere(bytes: Buffer, type: ImageType): Promise<EncodedImage> {
  const { format, pages = 1 } = await sharp(bytes, decoding).metadata();
  if (`image/${format}` !== type) throw new Error(`${format} in the clothes of ${type}`);
  return pages > 1 ? encodeAnimation(bytes) : encodeStill(bytes, format);
}

/** Telephones show them small; a frame costs as much as a picture. */
const animationWidths = [480, 320, 240] as const;
/** Of ten. At the usual seven four frames of noise take ten seconds instead of one, and are a hundredth smaller. */
const animationEffort = 3;

/** In its size if carriers accept it, else scaled down; all of its frames have to be valid. */
async function encodeAnimation(bytes: Buffer): Promise<EncodedImage> {
  const options = { ...decoding, animated: true } as const;
  const { width, height, pageHeight = height } = await sharp(bytes, options).metadata();
  const own = bytes.length <= carrierBytes ? [width] : [];
  for (const most of [...own, ...animationWidths.filter((one) => one < width)]) {
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
    // A gif without animation is a drawing, and so is a png.
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
