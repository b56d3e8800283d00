/** Names are told apart by their letters, not by capitals or by the spaces around them. */
export function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
