/**
 * The ids in the addresses of contacts; NaN for anything else, for which the pages show "not found". Every
 * page loads this file for its routes, even sign-in, so it imports nothing.
 */

/** A group, or -1 for the unfiled and -2 for the deleted; everyone has an address without an id. */
export function readListId(text: string): number {
  const isNumber = /^(-[12]|[1-9]\d{0,15})$/.test(text);
  return isNumber && Number.isSafeInteger(Number(text)) ? Number(text) : Number.NaN;
}

export function readPersonId(text: string): number {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : Number.NaN;
}
