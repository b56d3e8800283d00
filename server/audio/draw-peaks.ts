import { peakCount } from '../../contract/audio.ts';

/** Heights of the waveform: the loudest sample of each part, 0 to 255. */
export function drawPeaks(samples: Float32Array): Uint8Array {
  const peaks = new Uint8Array(peakCount);
  for (let n = 0; n < peakCount; n += 1) {
    const end = Math.floor(((n + 1) * samples.length) / peakCount);
    let most = 0;
    for (let i = Math.floor((n * samples.length) / peakCount); i < end; i += 1) {
      most = Math.max(most, Math.abs(samples[i] ?? 0));
    }
    peaks[n] = Math.min(255, Math.round(most * 255));
  }
  return peaks;
}
