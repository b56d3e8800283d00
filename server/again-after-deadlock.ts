const mostTries = 4;

/**
 * Runs a transaction again when PostgreSQL aborted it to resolve a deadlock. Many texts are moved without
 * locking them first, which would write every row twice; because they are moved in the order of their key,
 * deadlocks are rare.
 */
export async function againAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isDeadlock = error instanceof Error && 'code' in error && error.code === '40P01';
      if (!isDeadlock || tries === mostTries) throw error;
    }
  }
}
