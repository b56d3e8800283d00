import { useTimeZone } from '../queries/current-user.ts';
import { formatAbsolute, formatDate, formatTime } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';

/** "November 18, 11:25 AM" in a table that has to fit; the whole of it, with the zone, under the pointer. */
export function When({ at }: { at: string }) {
  const zone = useTimeZone();
  const now = useNow();
  return (
    <time dateTime={at} title={formatAbsolute(at, zone)}>
      {formatDate(at, now, zone)}, {formatTime(at, zone)}
    </time>
  );
}
