import { replaceEqualDeep } from '@tanstack/react-query';

/** Items that say the same as before stay the same objects, wherever they stand now: nothing is drawn again for them. */
export function sameItems<Item>(
  before: readonly Item[],
  after: readonly Item[],
  idOf: (item: Item) => number,
): Item[] {
  const known = new Map(before.map((item) => [idOf(item), item]));
  return after.map((item) => replaceEqualDeep(known.get(idOf(item)), item));
}
