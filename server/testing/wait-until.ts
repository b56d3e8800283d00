/** Less than a test may take (vitest.config.ts), so that what was waited for is named. */
export const mostMs = 240_000;

/** For what happens in its own time, without running the queue: asks again until there is an answer, or fails. */
export async function waitUntil<T>(what: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + mostMs;
  for (;;) {
    const found = await what();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
