import { type DayName, dayNames } from './wall-clock.ts';

/** "a, b and c". */
function listWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** The week as people say it, from Monday. */
const fromMonday: readonly DayName[] = [...dayNames.slice(1), 'Sunday'];

/** Days in words: "Monday to Friday", "every day", "Monday, Wednesday and Friday". */
export function describeDays(days: readonly string[]): string {
  const chosen = fromMonday.filter((day) => days.includes(day));
  const first = chosen[0];
  if (first === undefined) return 'no day';
  if (chosen.length === 7) return 'every day';
  const from = fromMonday.indexOf(first);
  const isRun = chosen.length > 2 && chosen.every((day, index) => fromMonday[from + index] === day);
  return isRun ? `${first} to ${chosen.at(-1)}` : listWords(chosen);
}
