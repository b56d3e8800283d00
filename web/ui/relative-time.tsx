import Tooltip from '@mui/material/Tooltip';
import { useTimeZone } from '../queries/current-user.ts';
import { formatAbsolute, formatRelative } from './format.ts';
import { useNow } from './now.ts';

/** "5 min ago", with the full date in the user's zone on hover. */
export function RelativeTime({ at, style = 'long' }: { at: string; style?: 'short' | 'long' }) {
  const now = useNow();
  const zone = useTimeZone();
  return (
    <Tooltip describeChild title={formatAbsolute(at, zone)}>
      <time dateTime={at}>{formatRelative(at, now, zone, style)}</time>
    </Tooltip>
  );
}
