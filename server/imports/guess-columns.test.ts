import { describe, expect, it } from 'vitest';
import { guessColumns, hasHeader, shapeHash, splitsNames } from './guess-columns.ts';

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

  it('under headings that nobody knows', () => {
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

it('divides whole names only where the column holds them', () => {
  expect(splitsNames(guess(['Name', 'Phone']), ['Name', 'Phone'])).toBe(true);
  expect(splitsNames(guess(['First Name', 'Phone']), ['First Name', 'Phone'])).toBe(false);
  expect(splitsNames(guess(['First', 'Last', 'Phone']), ['First', 'Last', 'Phone'])).toBe(false);
});

it('sees the same shape in headings with other spaces, accents and capitals', () => {
  expect(shapeHash(['First name', 'Téléphone'])).toEqual(shapeHash(['FIRST_NAME', 'telephone', '']));
  expect(shapeHash(['First name', 'Phone'])).not.toEqual(shapeHash(['Phone', 'First name']));
});
