import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Rows drawn beyond the edges, so that a fast scroll finds them there. */
const ROWS_AROUND = 6;
/** So long after the last leap it counts as come to rest. */
const REST_MS = 100;

/** Which of `count` rows of one height are drawn. All are of one height, so nothing has to be measured or remembered. */
export function useRowsInSight(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  const [sight, setSight] = useState({ first: 0, last: 15, isLeap: false });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const first = Math.floor(element.scrollTop / rowHeight);
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight);
      setSight((before) => {
        if (before.first === first && before.last === last) return before;
        return { first, last, isLeap: first > before.last || last < before.first };
      });
    };
    look();
    // At once, before the frame is painted: later the place of the rows would be seen empty.
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

  /** Scrolls just as far as needed to have a row in sight. */
  const scrollTo = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (!element) return;
      // What sticks to the foot of the list lies over its rows.
      const covered = Number.parseFloat(getComputedStyle(element).scrollPaddingBottom) || 0;
      const lowest = (index + 1) * rowHeight - element.clientHeight + covered;
      element.scrollTop = Math.max(lowest, Math.min(element.scrollTop, index * rowHeight));
    },
    [scroller, rowHeight],
  );
  // After a leap of more than a screen the next one lands elsewhere again: half of the work would never be seen.
  const around = sight.isLeap ? 0 : ROWS_AROUND;
  return {
    first: Math.max(0, Math.min(sight.first, count - 1) - around),
    last: Math.min(count - 1, sight.last + around),
    scrollTo,
  };
}
