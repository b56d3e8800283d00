/**
 * Gathers what comes in quick succession: the first is done at once, whatever follows within the time is done together
 * when it is over. A broadcast under way changes many times a second, and nobody reads faster than that. The time may
 * depend on how many there were.
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
