import { expect, it } from 'vitest';
import { plainChange } from './plain-change.ts';

it('names what changes and what it saves', () => {
  expect(plainChange('Don’t forget…')).toEqual({ changes: "’ as ', … as ...", saved: '' });
  expect(plainChange(`Don’t ${'x'.repeat(70)}`)).toEqual({
    changes: "’ as '",
    saved: '1 part at the carrier instead of 2',
  });
  expect(plainChange(`${'x'.repeat(159)}\u200b\u200b`)).toEqual({
    changes: 'an invisible character as nothing',
    saved: '1 segment instead of 2',
  });
  expect(plainChange('a\u00a0b ｃ ｄ ｅ ｆ')?.changes).toBe(
    'a special space as a space, ｃ as c, ｄ as d, ｅ as e, and others',
  );
});

it('says nothing of a text that goes out as it is', () => {
  expect(plainChange('Plain')).toBeUndefined();
  expect(plainChange('Bravo 🎉')).toBeUndefined();
  expect(plainChange('日本語、ＯＫ')?.changes).toBe('Ｏ as O, Ｋ as K');
});
