import { replaceEqualDeep } from '@tanstack/react-query';

/** Items that say the same as before stay the same objects, wherever they stand now: nothing is drawn again for them. */
export function keepItems<Item>(
  before: readonly Item[],
  idOf: (item: Item) => number,
): (after: readonly Item[]) => Item[] {
  const known = new Map(before.map((item) => [idOf(item), item]));
  return (after) => after.map((item) => replaceEqualDeep(known.get(idOf(item)), item));
}
