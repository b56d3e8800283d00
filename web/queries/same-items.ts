import { replaceEqualDeep } from '@tanstack/react-query';

/** Items with the same content keep their identity wherever they move, so that they don't render again. */
export function keepItems<Item>(
  before: readonly Item[],
  idOf: (item: Item) => number,
): (after: readonly Item[]) => Item[] {
  const known = new Map(before.map((item) => [idOf(item), item]));
  return (after) => after.map((item) => replaceEqualDeep(known.get(idOf(item)), item));
}
