/** For so long a message stays at the foot of a page, and what it tells can be taken back. */
export const SNACKBAR_MS = 10_000;
