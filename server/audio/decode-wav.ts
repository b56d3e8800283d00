import { sniffAudio, unsupportedAudio } from '../../contract/uploads/audio.ts';
import { decodeALaw, decodeMuLaw } from './code-mulaw.ts';
import { canResample } from './resample-sound.ts';
import { BadAudio, callRate } from './rules.ts';

interface WavSound {
  sampleRate: number;
  seconds: number;
  /** Mono, one piece at a time. */
  pieces(): Generator<Float32Array>;
}

const mostChunks = 10_000;
/** A second at the highest rate: pieces are small, whatever the file says. */
const framesAtOnce = 16_384;

/**
 * Reads a wav file by its contents, not by its header: the sound ends where the bytes end, and a header whose
 * figures contradict each other is refused.
 */
export function openWav(bytes: Buffer): WavSound {
  if (sniffAudio(bytes) !== 'audio/wav') throw new BadAudio(unsupportedAudio);
  let format: Format | undefined;
  for (let at = 12, chunks = 0; at + 8 <= bytes.length && chunks < mostChunks; chunks += 1) {
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    if (name === 'fmt ' && at + 24 <= bytes.length) format = readFormat(bytes.subarray(at + 8), size);
    if (name === 'data') {
      if (format === undefined) break;
      // Programs that write while they record leave 0 or the maximum there.
      const end = size === 0 || size >= 0xffff_ff00 ? bytes.length : Math.min(bytes.length, at + 8 + size);
      return soundOf(bytes.subarray(at + 8, end), format);
    }
    at += 8 + size + (size % 2);
  }
  throw new BadAudio(unsupportedAudio);
}

interface Format {
  channels: number;
  sampleRate: number;
  /** Bytes of one sample of one channel, and how to read them. */
  width: number;
  read: (bytes: Buffer, at: number) => number;
}

const readers: Record<string, Format['read']> = {
  '1/8': (bytes, at) => ((bytes[at] ?? 128) - 128) / 128,
  '1/16': (bytes, at) => bytes.readInt16LE(at) / 32_768,
  '1/24': (bytes, at) => bytes.readIntLE(at, 3) / 8_388_608,
  '1/32': (bytes, at) => bytes.readInt32LE(at) / 2_147_483_648,
  '3/32': (bytes, at) => finite(bytes.readFloatLE(at)),
  '6/8': (bytes, at) => decodeALaw(bytes[at] ?? 0),
  '7/8': (bytes, at) => decodeMuLaw(bytes[at] ?? 0),
};

/** Samples that are NaN, or far too large, would corrupt every calculation based on them. */
function finite(value: number): number {
  return Number.isFinite(value) ? Math.max(-4, Math.min(4, value)) : 0;
}

function readFormat(chunk: Buffer, size: number): Format {
  const plain = chunk.readUInt16LE(0);
  // The extensible form has the actual format 24 bytes further on.
  const tag = plain === 0xfffe && size >= 40 && chunk.length >= 26 ? chunk.readUInt16LE(24) : plain;
  const channels = chunk.readUInt16LE(2);
  const sampleRate = chunk.readUInt32LE(4);
  const bytesPerSecond = chunk.readUInt32LE(8);
  const blockAlign = chunk.readUInt16LE(12);
  const bits = chunk.readUInt16LE(14);
  const read = readers[`${tag}/${bits}`];
  const width = bits / 8;
  const isSound =
    read !== undefined &&
    channels >= 1 &&
    channels <= 8 &&
    sampleRate >= 4000 &&
    sampleRate <= 192_000 &&
    canResample(sampleRate, callRate) &&
    blockAlign === channels * width &&
    bytesPerSecond === sampleRate * blockAlign;
  if (!isSound) throw new BadAudio(unsupportedAudio);
  return { channels, sampleRate, width, read };
}

function soundOf(data: Buffer, { channels, sampleRate, width, read }: Format): WavSound {
  const frames = Math.floor(data.length / (channels * width));
  return {
    sampleRate,
    seconds: frames / sampleRate,
    *pieces() {
      for (let start = 0; start < frames; start += framesAtOnce) {
        const piece = new Float32Array(Math.min(framesAtOnce, frames - start));
        for (let i = 0; i < piece.length; i += 1) {
          let sum = 0;
          for (let channel = 0; channel < channels; channel += 1) {
            sum += read(data, ((start + i) * channels + channel) * width);
          }
          piece[i] = sum / channels;
        }
        yield piece;
      }
    },
  };
}
