import type { StartDateValidation } from '../../../contract/time/start-date.ts';
import { parseWall } from '../../../contract/time/wall-clock.ts';
import { formatTime } from '../../ui/format.ts';

type Change = Pick<
  StartDateValidation,
  | 'IsAlteredByServerTimeChange'
  | 'IsApproachingServerTimeChange'
  | 'IsMovedForwardByServerTimeChange'
  | 'ServerTimeChangeStartTime'
  | 'ServerTimeChangeEndTime'
  | 'StartDate'
>;

/** The effect of a change of clocks on the start, in a sentence; undefined when none is near. */
export function clockChangeWords(validation: Change, zone: string): string | undefined {
  const [from, to] = [validation.ServerTimeChangeStartTime, validation.ServerTimeChangeEndTime].map(clock);
  if (validation.IsMovedForwardByServerTimeChange)
    return `Clocks go forward and skip ${from} to ${to} that day. The broadcast starts at ${formatTime(validation.StartDate, zone)} instead.`;
  if (validation.IsAlteredByServerTimeChange)
    return `Clocks go back, so ${from} to ${to} happens twice that day. The broadcast starts the first time.`;
  if (validation.IsApproachingServerTimeChange)
    return `Clocks change within a day after the start, between ${from} and ${to}.`;
  return undefined;
}

/** "2:00 AM" of a wall clock reading. */
function clock(wall: string | null): string {
  const ms = wall === null ? undefined : parseWall(wall);
  return ms === undefined ? '' : formatTime(ms, 'UTC');
}
