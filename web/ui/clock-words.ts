import { say } from './say.ts';

/** Times of day as the contract writes them ("5:00 PM"), alone or in a sentence, as people read them. */
export function clockWords(words: string): string {
  return words.replace(/(\d:\d\d) ([AP])M\b/g, (_, time: string, half: string) =>
    half === 'A' ? `${time} ${say('AM')}` : `${time} ${say('PM')}`,
  );
}
