/**
 * A map that forgets what was not touched lately: two generations, the older dropped when the younger is
 * full. (Deleting the first key of one Map for every new one gets slower with every deletion in V8.)
 */
export class RecentMap<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  readonly #half: number;

  constructor(limit: number) {
    this.#half = Math.max(1, Math.floor(limit / 2));
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** Keeps the value as the latest touched. */
  set(key: string, value: V): void {
    if (this.#young.has(key)) {
      this.#young.set(key, value);
      return;
    }
    this.#old.delete(key);
    this.#young.set(key, value);
    if (this.#young.size >= this.#half) this.turn();
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Drops the older generation. */
  turn(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }

  *values(): Generator<V> {
    yield* this.#old.values();
    yield* this.#young.values();
  }
}
