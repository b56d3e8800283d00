/**
 * The first row of a file with each phone. Two plain arrays instead of a Map: a million phones take 25 MB,
 * outside of the heap, regardless of the other columns. A phone has at most 15 digits and fits into a double.
 */
export function createFirstRows(): { find(phone: string, row: number): number | undefined } {
  let size = 1 << 12;
  let phones = new Float64Array(size);
  let rows = new Int32Array(size);
  let count = 0;

  /** The slot of a phone, or the free one for it. */
  function placeOf(phone: number): number {
    // Spread by the golden ratio: numbers in a town are often consecutive.
    let at = Math.imul((phone % 4_294_967_291) | 0, 0x9e3779b1) >>> 0;
    at = (at ^ (at >>> 15)) & (size - 1);
    while (phones[at] !== 0 && phones[at] !== phone) at = (at + 1) & (size - 1);
    return at;
  }

  function grow(): void {
    const [oldPhones, oldRows] = [phones, rows];
    size *= 2;
    phones = new Float64Array(size);
    rows = new Int32Array(size);
    for (const [index, phone] of oldPhones.entries()) {
      if (phone === 0) continue;
      const at = placeOf(phone);
      phones[at] = phone;
      rows[at] = oldRows[index] ?? 0;
    }
    // Released now, not at some later collection.
    for (const { buffer } of [oldPhones, oldRows]) buffer.transfer(0);
  }

  return {
    /** The row that had it before; undefined when this is the first. */
    find(phone, row) {
      if (count * 2 > size) grow();
      const number = Number(phone);
      const at = placeOf(number);
      if (phones[at] !== 0) return rows[at];
      phones[at] = number;
      rows[at] = row;
      count += 1;
      return undefined;
    },
  };
}
