// WAV as telephones use it: plain samples, µ-law and A-law; and how long an MP3 lasts.

type Wav = {
  /** 1 plain, 6 A-law, 7 µ-law. */
  format: number;
  channels: number;
  rate: number;
  bits: number;
  start: number;
  end: number;
  seconds: number;
  /** The file's own comment (LIST INFO ICMT); programs that read words aloud put the words there. */
  comment: string | undefined;
};

export function readWav(bytes: Buffer): Wav | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  const wav: Wav = {
    format: 0,
    channels: 0,
    rate: 0,
    bits: 0,
    start: 0,
    end: 0,
    seconds: 0,
    comment: undefined,
  };
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const start = at + 8;
    const end = Math.min(bytes.length, start + size);
    if (name === 'fmt ' && end - start >= 16) {
      wav.format = bytes.readUInt16LE(start);
      // Extensible: the format proper begins the long name at its end.
      if (wav.format === 0xfffe && end - start >= 26) wav.format = bytes.readUInt16LE(start + 24);
      wav.channels = bytes.readUInt16LE(start + 2);
      wav.rate = bytes.readUInt32LE(start + 4);
      wav.bits = bytes.readUInt16LE(start + 14);
    } else if (name === 'data') {
      wav.start = start;
      wav.end = end;
    } else if (name === 'LIST' && bytes.toString('latin1', start, start + 4) === 'INFO') {
      wav.comment = readComment(bytes, start + 4, end) ?? wav.comment;
    }
    at = start + size + (size % 2);
  }
  const frame = wav.channels * (wav.bits / 8);
  const isPlayable =
    (wav.format === 1 && wav.bits === 16) || ((wav.format === 6 || wav.format === 7) && wav.bits === 8);
  if (!isPlayable || wav.start === 0 || frame === 0 || wav.rate === 0) return undefined;
  wav.seconds = (wav.end - wav.start) / frame / wav.rate;
  return wav;
}

function readComment(bytes: Buffer, from: number, end: number): string | undefined {
  for (let at = from; at + 8 <= end; ) {
    const size = bytes.readUInt32LE(at + 4);
    if (bytes.toString('latin1', at, at + 4) === 'ICMT') {
      return bytes.toString('utf8', at + 8, Math.min(end, at + 8 + size)).replace(/\0+$/, '');
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** The first channel as 16-bit samples. */
export function decodeWav(bytes: Buffer, wav: Wav): Int16Array<ArrayBuffer> {
  const width = wav.bits / 8;
  const frame = wav.channels * width;
  const samples = new Int16Array(Math.floor((wav.end - wav.start) / frame));
  for (let i = 0; i < samples.length; i++) {
    const at = wav.start + i * frame;
    if (wav.format === 1) samples[i] = bytes.readInt16LE(at);
    else samples[i] = wav.format === 7 ? decodeMuLaw(bytes[at] ?? 0) : decodeALaw(bytes[at] ?? 0);
  }
  return samples;
}

/** Plain µ-law without a head. */
export function decodePlainMuLaw(bytes: Buffer): Int16Array<ArrayBuffer> {
  return Int16Array.from(bytes, decodeMuLaw);
}

function decodeMuLaw(byte: number): number {
  const value = ~byte & 0xff;
  const magnitude = (((value & 0x0f) << 3) + 0x84) << ((value & 0x70) >> 4);
  return value & 0x80 ? 0x84 - magnitude : magnitude - 0x84;
}

function decodeALaw(byte: number): number {
  const value = byte ^ 0x55;
  const exponent = (value & 0x70) >> 4;
  let magnitude = ((value & 0x0f) << 4) + 8;
  if (exponent > 0) magnitude = (magnitude + 0x100) << (exponent - 1);
  return value & 0x80 ? magnitude : -magnitude;
}

/** Mono, 16 bits. */
export function encodeWav(samples: Int16Array, rate: number): Buffer {
  const wav = Buffer.alloc(44 + samples.length * 2);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(36 + samples.length * 2, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(samples.length * 2, 40);
  for (let i = 0; i < samples.length; i++) wav.writeInt16LE(samples[i] ?? 0, 44 + i * 2);
  return wav;
}

const bitrates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const rates = [44_100, 48_000, 32_000] as const;

/** The sum of its frames; undefined when it has none. */
export function measureMp3(bytes: Buffer): number | undefined {
  let at = 0;
  if (bytes.toString('latin1', 0, 3) === 'ID3' && bytes.length > 10) {
    at = 10 + ((bytes[6] ?? 0) << 21) + ((bytes[7] ?? 0) << 14) + ((bytes[8] ?? 0) << 7) + (bytes[9] ?? 0);
  }
  let seconds = 0;
  while (at + 4 <= bytes.length) {
    const head = bytes.readUInt32BE(at);
    const version = (head >>> 19) & 3;
    const layer = (head >>> 17) & 3;
    const kind = version === 3 ? 1 : 2;
    const bitrate = bitrates[kind][(head >>> 12) & 15];
    const base = rates[(head >>> 10) & 3];
    if (head >>> 21 !== 0x7ff || version === 1 || layer !== 1 || !bitrate || !base) {
      at += 1;
      continue;
    }
    const rate = base / (version === 3 ? 1 : version === 2 ? 2 : 4);
    const samples = version === 3 ? 1152 : 576;
    seconds += samples / rate;
    at += Math.floor((samples / 8) * ((bitrate * 1000) / rate)) + ((head >>> 9) & 1);
  }
  return seconds > 0 ? seconds : undefined;
}
