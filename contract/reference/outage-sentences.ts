// In a file of their own: every page loads these, sign-in too, but not the rest of the catalog.

export const somethingWrong = 'Uh oh, something went wrong. Please try again later or contact us.';

/** Ours: the specification has "a status-page connectivity message". */
export const connectivity =
  'We can’t be reached at the moment. Check your connection, or look at our status page.';
