import { describe, expect, it } from 'vitest';
import { fileStages } from '../../contract/imports.ts';
import { readFileId, readImportSearch } from './import-address.ts';
import { stepIndexAt, stepOf } from './import-steps.ts';

describe('the step that is shown', () => {
  it('is that of the file’s stage', () => {
    expect(Object.fromEntries(fileStages.map((stage) => [stage, stepOf(stage, {})]))).toEqual({
      mapping: 'METADATA',
      processing: 'PROCESS',
      review: 'REVIEW',
      importing: 'IMPORT',
      imported: 'IMPORT',
      undoing: 'IMPORT',
      undone: 'IMPORT',
      canceled: 'SELECT',
      failed: 'METADATA',
    });
  });

  it('is a different one where the address asks for it and the file waits in review', () => {
    expect(stepOf('review', { step: 'columns' })).toBe('METADATA');
    expect(stepOf('review', { step: 'edit' })).toBe('EDIT');
    expect(stepOf('review', { step: 'rows' })).toBe('VIEW');
  });

  it('follows the stage when an old address asks for something else', () => {
    for (const stage of fileStages.filter((one) => one !== 'review'))
      expect(stepOf(stage, { step: 'edit' })).toBe(stepOf(stage, {}));
  });

  it('has passed all steps when the import has ended', () => {
    expect([stepIndexAt('IMPORT', 'importing'), stepIndexAt('IMPORT', 'imported')]).toEqual([3, 4]);
  });
});

describe('the address', () => {
  it('returns only known values', () => {
    expect(readImportSearch({ step: 'edit', kind: 'nonsense', more: 1 })).toEqual({ step: 'edit' });
    expect(readImportSearch({ step: 'rows', kind: 'rejected' })).toEqual({ step: 'rows', kind: 'rejected' });
  });
  it.each(['0', '-1', '1e3', 'abc', '12345678901234567'])('%s is no file', (text) =>
    expect(readFileId(text)).toBeNaN(),
  );
  it('12 is one', () => expect(readFileId('12')).toBe(12));
});
