import { describe, expect, it } from 'vitest';
import { costLabel, pictureProblem, textProblem } from './text-rules.ts';

const school = { CountryID: 1, AccountTypeID: 0 };
const number = { FlatRateConversationStatus: null };

describe('textProblem', () => {
  it.each([
    ['', 0, 'Enter a Text Message.'],
    [' \n', 0, 'Enter a Text Message.'],
    ['', 1, undefined],
    [' \n', 1, undefined],
    ['\u200b', 0, 'Enter a Text Message.'],
    [`${'x'.repeat(160)}\n`, 0, undefined],
    ['x'.repeat(160), 0, undefined],
    ['x'.repeat(161), 0, "Your message can't exceed 160 characters."],
  ])('%j with %i pictures: %s', (text, pictures, problem) => {
    expect(textProblem(text, { pictures, limit: 160, isScheduled: false })).toBe(problem);
  });

  it.each([
    ['', undefined],
    [' \n', undefined],
    ['x'.repeat(161), "Your message can't exceed 160 characters."],
  ])('%j scheduled: %s', (text, problem) => {
    expect(textProblem(text, { pictures: 0, limit: 160, isScheduled: true })).toBe(problem);
  });
});

describe('costLabel', () => {
  it.each([
    ['', { pictures: 0, account: school, number }, ''],
    ['Hello', { pictures: 0, account: school, number }, '1 segment · 1 credit'],
    ['x'.repeat(161), { pictures: 0, account: school, number }, '2 segments · 2 credits'],
    ['', { pictures: 1, account: school, number }, '2 segments · 2 credits'],
    [
      'x'.repeat(301),
      { pictures: 0, account: { CountryID: 4, AccountTypeID: 0 }, number },
      '3 segments · 3 credits',
    ],
    ['Hello', { pictures: 0, account: { CountryID: 1, AccountTypeID: 1 }, number }, '1 segment · no credits'],
    [
      'Hello',
      { pictures: 0, account: school, number: { FlatRateConversationStatus: 'CancelPending' as const } },
      '1 segment · no credits',
    ],
    [
      'Hello',
      { pictures: 0, account: school, number: { FlatRateConversationStatus: 'BillingProblem' as const } },
      '1 segment · 1 credit',
    ],
  ])('%j with %o', (text, by, label) => {
    expect(costLabel(text, by)).toBe(label);
  });
});

describe('pictureProblem', () => {
  it('takes png and jpg up to 5 MB and says what is wrong with others', () => {
    expect(pictureProblem({ type: 'image/jpeg', size: 5 * 1024 * 1024 }, 0)).toBeUndefined();
    expect(pictureProblem({ type: 'image/gif', size: 10 }, 0, 'broadcast')).toBeUndefined();
    expect(pictureProblem({ type: 'image/gif', size: 10 }, 0)).toBe(
      'Unsupported image format. You can send either .png or .jpg images.',
    );
    expect(pictureProblem({ type: 'image/png', size: 5 * 1024 * 1024 + 1 }, 0)).toBe(
      "File size for png files shouldn't exceed 5 MB",
    );
    expect(pictureProblem({ type: 'image/png', size: 10 }, 10)).toBe('A text can carry at most 10 pictures.');
  });
});
