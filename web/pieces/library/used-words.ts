import { countOf, formatDate } from '../../ui/format.ts';

/** "14 times, last on January 22", "1 time, on November 24", "Never used". */
export function usedWords(
  { UseCount, LastUsedTimestamp }: { UseCount: number; LastUsedTimestamp: string | null },
  now: number,
  zone: string,
): string {
  if (UseCount === 0) return 'Never used';
  const times = countOf(UseCount, 'time', 'times');
  if (LastUsedTimestamp === null) return times;
  const date = formatDate(LastUsedTimestamp, now, zone);
  return UseCount === 1 ? `${times}, on ${date}` : `${times}, last on ${date}`;
}
