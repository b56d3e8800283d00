import { phone } from '../../../contract/fields/phone-rules.ts';
import { composeMessages } from '../../../contract/forms/compose-text.ts';
import { type PastedContact, parsePastedContacts } from '../../../contract/forms/pasted-contacts.ts';
import { normalizePhone, wirePhone } from '../../../contract/phone/normalize-phone.ts';
import { firstNonAscii } from '../../../contract/uploads/pasted-text.ts';

export type PasteRow = PastedContact;

export interface CheckedRow extends PasteRow {
  state: 'good' | 'duplicate' | 'invalid';
  /** Reason why it is not added. */
  note: string;
}

/** Everything that was pasted, in its order. */
export function readPaste(text: string, countryId: number): PasteRow[] {
  const { contacts, duplicates, invalid } = parsePastedContacts(text, { countryId });
  return [...contacts, ...duplicates, ...invalid]
    .map(({ id, name, number }) => ({ id, name, number }))
    .sort((one, other) => one.id - other.id);
}

/** The current rows, after any fixes: the same rules as at first, and typed duplicates count too. */
export function checkRows(rows: readonly PasteRow[], countryId: number): CheckedRow[] {
  const check = phone(countryId);
  const nameOf = new Map<string, string>();
  return rows.map((row) => {
    const number = row.number.trim();
    const problem = number === '' ? composeMessages.noRecipient : check(number);
    if (problem !== undefined) return { ...row, state: 'invalid', note: problem };
    const digits = wirePhone(normalizePhone(number, countryId) ?? number, countryId);
    const first = nameOf.get(digits);
    if (first !== undefined) {
      const note = first === '' ? 'Duplicate of a line above' : `Same number as ${first} above`;
      return { ...row, state: 'duplicate', note };
    }
    nameOf.set(digits, row.name.trim());
    return { ...row, state: 'good', note: '' };
  });
}

/** The number of lines that aren't empty, without parsing them: cheap enough for every keystroke. */
export function countLines(text: string): number {
  let lines = 0;
  let isEmpty = true;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13) isEmpty = true;
    else if (isEmpty && code > 32) {
      lines += 1;
      isEmpty = false;
    }
  }
  return lines;
}

export interface NonAsciiLine {
  line: number;
  character: string;
}

/** Lines with a character outside plain ASCII, and the first such character of each. */
export function nonAsciiLines(text: string): NonAsciiLine[] {
  const found: NonAsciiLine[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const at = firstNonAscii(line);
    if (at >= 0) found.push({ line: index + 1, character: shownCharacter(line, at) });
  }
  return found;
}

/** Invisible characters are shown by their code: U+00A0. */
function shownCharacter(line: string, at: number): string {
  const point = line.codePointAt(at) ?? 0;
  const character = String.fromCodePoint(point);
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character)
    ? character
    : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** "“é” in line 4, “–” in line 9 and 12 more" */
export function nonAsciiSentence(lines: readonly NonAsciiLine[]): string {
  const named = lines.slice(0, 3).map(({ line, character }) => `“${character}” in line ${line}`);
  const more = lines.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}
