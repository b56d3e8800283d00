import fc from 'fast-check';
import { expect, it } from 'vitest';
import { carrierPauseMs, readSendKey, writeSendKey } from './rules.ts';

it('a send key is parsed as it was written', () => {
  fc.assert(
    fc.property(
      fc.record({
        accountId: fc.integer({ min: 1, max: 999_999_999_999 }),
        messageId: fc.integer({ min: 1, max: 999_999_999_999_999 }),
        nonce: fc.integer({ min: 0, max: 2_147_483_647 }),
      }),
      (key) => {
        const text = writeSendKey(key);
        expect(readSendKey(text)).toEqual(key);
        expect(text.length).toBeLessThanOrEqual(200);
      },
    ),
  );
});

it.each(['', 'mu-1-2', 'mu-1-2-zzzzzzz', 'mu--1-2-3', 'mu-1-2-3-4', 'xx-1-2-3', 'mu-1-2-3\n'])(
  '%j isn’t a key of ours',
  (text) => {
    expect(readSendKey(text)).toBeUndefined();
  },
);

it('a carrier is left alone longer and longer, up to ten seconds', () => {
  expect([1, 2, 3, 4, 5, 50].map(carrierPauseMs)).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
});
