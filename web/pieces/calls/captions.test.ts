import { expect, test } from 'vitest';
import { captionAt } from './captions.ts';

const text = 'Good evening. Buses run two hours late. Thank you.';

test('a caption marks the word that is being said, in its sentence', () => {
  expect(captionAt(text, 0)).toEqual({ before: '', sentence: '', word: '', rest: text, after: '' });
  expect(captionAt(text, 0.02)).toMatchObject({ word: 'Good', rest: ' evening. ' });
  expect(captionAt(text, 0.5)).toMatchObject({
    before: 'Good evening. ',
    sentence: 'Buses run ',
    word: 'two',
    rest: ' hours late. ',
    after: 'Thank you.',
  });
  expect(captionAt(text, 1)).toMatchObject({ sentence: 'Thank ', word: 'you.', after: '' });
  expect(captionAt('Hello', 0.5)).toMatchObject({ word: 'Hello' });
  expect(captionAt('', 0.5).word).toBe('');
});
