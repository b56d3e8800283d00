import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileColumns } from '../../contract/imports.ts';
import { anyText } from '../testing/any-text.ts';
import { createFirstRows } from './find-first-rows.ts';
import { type ReadRow, readRow, rowProblems } from './read-row.ts';

const columns = fileColumns.parse({
  FirstName: 1,
  LastName: 2,
  Phone1: 3,
  Phone2: 4,
  Phone3: 5,
  Notes: 6,
  Groups: 7,
  CustomData: [{ ColumnNumber: 8, Name: 'Bus' }],
});
const rules = { columns, countryId: 1, splitsNames: false };

function read(cells: string[], more: Partial<typeof rules> = {}): ReadRow {
  return readRow(cells, { ...rules, ...more });
}

describe('a phone', () => {
  it.each([
    ['4235550143', 'good', '14235550143'],
    ['(423) 555-0143', 'good', '14235550143'],
    ['+1 423.555.0143', 'good', '14235550143'],
    ['1-423-555-0143', 'good', '14235550143'],
    ['4.235550143E9', 'repaired', '14235550143'],
    ['4235550143.0', 'repaired', '14235550143'],
    ["'4235550143", 'repaired', '14235550143'],
    ['="4235550143"', 'repaired', '14235550143'],
    ['423\u00a0555\u00a00143', 'repaired', '14235550143'],
  ])('%s is %s', (cell, state, phone) => {
    expect(read(['Jane', 'Doe', cell])).toMatchObject({ state, phone1: phone });
  });

  it.each([
    ['', 'Please add a phone number'],
    ['555-0143', 'Must be 10 digits; use only numbers'],
    ['none', 'Must be 10 digits; use only numbers'],
    ['4.24E+09', 'Must be 10 digits; use only numbers'],
    ['#N/A', 'Must be 10 digits; use only numbers'],
    ['876-555-0143', "This number isn't in the US, Puerto Rico, or Canada"],
    ['+44 20 7946 0958', "This number isn't in the US, Puerto Rico, or Canada"],
    ['5555555555', 'This number is not allowed'],
    ['2024-01-15', rowProblems.dateAsPhone],
    ['1/15/2024', rowProblems.dateAsPhone],
    ['15-Jan-24', rowProblems.dateAsPhone],
    ['=HYPERLINK("http://x","y")', 'Must be 10 digits; use only numbers'],
  ])('%j is rejected', (cell, problem) => {
    expect(read(['Jane', 'Doe', cell])).toMatchObject({ state: 'rejected', problem, firstName: 'Jane' });
  });

  it('stays in the row as it was written when it is rejected', () => {
    expect(read(['', '', '555-0143', '4235550144']).phone1).toBe('555-0143');
  });

  it('moves up where the first is empty', () => {
    expect(read(['', '', '', '4235550144'])).toMatchObject({
      state: 'repaired',
      problem: rowProblems.movedUp,
      phone1: '14235550144',
      phone2: null,
    });
  });

  it('that is invalid, but not the first, is left out with a note', () => {
    expect(read(['', '', '4235550143', '12', '4235550144'])).toMatchObject({
      state: 'repaired',
      problem: 'The second phone was left out: Must be 10 digits; use only numbers',
      phone1: '14235550143',
      phone2: '14235550144',
    });
  });

  it('is kept once', () => {
    expect(read(['', '', '4235550143', '(423) 555-0143'])).toMatchObject({ state: 'good', phone2: null });
  });

  it.each([
    ['423', '555-0143', '14235550143'],
    ['(423)', '5550143', '14235550143'],
    ['423.0', '5550143.0', '14235550143'],
    ['865', '423-555-0143', '14235550143'],
  ])('in two columns: %s and %s', (area, rest, phone) => {
    const two = fileColumns.parse({ AreaCode1: 1, Phone1: 2 });
    expect(readRow([area, rest], { ...rules, columns: two }).phone1).toBe(phone);
  });

  it('is parsed for the account’s country', () => {
    expect(read(['', '', '020 7946 0958'], { countryId: 4 }).phone1).toBe('442079460958');
  });
});

