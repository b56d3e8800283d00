/** How long a snackbar shows, and how long its change can be undone. */
export const SNACKBAR_MS = 10_000;
