import { setTimeout as delay } from 'node:timers/promises';

/**
 * Everything that a test file has started, ended after its last test (server/testing/after-file.ts), in this
 * order.
 */
const closers: (() => Promise<void>)[] = [];

/** If it doesn't end by then, it ends with the process. */
const closeMs = 20_000;

export function closeAtEnd(close: () => Promise<void>): void {
  closers.push(close);
}

/** Before the earlier ones that it depends on. */
export function closeFirstAtEnd(close: () => Promise<void>): void {
  closers.unshift(close);
}

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) {
    await Promise.race([close(), delay(closeMs, undefined, { ref: false })]);
  }
}
