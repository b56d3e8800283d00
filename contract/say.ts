/**
 * Marks a single word as one that people read, so that it is translated. Sentences need no mark; a word by itself could
 * as well be a value that the server knows. A word with several meanings has one of them named: say('Open', 'filter') is
 * translated apart from other words that are written the same.
 */
export function say(word: string, _meaning?: string): string {
  return word;
}
