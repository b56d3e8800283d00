import { describe, expect, it } from 'vitest';
import { plainAdvice } from './message-plain.ts';

const picture =
  'Hi {{FirstName}}, picture day at {{School}} is Thursday, March 19. Photos run 7:40–11:30 in the gym.';

describe('characters that are not in the plain alphabet', () => {
  it('says where one is, its effect, and replaces it with a plain one', () => {
    const advice = plainAdvice(picture, undefined);
    expect(advice?.title).toBe('One character splits each text into two parts');
    expect(advice?.sentence).toBe(
      'The long dash in “7:40–11:30” is not plain text, so carriers send 2 parts instead of 1. The cost in credits stays the same.',
    );
    expect(advice?.action).toBe('Use a plain dash');
    expect(advice?.plainText).toBe(picture.replace('–', '-'));
  });
  it('mentions the cost where the credits differ', () => {
    const zeroWidth = '\u200b'.repeat(20) + 'a'.repeat(150);
    const advice = plainAdvice(zeroWidth, undefined);
    expect(advice?.title).toBe('20 characters double the cost');
    expect(advice?.action).toBe('Remove them');
  });
  it('counts several of one kind, and of several kinds', () => {
    const long = 'x'.repeat(80);
    expect(plainAdvice(`${long} “so”`, undefined)?.action).toBe('Use plain quotation marks');
    expect(plainAdvice(`${long} “so” – yes`, undefined)?.action).toBe('Use plain characters');
  });
  it.each([
    ['a plain text', 'Hello'],
    ['an emoji, which nothing replaces', `${'x'.repeat(80)} 🎉`],
    ['a dash beside an emoji: it stays Unicode', `${'x'.repeat(80)} – 🎉`],
    ['a short text: one part either way', '7:40–11:30'],
  ])('is silent for %s', (_, text) => {
    expect(plainAdvice(text, undefined)).toBeUndefined();
  });
  it('includes the signature', () => {
    expect(plainAdvice('7:40–11:30', 'Harlow Creek Schools, '.repeat(3))).toBeDefined();
  });
});
