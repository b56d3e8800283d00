/**
 * For `lazy`: waits for a connection instead of failing when code can't be loaded offline. Failing would replace the
 * whole page with an error for someone who only typed a letter.
 */
export function untilOnline<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        if (navigator.onLine) throw error;
        await new Promise((resume) => window.addEventListener('online', resume, { once: true }));
      }
    }
  };
}
