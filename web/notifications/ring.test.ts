import { describe, expect, it } from 'vitest';
import { claimIn, isConversationPath, lastOfEach, type RingFacts, ringOf } from './ring.ts';

const facts: RingFacts = {
  isDoNotDisturb: false,
  number: { BrowserNotificationsEnabled: true, AudioNotificationsEnabled: true },
  isOnInBrowser: true,
  isLookedAt: false,
};

describe('a new text', () => {
  it.each<[string, Partial<RingFacts>, { notice: boolean; sound: boolean }]>([
    ['is shown and heard', {}, { notice: true, sound: true }],
    [
      'is neither while nobody wants to be disturbed',
      { isDoNotDisturb: true },
      { notice: false, sound: false },
    ],
    ['is neither while it is read', { isLookedAt: true }, { notice: false, sound: false }],
    [
      'is only heard where the browser may not show it',
      { isOnInBrowser: false },
      { notice: false, sound: true },
    ],
    [
      'is as its number says',
      { number: { BrowserNotificationsEnabled: true, AudioNotificationsEnabled: false } },
      { notice: true, sound: false },
    ],
  ])('%s', (_, change, told) => {
    expect(ringOf({ ...facts, ...change })).toEqual(told);
  });
});

it('uses the last text of each conversation, and the latest of them', () => {
  const texts = [1, 2, 1, 3, 4].map((ConversationID, id) => ({ ConversationID, id }));
  expect(lastOfEach(texts, 5).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(lastOfEach(texts, 2).map(({ id }) => id)).toEqual([3, 4]);
});

it('knows the address of a conversation', () => {
  expect(isConversationPath('/inbox/12', 12)).toBe(true);
  expect(isConversationPath('/inbox/12/messages', 12)).toBe(true);
  expect(isConversationPath('/conversations/12/messages', 12)).toBe(true);
  expect(isConversationPath('/inbox/123', 12)).toBe(false);
  expect(isConversationPath('/inbox', 12)).toBe(false);
});

it('one tab claims a text, and if there are many, the oldest are forgotten', () => {
  expect(claimIn(null, 7)).toBe('7');
  expect(claimIn('7', 7)).toBeUndefined();
  expect(claimIn('7', 6)).toBe('7,6');
  let kept: string | null = null;
  for (let id = 1; id <= 60; id++) kept = claimIn(kept, id) ?? kept;
  expect(kept?.split(',')).toHaveLength(50);
  expect(claimIn(kept, 60)).toBeUndefined();
  expect(claimIn(kept, 1)).toBeDefined();
});
