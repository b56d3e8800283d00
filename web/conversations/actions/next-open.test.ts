import { describe, expect, it } from 'vitest';
import { findNextOpen, stepInList } from './next-open.ts';

const open = (ConversationID: number) => ({ ConversationID, IsDone: false });
const done = (ConversationID: number) => ({ ConversationID, IsDone: true });
const nobodyElse = () => false;

describe('findNextOpen', () => {
  it('names the one below, and the one above for the end of the list', () => {
    const rows = [open(1), open(2), open(3)];
    expect(findNextOpen(rows, 2, nobodyElse)).toEqual({ below: 3, above: 1 });
    expect(findNextOpen(rows, 3, nobodyElse)).toEqual({ below: undefined, above: 2 });
    expect(findNextOpen([open(1)], 1, nobodyElse)).toEqual({ below: undefined, above: undefined });
  });

  it('skips done ones and those that leave the list with it', () => {
    const rows = [open(1), open(2), done(3), open(4), open(5)];
    expect(findNextOpen(rows, 2, (id) => id === 4)).toEqual({ below: 5, above: 1 });
  });

  it('begins at the top for one that is not in the list', () => {
    expect(findNextOpen([open(1), open(2)], 9, nobodyElse)).toEqual({ below: 1, above: undefined });
  });
});

describe('stepInList', () => {
  const lists = { listed: [open(1), open(2)], under: [done(8), done(9)] };

  it('stays at the last open one instead of going on into those that are done', () => {
    expect(stepInList(lists, { focusedId: 1, openId: undefined }, 1)).toBe(2);
    expect(stepInList(lists, { focusedId: 2, openId: undefined }, 1)).toBe(2);
    expect(stepInList(lists, { focusedId: undefined, openId: 2 }, 1)).toBe(2);
    expect(stepInList(lists, { focusedId: undefined, openId: 9 }, 1)).toBe(1);
    expect(stepInList({ listed: [], under: lists.under }, { focusedId: undefined, openId: 8 }, 1)).toBe(
      undefined,
    );
  });

  it('moves among the done ones where one went there, and back up', () => {
    expect(stepInList(lists, { focusedId: 8, openId: 1 }, 1)).toBe(9);
    expect(stepInList(lists, { focusedId: 9, openId: 1 }, 1)).toBe(9);
    expect(stepInList(lists, { focusedId: 8, openId: 1 }, -1)).toBe(2);
  });
});
