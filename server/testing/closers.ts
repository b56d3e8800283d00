import { setTimeout as delay } from 'node:timers/promises';

/** What a test file has started, ended after its last test (server/testing/after-file.ts), the first of these first. */
const closers: (() => Promise<void>)[] = [];

/** What doesn't end by then is left to end with the process. */
const closeMs = 20_000;

export function closeAtEnd(close: () => Promise<void>): void {
  closers.push(close);
}

/** Before what was started earlier, which it stands on. */
export function closeFirstAtEnd(close: () => Promise<void>): void {
  closers.unshift(close);
}

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) {
    await Promise.race([close(), delay(closeMs, undefined, { ref: false })]);
  }
}
