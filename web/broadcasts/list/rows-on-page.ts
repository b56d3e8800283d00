import { type RefObject, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Rows drawn beyond the edges, so that a fast scroll finds them there. */
const ROWS_AROUND = 8;

/**
 * Picks which of `count` rows of equal height to render, in a list that scrolls with the page and not in a pane
 * of its own. The position of the list is measured at each scroll, because the content above it grows and
 * shrinks.
 */
export function useRowsOnPage(list: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  const [sight, setSight] = useState({ first: 0, last: 20 });
  useLayoutEffect(() => {
    const page = list.current?.closest('main');
    if (!page) return;
    const look = () => {
      const element = list.current;
      if (!element) return;
      const above = page.getBoundingClientRect().top - element.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor(above / rowHeight));
      const last = Math.max(0, Math.ceil((above + page.clientHeight) / rowHeight));
      setSight((before) => (before.first === first && before.last === last ? before : { first, last }));
    };
    look();
    // Synchronously, before the frame is painted; otherwise an empty space would be visible in place of the
    // rows.
    const onScroll = () => flushSync(look);
    page.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(page);
    return () => {
      page.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [list, rowHeight]);
  return {
    first: Math.max(0, Math.min(sight.first, count - 1) - ROWS_AROUND),
    last: Math.min(count - 1, sight.last + ROWS_AROUND),
  };
}
