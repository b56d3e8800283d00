import { describe, expect, it } from 'vitest';
import { checkRows, countLines, nonAsciiLines, nonAsciiSentence, readPaste } from './paste-rows.ts';

describe('a paste', () => {
  const text = 'Renee, 4235550143\nSomebody 1-423-555-0143\nGrace Kim\nHector 423-555-01\n(423) 555-0122';

  it('keeps every line, in its order, with its state', () => {
    const rows = checkRows(readPaste(text, 1), 1);
    expect(rows.map(({ id, state }) => [id, state])).toEqual([
      [1, 'good'],
      [2, 'duplicate'],
      [3, 'invalid'],
      [4, 'invalid'],
      [5, 'good'],
    ]);
    expect(rows[1]?.note).toBe('Same number as Renee above');
    expect(rows[2]).toMatchObject({ name: 'Grace Kim', note: 'Please add a phone number' });
  });

  it('is validated again when somebody fixes it', () => {
    const rows = readPaste(text, 1).map((row) => (row.id === 3 ? { ...row, number: '423 555 0122' } : row));
    expect(checkRows(rows, 1).map(({ state }) => state)).toEqual([
      'good',
      'duplicate',
      'good',
      'invalid',
      'duplicate',
    ]);
  });

  it.each([
    ['', 0],
    ['\n \n\t\n', 0],
    ['one\r\ntwo\rthree\n\nfour', 4],
  ])('%j has %i lines', (pasted, lines) => expect(countLines(pasted)).toBe(lines));
});

describe('characters outside ASCII', () => {
  it('are listed with the line, the first of each', () => {
    const found = nonAsciiLines('plain\nRenée né\r\nnon\u00a0breaking');
    expect(found).toEqual([
      { line: 2, character: 'é' },
      { line: 3, character: 'U+00A0' },
    ]);
    expect(nonAsciiSentence(found)).toBe('“é” in line 2, “U+00A0” in line 3');
  });
  it('are counted beyond the third line', () => {
    expect(nonAsciiSentence(nonAsciiLines('é\né\né\né\né'))).toBe(
      '“é” in line 1, “é” in line 2, “é” in line 3 and 2 more',
    );
  });
});
