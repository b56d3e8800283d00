import { say } from '../ui/say.ts';

/** Of a hundred texts whose end is known so many arrived; null if no end is known. */
export function rateOf(of: { Delivered: number; Failed: number; Unknown: number }): number | null {
  const ended = of.Delivered + of.Failed + of.Unknown;
  return ended <= 0 ? null : (of.Delivered / ended) * 100;
}

/** "1.2 points more than before", beside as many days before. */
export function rateWords(rate: number, before: number | null): string {
  if (before === null) return 'none in the days before';
  const points = Math.round((rate - before) * 10) / 10;
  if (points === 0) return 'the same as before';
  const difference = Math.abs(points).toFixed(1);
  return points > 0 ? `${difference} points more than before` : `${difference} points less than before`;
}

/** "8 AM", of "8". */
export function shortHour(hour: string): string {
  const number = Number(hour);
  return `${number % 12 === 0 ? 12 : number % 12} ${number < 12 ? say('AM') : say('PM')}`;
}
