import { expect, it } from 'vitest';
import { readWav } from '../../../contract/uploads/audio.ts';
import { writeWav } from './wav-file.ts';

it('writes a wav that the rules can read', async () => {
  const samples = Float32Array.from({ length: 16_000 }, (_, i) => Math.sin(i / 10) * 2);
  const bytes = new Uint8Array(await writeWav(samples, 16_000).arrayBuffer());
  expect(readWav(bytes)).toEqual({ sampleRate: 16_000, channels: 1, bitsPerSecond: 256_000, seconds: 1 });
  const view = new DataView(bytes.buffer);
  // Samples that are too loud are clipped; they don't wrap around.
  expect(Math.max(...Array.from({ length: 200 }, (_, i) => view.getInt16(44 + i * 2, true)))).toBe(32_767);
});
