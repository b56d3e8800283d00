import { lettersOf } from './letters-of.ts';
import { asksToStop, beginsWithStop } from './opt-out-request.ts';
import { helpWords, joinWords, optOutWords, unstopWords } from './reserved-words.ts';

export type InboundWord = 'stop' | 'unstop' | 'help' | 'join';

/** Carriers accept no text longer than this, and nobody who writes more is sending a keyword. */
const LONGEST = 1600;

const words = new Map<string, InboundWord>();
for (const word of joinWords) words.set(lettersOf(word), 'join');
for (const word of helpWords) words.set(lettersOf(word), 'help');
for (const word of unstopWords) words.set(lettersOf(word), 'unstop');
// Last, so that an opt-out wins if a word is ever in two lists.
for (const word of optOutWords) words.set(lettersOf(word), 'stop');

/**
 * The automatic action that an incoming text requests, if any: the word as the whole message, whatever its
 * case, punctuation and spacing ("Stop.", "S T O P", "opt - out"), the word with a reason or a name ("stop,
 * wrong number", "Stop - Maria"), or a plain request in a sentence ("please stop texting me"), which the FCC
 * counts too.
 */
export function recognizeInbound(text: string): InboundWord | undefined {
  if (text.length > LONGEST) return undefined;
  const written = text.normalize('NFKC');
  const message = written.toLowerCase();
  const word = words.get(lettersOf(message));
  if (word) return word;
  return asksToStop(message) || beginsWithStop(written) ? 'stop' : undefined;
}
