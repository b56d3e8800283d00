import { MPEGDecoder } from 'mpg123-decoder';
import { unsupportedAudio } from '../../contract/uploads/audio.ts';
import { BadAudio, mostSeconds } from './rules.ts';

const bytesAtOnce = 16 * 1024;
/** Give up after this many bytes without sound. */
const mostBytesWithoutSound = 256 * 1024;

/** Kilobits per second by the four bits of a frame's header: MPEG-1, then MPEG-2 and 2.5. */
const bitrates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const rates: Record<number, readonly number[]> = {
  3: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  0: [11_025, 12_000, 8_000],
};

interface Frame {
  bytes: number;
  seconds: number;
}

/** A layer III frame whose header is here. */
function readFrame(bytes: Buffer, at: number): Frame | undefined {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return undefined;
  const second = bytes[at + 1] ?? 0;
  const third = bytes[at + 2] ?? 0;
  if ((second & 0xe6) !== 0xe2) return undefined;
  const version = (second >> 3) & 3;
  const isOne = version === 3;
  const kbps = bitrates[isOne ? 0 : 1][third >> 4] ?? 0;
  const rate = rates[version]?.[(third >> 2) & 3];
  if (rate === undefined || kbps === 0) return undefined;
  const samples = isOne ? 1152 : 576;
  return {
    bytes: Math.floor((samples * kbps * 125) / rate) + ((third >> 1) & 1),
    seconds: samples / rate,
  };
}

/** Offset of the sound: after a tag, which contains its own length. */
function skipTag(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'ID3' || bytes.length < 10) return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((bytes[at] ?? 0) & 0x7f), 0);
  return 10 + size;
}

/**
 * The length of an mp3, from the headers of its frames alone: exact, and a hundred times faster than
 * decoding. Undefined unless the file begins with two frames in a row, which is what distinguishes sound from
 * other bytes.
 */
export function measureMp3(bytes: Buffer): number | undefined {
  let at = skipTag(bytes);
  const lastStart = Math.min(bytes.length, at + mostBytesWithoutSound);
  while (at < lastStart && !startsHere(bytes, at)) at += 1;
  if (at >= lastStart) return undefined;
  let seconds = 0;
  for (let lost = 0; at < bytes.length && lost < mostBytesWithoutSound; ) {
    const frame = readFrame(bytes, at);
    if (frame === undefined) {
      at += 1;
      lost += 1;
      continue;
    }
    seconds += frame.seconds;
    at += frame.bytes;
    lost = 0;
  }
  return seconds;
}

function startsHere(bytes: Buffer, at: number): boolean {
  const frame = readFrame(bytes, at);
  if (frame === undefined) return false;
  // A file of a single frame ends with it.
  return readFrame(bytes, at + frame.bytes) !== undefined || at + frame.bytes === bytes.length;
}

/**
 * Decodes an mp3 into mono pieces. The limit on time and memory is here, in the loop: the thread's own limit
 * does not count the decoder's memory.
 */
export async function decodeMp3(
  bytes: Buffer,
  take: (piece: Float32Array, sampleRate: number) => void,
): Promise<void> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    let seconds = 0;
    let barren = 0;
    for (let at = skipTag(bytes); at < bytes.length; at += bytesAtOnce) {
      const given = bytes.subarray(at, at + bytesAtOnce);
      const { channelData, samplesDecoded, sampleRate } = decoder.decode(given);
      barren = samplesDecoded === 0 ? barren + given.length : 0;
      if (barren > mostBytesWithoutSound) break;
      if (samplesDecoded === 0) continue;
      seconds += samplesDecoded / sampleRate;
      if (seconds > mostSeconds + 1) throw new BadAudio(unsupportedAudio);
      take(mixDown(channelData, samplesDecoded), sampleRate);
    }
  } finally {
    decoder.free();
  }
}

function mixDown([left, right]: Float32Array[], length: number): Float32Array {
  const mono = new Float32Array(length);
  for (let i = 0; i < length; i += 1) {
    const value = ((left?.[i] ?? 0) + (right?.[i] ?? left?.[i] ?? 0)) / 2;
    mono[i] = Number.isFinite(value) ? value : 0;
  }
  return mono;
}
