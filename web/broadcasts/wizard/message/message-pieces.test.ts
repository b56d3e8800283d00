import { describe, expect, it } from 'vitest';
import { insertFields, messagePieces, unknownFields } from './message-pieces.ts';

describe('the pieces of a text', () => {
  it('names fields in people’s words, with their defaults', () => {
    const pieces = messagePieces('Hi {{FirstName|friend}} of {{Bus_route}}, {{Pet}}', ['Bus route']);
    expect(pieces.filter(({ kind }) => kind === 'field').map(({ label }) => label)).toEqual([
      'First name or friend',
      'Bus route',
      'Pet',
    ]);
  });
  it('marks characters that make it Unicode and errors, and leaves nothing out', () => {
    const text = '7:40–11:30 {{FirstName}} {{}} {{Last';
    const pieces = messagePieces(text, []);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => [kind, text])).toEqual([
      ['unicode', '–'],
      ['field', '{{FirstName}}'],
      ['issue', '{{}}'],
      ['issue', '{{'],
    ]);
  });
  it('marks only characters that stay Unicode where it goes out in plain characters', () => {
    const marked = messagePieces('A good night’s sleep 🎒', [], true).filter(
      ({ kind }) => kind === 'unicode',
    );
    expect(marked.map(({ text }) => text)).toEqual(['🎒']);
  });
  it('finds fields that nobody has', () => {
    const text = '{{firstname}} {{Bus_route}} {{School}} {{School}} {{Pet|your pet}} {{}}';
    expect(unknownFields(text, ['Bus route'])).toEqual(['School']);
  });
  it('offers a contact’s own fields once', () => {
    const tokens = insertFields(['FirstName', 'School']).map(({ token }) => token);
    expect(tokens).toEqual(['FirstName', 'LastName', 'FullName', 'Notes', 'PhoneNumber', 'School']);
  });
});
