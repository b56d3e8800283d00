import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { memo, useLayoutEffect, useRef, useState } from 'react';

/** Bars of two pixels, four apart. */
const PITCH = 4;
const LEAST = 2;

interface WaveformProps {
  /** Heights from 0 to 255. */
  peaks: ArrayLike<number>;
  height: number;
  /** Part that has been played, 0 to 1. */
  played?: number;
  /** Silence at the ends that can be cut, as parts of the whole. */
  silentBefore?: number;
  silentAfter?: number;
  /** A recording that is looked at before it is kept. */
  isReview?: boolean;
  /** On a background of its own, such as a telephone's. */
  colors?: { played: string; rest: string };
}

/**
 * The waveform of a message. It isn't accessible by itself, so it is always shown with a slider or a
 * sentence.
 */
export const Waveform = memo(function Waveform({
  peaks,
  height,
  played = 0,
  silentBefore = 0,
  silentAfter = 0,
  isReview = false,
  colors,
}: WaveformProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const { vars } = useTheme();
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const measure = () => setWidth(box.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const count = Math.floor((width + PITCH - 2) / PITCH);
  const loudest = Math.max(40, ...Array.from(peaks));
  const colorAt = (part: number) => {
    if (colors) return part < played ? colors.played : colors.rest;
    if (part < silentBefore || part > 1 - silentAfter) return vars?.palette.chart.warn;
    if (part < played) return vars?.palette.primary.main;
    return isReview ? vars?.palette.chart.two : vars?.palette.chart.three;
  };
  return (
    <Box ref={ref} aria-hidden sx={{ height, minWidth: 0, width: '100%', overflow: 'hidden' }}>
      <svg width={width} height={height} style={{ display: 'block' }} role="presentation">
        {Array.from({ length: count }, (_, n) => {
          const tall = Math.max(LEAST, (heightOf(peaks, n, count) / loudest) * height);
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
              key={n}
              x={n * PITCH}
              y={(height - tall) / 2}
              width={2}
              height={tall}
              rx={1}
              fill={colorAt((n + 0.5) / count) ?? 'currentColor'}
            />
          );
        })}
      </svg>
    </Box>
  );
});

/** The highest of the peaks that this bar stands for. */
function heightOf(peaks: ArrayLike<number>, n: number, count: number): number {
  const first = Math.floor((n * peaks.length) / count);
  const last = Math.max(first + 1, Math.floor(((n + 1) * peaks.length) / count));
  let most = 0;
  for (let i = first; i < last; i += 1) most = Math.max(most, peaks[i] ?? 0);
  return most;
}
