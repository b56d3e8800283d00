/** Only letters and digits, in lowercase: "OPT-OUT!" and "opt out" are both "optout". */
export function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}
