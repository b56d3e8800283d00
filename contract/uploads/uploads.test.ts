import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { audioTooLong, checkAudioBytes, checkAudioFile, readWav, sniffAudio } from './audio.ts';
import { checkImageBytes, checkImageFile, sniffImage } from './image.ts';
import { hasNonAscii } from './pasted-text.ts';
import { audioFiles, imageBytes, imageFiles, longAudio, pastedTexts, wavHeaders } from './uploads.cases.ts';

testRuleTable(imageFiles, ({ name, bytes, use }) => checkImageFile(name, bytes, use));
testRuleTable(imageBytes, (hex) => sniffImage(Uint8Array.fromHex(hex)));
testRuleTable(audioFiles, ({ name, bytes }) => checkAudioFile(name, bytes));
testRuleTable(wavHeaders, (header) => {
  const check = checkAudioBytes(wav(header));
  return check.error ?? check.seconds ?? NaN;
});
testRuleTable(longAudio, audioTooLong);
testRuleTable(pastedTexts, hasNonAscii);

function wav({ sampleRate = 8000, channels = 1, bits = 8, seconds = 1, before = new Uint8Array() }) {
  const bytesPerSecond = (sampleRate * channels * bits) / 8;
  const chunk = (name: string, content: Uint8Array, size = content.length) => {
    const head = new Uint8Array(8);
    new TextEncoder().encodeInto(name, head);
    new DataView(head.buffer).setUint32(4, size, true);
    return [...head, ...content, ...(content.length % 2 ? [0] : [])];
  };
  const format = new Uint8Array(16);
  const view = new DataView(format.buffer);
  view.setUint16(0, 7, true);
  view.setUint16(2, channels, true);
  view.setUint32(4, sampleRate, true);
  view.setUint32(8, bytesPerSecond, true);
  view.setUint16(12, (channels * bits) / 8, true);
  view.setUint16(14, bits, true);
  const inside = [
    ...new TextEncoder().encode('WAVE'),
    ...(before.length ? chunk('LIST', before) : []),
    ...chunk('fmt ', format),
    ...chunk('data', new Uint8Array(), Math.round(bytesPerSecond * seconds)),
  ];
  return Uint8Array.from(chunk('RIFF', Uint8Array.from(inside)));
}

describe('images', () => {
  it('are what their bytes say, whatever they are called', () => {
    expect(checkImageBytes(Uint8Array.fromHex('ffd8ffe0'))).toEqual({ type: 'image/jpeg' });
    expect(checkImageBytes(Uint8Array.fromHex('474946383961'), 'conversation')).toEqual({
      error: 'Unsupported image format. You can send either .png or .jpg images.',
    });
    expect(checkImageBytes(new TextEncoder().encode('<svg onload=alert(1)>'))).toEqual({
      error: 'Unsupported image format.',
    });
  });
});

describe('audio', () => {
  it('is an mp3 by its tag or by a frame of layer III', () => {
    expect(sniffAudio(new TextEncoder().encode('ID3\u0004'))).toBe('audio/mpeg');
    for (const frame of ['fffb9064', 'fff3440c', 'ffe318c4']) {
      expect(sniffAudio(Uint8Array.fromHex(frame)), frame).toBe('audio/mpeg');
    }
    // Layer II, AAC's frames, a bitrate and a sample rate that do not exist, a reserved version.
    for (const other of ['fffd9064', 'fff15080', 'fffbf064', 'fffb9c64', 'ffeb9064', '4f676753', 'ff', '']) {
      expect(sniffAudio(Uint8Array.fromHex(other)), other).toBeUndefined();
    }
  });

  it('of a wav is found behind descriptions of any length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 500 }), (before, seconds) => {
        const expected = { sampleRate: 8000, channels: 1, bitsPerSecond: 64_000, seconds };
        expect(readWav(wav({ before, seconds }))).toEqual(expected);
      }),
    );
  });

  it('never throws on bytes that are no audio, and ends', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (tail) => {
        const head = new TextEncoder().encode('RIFF\0\0\0\0WAVEfmt ');
        checkAudioBytes(Uint8Array.from([...head, ...tail]));
        checkAudioBytes(tail);
        checkImageBytes(tail);
      }),
    );
    expect(checkAudioBytes(wav({}).slice(0, 30))).toHaveProperty('error');
  });

  it('is read from a part of a larger buffer', () => {
    const padded = Uint8Array.from([1, 2, 3, ...wav({ seconds: 9 })]);
    expect(readWav(padded.subarray(3))?.seconds).toBe(9);
  });
});
