import { z } from 'zod';
import { call } from './call.ts';
import { mediaItem } from './conversations.ts';
import { IMAGE_MAX_BYTES } from './uploads/image.ts';

/** Pictures in a conversation are png or jpg, at most 5 MB. */
export const imageLimits = { bytes: IMAGE_MAX_BYTES, pixels: 50_000_000 } as const;

export const uploadImage = call({
  method: 'POST',
  path: '/media/image/:FileName',
  summary: 'Takes a picture as the raw body and keeps it for a text.',
  allow: 'user',
  uploadBytes: imageLimits.bytes,
  params: z.object({ FileName: z.string().min(1).max(200) }),
  reply: mediaItem,
  errors: ['refused', 'tooLarge'],
});
