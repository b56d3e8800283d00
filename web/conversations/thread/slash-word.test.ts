import { describe, expect, it } from 'vitest';
import { byShortcut, putIn, slashWord } from './slash-word.ts';

describe('the word after a slash', () => {
  it.each([
    ['/', 1, { q: '', start: 0, end: 1 }],
    ['/Hours', 6, { q: 'hours', start: 0, end: 6 }],
    ['Thanks! /ho', 11, { q: 'ho', start: 8, end: 11 }],
    ['Thanks!\n/ho', 11, { q: 'ho', start: 8, end: 11 }],
    ['/hours and more', 3, { q: 'ho', start: 0, end: 3 }],
    ['/üb', 3, { q: 'üb', start: 0, end: 3 }],
    ['and/or', 6, undefined],
    ['1/2', 3, undefined],
    ['https://example.org', 19, undefined],
    ['/hours ', 7, undefined],
    ['', 0, undefined],
  ])('%j at %i', (text, caret, word) => {
    expect(slashWord(text, caret)).toEqual(word);
  });
});

describe('inserting a saved text', () => {
  it('replaces the slash and its word', () => {
    const text = 'Thanks! /ho';
    expect(putIn(text, 'We open at 8.', { start: 8, end: 11 })).toEqual({
      text: 'Thanks! We open at 8.',
      caret: 21,
    });
  });

  it('is separated from the word before it', () => {
    expect(putIn('Thanks!', 'We open at 8.', { start: 7, end: 7 }).text).toBe('Thanks! We open at 8.');
    expect(putIn('', 'We open at 8.', { start: 0, end: 0 }).text).toBe('We open at 8.');
  });
});

it('shortcuts that begin with the typed text come first', () => {
  const text = (Shortcut: string) => ({ Shortcut, TemplateName: '' });
  const texts = [text(''), text('hours-summer'), text('bus'), text('hours')];
  const names = (q: string) => byShortcut(texts, q).map(({ Shortcut }) => Shortcut);
  expect(names('hours')).toEqual(['hours', 'hours-summer', '', 'bus']);
  expect(names('')).toEqual(['', 'hours-summer', 'bus', 'hours']);
});
