import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkText } from './link-text.ts';

describe('linkText', () => {
  it.each([
    ['See https://hcsd.example/photos.', 'https://hcsd.example/photos'],
    ['(www.hcsd.example)', 'https://www.hcsd.example/'],
    ['https://en.example/Bus_(vehicle)', 'https://en.example/Bus_(vehicle)'],
    ['HTTP://HCSD.EXAMPLE/a?b=c#d', 'http://hcsd.example/a?b=c#d'],
  ])('%s leads to %s', (text, href) => {
    expect(linkText(text).find((piece) => piece.href)?.href).toBe(href);
  });

  it.each([
    'javascript:alert(1)',
    'mailwww.hcsd.example',
    'http://',
    'https://nodots',
    'Route 14 leaves at 1:40.',
  ])('%s leads nowhere', (text) => {
    expect(linkText(text)).toEqual([{ at: 0, text }]);
  });

  it('loses no character of any text', () => {
    // Not webUrl(), whose tables of characters take seconds to fill.
    const url = fc
      .tuple(
        fc.constantFrom('http://', 'HTTPS://', 'www.'),
        fc.domain(),
        fc.stringMatching(/^[\w/?&=#%().,-]*$/),
      )
      .map((parts) => parts.join(''));
    const word = fc.oneof(fc.string(), url, fc.constantFrom(' ', '\n', '(', ').', 'www.a.b'));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = words.join('');
        expect(
          linkText(text)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('reads 100,000 hostile characters in seconds, not in minutes', () => {
    const started = performance.now();
    for (const part of ['http://', '(', 'www.', ')', 'http://('])
      linkText(part.repeat(100_000 / part.length));
    linkText(`www.a.b/${')'.repeat(100_000)}`);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
