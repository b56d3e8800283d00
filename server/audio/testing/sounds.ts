import { callRate } from '../rules.ts';

export function tone(
  seconds: number,
  { hz, rate = callRate, level = 0.3 }: { hz: number; rate?: number; level?: number },
): Float32Array {
  return Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, i) => level * Math.sin((2 * Math.PI * hz * i) / rate),
  );
}

export function silence(seconds: number, rate: number = callRate): Float32Array {
  return new Float32Array(Math.round(seconds * rate));
}

/** A wav file of linear samples; every channel carries the same. */
export function pcmWav(
  samples: Float32Array,
  { rate, channels = 1, bits = 16 }: { rate: number; channels?: number; bits?: number },
): Buffer {
  const width = bits / 8;
  const data = Buffer.alloc(samples.length * channels * width);
  for (let i = 0; i < samples.length * channels; i += 1) {
    const value = Math.max(-1, Math.min(1, samples[Math.floor(i / channels)] ?? 0));
    if (bits === 8) data[i] = 128 + Math.round(value * 127);
    else data.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), i * width, width);
  }
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * channels * width, 28);
  head.writeUInt16LE(channels * width, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}
