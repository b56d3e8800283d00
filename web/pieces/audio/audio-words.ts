import type { AudioType } from '../../../contract/audio.ts';
import { countOf } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';

/** "0:27", "2:01". */
export function formatLength(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds + 0.05));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** "27 seconds", "2 minutes 1 second": what a screen reader says of it. */
export function lengthWords(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds + 0.05));
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return [
    ...(minutes > 0 ? [countOf(minutes, 'minute', 'minutes')] : []),
    ...(rest > 0 || minutes === 0 ? [countOf(rest, 'second', 'seconds')] : []),
  ].join(' ');
}

export const audioTypeNames: Record<AudioType, string> = {
  announcement: say('Announcement'),
  survey: say('Survey'),
  'transfer-connect': say('Transfer-connect'),
};
