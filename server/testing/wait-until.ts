/** Less than a test's time-out (vitest.config.ts), so that the failure names the condition. */
export const mostMs = 240_000;

/** For asynchronous events, without running the queue: repeats until there is a result, or fails. */
export async function waitUntil<T>(what: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + mostMs;
  for (;;) {
    const found = await what();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
