import { countOf, formatCount } from '../../ui/format.ts';
import { Meter } from '../../ui/meter.tsx';
import { type Counted, isOpenShare, type Share, sharesOf, totalOf } from './broadcast-counts.ts';

interface SharesMeterProps {
  shares: readonly Share[];
  total: number;
  height?: 6 | 8;
}

/** The remainder shows the track. */
export function BroadcastMeter({ broadcast, height = 8 }: { broadcast: Counted; height?: 6 | 8 }) {
  return <SharesMeter shares={sharesOf(broadcast)} total={totalOf(broadcast)} height={height} />;
}

/** The same for its texts or its calls alone. */
export function SharesMeter({ shares: all, total, height = 8 }: SharesMeterProps) {
  const shares = all.filter((each) => !isOpenShare(each));
  const words = shares
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${label} ${formatCount(count)}`)
    .join(', ');
  return (
    <Meter
      height={height}
      total={total}
      sentence={`Of ${countOf(total, 'recipient', 'recipients')}: ${words || 'nothing sent yet'}.`}
      pieces={shares}
    />
  );
}
