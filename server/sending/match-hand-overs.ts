import type { HandOver } from '../outside/carrier.ts';
import type { SendContext } from './send-messages.ts';

/**
 * What the carrier said of each text that it was given, by the text's key, however it ordered its answers. A text that
 * it left out, or of which it said two things, is in doubt: it may have been taken. What it says of a text that it was
 * not given is nobody's.
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
