import { expect, it } from 'vitest';
import { fillSuggestion } from './suggest-campaign.ts';

it('fills in what is empty, never with the same sample twice', () => {
  const texts = { Description: 'We text.', Sample1: 'One', Sample2: 'Two' };
  expect(fillSuggestion({ Description: '', Sample1: '', Sample2: '' }, texts)).toEqual(texts);
  const own = { Description: 'Own', Sample1: 'Two', Sample2: '' };
  expect(fillSuggestion(own, texts)).toEqual({ ...own, Sample2: 'One' });
  expect(fillSuggestion({ ...own, Sample1: '', Sample2: 'One' }, texts)).toEqual({
    ...own,
    Sample1: 'Two',
    Sample2: 'One',
  });
});
