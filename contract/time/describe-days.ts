import { type DayName, dayNames } from './wall-clock.ts';

/** "a, b and c". */
function listWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** The names of days in a sentence; the keys are values. */
const dayWords: Record<DayName, { word: string }> = {
  Sunday: { word: 'Sunday' },
  Monday: { word: 'Monday' },
  Tuesday: { word: 'Tuesday' },
  Wednesday: { word: 'Wednesday' },
  Thursday: { word: 'Thursday' },
  Friday: { word: 'Friday' },
  Saturday: { word: 'Saturday' },
};

/** The week as people say it, from Monday. */
const fromMonday: readonly DayName[] = [...dayNames.slice(1), 'Sunday'];

export function isEveryDay(days: readonly string[]): boolean {
  return dayNames.every((day) => days.includes(day));
}

/** Days in words: "Monday to Friday", "every day", "Monday, Wednesday and Friday". */
export function describeDays(days: readonly string[]): string {
  const chosen = fromMonday.filter((day) => days.includes(day));
  const first = chosen[0];
  if (first === undefined) return 'no day';
  if (isEveryDay(days)) return 'every day';
  const from = fromMonday.indexOf(first);
  const isRun = chosen.length > 2 && chosen.every((day, index) => fromMonday[from + index] === day);
  const words = chosen.map((day) => dayWords[day].word);
  return isRun ? `${words[0]} to ${words.at(-1)}` : listWords(words);
}
