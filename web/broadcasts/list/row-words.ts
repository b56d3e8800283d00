import type { Broadcast } from '../../../contract/broadcasts.ts';
import { placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { textTotal } from '../../pieces/broadcasts/broadcast-counts.ts';
import { formatCount } from '../../ui/format.ts';

/**
 * "2,418 of 3,847 delivered", "413 of 712 reached by phone", or both of a broadcast that does both. Of one that does
 * either, only what somebody gets: texts where everybody could be texted.
 */
export function arrivedWords(broadcast: Broadcast): string[] {
  const { BroadcastType: type, CallTotal } = broadcast;
  const texts = textTotal(broadcast);
  const delivered = formatCount(broadcast.DeliveredTexts + broadcast.ReadCount);
  const answered = formatCount(broadcast.LivePersonTotal + broadcast.AnsweringMachineTotal);
  const isTexted = sendsTexts(type) && (texts > 0 || !placesCalls(type));
  const isCalled = placesCalls(type) && (CallTotal > 0 || !isTexted);
  return [
    ...(isTexted ? [`${delivered} of ${formatCount(texts)} delivered`] : []),
    ...(isCalled ? [`${answered} of ${formatCount(CallTotal)} reached by phone`] : []),
  ];
}
