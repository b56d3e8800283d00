import { type RefObject, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Rows drawn beyond the edges, so that a fast scroll finds them there. */
const ROWS_AROUND = 8;

/**
 * Which of `count` rows of one height are drawn, in a list that the page scrolls and not a pane of its own. Where the
 * list stands is asked again at each scroll: what is above it grows and shrinks.
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
    // At once, before the frame is painted: later the place of the rows would be seen empty.
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
