import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import {
  findBlockedUrls,
  findShortUrls,
  genericShortenerWarning,
  hasShortUrl,
  shortenerWarning,
} from './short-urls.ts';
import { blockedShortenerHosts, shortenerHosts } from './shorteners.ts';
import { singleWordWarning } from './single-word-warning.ts';
import { cpuMs } from './testing/cpu-ms.ts';
import { shortUrls, singleWords } from './warnings.cases.ts';

testRuleTable(singleWords, singleWordWarning);
testRuleTable(shortUrls, (text) => findShortUrls(text).map(({ url }) => url));

describe('shorteners', () => {
  it('are written in small letters, without www', () => {
    for (const host of shortenerHosts) expect(host).toMatch(/^(?!www\.)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
  });

  it('that are blocked outright are all in the list of shorteners', () => {
    for (const host of blockedShortenerHosts) expect(shortenerHosts).toContain(host);
    const found = findBlockedUrls('bit.ly/a ow.ly/b https://www.tinyurl.com/c bit.ly.example.org/d');
    expect(found.map(({ url }) => url)).toEqual(['bit.ly/a', 'https://www.tinyurl.com/c']);
  });

  it('are found in any sentence, at the right position', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcXYZ019'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...shortenerHosts), word, word, word, (host, path, before, after) => {
        const text = `${before} https://${host}/${path} ${after}`;
        expect(findShortUrls(text)).toEqual([
          { url: `https://${host}/${path}`, host, index: before.length + 1 },
        ]);
        expect(shortenerWarning(text)).toBe(genericShortenerWarning);
        expect(shortenerWarning(`${before} https://${host}.example.org/${path}`)).toBeUndefined();
      }),
    );
  });

  it('take well under a second for 100,000 hostile characters', () => {
    for (const piece of ['.', 'http://', 'bit.ly ', ')', '@', 'a.', '/', ' ']) {
      const text = `${piece.repeat(100_000 / piece.length)}x`;
      const ms = cpuMs(() => {
        hasShortUrl(text);
      });
      expect(ms).toBeLessThan(500);
    }
  });
});
