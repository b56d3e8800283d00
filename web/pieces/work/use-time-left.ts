import { useRef } from 'react';
import type { Work } from '../../../contract/work.ts';
import { formatCount, formatDuration } from '../../ui/format.ts';

/** "20,000 a second, 3 min left", from what was seen since this line came up. */
export function useTimeLeft(work: Work | undefined): string {
  const first = useRef<{ done: number; at: number }>(undefined);
  if (!work) return '';
  first.current ??= { done: work.Done, at: performance.now() };
  const ms = performance.now() - first.current.at;
  const done = work.Done - first.current.done;
  if (done <= 0 || ms < 500) return 'In progress';
  const perSecond = (done / ms) * 1000;
  const leftMs = ((work.Total - work.Done) / perSecond) * 1000;
  return `${formatCount(Math.round(perSecond))} a second, ${formatDuration(leftMs)} left`;
}
