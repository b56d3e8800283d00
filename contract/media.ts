import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { explicitStatuses } from './reference/choices.ts';
import { IMAGE_MAX_BYTES, imageUses } from './uploads/image.ts';

/** A picture. Lower-case, as the specification writes it. */
export const mediaItem = z.object({
  mediaId: z.number().int(),
  contentType: z.string(),
  fileName: z.string(),
  full: z.string(),
  preview: z.string(),
  /** One of explicitStatuses; null while nobody has judged it. */
  explicitStatus: z.number().int().min(3).max(6).nullable(),
  isClean: z.boolean(),
  /** Blurred until somebody wants to see it. */
  isExplicit: z.boolean(),
  /** The user who sent it; empty if the contact did. */
  senderName: z.string(),
  timestamp: moment,
});
export type MediaItem = z.output<typeof mediaItem>;

export function isExplicit(status: number | null): boolean {
  return status === explicitStatuses.ExplicitByService || status === explicitStatuses.ExplicitByUser;
}

export function isClean(status: number | null): boolean {
  return status === explicitStatuses.CleanByService || status === explicitStatuses.CleanByUser;
}

/** Pictures in a conversation are png or jpg, those of broadcasts gif too, at most 5 MB. */
export const imageLimits = { bytes: IMAGE_MAX_BYTES, pixels: 50_000_000 } as const;

export const uploadImage = call({
  method: 'POST',
  path: '/media/image/:FileName',
  summary: 'Uploads a picture as the raw body, to send with a text.',
  allow: 'usePictures',
  event: 'media.uploaded',
  uploadBytes: imageLimits.bytes,
  params: z.object({ FileName: z.string().min(1).max(200) }),
  query: z.object({ use: z.enum(imageUses).default('conversation') }),
  reply: mediaItem,
  errors: ['refused', 'tooLarge'],
});

export const classifyMedia = call({
  method: 'PUT',
  path: '/media/:MediaID',
  summary: 'Marks a picture as explicit or not, overriding automatic detection.',
  allow: 'usePictures',
  event: 'media.classified',
  params: z.object({ MediaID: id }),
  body: z.object({
    ExplicitStatus: z.union([
      z.literal(explicitStatuses.CleanByUser),
      z.literal(explicitStatuses.ExplicitByUser),
    ]),
  }),
  reply: mediaItem,
  errors: ['notFound'],
});
