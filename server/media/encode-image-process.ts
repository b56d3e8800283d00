/**
 * Encodes pictures in a separate process. A picture of 50 million pixels takes up to 200 MB, which malloc
 * doesn't return to the system; here it is freed with the process. A file that crashes a decoder also ends
 * nothing else.
 */
import sharp from 'sharp';
import { Refusal } from '../../contract/errors.ts';
import type { EncoderAnswer, EncoderTask } from './ask-encoder.ts';
import { encodeHere } from './encode-image.ts';

// No picture is repeated: a cache would only use memory.
sharp.cache(false);
sharp.concurrency(1);

process.on('message', async ({ bytes, type }: EncoderTask) => {
  const answer: EncoderAnswer = await encodeHere(Buffer.from(bytes), type).then(
    (image) => ({ image }),
    (error) => ({ refusal: error instanceof Refusal ? error.message : undefined }),
  );
  process.send?.(answer);
});
// Ctrl-C reaches the whole process group: the parent decides when to end.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
