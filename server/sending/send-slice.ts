import { linkTo } from '../media-links.ts';
import type { Carrier } from '../outside/carrier.ts';
import { recordSlice } from '../texts/record-slice.ts';
import { type HeldSlice, writeSendKey } from '../texts/rules.ts';
import { matchHandOvers } from './match-hand-overs.ts';
import { countHandOvers, pauseOf, type SendContext } from './send-messages.ts';

/** Hands a slice to the carrier and records its answer. Returns how long the carrier asks us to pause. */
export async function sendHeldSlice(
  context: SendContext,
  carrier: Carrier,
  slice: HeldSlice,
): Promise<number | undefined> {
  const { accountId, from, rcsAgent } = slice;
  const mediaUrls = slice.mediaKeys.map((key) => context.publicUrl + linkTo(`/media/${key}`, 'carrier'));
  const given = new Map(
    slice.texts.map((text) => [
      writeSendKey({ accountId, messageId: text.messageId, nonce: text.nonce }),
      text,
    ]),
  );
  const handed = await carrier.hand(
    [...given].map(([key, { phone, body }]) => ({ key, from, to: phone, body, mediaUrls, rcsAgent })),
  );
  const results = matchHandOvers(context, given, handed);
  // All texts of the slice are in it: recordSlice treats missing ones as accepted.
  await recordSlice(
    context.database,
    slice,
    results.map(({ text, ...result }) => ({ ...result, messageId: text.messageId })),
  );
  countHandOvers(context.metrics, carrier, results);
  await context.noteResults?.(carrier, results);
  return pauseOf(context, carrier, results);
}
