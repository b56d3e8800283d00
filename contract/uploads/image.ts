import { extensionOf, noFileProvided, startsWith } from './file-name.ts';

export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif';

/** Uses of a picture: a conversation takes only png and jpg. */
export const imageUses = ['broadcast', 'conversation'] as const;
export type ImageUse = (typeof imageUses)[number];

export const IMAGE_MAX_BYTES = 5 * 1024 * 1024;

export const unsupportedImage = 'Unsupported image format.';
export const unsupportedConversationImage =
  'Unsupported image format. You can send either .png or .jpg images.';

/** Ours: phones accept far less than may be uploaded, and frames can't be dropped unnoticed. */
export const animationTooLarge =
  'This animation is too large for phones, even after resizing. Use a shorter one or a still picture.';

const typeOfExtension: Readonly<Record<string, ImageType>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  png: 'image/png',
};

/** "File size for {ext} files shouldn't exceed 5 MB". */
function imageTooLarge(extension: string): string {
  return `File size for ${extension} files shouldn't exceed 5 MB`;
}

/** Checks that are possible before a byte is read: the message to show, or undefined. */
export function checkImageFile(name: string, bytes: number, use: ImageUse = 'broadcast'): string | undefined {
  const extension = extensionOf(name);
  const type = typeOfExtension[extension];
  if (type === undefined || !isImageAllowed(type, use)) return unsupportedMessage(use);
  if (bytes === 0) return noFileProvided;
  return bytes > IMAGE_MAX_BYTES ? imageTooLarge(extension) : undefined;
}

/** "Magic bytes are checked": the type that the bytes are, whatever the name says, or undefined. */
export function sniffImage(head: Uint8Array): ImageType | undefined {
  if (startsWith(head, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  // GIF87a and GIF89a
  const gif = startsWith(head, [0x47, 0x49, 0x46, 0x38]) && (head[4] === 0x37 || head[4] === 0x39);
  return gif && head[5] === 0x61 ? 'image/gif' : undefined;
}

export type ImageCheck = { type: ImageType; error?: undefined } | { type?: undefined; error: string };

/** Checks the first bytes. A jpg called .png is treated as a jpg; any other disguised file is refused. */
export function checkImageBytes(head: Uint8Array, use: ImageUse = 'broadcast'): ImageCheck {
  const type = sniffImage(head);
  return type !== undefined && isImageAllowed(type, use) ? { type } : { error: unsupportedMessage(use) };
}

/** By its type (image/png …). Animated gifs are for broadcasts. */
export function isImageAllowed(type: string, use: ImageUse): boolean {
  return use === 'broadcast' || type !== 'image/gif';
}

export function unsupportedMessage(use: ImageUse): string {
  return use === 'conversation' ? unsupportedConversationImage : unsupportedImage;
}
