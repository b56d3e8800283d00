import type { HandOver } from '../outside/carrier.ts';
import type { SendContext } from './send-messages.ts';

/**
 * Matches the carrier's results to the texts it was given, by key, in any order. A text without a result, or
 * with two different ones, is in doubt: the carrier may have accepted it. A result for any other text is
 * ignored.
 */
export function matchHandOvers<Text>(
  { log }: Pick<SendContext, 'log'>,
  given: Map<string, Text>,
  results: HandOver[],
): (HandOver & { text: Text })[] {
  const answers = new Map<string, HandOver>();
  for (const result of results) {
    const { key } = result;
    const earlier = answers.get(key);
    const isContradiction = earlier !== undefined && earlier.outcome !== result.outcome;
    answers.set(
      key,
      isContradiction
        ? { key, outcome: 'doubt', reason: 'The carrier said two things of this text.' }
        : result,
    );
  }
  const strangers = [...answers.keys()].filter((key) => !given.has(key)).length;
  if (strangers > 0) log.warn({ strangers }, 'the carrier answered for texts that it was not given');
  return [...given].map(([key, text]) => {
    const answer: HandOver = answers.get(key) ?? {
      key,
      outcome: 'doubt',
      reason: 'The carrier said nothing of this text.',
    };
    return { ...answer, text };
  });
}
