const mostTries = 4;

/**
 * Runs a transaction again when PostgreSQL ended it to let another one pass. Many texts are moved without a pass that
 * locks them first, which would write every row twice; in the order of their key they seldom meet crosswise.
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
