import type { HomeBroadcast } from '../../contract/home.ts';
import { placesCalls, sendsTexts } from '../../contract/money/units.ts';
import { textTotal } from '../pieces/broadcasts/broadcast-counts.ts';
import { countOf, formatCount } from '../ui/format.ts';

/**
 * Number of messages that arrived: of texts those delivered, of calls those that a person or voicemail answered.
 * As in the meter beside it, people who get both count twice.
 */
export function arrivalOf(broadcast: HomeBroadcast): { arrived: number; total: number; words: string } {
  const { BroadcastType: type, CallTotal } = broadcast;
  const textCount = textTotal(broadcast);
  const delivered = broadcast.DeliveredTexts + broadcast.ReadCount;
  const answered = broadcast.LivePersonTotal + broadcast.AnsweringMachineTotal;
  const ofTexts = `${formatCount(delivered)} of ${countOf(textCount, 'text', 'texts')} delivered`;
  const ofCalls = `${formatCount(answered)} of ${countOf(CallTotal, 'call', 'calls')} answered`;
  if (!placesCalls(type)) return { arrived: delivered, total: textCount, words: ofTexts };
  if (!sendsTexts(type)) return { arrived: answered, total: CallTotal, words: ofCalls };
  return { arrived: delivered + answered, total: textCount + CallTotal, words: `${ofTexts}, ${ofCalls}` };
}
