import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ThreadItem } from './group-messages.ts';

/** Nearer to the end than this counts as reading the newest. */
const AT_BOTTOM_PX = 60;
/** Older texts are fetched this far before the top, so that one seldom waits. */
const NEAR_TOP_PX = 400;

interface ThreadScroll {
  scrollerRef: RefObject<HTMLDivElement | null>;
  contentRef: RefObject<HTMLDivElement | null>;
  onScroll: () => void;
  /** How many texts arrived below while one was reading further up. */
  newCount: number;
  scrollDown: () => void;
}

/**
 * Where the thread stands. At the end it stays at the end, whatever grows. Further up nothing moves:
 * older texts that are put in above push the position down by exactly their height, new ones below
 * are counted.
 */
export function useThreadScroll(options: {
  items: readonly ThreadItem[];
  onNearTop: (() => void) | undefined;
}): ThreadScroll {
  const { items, onNearTop } = options;
  const scrollerRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const isAtBottom = useRef(true);
  const before = useRef<{ height: number; firstKey: string | undefined; lastKey: string | undefined }>({
    height: 0,
    firstKey: undefined,
    lastKey: undefined,
  });
  const [newCount, setNewCount] = useState(0);

  const scrollDown = useCallback(() => {
    const scroller = scrollerRef.current;
    if (!scroller) return;
    scroller.scrollTop = scroller.scrollHeight;
    isAtBottom.current = true;
    setNewCount(0);
  }, []);

  const onScroll = useCallback(() => {
    const scroller = scrollerRef.current;
    if (!scroller) return;
    isAtBottom.current = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < AT_BOTTOM_PX;
    if (isAtBottom.current) setNewCount(0);
    if (scroller.scrollTop < NEAR_TOP_PX) onNearTop?.();
  }, [onNearTop]);

  useLayoutEffect(() => {
    const scroller = scrollerRef.current;
    if (!scroller) return;
    const known = before.current;
    const firstKey = items[0]?.key;
    const last = items.at(-1);
    const height = scroller.scrollHeight;
    const isOwn = last?.kind === 'pending' && last.key !== known.lastKey;
    if (isAtBottom.current || isOwn) scrollDown();
    else {
      if (known.firstKey !== firstKey) scroller.scrollTop += height - known.height;
      if (last && last.key !== known.lastKey) {
        const from = items.findIndex(({ key }) => key === known.lastKey);
        const arrived =
          from < 0
            ? []
            : items.slice(from + 1).filter((item) => item.kind === 'message' && item.message.IsInbound);
        if (arrived.length > 0) setNewCount((count) => count + arrived.length);
      }
    }
    before.current = { height: scroller.scrollHeight, firstKey, lastKey: last?.key };
  }, [items, scrollDown]);

  // The composer grows, a keyboard opens, a picture is loaded: who was at the end stays there.
  useEffect(() => {
    const scroller = scrollerRef.current;
    const content = contentRef.current;
    if (!scroller || !content) return;
    const observer = new ResizeObserver(() => {
      if (isAtBottom.current) scroller.scrollTop = scroller.scrollHeight;
      before.current.height = scroller.scrollHeight;
    });
    observer.observe(scroller);
    observer.observe(content);
    return () => observer.disconnect();
  }, []);

  // A page too short to scroll would never ask for the older ones.
  useEffect(() => {
    const scroller = scrollerRef.current;
    if (scroller && items.length > 0 && scroller.scrollHeight <= scroller.clientHeight) onNearTop?.();
  }, [items, onNearTop]);

  return { scrollerRef, contentRef, onScroll, newCount, scrollDown };
}
