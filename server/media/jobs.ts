import { sql } from 'kysely';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { fetchInboundMedia } from './fetch-inbound-media.ts';
import { createPictureJudge } from './judge-pictures.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** A picture of an inbound text has to be fetched from the carrier. */
    fetch_inbound_media: { accountId: number; messageId: number; position: number };
    /** An inbound picture has to be checked. */
    classify_media: Record<string, never>;
  }
}

export function createMediaJobs(context: JobContext) {
  const judgePictures = createPictureJudge(context);
  return {
    tasks: {
      fetch_inbound_media: (payload) => fetchInboundMedia(context, payload),
      classify_media: judgePictures,
    },
    waiting: [
      {
        where: sql`exists (select from media where explicit_due_at <= now())`,
        run: judgePictures,
      },
    ],
  } satisfies SliceJobs;
}
