/**
 * As much of a text as fits, in characters as the length rule counts them. Whole signs only: an emoji of several parts is
 * left out rather than torn apart. A space at the cut goes too.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (const { index, segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    if (index + segment.length > max) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd();
}
