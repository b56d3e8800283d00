/** For what happens in its own time, without running the queue: asks again until there is an answer, or fails. */
export async function waitUntil<T>(what: () => Promise<T | undefined | false>, mostMs = 20_000): Promise<T> {
  const deadline = performance.now() + mostMs;
  for (;;) {
    const found = await what();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
