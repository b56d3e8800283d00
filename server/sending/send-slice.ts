import type { Carrier, HandOver } from '../outside/carrier.ts';
import { recordSlice } from '../texts/record-slice.ts';
import { type HeldSlice, writeSendKey } from '../texts/rules.ts';
import { countHandOvers, pauseOf, type SendContext } from './send-messages.ts';

/** Hands a slice to the carrier and records what it said. Returns how long the carrier wants to be left alone. */
export async function sendHeldSlice(
  context: SendContext,
  carrier: Carrier,
  slice: HeldSlice,
): Promise<number | undefined> {
  const { accountId, from } = slice;
  const mediaUrls = slice.mediaKeys.map((key) => `${context.publicUrl}/media/${key}`);
  const results: HandOver[] = await carrier.hand(
    slice.texts.map(({ messageId, nonce, phone, body }) => ({
      key: writeSendKey({ accountId, messageId, nonce }),
      from,
      to: phone,
      body,
      mediaUrls,
    })),
  );
  // The carrier answers in the order in which it was asked.
  await recordSlice(
    context.database,
    slice,
    results.map((result, index) => ({ ...result, messageId: slice.texts[index]?.messageId ?? 0 })),
  );
  countHandOvers(context.metrics, carrier, results);
  return pauseOf(context, carrier, results);
}
