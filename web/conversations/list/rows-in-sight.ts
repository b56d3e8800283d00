import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Rows rendered beyond the edges, for fast scrolling. */
const ROWS_AROUND = 6;
/** Scrolling counts as stopped this long after the last jump. */
const REST_MS = 100;

/** Picks which of `count` rows to render. All rows have the same height, so nothing is measured. */
export function useRowsInSight(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  // A new list starts like a jump: rows out of sight are rendered once the rest of the page is there.
  const [sight, setSight] = useState(() => ({
    first: 0,
    last: Math.ceil(window.innerHeight / rowHeight),
    isLeap: true,
  }));
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const first = Math.floor(element.scrollTop / rowHeight);
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight);
      setSight((before) => {
        if (before.first === first && before.last === last) return before;
        const isSamePlace = before.isLeap && first === before.first;
        return { first, last, isLeap: isSamePlace || first > before.last || last < before.first };
      });
    };
    look();
    // Before the frame is painted; otherwise the rows' place would flash empty.
    const onScroll = () => flushSync(look);
    element.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [scroller, rowHeight]);

  useEffect(() => {
    if (!sight.isLeap) return;
    const timer = setTimeout(() => setSight((before) => ({ ...before, isLeap: false })), REST_MS);
    return () => clearTimeout(timer);
  }, [sight]);

  /** Scrolls only as far as needed to show a row. */
  const scrollTo = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (!element) return;
      // The sticky header at the bottom covers rows.
      const covered = Number.parseFloat(getComputedStyle(element).scrollPaddingBottom) || 0;
      const lowest = (index + 1) * rowHeight - element.clientHeight + covered;
      element.scrollTop = Math.max(lowest, Math.min(element.scrollTop, index * rowHeight));
    },
    [scroller, rowHeight],
  );
  // After a jump of more than a screen, the next one lands elsewhere again, so half the work would never be seen.
  const around = sight.isLeap ? 0 : ROWS_AROUND;
  return {
    first: Math.max(0, Math.min(sight.first, count - 1) - around),
    last: Math.min(count - 1, sight.last + around),
    scrollTo,
  };
}
