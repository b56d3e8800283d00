import { callRate } from './rules.ts';

const frame = callRate / 50;
/** Of leveled sound: rooms, breath and hum are below, the quietest syllables above. */
const soundDb = -45;
/** What is left around the words: without it they begin and end with a click. */
const marginBeforeMs = 150;
const marginAfterMs = 250;

export interface Silence {
  beforeMs: number;
  afterMs: number;
}

/** The silence at both ends that can be cut; undefined where nothing is to be heard at all. */
export function findSilence(samples: Float32Array): Silence | undefined {
  const limit = 10 ** (soundDb / 10);
  let first = -1;
  let last = -1;
  let loud = 0;
  const frames = Math.floor(samples.length / frame);
  for (let n = 0; n < frames; n += 1) {
    let sum = 0;
    for (let i = n * frame; i < (n + 1) * frame; i += 1) sum += (samples[i] ?? 0) ** 2;
    // Two in a row: a click is no word.
    loud = sum / frame > limit ? loud + 1 : 0;
    if (loud < 2) continue;
    if (first < 0) first = n - 1;
    last = n + 1;
  }
  if (first < 0) return undefined;
  const totalMs = (samples.length / callRate) * 1000;
  return {
    beforeMs: Math.max(0, Math.round(first * 20 - marginBeforeMs)),
    afterMs: Math.max(0, Math.round(totalMs - last * 20 - marginAfterMs)),
  };
}