describe('words', () => {
  it('are cut where they are too long, and the row notes it', () => {
    const row = read([
      'J'.repeat(60),
      'D'.repeat(51),
      '4235550143',
      '',
      '',
      'N'.repeat(51),
      'G'.repeat(70),
      'V'.repeat(600),
    ]);
    expect(row).toMatchObject({ state: 'repaired', firstName: 'J'.repeat(50), lastName: 'D'.repeat(50) });
    expect(row.notes).toHaveLength(50);
    expect(row.groups).toEqual(['G'.repeat(50)]);
    expect(row.custom?.Bus).toHaveLength(500);
    expect(row.problem?.split('. ')).toEqual([
      rowProblems.groupCut,
      rowProblems.valueCut,
      rowProblems.firstNameCut,
      rowProblems.lastNameCut,
      rowProblems.notesCut,
    ]);
  });

  it('never end in half an emoji', () => {
    expect(read(['😀'.repeat(60), '', '4235550143']).firstName).toBe('😀'.repeat(50));
  });

  it('lose control characters, and several lines become one', () => {
    expect(read(['Ja\u0007ne', ' Mary\r\n Ann ', '4235550143'])).toMatchObject({
      state: 'repaired',
      problem: rowProblems.characters,
      firstName: 'Jane',
      lastName: 'Mary Ann',
    });
    expect(read(['Jane\u00a0Mary', '', '4235550143'])).toMatchObject({
      state: 'good',
      firstName: 'Jane Mary',
    });
  });

  it('keep the joiners of letters and emoji, and the lines of notes and values', () => {
    const row = read(['\u200bمی‌خواهم', '👨‍👩‍👧', '4235550143', '', '', 'one\r\n  two', '', 'a\n\nb']);
    expect(row).toMatchObject({
      firstName: 'می‌خواهم',
      lastName: '👨‍👩‍👧',
      notes: 'one\n  two',
      custom: { Bus: 'a\n\nb' },
    });
    expect(read(['\u200d\u2060', '', '4235550143'])).toMatchObject({ firstName: '', state: 'good' });
  });

  it.each(['=1+1', '+SUM(A1)', '@x', '-2'])('that look like a formula stay text: %s', (cell) => {
    expect(read([cell, '', '4235550143'])).toMatchObject({ state: 'good', firstName: cell });
  });

  it('name groups, separated by semicolons or bars, each once', () => {
    expect(read(['', '', '4235550143', '', '', '', ' Choir;Band | choir ;;']).groups).toEqual([
      'choir',
      'Band',
    ]);
  });

  it('name groups that contain a semicolon if quoted, as in the export', () => {
    const groups = (cell: string) => read(['', '', '4235550143', '', '', '', cell]).groups;
    expect(groups('"Mon; Wed";Band | "say ""hi"""')).toEqual(['Mon; Wed', 'Band', 'say "hi"']);
    expect(groups('5" pipes; "open; Choir')).toEqual(['5" pipes', '"open', 'Choir']);
  });

  it('of repeated groups are parsed once, unless they were repaired: each row notes that', () => {
    const groupsOf = (cell: string) => read(['', '', '4235550143', '', '', '', cell]);
    expect(groupsOf('Choir;Band').groups).toBe(groupsOf('Choir;Band').groups);
    const long = 'G'.repeat(60);
    expect([groupsOf(long), groupsOf(long)]).toMatchObject([
      { state: 'repaired', problem: rowProblems.groupCut },
      { state: 'repaired', problem: rowProblems.groupCut },
    ]);
    // More than are cached.
    for (let i = 0; i < 2_500; i += 1)
      expect(groupsOf(`Group ${i};Band`).groups).toEqual([`Group ${i}`, 'Band']);
    expect(groupsOf('Group 7;Band').groups).toEqual(['Group 7', 'Band']);
  });

  it.each([
    ['Jane Doe', 'Jane', 'Doe'],
    ['Doe, Jane', 'Jane', 'Doe'],
    ['Mary Ann Lee', 'Mary Ann', 'Lee'],
    ['Cher', 'Cher', ''],
  ])('that are whole names are split: %s', (cell, firstName, lastName) => {
    const whole = fileColumns.parse({ FirstName: 1, Phone1: 2 });
    expect(readRow([cell, '4235550143'], { ...rules, columns: whole, splitsNames: true })).toMatchObject({
      firstName,
      lastName,
    });
  });
});

it('accepts any cells without failing, and returns nothing longer than a contact allows', () => {
  fc.assert(
    fc.property(fc.array(anyText(80), { maxLength: 9 }), (cells) => {
      const row = read(cells);
      expect([...row.firstName].length).toBeLessThanOrEqual(50);
      expect([...row.lastName].length).toBeLessThanOrEqual(50);
      expect(row.state === 'rejected' || /^[1-9]\d{6,14}$/.test(row.phone1 ?? '')).toBe(true);
      for (const text of [row.firstName, row.lastName, row.notes, row.phone1 ?? ''])
        expect(text).not.toMatch(/\0/);
    }),
  );
});

it('finds the first row of a phone among many', () => {
  const rows = createFirstRows();
  const phoneOf = (at: number) => String(14_230_000_000 + at * 3);
  let known = 0;
  for (let at = 0; at < 100_000; at += 1) known += rows.find(phoneOf(at), at + 1) === undefined ? 0 : 1;
  expect(known).toBe(0);
  for (let at = 0; at < 100_000; at += 997) expect(rows.find(phoneOf(at), 1_000_000)).toBe(at + 1);
});
