import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMuLawWav, decodeMuLaw, readMuLawWav, writeMuLawWav } from './code-mulaw.ts';
import { decodeMp3, measureMp3 } from './decode-mp3.ts';
import { openWav } from './decode-wav.ts';
import { encodeMp3 } from './encode-mp3.ts';
import { levelSound, measureLoudness } from './level-sound.ts';
import { prepareSound } from './prepare-sound.ts';
import { Resampler } from './resample-sound.ts';
import { BadAudio, callRate } from './rules.ts';
import { pcmWav, silence, tone } from './testing/sounds.ts';

function resample(samples: Float32Array, from: number, to: number, piece = 1000): Float32Array {
  const resampler = new Resampler(from, to);
  const out: number[] = [];
  for (let at = 0; at < samples.length; at += piece)
    out.push(...resampler.push(samples.subarray(at, at + piece)));
  return Float32Array.from([...out, ...resampler.end()]);
}

function rms(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
}

describe('resampling', () => {
  it.each([44_100, 48_000, 16_000, 22_050, 11_025, 32_000, 96_000])(
    'keeps a tone of 1 kHz from %i Hz',
    (from) => {
      const out = resample(tone(1, { hz: 1000, rate: from, level: 0.5 }), from, 8000);
      expect(Math.abs(out.length - 8000)).toBeLessThanOrEqual(1);
      const expected = tone(1, { hz: 1000, rate: 8000, level: 0.5 });
      const middle = out.slice(200, 7800).map((value, i) => value - (expected[i + 200] ?? 0));
      expect(rms(middle)).toBeLessThan(0.002);
    },
  );

  it('lets no aliasing through', () => {
    const out = resample(tone(1, { hz: 5500, rate: 44_100, level: 0.5 }), 44_100, 8000);
    expect(rms(out.slice(200, 7800))).toBeLessThan(0.001);
  });

  it('gives the same whatever the pieces', () => {
    const samples = tone(0.2, { hz: 700, rate: 44_100, level: 0.5 });
    const [small, large] = [13, 5000].map((piece) => resample(samples, 44_100, 8000, piece));
    expect(small?.length).toBe(large?.length);
    expect(rms(small?.map((value, i) => value - (large?.[i] ?? 1)) ?? samples)).toBeLessThan(1e-6);
  });
});

describe('mu-law', () => {
  it('comes back within its steps, and its file says 8000 Hz, 64 kbps, mono', () => {
    const samples = tone(0.5, { hz: 440, level: 0.6 });
    const wav = writeMuLawWav(samples);
    expect(wav.readUInt32LE(24)).toBe(8000);
    expect(wav.readUInt32LE(28) * 8).toBe(64_000);
    const back = readMuLawWav(wav);
    expect(back.length).toBe(samples.length);
    for (const [i, value] of back.entries()) {
      expect(Math.abs(value - (samples[i] ?? 0))).toBeLessThan(0.002 + Math.abs(value) * 0.035);
    }
    // As G.711 has it: the loudest of both signs, and the two zeros.
    expect([0x00, 0x80, 0xff, 0x7f].map((code) => Math.round(decodeMuLaw(code) * 32_768))).toEqual([
      -32_124, 32_124, 0, 0,
    ]);
    expect(readMuLawWav(cutMuLawWav(wav, 100, 350)).length).toBe(2000);
  });
});

describe('loudness', () => {
  it('is that of BS.1770: a tone of 1 kHz at -20 dBFS is about -23 LUFS in one channel', () => {
    expect(measureLoudness(tone(5, { hz: 1000, level: 0.1 }))).toBeCloseTo(-23, 0);
    expect(measureLoudness(silence(1))).toBeUndefined();
  });

  it.each([0.02, 0.2, 1])('of a message recorded at %f becomes the same', (level) => {
    const samples = tone(3, { hz: 500, level });
    levelSound(samples);
    expect(measureLoudness(samples)).toBeCloseTo(-18, 0);
    expect(Math.max(...samples.map(Math.abs))).toBeLessThan(10 ** (-1 / 20));
  });
});

describe('wav', () => {
  it.each([
    [8000, 1, 8],
    [44_100, 2, 16],
    [48_000, 2, 24],
    [16_000, 1, 32],
  ])('of %i Hz, %i channels and %i bits is read', async (rate, channels, bits) => {
    const { lengthMs, wav } = await prepareSound(
      { bytes: pcmWav(tone(2, { hz: 600, rate, level: 0.4 }), { rate, channels, bits }) },
      false,
    );
    expect(Math.abs(lengthMs - 2000)).toBeLessThanOrEqual(1);
    expect(measureLoudness(readMuLawWav(wav))).toBeCloseTo(-18, 0);
  });

  it('ends where its bytes end, whatever its header says', () => {
    const wav = pcmWav(tone(1, { hz: 600 }), { rate: callRate });
    for (const size of [0, 4_294_967_295, 2_000_000_000]) {
      wav.writeUInt32LE(size, 40);
      expect(openWav(wav).seconds).toBeCloseTo(1);
    }
  });

  it.each([
    ['65,535 channels', 22, 2, 65_535],
    ['a rate of 4 GHz', 24, 4, 4_294_967_295],
    ['another byte rate than its samples have', 28, 4, 8000],
    ['no bits', 34, 2, 0],
    ['a format that nobody knows', 20, 2, 99],
  ])('with %s is refused', (_, at, bytes, value) => {
    const wav = pcmWav(tone(1, { hz: 600 }), { rate: callRate });
    wav.writeUIntLE(value, at, bytes);
    expect(() => openWav(wav)).toThrow(BadAudio);
  });

  it('of a rate that nobody records at is refused before it takes its time', () => {
    const odd = (rate: number) => openWav(pcmWav(tone(0.1, { hz: 600, rate }), { rate }));
    expect(() => odd(44_101)).toThrow(BadAudio);
    expect(odd(44_100).seconds).toBeCloseTo(0.1);
  });

  it('of any bytes gives sound or a sentence', () => {
    const good = pcmWav(tone(0.1, { hz: 600 }), { rate: callRate });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 6 }), (changes) => {
        const wav = Buffer.from(good);
        for (const [at, value] of changes) wav[at] = value;
        try {
          for (const piece of openWav(wav).pieces()) expect(piece.every(Number.isFinite)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(BadAudio);
        }
      }),
    );
  });
});

describe('mp3', () => {
  it('is measured without decoding, behind a tag too', async () => {
    const mp3 = await encodeMp3(writeMuLawWav(tone(7, { hz: 500, level: 0.3 })));
    expect(measureMp3(mp3)).toBeCloseTo(7, 0);
    const tag = Buffer.alloc(10 + 300);
    tag.write('ID3\u0004', 'latin1');
    tag.writeUInt16BE((2 << 8) | 44, 8);
    expect(measureMp3(Buffer.concat([tag, mp3]))).toBeCloseTo(7, 0);
    let samples = 0;
    await decodeMp3(mp3, (piece) => {
      samples += piece.length;
    });
    expect(samples / callRate).toBeCloseTo(7, 0);
  });

  it('is not mistaken for any file that begins like one', () => {
    expect(measureMp3(Buffer.from('ID3 is a tag, and this is a letter.'))).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        measureMp3(Buffer.from(bytes));
      }),
    );
  });
});
