import { machineNowMs } from '../clock.ts';

const windowMs = 60_000;
/** The maximum number of remembered keys before those whose minute is over are forgotten. */
const mostRemembered = 10_000;

export interface CallsLeft {
  limit: number;
  remaining: number;
  resetSeconds: number;
  isOver: boolean;
}

/**
 * Counts the calls of each name in the minute that began with the first of them. Stored in this process: with several
 * web processes, each counts for itself.
 */
export class CallLimit {
  readonly #limit: number;
  readonly #minutes = new Map<string, { endsMs: number; used: number }>();

  constructor(perMinute: number) {
    this.#limit = perMinute;
  }

  /** Counts one more. */
  take(name: string): CallsLeft {
    const minute = this.#minuteOf(name);
    minute.used += 1;
    return this.#left(minute);
  }

  /** Checks without counting a call: undefined as long as any are left. */
  whenOver(name: string): CallsLeft | undefined {
    const minute = this.#minutes.get(name);
    if (minute === undefined || minute.endsMs <= machineNowMs() || minute.used < this.#limit)
      return undefined;
    return { ...this.#left(minute), isOver: true };
  }

  #minuteOf(name: string): { endsMs: number; used: number } {
    const nowMs = machineNowMs();
    const known = this.#minutes.get(name);
    if (known !== undefined && known.endsMs > nowMs) return known;
    if (this.#minutes.size >= mostRemembered) this.#forget(nowMs);
    const fresh = { endsMs: nowMs + windowMs, used: 0 };
    this.#minutes.set(name, fresh);
    return fresh;
  }

  #forget(nowMs: number): void {
    for (const [name, { endsMs }] of this.#minutes) if (endsMs <= nowMs) this.#minutes.delete(name);
    if (this.#minutes.size >= mostRemembered) this.#minutes.clear();
  }

  #left({ endsMs, used }: { endsMs: number; used: number }): CallsLeft {
    return {
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - used),
      resetSeconds: Math.max(1, Math.ceil((endsMs - machineNowMs()) / 1000)),
      isOver: used > this.#limit,
    };
  }
}
