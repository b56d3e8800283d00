/** Zero crossings of the sinc on each side: what remains above the cut is 70 dB down. */
const crossings = 16;
/** Steps of the kernel between two crossings; values in between are interpolated. */
const steps = 256;
/** Of the lower of the two rates, so that the slope of the filter ends before it folds back. */
const passBand = 0.92;

/** A sinc under a Kaiser window, from its middle outwards. */
const kernel = (() => {
  const values = new Float64Array(crossings * steps + 2);
  const beta = 8;
  for (let i = 0; i < values.length; i += 1) {
    const x = i / steps;
    const inside = Math.max(0, 1 - (x / crossings) ** 2);
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
    values[i] = x >= crossings ? 0 : (sinc * besselI0(beta * Math.sqrt(inside))) / besselI0(beta);
  }
  return values;
})();

function besselI0(x: number): number {
  let sum = 1;
  for (let k = 1, term = 1; k < 40; k += 1) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

/**
 * Brings sound from one sample rate to another, piece by piece, so that a long file is never in memory at its own rate.
 * Windowed sinc; any ratio.
 */
export class Resampler {
  readonly #step: number;
  readonly #cutoff: number;
  readonly #half: number;
  readonly #isSame: boolean;
  #held = new Float32Array(0);
  /** Where the held samples begin, in samples of the input. */
  #start: number;
  /** How many samples have come out. */
  #made = 0;

  constructor(from: number, to: number) {
    this.#isSame = from === to;
    this.#step = from / to;
    this.#cutoff = Math.min(1, to / from) * passBand;
    this.#half = Math.ceil(crossings / this.#cutoff);
    // As if silence had come before.
    this.#held = new Float32Array(this.#half);
    this.#start = -this.#half;
  }

  push(samples: Float32Array): Float32Array {
    if (this.#isSame) return samples;
    const all = new Float32Array(this.#held.length + samples.length);
    all.set(this.#held);
    all.set(samples, this.#held.length);
    return this.#make(all, this.#start + all.length - this.#half);
  }

  /** The last of it, as if silence followed. */
  end(): Float32Array {
    if (this.#isSame) return new Float32Array(0);
    const last = this.#start + this.#held.length;
    const all = new Float32Array(this.#held.length + this.#half);
    all.set(this.#held);
    return this.#make(all, last);
  }

  #make(all: Float32Array, until: number): Float32Array {
    const count = Math.max(0, Math.ceil(until / this.#step) - this.#made);
    const out = new Float32Array(count);
    const scale = this.#cutoff * steps;
    for (let i = 0; i < count; i += 1) {
      const at = (this.#made + i) * this.#step - this.#start;
      const first = Math.max(0, Math.ceil(at - this.#half));
      const last = Math.min(all.length - 1, Math.floor(at + this.#half));
      let sum = 0;
      for (let n = first; n <= last; n += 1) {
        const x = Math.abs(n - at) * scale;
        const k = Math.min(x | 0, kernel.length - 2);
        const low = kernel[k] ?? 0;
        sum += (all[n] ?? 0) * (low + ((kernel[k + 1] ?? 0) - low) * Math.min(1, x - k));
      }
      out[i] = sum * this.#cutoff;
    }
    this.#made += count;
    const next = Math.floor(this.#made * this.#step - this.#start);
    const keepFrom = Math.max(0, Math.min(all.length, next - this.#half));
    this.#held = all.slice(keepFrom);
    this.#start += keepFrom;
    return out;
  }
}
