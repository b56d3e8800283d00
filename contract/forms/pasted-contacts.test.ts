import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { cpuMs } from '../text/testing/cpu-ms.ts';
import * as cases from './pasted-contacts.cases.ts';
import { parsePastedContacts, splitName } from './pasted-contacts.ts';

testRuleTable(cases.pasted, (text) => {
  const { contacts, duplicates, invalid } = parsePastedContacts(text);
  return {
    ...(contacts.length > 0
      ? { contacts: contacts.map(({ name, number }): [string, string] => [name, number]) }
      : {}),
    ...(duplicates.length > 0
      ? { duplicates: duplicates.map(({ name, number }): [string, string] => [name, number]) }
      : {}),
    ...(invalid.length > 0
      ? { invalid: invalid.map(({ number, error }): [string, string] => [number, error]) }
      : {}),
  };
});
testRuleTable(cases.names, (name): [string, string] => {
  const { FirstName, LastName } = splitName(name);
  return [FirstName, LastName];
});

describe('pasted contacts', () => {
  it('number the rows in the order of the paste', () => {
    const { contacts, duplicates, invalid } = parsePastedContacts(
      '4235550143\nnobody\n4235550143\n4235550144',
    );
    expect([...contacts, ...invalid, ...duplicates].map(({ id }) => id)).toEqual([1, 4, 2, 3]);
  });

  it('recognize those who exist already', () => {
    const existing = new Set(['4235550143']);
    expect(parsePastedContacts('Ann 423-555-0143', { existing }).duplicates).toHaveLength(1);
  });

  it('read numbers as the account’s country writes them', () => {
    expect(parsePastedContacts('Nigel 020 7946 0958', { countryId: 4 }).contacts).toEqual([
      { id: 1, name: 'Nigel', number: '442079460958' },
    ]);
  });

  it('lose no line and invent no number', () => {
    const piece = fc.constantFrom(
      'Ann',
      '423-555-0143',
      '555',
      ',',
      '\t',
      ' ',
      '+44',
      'E9',
      '(',
      '4235550144',
      '.',
    );
    fc.assert(
      fc.property(fc.array(fc.array(piece, { minLength: 1 }), { maxLength: 5 }), (lines) => {
        const text = lines.map((line) => line.join('')).join('\n');
        const { contacts, duplicates, invalid } = parsePastedContacts(text);
        const filled = text.split('\n').filter((line) => line.trim() !== '').length;
        expect(contacts.length + duplicates.length + invalid.length).toBeGreaterThanOrEqual(filled);
        const digits = text.replace(/[^0-9\n]/g, '');
        for (const { number } of contacts) expect(digits).toContain(number);
      }),
    );
  });

  it('take 100,000 hostile characters at once', () => {
    const units = ['1', '1 ', '(', '1,', '4235550143\n', 'a', '\u00a0', '"', '1E', '-', '1234567a', '\n'];
    for (const unit of units) {
      const ms = cpuMs(() => parsePastedContacts(unit.repeat(100_000 / unit.length)));
      expect(ms, JSON.stringify(unit)).toBeLessThan(900);
    }
  });
});
