import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawPeaks, findSilence, peakCount } from './sound.ts';

const rate = 8000;
const tone = (seconds: number, level = 0.2) =>
  Array.from({ length: seconds * rate }, (_, i) => level * Math.sin(i / 3));
const silence = (seconds: number) => Array.from({ length: seconds * rate }, () => 0);

it.each([0.02, 0.2, 1])('finds the silence at both ends of words that are as loud as %f', (level) => {
  const found = findSilence(Float32Array.from([...silence(2), ...tone(1, level), ...silence(3)]), rate);
  expect(found?.beforeMs).toBeGreaterThan(1800);
  expect(found?.beforeMs).toBeLessThan(2000);
  expect(found?.afterMs).toBeGreaterThan(2600);
  expect(found?.afterMs).toBeLessThan(3000);
});

it('knows when there is nothing to be heard', () => {
  expect(findSilence(Float32Array.from(silence(2)), rate)).toBeUndefined();
  expect(findSilence(Float32Array.from(tone(2, 0.0005)), rate)).toBeUndefined();
  expect(findSilence(new Float32Array(0), rate)).toBeUndefined();
});

it('never cuts more than there is', () => {
  fc.assert(
    fc.property(fc.float32Array({ maxLength: 4000, noNaN: true, min: -1, max: 1 }), (samples) => {
      const found = findSilence(samples, rate);
      if (found) expect(found.beforeMs + found.afterMs).toBeLessThanOrEqual((samples.length / rate) * 1000);
      expect(drawPeaks(samples).length).toBe(peakCount);
    }),
  );
});
