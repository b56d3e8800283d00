import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ThreadItem } from './group-messages.ts';

/** Within this distance of the end, the user is reading the newest texts. */
const AT_BOTTOM_PX = 60;
/** More texts load this far before either end, so that people rarely wait. */
const NEAR_END_PX = 400;

interface ThreadScroll {
  scrollerRef: RefObject<HTMLDivElement | null>;
  contentRef: RefObject<HTMLDivElement | null>;
  onScroll: () => void;
  /** Number of texts that arrived below while the user was reading further up. */
  newCount: number;
  scrollDown: () => void;
}

interface ScrollOptions {
  items: readonly ThreadItem[];
  /** Starts with this item in the middle, or at the end. */
  foundKey: string | undefined;
  /** The loaded range doesn't reach the present. */
  hasLater: boolean;
  onNearTop: (() => void) | undefined;
  onNearBottom: (() => void) | undefined;
}

/** The first visible item, and its offset from the upper edge. */
interface Anchor {
  key: string;
  top: number;
}

/**
 * The scroll position of a thread. At the end it stays at the end, whatever grows. Further up nothing moves: when items
 * appear above or below, the top visible item stays in place, and new ones below are counted.
 */
export function useThreadScroll(options: ScrollOptions): ThreadScroll {
  const { items, foundKey, hasLater, onNearTop, onNearBottom } = options;
  const scrollerRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const isAtBottom = useRef(foundKey === undefined);
  const soughtKey = useRef(foundKey);
  const anchor = useRef<Anchor>(undefined);
  const lastKey = useRef<string>(undefined);
  const [newCount, setNewCount] = useState(0);

  const measure = useCallback(() => {
    const scroller = scrollerRef.current;
    if (!scroller) return;
    const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    isAtBottom.current = below < AT_BOTTOM_PX && !hasLater;
    anchor.current = isAtBottom.current ? undefined : firstInSight(scroller, contentRef.current);
  }, [hasLater]);

  const scrollDown = useCallback(() => {
    const scroller = scrollerRef.current;
    if (!scroller) return;
    scroller.scrollTop = scroller.scrollHeight;
    isAtBottom.current = true;
    anchor.current = undefined;
    setNewCount(0);
  }, []);

  /** Restores the position after something changed its height. */
  const hold = useCallback(() => {
    const scroller = scrollerRef.current;
    const held = anchor.current;
    if (!scroller) return;
    if (isAtBottom.current) scroller.scrollTop = scroller.scrollHeight;
    else if (held) {
      const item = contentRef.current?.querySelector(`[data-item="${CSS.escape(held.key)}"]`);
      if (item) scroller.scrollTop += topIn(scroller, item) - held.top;
    }
  }, []);

  const onScroll = useCallback(() => {
    const scroller = scrollerRef.current;
    if (!scroller) return;
    measure();
    if (isAtBottom.current) setNewCount(0);
    if (scroller.scrollTop < NEAR_END_PX) onNearTop?.();
    if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX) onNearBottom?.();
  }, [measure, onNearTop, onNearBottom]);

  useLayoutEffect(() => {
    const scroller = scrollerRef.current;
    if (!scroller) return;
    const last = items.at(-1);
    const sought = soughtKey.current;
    const found =
      sought !== undefined && contentRef.current?.querySelector(`[data-item="${CSS.escape(sought)}"]`);
    if (found) {
      soughtKey.current = undefined;
      scroller.scrollTop += topIn(scroller, found) - (scroller.clientHeight - found.clientHeight) / 2;
    } else if (last?.kind === 'pending' && last.key !== lastKey.current && !hasLater) scrollDown();
    else {
      hold();
      const arrived = arrivedSince(items, lastKey.current);
      if (!isAtBottom.current && !hasLater && arrived > 0) setNewCount((count) => count + arrived);
    }
    lastKey.current = last?.key;
    measure();
  }, [items, hasLater, hold, measure, scrollDown]);

  // The position stays when the composer grows, a keyboard opens or a picture loads.
  useEffect(() => {
    const scroller = scrollerRef.current;
    const content = contentRef.current;
    if (!scroller || !content) return;
    const observer = new ResizeObserver(hold);
    observer.observe(scroller);
    observer.observe(content);
    return () => observer.disconnect();
  }, [hold]);

  // A thread too short to scroll would never load more.
  useEffect(() => {
    const scroller = scrollerRef.current;
    if (!scroller || items.length === 0 || scroller.scrollHeight > scroller.clientHeight) return;
    onNearTop?.();
    onNearBottom?.();
  }, [items, onNearTop, onNearBottom]);

  return { scrollerRef, contentRef, onScroll, newCount, scrollDown };
}

function topIn(scroller: Element, item: Element): number {
  return item.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}

/** A binary search: a long thread has thousands of items, and this runs at every scroll event. */
function firstInSight(scroller: Element, content: Element | null): Anchor | undefined {
  const items = content?.querySelectorAll<HTMLElement>('[data-item]') ?? [];
  const edge = scroller.getBoundingClientRect().top;
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.getBoundingClientRect().bottom ?? 0) > edge) high = middle;
    else low = middle + 1;
  }
  const item = items[low];
  return item && { key: item.dataset.item ?? '', top: topIn(scroller, item) };
}

/** Number of the contact's texts that came after the former last item. */
function arrivedSince(items: readonly ThreadItem[], lastKey: string | undefined): number {
  const from = lastKey === undefined ? -1 : items.findIndex(({ key }) => key === lastKey);
  if (from < 0) return 0;
  return items.slice(from + 1).filter((item) => item.kind === 'message' && item.message.IsInbound).length;
}
