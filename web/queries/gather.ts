/**
 * Throttles: the first item runs immediately, later ones within the interval run together at its end. A broadcast in
 * progress changes many times a second, faster than anyone reads. The interval may depend on the number of items.
 */
export function gatherFor<Item>(everyMs: number | ((many: number) => number), act: (items: Item[]) => void) {
  let waiting: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    timer = setTimeout(flush, typeof everyMs === 'number' ? everyMs : everyMs(items.length));
    act(items);
  };
  return {
    add: (items: readonly Item[]) => {
      waiting.push(...items);
      if (timer === undefined) flush();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      waiting = [];
    },
  };
}
