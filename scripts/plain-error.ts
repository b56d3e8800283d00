/**
 * An error with one sentence that tells its reader what went wrong and what to do. Whoever catches it at the top
 * prints the sentence alone, without a stack, and exits with 1.
 */
export class PlainError extends Error {
  override name = 'PlainError';
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Runs a script's main function; a PlainError is printed as its sentence, anything else with its stack. */
export async function runMain(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof PlainError ? error.message : error);
    process.exitCode = 1;
  }
}
