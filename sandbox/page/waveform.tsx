import { useEffect, useState } from 'react';
import { readPeaks } from './call-sound.ts';

type Props = { sound: string; bars: number; progress: number };

/** Loudness of a message along its length, and the part that has been played. */
export function Waveform({ sound, bars, progress }: Props) {
  const [peaks, setPeaks] = useState<number[]>();
  useEffect(() => {
    let isCurrent = true;
    readPeaks(sound, bars).then(
      (read) => isCurrent && setPeaks(read),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [sound, bars]);
  return (
    <svg className="waveform" viewBox={`0 0 ${bars * 4} 32`} preserveAspectRatio="none" aria-hidden="true">
      {Array.from({ length: bars }, (_, bar) => {
        const height = Math.max(2, (peaks?.[bar] ?? 0.1) * 30);
        const isPlayed = bar / bars < progress;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={bar}
            className={isPlayed ? 'played' : undefined}
            x={bar * 4}
            y={16 - height / 2}
            width={2}
            height={height}
            rx={1}
          />
        );
      })}
    </svg>
  );
}
