/** The part of a text that a caption shows: the sentence being said, its current word, and a little around it. */
export interface Caption {
  before: string;
  /** The current sentence up to the word. */
  sentence: string;
  word: string;
  /** The current sentence after the word. */
  rest: string;
  after: string;
}

/** As much of the sentence before as shows where one is. */
const BEFORE = 40;
const sentences = /[^.!?]+[.!?]*\s*/g;

/**
 * The caption when `part` (0 to 1) of the message has been played. Nothing says when each word is spoken, so the time
 * is shared out by letters. Before it plays, no word is marked.
 */
export function captionAt(text: string, part: number): Caption {
  const words = text.trim();
  if (part <= 0) return { before: '', sentence: '', word: '', rest: words, after: '' };
  const at = Math.min(words.length - 1, Math.floor(words.length * part));
  for (const { index: start, 0: sentence } of words.matchAll(sentences)) {
    const end = start + sentence.length;
    if (at >= end) continue;
    const from = Math.max(start, words.lastIndexOf(' ', at) + 1);
    const space = words.indexOf(' ', from);
    const to = space === -1 || space > end ? end : space;
    return {
      before: words.slice(Math.max(0, start - BEFORE), start),
      sentence: words.slice(start, from),
      word: words.slice(from, to).trimEnd(),
      rest: words.slice(to, end),
      after: words.slice(end),
    };
  }
  return { before: '', sentence: '', word: '', rest: words, after: '' };
}
