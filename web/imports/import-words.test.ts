import { describe, expect, it } from 'vitest';
import { broadcastName } from './file/text-these.tsx';
import { fileProblem, formatBytes } from './file/upload-file.ts';
import {
  fileSentence,
  groupsSentence,
  joinedSentence,
  previewCount,
  progressCount,
  progressPace,
  reasonsSentence,
  resultFigures,
  timeLeft,
} from './import-words.ts';

describe('progress', () => {
  it('says how many, how fast and how much longer', () => {
    const progress = { Done: 812_000, Total: 1_000_000, PerSecond: 31_240, SecondsLeft: 6 };
    expect(progressCount(progress)).toBe('812,000 of 1,000,000 rows');
    expect(progressPace(progress)).toBe('31,240 rows a second · about 6 seconds left');
  });
  it('says what it knows before the file was counted', () => {
    const progress = { Done: 1, Total: null, PerSecond: 0, SecondsLeft: null };
    expect([progressCount(progress), progressPace(progress)]).toEqual(['1 row', '']);
  });
  it.each([
    [0, 'almost done'],
    [1, 'about 1 second left'],
    [59, 'about 59 seconds left'],
    [61, 'about 2 min left'],
    [7_200, 'about 2 h left'],
  ])('%i seconds are %s', (seconds, words) => expect(timeLeft(seconds)).toBe(words));
});

describe('sentences', () => {
  it('name the most frequent reasons first', () => {
    const reasons = [
      { Problem: 'Must be 10 digits; use only numbers', Count: 1 },
      { Problem: 'Please add a phone number', Count: 9 },
      { Problem: 'This is a date, not a phone number', Count: 4 },
    ];
    expect(reasonsSentence(reasons, 1)).toBe(
      '9 have no phone, 4: This is a date, not a phone number, 1 has an invalid number.',
    );
  });
  it('account for every row that is left out', () => {
    const reasons = [
      { Problem: 'Must be 10 digits; use only numbers', Count: 2 },
      { Problem: 'Please add a phone number', Count: 1 },
      { Problem: 'This number is not allowed', Count: 1 },
      { Problem: "This number isn't in the US, Puerto Rico, or Canada", Count: 1 },
    ];
    expect(reasonsSentence(reasons, 1)).toBe(
      '2 have invalid numbers, 1 has no phone, 1 has a number that isn’t allowed, 1 has another problem.',
    );
  });
  it('mention a title above the headings', () => {
    const tab = { IsRemembered: false, HasHeader: true, TitleRows: 0 };
    expect(fileSentence(tab)).toBe(
      'We matched the columns based on the headings. Change any that are wrong.',
    );
    expect(fileSentence({ ...tab, TitleRows: 2 })).toMatch(/The 2 rows above the headings were skipped\.$/);
  });
  it('name the existing groups and the new ones', () => {
    const group = (ListName: string, IsNew: boolean) => ({ ListID: null, ListName, IsNew });
    const one = [group('Choir', false), group('Flute', true)];
    expect(groupsSentence(one)).toBe('Choir already exists. Flute is new.');
    expect(joinedSentence(one)).toBe('They were added to Choir and Flute (new).');
    const many = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name) => group(name, false));
    expect(groupsSentence(many.slice(0, 3))).toBe('A, B and C already exist.');
    expect(groupsSentence(many)).toBe('A, B, C, D, E and 2 more already exist.');
  });
  it('add up to the rows of the file, repeats included', () => {
    const summary = {
      RowCount: 302,
      GoodRecordCount: 290,
      RepairedCount: 4,
      DuplicateCount: 7,
      ExistingCount: 20,
      RejectedCount: 3,
      Reasons: [],
      CreatedCount: 270,
      UpdatedCount: 15,
      SkippedCount: 5,
    };
    const figures = resultFigures(summary).map(({ label, count }) => [label, count]);
    expect(figures).toEqual([
      ['New', 270],
      ['Updated', 15],
      ['Unchanged', 5],
      ['Duplicates', 7],
      // Three that can't be imported, and two that somebody has left out.
      ['Left out', 5],
    ]);
    const added = resultFigures({ ...summary, CreatedCount: 274 }).map(({ count }) => count);
    expect(added).toEqual([274, 15, 5, 3, 5]);
    for (const counts of [figures.map(([, count]) => Number(count)), added])
      expect(counts.reduce((sum, count) => sum + count)).toBe(summary.RowCount);
  });
  it.each([
    ['families.csv', 'families'],
    ['Grade 3.4', 'Grade 3'],
    ['.csv', '.csv'],
    [`${'x'.repeat(80)}.xlsx`, `${'x'.repeat(49)}…`],
  ])('make a broadcast’s name of %s', (file, name) => expect(broadcastName(file)).toBe(name));
  it.each([
    [5, 2143, 'First 5 of 2,143 rows'],
    [5, null, 'First 5 rows'],
    [2, 2, 'All 2 rows'],
    [1, 1, 'The only row'],
  ])('of %i shown of %s', (shown, all, words) => expect(previewCount(shown, all)).toBe(words));
  it.each([
    [812, '812 bytes'],
    [3_400, '3.3 kB'],
    [3_565_158, '3.4 MB'],
    [256 * 1024 * 1024, '256 MB'],
  ])('%i bytes are %s', (bytes, words) => expect(formatBytes(bytes)).toBe(words));
  it('report what can be checked before a file is sent', () => {
    expect(fileProblem({ size: 0 })).toBe('No file provided.');
    expect(fileProblem({ size: 300 * 1024 * 1024 })).toMatch(/at most 256 MB/);
    expect(fileProblem({ size: 10 })).toBeUndefined();
  });
});
