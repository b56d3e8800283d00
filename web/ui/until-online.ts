/**
 * For `lazy`: a part of a page whose code can't be fetched without a network is waited for until there is one. Failing
 * instead would take the whole page away from somebody who only typed a letter.
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
