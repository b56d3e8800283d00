/** A seeded generator (mulberry32): with SANDBOX_SEED the same run gives the same delays and faults. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  reseed(seed: number): void {
    this.#state = seed >>> 0;
  }

  /** 0 up to, never including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  chance(rate: number): boolean {
    return rate > 0 && (rate >= 1 || this.next() < rate);
  }

  between(min: number, max: number): number {
    return max <= min ? min : min + this.next() * (max - min);
  }

  shuffle<T>(items: T[]): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = Math.floor(this.next() * (i + 1));
      const a = items[i];
      const b = items[j];
      if (a === undefined || b === undefined) continue;
      items[i] = b;
      items[j] = a;
    }
  }
}
