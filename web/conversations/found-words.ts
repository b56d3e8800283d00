/** A piece of a text: one that was searched for, or what lies between two of them. */
export interface Piece {
  text: string;
  isFound: boolean;
}

/** So much stands before the first word that was found; the row has one line. */
const LEAD = 24;

/** Letters without their marks and in lower case, one for one: "É" is found by "e". */
function fold(text: string): string {
  return Array.from(text, (letter) => {
    const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    return plain.length === letter.length
      ? plain
      : letter.toLowerCase().slice(0, letter.length).padEnd(letter.length);
  }).join('');
}

/** A text as a row shows it: from shortly before the first find, with what was searched for marked. */
export function foundPieces(text: string, q: string): Piece[] {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  const wanted = fold(q.replaceAll(/\s+/g, ' ').trim());
  const folded = fold(flat);
  const first = wanted === '' ? -1 : folded.indexOf(wanted);
  if (first < 0) return [{ text: flat, isFound: false }];
  const pieces: Piece[] = [];
  // From the beginning of a word, so that none is cut in two.
  const start = first <= LEAD ? 0 : flat.lastIndexOf(' ', first - LEAD) + 1;
  let at = start;
  for (let found = first; found >= 0; found = folded.indexOf(wanted, at)) {
    if (found > at) pieces.push({ text: flat.slice(at, found), isFound: false });
    at = found + wanted.length;
    pieces.push({ text: flat.slice(found, at), isFound: true });
  }
  if (at < flat.length) pieces.push({ text: flat.slice(at), isFound: false });
  if (start > 0) pieces.unshift({ text: '… ', isFound: false });
  return pieces;
}
