import { describe, expect, it } from 'vitest';
import type { TextMessage } from '../../contract/conversations.ts';
import { sameTexts } from './thread.ts';

const text = (TextMessageID: number, Status = 'received') =>
  ({ TextMessageID, Status, Media: [{ mediaId: TextMessageID }] }) as unknown as TextMessage;

const pagesOf = (...pages: TextMessage[][]) => ({
  pages: pages.map((Items, index) => ({ Items, Next: index === pages.length - 1 ? null : `page ${index}` })),
  pageParams: pages.map((_, index) => (index === 0 ? {} : { next: `page ${index - 1}` })),
});

describe('a thread that is fetched again', () => {
  it('is the same when nothing has changed', () => {
    const before = pagesOf([text(3), text(2)], [text(1)]);
    expect(sameTexts(before, pagesOf([text(3), text(2)], [text(1)]))).toBe(before);
  });

  it('keeps its texts when a new one moves them, also from one page to the next', () => {
    const before = pagesOf([text(3), text(2)], [text(1)]);
    const after = sameTexts(before, pagesOf([text(4), text(3)], [text(2), text(1)]));
    const ids = after.pages.flatMap(({ Items }) => Items.map(({ TextMessageID }) => TextMessageID));
    expect(ids).toEqual([4, 3, 2, 1]);
    expect(after.pages[0]?.Items[1]).toBe(before.pages[0]?.Items[0]);
    expect(after.pages[1]?.Items[0]).toBe(before.pages[0]?.Items[1]);
    expect(after.pages[1]?.Items[1]).toBe(before.pages[1]?.Items[0]);
  });

  it('has a new text where one has changed, and the old ones around it', () => {
    const before = pagesOf([text(3), text(2, 'sent'), text(1)]);
    const after = sameTexts(before, pagesOf([text(3), text(2, 'delivered'), text(1)]));
    expect(after.pages[0]?.Items[0]).toBe(before.pages[0]?.Items[0]);
    expect(after.pages[0]?.Items[1]?.Status).toBe('delivered');
    expect(after.pages[0]?.Items[2]).toBe(before.pages[0]?.Items[2]);
  });

  it('knows when there is more of it than before', () => {
    const before = pagesOf([text(2)]);
    const after = sameTexts(before, { ...before, pages: [{ Items: [text(2)], Next: 'older' }] });
    expect(after.pages[0]?.Next).toBe('older');
  });

  it('is taken as it is the first time', () => {
    const first = pagesOf([text(1)]);
    expect(sameTexts(undefined, first)).toBe(first);
  });
});
