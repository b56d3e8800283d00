import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { mergedValues, mergeFieldNames } from './merge-fields.cases.ts';
import { contactMergeFields, mergeFieldOf, mergeValues } from './merge-fields.ts';
import { personalize, personalizedFieldError } from './personalized-fields.ts';

testRuleTable(mergeFieldNames, mergeFieldOf);
testRuleTable(mergedValues, mergeValues);

it('the field of any name is a token that can be filled in', () => {
  const names = fc.string({ minLength: 1, maxLength: 50, unit: 'grapheme' }).filter((name) => {
    return name.trim() !== '' && [...name].length <= 50;
  });
  fc.assert(
    fc.property(names, (name) => {
      const text = `{{${mergeFieldOf(name)}}}`;
      expect(personalizedFieldError(text)).toBeUndefined();
    }),
  );
});

it('every field that is offered has a value', () => {
  const values = mergeValues({ firstName: 'Ana', lastName: 'Silva', notes: 'x', phone: '14235550143' });
  const text = contactMergeFields.map((name) => `{{${name}}}`).join();
  expect(personalize(text, values)).toEqual({ text: 'Ana,Silva,Ana Silva,x,4235550143', missing: [] });
});
