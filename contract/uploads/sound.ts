/** Calculations from samples between -1 and 1 that recorder and server share. */

/** Heights of a waveform, this many whatever the length. */
export const peakCount = 200;

/** The loudest sample of each part, 0 to 255. */
export function drawPeaks(samples: Float32Array, count = peakCount): Uint8Array {
  const peaks = new Uint8Array(count);
  for (let n = 0; n < count; n += 1) {
    const end = Math.floor(((n + 1) * samples.length) / count);
    let most = 0;
    for (let i = Math.floor((n * samples.length) / count); i < end; i += 1) {
      most = Math.max(most, Math.abs(samples[i] ?? 0));
    }
    peaks[n] = Math.min(255, Math.round(most * 255));
  }
  return peaks;
}

const frameMs = 20;
/** Under the loudest syllables: breath, hum and rooms are below, the quietest words above. */
const soundDb = -30;
/** Below this nobody hears anything, however quiet the rest is. */
const leastDb = -60;
/** The silence that is left around the words: without it they begin and end with a click. */
const marginBeforeMs = 150;
const marginAfterMs = 250;

export interface Silence {
  beforeMs: number;
  afterMs: number;
}

/** The silence at both ends that can be cut; undefined where nothing is to be heard at all. */
export function findSilence(samples: Float32Array, sampleRate: number): Silence | undefined {
  const frame = Math.round((sampleRate * frameMs) / 1000);
  const powers = Float32Array.from({ length: Math.floor(samples.length / frame) }, (_, n) => {
    let sum = 0;
    for (let i = n * frame; i < (n + 1) * frame; i += 1) sum += (samples[i] ?? 0) ** 2;
    return sum / frame;
  });
  // Based on the loudest twentieth, so that a single knock doesn't set the scale for everything else.
  const loud = powers.toSorted()[Math.floor(powers.length * 0.95)] ?? 0;
  const limit = Math.max(loud * 10 ** (soundDb / 10), 10 ** (leastDb / 10));
  // Two frames in a row: a click is no word.
  const isWord = (n: number) => (powers[n] ?? 0) > limit && (powers[n + 1] ?? 0) > limit;
  let first = 0;
  while (first < powers.length && !isWord(first)) first += 1;
  if (first >= powers.length) return undefined;
  let last = powers.length - 2;
  while (last > first && !isWord(last)) last -= 1;
  const totalMs = (samples.length / sampleRate) * 1000;
  return {
    beforeMs: Math.max(0, Math.round(first * frameMs - marginBeforeMs)),
    afterMs: Math.max(0, Math.round(totalMs - (last + 2) * frameMs - marginAfterMs)),
  };
}
