const WARN_FROM_PERCENT = 75;

/** "A failure warning shows when at least 75 percent of texts failed." */
export function showsFailureWarning(failed: number, total: number): boolean {
  return total > 0 && failed * 100 >= total * WARN_FROM_PERCENT;
}
