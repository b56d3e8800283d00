/** Time that a snackbar shows, and that its change can be undone. */
export const SNACKBAR_MS = 10_000;
