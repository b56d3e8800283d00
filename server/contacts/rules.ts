import { Refusal } from '../../contract/errors.ts';
import { digitsToFind, literal } from '../search-text.ts';

/** Further words are ignored: nobody remembers so many about a person. */
const mostWords = 12;

/** The minimum length that the index of words can find anywhere in a text. */
const indexedLength = 3;

/** The conditions of a search on contact_search: all of `patterns`, or else `digits`. */
export interface SearchPatterns {
  patterns: string[];
  digits: string | null;
}

/**
 * The patterns of a search, normalized like the text they are compared with. Every word has to match. One or
 * two letters are searched at the beginning of words: elsewhere they would be in almost everything.
 */
export function searchPatterns(folded: string): SearchPatterns {
  const words = [...new Set(folded.split(/\s+/).filter((word) => word !== ''))].slice(0, mostWords);
  const patterns = words.map((word) =>
    word.length < indexedLength && /^[\p{L}\p{N}]+$/u.test(word)
      ? `% ${literal(word)}%`
      : `%${literal(word)}%`,
  );
  const digits = digitsToFind(folded);
  return { patterns, digits: digits.length < indexedLength ? null : `%${digits}%` };
}

/** The parts into which longer words are split overlap by this much: migration 0012. */
const mostSigns = 50;

/**
 * The pattern to match against single words (contact_words); undefined if a single word can't answer the
 * search: several words, digits (phones aren't words), a very long one.
 */
export function wordPattern([pattern = '', ...others]: string[]): string | undefined {
  // "% an%" is a beginning, "%ann%" any part.
  const [, start, part = ''] = /^%( ?)(.+)%$/s.exec(pattern) ?? [];
  if (others.length > 0 || part.length > mostSigns || /^[\d().+-]*$/.test(part)) return undefined;
  return start === '' ? pattern : `${part}%`;
}

/** A search without results is repeated with approximate matching, from this length on. */
export const similarFromLength = 4;

/** The end of a page: the sort name of its last row. For approximate matches, how many came before. */
export interface ContactCursor {
  name: string;
  id: number;
}

export function writeContactCursor({ name, id }: ContactCursor): string {
  return Buffer.from(JSON.stringify([name, id])).toString('base64url');
}

export function readContactCursor(text: string): ContactCursor {
  const parsed = parse(Buffer.from(text, 'base64url').toString());
  const [name, id] = Array.isArray(parsed) ? parsed : [];
  const isPlace = typeof name === 'string' && !name.includes('\0') && Number.isSafeInteger(id) && id >= 0;
  if (!isPlace) throw new Refusal('invalid', 'next is not a place in this list');
  return { name, id };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
