import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { minLength, minValue, required } from './basic-rules.ts';
import { number } from './character-rules.ts';
import {
  failures,
  fieldErrors,
  flagField,
  numberField,
  onlyFields,
  optionalNumberField,
  textField,
  trimmedField,
} from './form.ts';

const form = z
  .object({
    Name: trimmedField(required('Name'), minLength('Name', 3)),
    Notes: textField(),
    Lines: numberField(required('Lines'), number(), minValue('Lines', 1)),
    Size: optionalNumberField(number()),
    IsOn: flagField(),
  })
  .superRefine(
    failures(({ Name, Notes }) => ({ Notes: Name === Notes ? 'Notes repeat the name' : undefined })),
  );

describe('form', () => {
  it('returns the typed values, cleaned', () => {
    expect(form.parse({ Name: ' Choir ', Lines: '12', Notes: ' x' })).toEqual({
      Name: 'Choir',
      Notes: ' x',
      Lines: 12,
      Size: undefined,
      IsOn: false,
    });
    expect(form.parse({ Name: 'Choir', Lines: 3, Size: '40', IsOn: true, Extra: 1 })).toMatchObject({
      Lines: 3,
      Size: 40,
      IsOn: true,
    });
  });

  it('counts absent and null as empty', () => {
    expect(fieldErrors(form, {})).toEqual({
      Name: 'Enter a Name',
      Lines: 'Enter a Lines',
      Notes: 'Notes repeat the name',
    });
    expect(fieldErrors(form, { Name: null, Lines: null, Notes: 'x' })).toEqual({
      Name: 'Enter a Name',
      Lines: 'Enter a Lines',
    });
  });

  it('gives one message per field, from its first failing rule, and reports cross-field rules too', () => {
    expect(fieldErrors(form, { Name: 'ab', Notes: 'ab', Lines: 'x' })).toEqual({
      Name: 'Name must be at least 3 characters',
      Lines: 'Use only numbers',
      Notes: 'Notes repeat the name',
    });
  });

  it('refuses other types without throwing', () => {
    expect(fieldErrors(form, { Name: 5, Lines: {}, IsOn: 'yes' })).toEqual({
      Name: 'Use text',
      Lines: 'Use only numbers',
      IsOn: 'Use true or false',
    });
    expect(fieldErrors(form, 'nothing')).toHaveProperty('');
  });

  it('takes only the errors of a step', () => {
    const errors = { Name: 'a', 'steps.0.message': 'b', Notes: 'c' };
    expect(onlyFields(errors, ['Name', 'steps'])).toEqual({ Name: 'a', 'steps.0.message': 'b' });
  });

  it('describes itself to API documentation', () => {
    const schema = z.toJSONSchema(form, { io: 'input' });
    expect(schema.properties).toHaveProperty('Name.type', ['string', 'null']);
  });
});
