/**
 * Gathers what comes in quick succession: the first is done at once, whatever follows within the time is done together
 * when it is over. A broadcast under way changes many times a second, and nobody reads faster than that.
 */
export function gatherFor<Item>(everyMs: number, act: (items: Item[]) => void) {
  let waiting: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    timer = setTimeout(flush, everyMs);
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
