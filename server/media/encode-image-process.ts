/**
 * Encodes pictures in a process of its own. A picture of 50 million pixels takes up to 200 MB, which malloc keeps for the
 * process afterwards; here it goes back with the process. A file that crashes a decoder ends nothing else either.
 */
import sharp from 'sharp';
import { Refusal } from '../../contract/errors.ts';
import type { EncoderAnswer, EncoderTask } from './ask-encoder.ts';
import { encodeHere } from './encode-image.ts';

// No picture comes twice: a cache would only hold memory.
sharp.cache(false);
sharp.concurrency(1);

process.on('message', async ({ bytes, type }: EncoderTask) => {
  const answer: EncoderAnswer = await encodeHere(Buffer.from(bytes), type).then(
    (image) => ({ image }),
    (error) => ({ refusal: error instanceof Refusal ? error.message : undefined }),
  );
  process.send?.(answer);
});
// Ctrl-C reaches the whole group: who asked says when it is over.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
