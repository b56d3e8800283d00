/**
 * Things that fall due at a time, in buckets of a few milliseconds: one timer for all of them, however
 * many wait (a timer a message would cost more than the message).
 */
export class Wheel<T> {
  #buckets = new Map<number, T[]>();
  #timer: NodeJS.Timeout | undefined;
  #next = Number.POSITIVE_INFINITY;
  #size = 0;
  readonly #run: (items: T[]) => void;
  readonly #tickMs: number;

  constructor(run: (items: T[]) => void, tickMs = 5) {
    this.#run = run;
    this.#tickMs = tickMs;
  }

  get size(): number {
    return this.#size;
  }

  push(dueAt: number, item: T): void {
    const tick = Math.ceil(dueAt / this.#tickMs);
    const bucket = this.#buckets.get(tick);
    if (bucket) bucket.push(item);
    else this.#buckets.set(tick, [item]);
    this.#size += 1;
    if (tick < this.#next) this.#arm(tick);
  }

  clear(): void {
    this.#buckets.clear();
    this.#size = 0;
    this.#next = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
  }

  #arm(tick: number): void {
    this.#next = tick;
    clearTimeout(this.#timer);
    // A timer can't wait longer than 2^31 ms; waking early finds nothing due and arms again.
    const waitMs = Math.min(Math.max(0, tick * this.#tickMs - Date.now()), 2_000_000_000);
    this.#timer = setTimeout(() => this.#turn(), waitMs);
  }

  #turn(): void {
    const now = Math.floor(Date.now() / this.#tickMs);
    const due: number[] = [];
    for (const tick of this.#buckets.keys()) if (tick <= now) due.push(tick);
    due.sort((a, b) => a - b);
    for (const tick of due) {
      const items = this.#buckets.get(tick);
      if (!items) continue;
      this.#buckets.delete(tick);
      this.#size -= items.length;
      this.#run(items);
    }
    this.#next = Number.POSITIVE_INFINITY;
    let first = Number.POSITIVE_INFINITY;
    for (const tick of this.#buckets.keys()) if (tick < first) first = tick;
    if (first !== Number.POSITIVE_INFINITY) this.#arm(first);
  }
}
