/** Zero crossings of the sinc on each side: frequencies above the cutoff are 70 dB down. */
const crossings = 12;
/** Steps of the kernel between two crossings; values in between are interpolated. */
const steps = 256;
/** Relative to the lower of the two rates, so that the filter's slope ends before aliasing begins. */
const passBand = 0.92;
/** The ratio of 11025 to 8000, the oddest rate in use, has 320. */
const mostPhases = 400;

/** True if sound can be converted from one rate to the other. Odd rates would need a table for every sample. */
export function canResample(from: number, to: number): boolean {
  return to / greatestDivisor(from, to) <= mostPhases;
}

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
 * Converts sound from one sample rate to another, piece by piece, so that a long file is never in memory at
 * its own rate. Windowed sinc.
 */
export class Resampler {
  readonly #step: number;
  readonly #cutoff: number;
  readonly #half: number;
  readonly #isSame: boolean;
  /** Between rates with a simple ratio, the same few weights repeat: 80 sets of them from 44.1 to 8 kHz. */
  readonly #phases: (Float32Array | undefined)[];
  #held = new Float32Array(0);
  /** Position of the first buffered sample, in samples of the input. */
  #start: number;
  /** Number of samples in the output so far. */
  #made = 0;

  constructor(from: number, to: number) {
    this.#isSame = from === to;
    this.#step = from / to;
    this.#cutoff = Math.min(1, to / from) * passBand;
    this.#half = Math.ceil(crossings / this.#cutoff);
    if (!canResample(from, to)) throw new RangeError(`${from} Hz is no rate to start from`);
    this.#phases = Array.from({ length: to / greatestDivisor(from, to) });
    // As if the sound were preceded by silence.
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

  /** The rest of the sound, as if followed by silence. */
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
    for (let i = 0; i < count; i += 1) {
      const turn = this.#made + i;
      const middle = Math.floor(turn * this.#step);
      const weights = this.#weights(turn, turn * this.#step - middle);
      const first = middle - this.#half - this.#start;
      let sum = 0;
      // The innermost loop: with silence on both sides, both samples always exist.
      for (let k = 0; k < weights.length; k += 1) sum += (all[first + k] as number) * (weights[k] as number);
      out[i] = sum;
    }
    this.#made += count;
    const next = Math.floor(this.#made * this.#step - this.#start);
    const keepFrom = Math.max(0, Math.min(all.length, next - this.#half));
    this.#held = all.slice(keepFrom);
    this.#start += keepFrom;
    return out;
  }

  /** The weight of each sample around an output; `fraction` is the output's position between two of them. */
  #weights(turn: number, fraction: number): Float32Array {
    const known = this.#phases[turn % this.#phases.length];
    if (known !== undefined) return known;
    const weights = new Float32Array(2 * this.#half + 1);
    for (let k = 0; k < weights.length; k += 1) {
      weights[k] = this.#cutoff * kernelAt(Math.abs(k - this.#half - fraction) * this.#cutoff);
    }
    this.#phases[turn % this.#phases.length] = weights;
    return weights;
  }
}

function kernelAt(x: number): number {
  const at = x * steps;
  const k = Math.min(Math.floor(at), kernel.length - 2);
  const low = kernel[k] ?? 0;
  return low + ((kernel[k + 1] ?? 0) - low) * Math.min(1, at - k);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
