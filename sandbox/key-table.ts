// Facts about every message that must be remembered forever (was this id accepted, was this text sent to
// this number) are kept as 64-bit hashes in flat arrays: 1,000,000 of them take 18 to 36 MB and no garbage.
// Two of a million different keys share a hash with a probability of about 3e-8.

export type Digest = { lo: number; hi: number };

/** Writes the 64-bit hash of the text into `into` (no allocation: this runs for every message). */
export function digestText(into: Digest, text: string, seedLo = 0x9e3779b9, seedHi = 0x41c6ce57): void {
  let lo = seedLo ^ text.length;
  let hi = seedHi ^ text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    lo = Math.imul(lo ^ code, 0x9e3779b1);
    hi = Math.imul(hi ^ code, 0x5f356495);
    lo ^= lo >>> 15;
  }
  lo = Math.imul(lo ^ (lo >>> 16), 0x85ebca6b) ^ Math.imul(hi ^ (hi >>> 13), 0xc2b2ae35);
  hi = Math.imul(hi ^ (hi >>> 16), 0x85ebca6b) ^ Math.imul(lo ^ (lo >>> 13), 0xc2b2ae35);
  into.lo = lo >>> 0;
  into.hi = hi >>> 0;
}

/** An open-addressing table from 64-bit hashes to a byte; the byte 0 means an empty place. */
export class KeyTable {
  #lo = new Uint32Array(4096);
  #hi = new Uint32Array(4096);
  #value = new Uint8Array(4096);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds the key with a value from 1 to 255; false when it was there already (its value then stays). */
  add(lo: number, hi: number, value: number): boolean {
    const place = this.#find(lo, hi);
    if (this.#value[place] !== 0) return false;
    this.#lo[place] = lo;
    this.#hi[place] = hi;
    this.#value[place] = value;
    this.#size += 1;
    if (this.#size * 2 > this.#value.length) this.#grow();
    return true;
  }

  /** The value of the key, 0 when unknown. */
  get(lo: number, hi: number): number {
    return this.#value[this.#find(lo, hi)] ?? 0;
  }

  set(lo: number, hi: number, value: number): void {
    const place = this.#find(lo, hi);
    if (this.#value[place] !== 0) this.#value[place] = value;
  }

  clear(): void {
    this.#lo = new Uint32Array(4096);
    this.#hi = new Uint32Array(4096);
    this.#value = new Uint8Array(4096);
    this.#size = 0;
  }

  /** The whole table in pieces of at most 65,536 keys: lo, hi and value of each, 9 bytes a key. */
  *dump(): Generator<Buffer> {
    let piece = Buffer.allocUnsafe(65_536 * 9);
    let at = 0;
    for (let i = 0; i < this.#value.length; i++) {
      const value = this.#value[i] ?? 0;
      if (value === 0) continue;
      piece.writeUInt32LE(this.#lo[i] ?? 0, at);
      piece.writeUInt32LE(this.#hi[i] ?? 0, at + 4);
      piece.writeUInt8(value, at + 8);
      at += 9;
      if (at === piece.length) {
        yield piece;
        piece = Buffer.allocUnsafe(65_536 * 9);
        at = 0;
      }
    }
    if (at > 0) yield piece.subarray(0, at);
  }

  load(piece: Buffer): void {
    for (let at = 0; at + 9 <= piece.length; at += 9) {
      this.add(piece.readUInt32LE(at), piece.readUInt32LE(at + 4), piece.readUInt8(at + 8));
    }
  }

  #find(lo: number, hi: number): number {
    const mask = this.#value.length - 1;
    let place = lo & mask;
    while (this.#value[place] !== 0 && (this.#lo[place] !== lo || this.#hi[place] !== hi)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  #grow(): void {
    const { lo, hi, value } = { lo: this.#lo, hi: this.#hi, value: this.#value };
    this.#lo = new Uint32Array(lo.length * 2);
    this.#hi = new Uint32Array(lo.length * 2);
    this.#value = new Uint8Array(lo.length * 2);
    for (let i = 0; i < value.length; i++) {
      if (value[i] === 0) continue;
      const place = this.#find(lo[i] ?? 0, hi[i] ?? 0);
      this.#lo[place] = lo[i] ?? 0;
      this.#hi[place] = hi[i] ?? 0;
      this.#value[place] = value[i] ?? 0;
    }
  }
}
