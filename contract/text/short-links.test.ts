import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkBase, shortenLinks } from './short-links.ts';

const base = linkBase('https://text.example.org/');

describe('links of an organization’s own', () => {
  it('puts a placeholder of the same length for each address', () => {
    const { text, links } = shortenLinks(
      'Sign up (https://school.example.com/forms/2026?week=4). Map: http://maps.example.com/x, bye',
      base,
    );
    expect(text).toBe(
      'Sign up (https://text.example.org/l/Muster0001). Map: https://text.example.org/l/Muster0002, bye',
    );
    expect(links.map(({ url }) => url)).toEqual([
      'https://school.example.com/forms/2026?week=4',
      'http://maps.example.com/x',
    ]);
  });

  it('makes one link of the same address twice', () => {
    const { text, links } = shortenLinks('https://a.example/x and https://a.example/x', base);
    expect(links).toHaveLength(1);
    expect(text.split('Muster0001')).toHaveLength(3);
  });

  it.each([
    'No link, a.example/x and me@a.example',
    'https://a.example/{{StudentID}}',
    'https://localhost/x',
    'https://somebody:secret@a.example/',
    'https://text.example.org/l/abcdefghij',
  ])('leaves %s alone', (text) => {
    expect(shortenLinks(text, base)).toEqual({ text, links: [] });
  });

  it('changes nothing but addresses', () => {
    fc.assert(
      fc.property(fc.string(), fc.webUrl(), fc.string(), (before, url, after) => {
        const written = `${before} ${url} ${after}`;
        const { text, links } = shortenLinks(written, base);
        const back = links.reduce((whole, link) => whole.replaceAll(link.place, link.url), text);
        expect(back).toBe(written);
      }),
    );
  });
});
