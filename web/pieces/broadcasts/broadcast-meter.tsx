import { countOf, formatCount } from '../../ui/format.ts';
import { Meter } from '../../ui/meter.tsx';
import { type Counted, sharesOf } from './broadcast-counts.ts';

/** What is still to come is the track. */
export function BroadcastMeter({ broadcast, height = 8 }: { broadcast: Counted; height?: 6 | 8 }) {
  const shares = sharesOf(broadcast).filter(({ key }) => key !== 'waiting');
  const words = shares
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${label} ${formatCount(count)}`)
    .join(', ');
  return (
    <Meter
      height={height}
      total={broadcast.PhoneNumberCount}
      sentence={`Of ${countOf(broadcast.PhoneNumberCount, 'recipient', 'recipients')}: ${words || 'nothing sent yet'}.`}
      pieces={shares}
    />
  );
}
