import { callRate } from './rules.ts';

/** G.711: telephone networks transmit speech in these eight bits. */
const bias = 0x84;
const clip = 32_635;

const muLaw = Float32Array.from({ length: 256 }, (_, index) => {
  const code = ~index & 0xff;
  const magnitude = (((code & 0x0f) << 3) + bias) << ((code & 0x70) >> 4);
  return ((code & 0x80) !== 0 ? bias - magnitude : magnitude - bias) / 32_768;
});

const aLaw = Float32Array.from({ length: 256 }, (_, index) => {
  const code = index ^ 0x55;
  const exponent = (code & 0x70) >> 4;
  const mantissa = ((code & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return ((code & 0x80) !== 0 ? magnitude : -magnitude) / 32_768;
});

export function decodeMuLaw(code: number): number {
  return muLaw[code] ?? 0;
}

export function decodeALaw(code: number): number {
  return aLaw[code] ?? 0;
}

function encodeMuLaw(sample: number): number {
  const isNegative = sample < 0;
  const magnitude = Math.min(clip, Math.round(Math.abs(sample) * 32_768)) + bias;
  const exponent = Math.max(0, 24 - Math.clz32(magnitude));
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~((isNegative ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

/** Of a wav file, before its sound. */
export const wavHeadBytes = 58;

/** A wav file as the specification requires: 8000 Hz, 64 kbps (mu-law), mono. */
export function writeMuLawWav(samples: Float32Array): Buffer {
  const codes = Buffer.alloc(samples.length);
  for (let i = 0; i < samples.length; i += 1) codes[i] = encodeMuLaw(samples[i] ?? 0);
  return wavOfCodes(codes);
}

function wavOfCodes(codes: Buffer): Buffer {
  const padded = codes.length + (codes.length % 2);
  const head = Buffer.alloc(wavHeadBytes);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(wavHeadBytes - 8 + padded, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(18, 16);
  head.writeUInt16LE(7, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(callRate, 24);
  head.writeUInt32LE(callRate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('fact', 38, 'latin1');
  head.writeUInt32LE(4, 42);
  head.writeUInt32LE(codes.length, 46);
  head.write('data', 50, 'latin1');
  head.writeUInt32LE(codes.length, 54);
  return Buffer.concat([head, codes], wavHeadBytes + padded);
}

/** The samples of a file that writeMuLawWav made. */
export function readMuLawWav(wav: Buffer): Float32Array {
  return Float32Array.from(codesOf(wav), decodeMuLaw);
}

function codesOf(wav: Buffer): Buffer {
  return wav.subarray(wavHeadBytes, wavHeadBytes + wav.readUInt32LE(54));
}

/** Where the sound is in such a file, from its head. */
export function findMuLaw(head: Buffer): { first: number; last: number } {
  return { first: wavHeadBytes, last: wavHeadBytes + head.readUInt32LE(54) - 1 };
}

/** The sound of such a file without its header, as some telephone systems need it. */
export function writePlainMuLaw(wav: Buffer): Buffer {
  return codesOf(wav);
}

/** The part of such a file between two moments. */
export function cutMuLawWav(wav: Buffer, fromMs: number, toMs: number): Buffer {
  const at = (ms: number) => Math.round((ms * callRate) / 1000);
  return wavOfCodes(codesOf(wav).subarray(at(fromMs), at(toMs)));
}
