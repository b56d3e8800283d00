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

/** Where the whole of it stands, from where to where; else where its words begin, in any order, if all of them do. */
function findPlaces(folded: string, wanted: string): [from: number, to: number][] {
  if (wanted === '') return [];
  const places: [number, number][] = [];
  for (let from = folded.indexOf(wanted); from >= 0; from = folded.indexOf(wanted, from + wanted.length)) {
    places.push([from, from + wanted.length]);
  }
  if (places.length > 0) return places;
  // What is left has no sign that means something to a pattern. The longest first: "bus" isn't all of "buses".
  const words = [...new Set(wanted.split(/[\s\p{P}\p{S}]+/u))]
    .filter((word) => word !== '')
    .sort((one, other) => other.length - one.length);
  const beginning = (word: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${word})`, 'gu');
  if (words.length === 0 || !words.every((word) => beginning(word).test(folded))) return [];
  return Array.from(folded.matchAll(beginning(words.join('|'))), ({ 0: { length }, index }) => [
    index,
    index + length,
  ]);
}

/** A text as a row shows it: from shortly before the first find, with what was searched for marked. */
export function foundPieces(text: string, q: string): Piece[] {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  const places = findPlaces(fold(flat), fold(q.replaceAll(/\s+/g, ' ').trim()));
  const [first] = places[0] ?? [];
  if (first === undefined) return [{ text: flat, isFound: false }];
  const pieces: Piece[] = [];
  // From the beginning of a word, so that none is cut in two.
  const start = first <= LEAD ? 0 : flat.lastIndexOf(' ', first - LEAD) + 1;
  let at = start;
  for (const [from, to] of places) {
    if (from > at) pieces.push({ text: flat.slice(at, from), isFound: false });
    pieces.push({ text: flat.slice(from, to), isFound: true });
    at = to;
  }
  if (at < flat.length) pieces.push({ text: flat.slice(at), isFound: false });
  if (start > 0) pieces.unshift({ text: '… ', isFound: false });
  return pieces;
}
