import { findTier } from '../../contract/money/pricing.ts';
import type { TextNumber } from '../../contract/numbers.ts';

/** The fee of a number follows how many have the add-on: the new one, if it changes and others keep it. */
export function feeOfOthers(
  tiers: Parameters<typeof findTier>[0],
  enabled: readonly Pick<TextNumber, 'TextNumberID' | 'FlatRateConversationStatus'>[],
  canceled: Pick<TextNumber, 'TextNumberID'>,
): number | undefined {
  const staying = enabled.filter(
    (each) =>
      each.TextNumberID !== canceled.TextNumberID && each.FlatRateConversationStatus !== 'CancelPending',
  );
  if (staying.length === 0) return undefined;
  const fee = findTier(tiers, staying.length)?.Cost;
  return fee === findTier(tiers, enabled.length)?.Cost ? undefined : fee;
}
