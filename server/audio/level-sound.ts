import { callRate } from './rules.ts';

/** As loud as broadcast speech on a telephone, so that no message shouts after a quiet one. */
const targetLufs = -18;
/** A whisper is raised to speech level; the noise of an empty room isn't raised to a storm. */
const mostGainDb = 24;
/** Peaks above this are compressed, and none exceeds -1 dBFS. */
const knee = 0.7;
const ceiling = 10 ** (-1 / 20);

/** Brings sound to the target loudness, in place. */
export function levelSound(samples: Float32Array): void {
  const loudness = measureLoudness(samples);
  if (loudness === undefined) return;
  const gain = 10 ** (Math.min(mostGainDb, targetLufs - loudness) / 20);
  const room = ceiling - knee;
  for (let i = 0; i < samples.length; i += 1) {
    const value = (samples[i] ?? 0) * gain;
    const over = Math.abs(value) - knee;
    samples[i] = over <= 0 ? value : Math.sign(value) * (knee + room * Math.tanh(over / room));
  }
}

/** Gated loudness of ITU-R BS.1770 in LUFS; undefined for silence. */
export function measureLoudness(samples: Float32Array): number | undefined {
  const powers = blockPowers(samples);
  const above = (limit: number) => powers.filter((power) => toLufs(power) > limit);
  const heard = above(-70);
  if (heard.length === 0) return undefined;
  const gated = above(toLufs(mean(heard)) - 10);
  return toLufs(mean(gated));
}

const toLufs = (power: number) => -0.691 + 10 * Math.log10(power);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean squares of blocks of 400 ms, every 100 ms, after the weighting of the ear. */
function blockPowers(samples: Float32Array): number[] {
  const hop = callRate / 10;
  const sums: number[] = [];
  const [shelf, pass] = [highShelf(), highPass()];
  let sum = 0;
  for (let i = 0; i < samples.length; i += 1) {
    sum += pass(shelf(samples[i] ?? 0)) ** 2;
    if (i % hop === hop - 1 || i === samples.length - 1) {
      sums.push(sum);
      sum = 0;
    }
  }
  if (sums.length < 4) return [mean(sums) / hop];
  return sums
    .slice(3)
    .map((last, i) => ((sums[i] ?? 0) + (sums[i + 1] ?? 0) + (sums[i + 2] ?? 0) + last) / (4 * hop));
}

type Filter = (sample: number) => number;

type Coefficients = [number, number, number];

function biquad([b0, b1, b2]: Coefficients, [a0, a1, a2]: Coefficients): Filter {
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  return (x) => {
    const y = (b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2) / a0;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    return y;
  };
}

/** The two filters of BS.1770, computed for this sample rate from their analog form. */
function highShelf(): Filter {
  const k = Math.tan((Math.PI * 1681.974450955533) / callRate);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  return biquad(
    [high + (band * k) / q + k * k, 2 * (k * k - high), high - (band * k) / q + k * k],
    [1 + k / q + k * k, 2 * (k * k - 1), 1 - k / q + k * k],
  );
}

function highPass(): Filter {
  const k = Math.tan((Math.PI * 38.13547087602444) / callRate);
  const q = 0.5003270373238773;
  return biquad([1, -2, 1], [1 + k / q + k * k, 2 * (k * k - 1), 1 - k / q + k * k]);
}
