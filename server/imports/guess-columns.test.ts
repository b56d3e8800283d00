import { describe, expect, it } from 'vitest';
import { findHeader, guessColumns, hasHeader, shapeHash, splitsNames } from './guess-columns.ts';

const options = { countryId: 1, fieldNames: ['Bus number', 'Grade'] };
const guess = (headings: string[] | undefined, rows: string[][] = []) =>
  guessColumns(headings, rows, options);

describe('columns by their headings', () => {
  it.each([
    ['First Name,Last Name,Phone', { FirstName: 1, LastName: 2, Phone1: 3 }],
    ['fname,LNAME,cell_phone', { FirstName: 1, LastName: 2, Phone1: 3 }],
    ['Surname,Given name,Telephone number', { FirstName: 2, LastName: 1, Phone1: 3 }],
    ['Nombre,Apellidos,Teléfono móvil,Notas', { FirstName: 1, LastName: 2, Phone1: 3, Notes: 4 }],
    ['Prénom,Nom,Téléphone portable,Groupe', { FirstName: 1, LastName: 2, Phone1: 3, Groups: 4 }],
    ['Vorname,Nachname,Handynummer,Bemerkung', { FirstName: 1, LastName: 2, Phone1: 3, Notes: 4 }],
    ['Name,Number', { FirstName: 1, LastName: null, Phone1: 2 }],
    ['Home Phone,Mobile,Work phone', { Phone1: 2, Phone2: 1, Phone3: 3 }],
    ['Phone 1,Phone 2,Phone 3', { Phone1: 1, Phone2: 2, Phone3: 3 }],
    ['Area Code,Phone,Name', { AreaCode1: 1, Phone1: 2, FirstName: 3 }],
    ['Phone,Comments,Tags', { Phone1: 1, Notes: 2, Groups: 3 }],
    ['Phone type,Phone,Carrier', { Phone1: 2, Phone2: null }],
    ['Phone,BUS NUMBER,Shoe size', { Phone1: 1, CustomData: [{ ColumnNumber: 2, Name: 'Bus number' }] }],
  ])('%s', (headings, columns) => {
    expect(guess(headings.split(','))).toMatchObject(columns);
  });

  it.each([
    ['Name,Home,Cell,Work', ['Jane Doe', '4235550143', '4235550144', '4235550145'], [3, 2, 4]],
    ['Student,Parent phone,Home', ['Jane', '4235550143', '4235550144'], [2, 3, null]],
    ['Student,Mother,Father,Emergency 2', ['Jane', '4235550143', '4235550144', '4235550145'], [2, 3, 4]],
    ['Name,Home,Work,Phone', ['Jane', '12 Station Rd', 'Town Hall', '4235550144'], [4, null, null]],
  ])('%s, by the cells below if a heading is ambiguous', (headings, row, phones) => {
    const { Phone1, Phone2, Phone3 } = guess(headings.split(','), [row]);
    expect([Phone1, Phone2, Phone3]).toEqual(phones);
  });

  it('prefers the custom field with the same name for a heading', () => {
    const fields = { countryId: 1, fieldNames: ['Class', 'bus-number', 'Bus number', '__proto__'] };
    expect(
      guessColumns(['Class', 'Phone', 'BUS NUMBER', 'Bus_Number', '__proto__'], [], fields),
    ).toMatchObject({
      Groups: null,
      Phone1: 2,
      CustomData: [
        { ColumnNumber: 1, Name: 'Class' },
        { ColumnNumber: 3, Name: 'Bus number' },
        { ColumnNumber: 5, Name: '__proto__' },
      ],
    });
  });

  it('prefers a column of phones that has any', () => {
    expect(guess(['Mobile', 'Home phone'], [['', '4235550143']])).toMatchObject({ Phone1: 2, Phone2: 1 });
  });
});

describe('columns by their cells', () => {
  it.each([
    [[['Jane', 'Doe', '423-555-0143']], { FirstName: 1, LastName: 2, Phone1: 3 }],
    [[['4235550143', 'Jane Doe']], { FirstName: 2, LastName: null, Phone1: 1 }],
    [[['4235550143'], ['4235550144']], { FirstName: null, Phone1: 1 }],
    [[['Jane', '4235550143', '8655550101']], { FirstName: 1, Phone1: 2, Phone2: 3 }],
  ])('%j', (rows, columns) => {
    expect(guess(undefined, rows)).toMatchObject(columns);
  });

  it('under unknown headings', () => {
    expect(guess(['Alpha', 'Beta'], [['Jane', '4235550143']])).toMatchObject({ Phone1: 2, FirstName: null });
  });
});

describe('whether the first row names the columns', () => {
  it.each([
    [
      [
        ['First Name', 'Phone'],
        ['Jane', '4235550143'],
      ],
      true,
    ],
    [
      [
        ['Jane', '4235550143'],
        ['Joe', '4235550144'],
      ],
      false,
    ],
    [
      [
        ['Alpha', 'Beta'],
        ['Jane', '4235550143'],
      ],
      true,
    ],
    [
      [
        ['Jane', 'Doe'],
        ['Joe', 'Roe'],
      ],
      false,
    ],
    [[['phone']], true],
    [[], false],
  ])('%j: %s', (rows, is) => {
    expect(hasHeader(rows, 1)).toBe(is);
  });
});

describe('a title above the headings', () => {
  const jane = ['Jane', 'Doe', '4235550143'];
  it.each([
    [[['Fall roster', '', ''], ['First', 'Last', 'Cell'], jane], true, 1],
    [[['Lincoln School'], ['As of', '11/17/2026'], ['First', 'Last', 'Cell'], jane], true, 2],
    [[['Team'], ['Player', 'Family', 'Cell'], jane], true, 1],
    [[['Our list'], ['Alpha', 'Beta', 'Gamma'], jane], true, 1],
    [[['Our list'], ['Phone'], ['4235550143']], true, 1],
    [[['First', 'Last', 'Cell'], jane], true, 0],
    [[['First', 'Last', 'Cell'], ['Name', 'Group', ''], jane], true, 0],
    [[['Our list'], jane], false, 0],
    [[jane, ['First', 'Last', 'Cell']], false, 0],
    [[], false, 0],
  ])('%j: %s, %s', (rows, hasHeader, titleRows) => {
    expect(findHeader(rows, 1)).toEqual({ hasHeader, titleRows });
  });
});

it('splits whole names only if the column contains them', () => {
  expect(splitsNames(guess(['Name', 'Phone']), ['Name', 'Phone'])).toBe(true);
  expect(splitsNames(guess(['First Name', 'Phone']), ['First Name', 'Phone'])).toBe(false);
  expect(splitsNames(guess(['First', 'Last', 'Phone']), ['First', 'Last', 'Phone'])).toBe(false);
});

it('treats headings with other spaces, accents and capitals as the same shape', () => {
  expect(shapeHash(['First name', 'Téléphone'])).toEqual(shapeHash(['FIRST_NAME', 'telephone', '']));
  expect(shapeHash(['First name', 'Phone'])).not.toEqual(shapeHash(['Phone', 'First name']));
});
