import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foundPieces } from './found-words.ts';

const marked = (text: string, q: string) =>
  foundPieces(text, q)
    .map((piece) => (piece.isFound ? `[${piece.text}]` : piece.text))
    .join('');

describe('foundPieces', () => {
  it('marks every find, whatever the case and the accents', () => {
    expect(marked('The bus is late. BUS 14, too.', 'bus')).toBe('The [bus] is late. [BUS] 14, too.');
    expect(marked('¿También la primaria?', 'tambien')).toBe('¿[También] la primaria?');
  });

  it('begins shortly before the first find, at a word', () => {
    const text = 'Good morning, this is the mother of Mia from grade five, and we will miss the bus today.';
    expect(marked(text, 'miss the')).toBe('… grade five, and we will [miss the] bus today.');
  });

  it('takes line breaks for spaces and letters that are symbols elsewhere as they are', () => {
    expect(marked('first\nsecond', 'first second')).toBe('[first second]');
    expect(marked('Is it (5+5)?', '(5+5)')).toBe('Is it [(5+5)]?');
  });

  it('shows the text as it is where the name was found, not the words', () => {
    expect(marked('See you then', 'Renee')).toBe('See you then');
    expect(marked('See you then', '  ')).toBe('See you then');
  });

  it('loses nothing after its beginning and marks only what was searched for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, q) => {
        const flat = text.replaceAll(/\s+/g, ' ').trim();
        const shown = foundPieces(text, q)
          .map((piece) => piece.text)
          .join('');
        expect(flat.endsWith(shown.replace(/^… /, '')) || shown === flat).toBe(true);
      }),
    );
  });
});
