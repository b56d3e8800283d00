/** "Pasted file contents with non-ASCII characters are detected": the position of the first one, or -1. */
export function firstNonAscii(text: string): number {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 127) return i;
  return -1;
}

export function hasNonAscii(text: string): boolean {
  return firstNonAscii(text) >= 0;
}
