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

  it('marks separate words in any order, by their beginnings, as the search finds them', () => {
    const text = 'Oh good, we looked everywhere! I will pick them up at three.';
    expect(marked(text, 'pick up')).toBe('… looked everywhere! I will [pick] them [up] at three.');
    expect(marked('Picked up the supper', 'up, pick')).toBe('[Pick]ed [up] the supper');
    expect(marked('Bus or buses?', 'buses bus')).toBe('[Bus] or [buses]?');
    // One of the two isn't there: it was found by the name.
    expect(marked('Thank you, Mary', 'mary beck')).toBe('Thank you, Mary');
    // "nic" is in the picnic, but doesn't begin it.
    expect(marked('A picnic, nice', 'nic a')).toBe('[A] picnic, [nic]e');
  });

  it('treats line breaks as spaces, and letters that are symbols elsewhere as letters', () => {
    expect(marked('first\nsecond', 'first second')).toBe('[first second]');
    expect(marked('Is it (5+5)?', '(5+5)')).toBe('Is it [(5+5)]?');
  });

  it('shows the text as it is where the name matched, not the words', () => {
    expect(marked('See you then', 'Renee')).toBe('See you then');
    expect(marked('See you then', '  ')).toBe('See you then');
  });

  it('loses nothing after its beginning and marks only the words of the search', () => {
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
