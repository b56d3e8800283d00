/** Part of a text: a search hit, or the text between two hits. */
export interface Piece {
  text: string;
  isFound: boolean;
}

/** Characters kept before the first hit, because a row has only one line. */
const LEAD = 24;

/** Lowercase letters without accents, one for one, so that "e" finds "É". */
function fold(text: string): string {
  return Array.from(text, (letter) => {
    const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    return plain.length === letter.length
      ? plain
      : letter.toLowerCase().slice(0, letter.length).padEnd(letter.length);
  }).join('');
}

/** The positions of the whole query; otherwise those where all its words begin, in any order. */
function findPlaces(folded: string, wanted: string): [from: number, to: number][] {
  if (wanted === '') return [];
  const places: [number, number][] = [];
  for (let from = folded.indexOf(wanted); from >= 0; from = folded.indexOf(wanted, from + wanted.length)) {
    places.push([from, from + wanted.length]);
  }
  if (places.length > 0) return places;
  // The words are free of regex syntax by now. Longest first, so that "buses" matches whole.
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

/** A text for a row: starts shortly before the first hit, with all hits marked. */
export function foundPieces(text: string, q: string): Piece[] {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  const places = findPlaces(fold(flat), fold(q.replaceAll(/\s+/g, ' ').trim()));
  const [first] = places[0] ?? [];
  if (first === undefined) return [{ text: flat, isFound: false }];
  const pieces: Piece[] = [];
  // Starts at a word boundary, so that no word is cut.
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
