import { contactMergeFields, mergeFieldOf } from '../../../../contract/text/merge-fields.ts';
import { findFieldIssues, findPersonalizedFields } from '../../../../contract/text/personalized-fields.ts';
import { findUnicodeCharacters } from '../../../../contract/text/unicode-characters.ts';
import { fieldInWords } from '../../../pieces/broadcasts/broadcast-words.ts';

/** A stretch of a text as the editor draws it. */
export interface MessagePiece {
  kind: 'plain' | 'field' | 'unicode' | 'issue';
  at: number;
  text: string;
  /** For a field: its name in people's words. */
  label?: string;
}

export interface InsertField {
  token: string;
  label: string;
}

/**
 * Fields that can be inserted into a text: those of every contact, and the custom fields of the recipients.
 */
export function insertFields(customFields: readonly string[]): InsertField[] {
  const own = contactMergeFields.map((token) => ({ token, label: fieldInWords(token) }));
  const tokens = new Set(own.map(({ token }) => token.toLowerCase()));
  const custom = customFields
    .map((label) => ({ token: mergeFieldOf(label), label }))
    .filter(({ token }) => !tokens.has(token.toLowerCase()));
  return [...own, ...custom];
}

/** Fields of a text that nobody has and that have no default. */
export function unknownFields(text: string, customFields: readonly string[]): string[] {
  const known = new Set(insertFields(customFields).map(({ token }) => token.toLowerCase()));
  const faulty = new Set(findFieldIssues(text).map(({ start }) => start));
  const unknown = findPersonalizedFields(text).filter(
    ({ name, fallback, start }) =>
      fallback === undefined && !faulty.has(start) && !known.has(name.toLowerCase()),
  );
  return [...new Set(unknown.map(({ name }) => name))];
}

/** "First name", "School or your school"; an unknown field is shown with its own name. */
function labelOf(name: string, fallback: string | undefined, fields: readonly InsertField[]): string {
  const known = fields.find(({ token }) => token.toLowerCase() === name.toLowerCase());
  const label = known?.label ?? fieldInWords(name);
  return fallback === undefined ? label : `${label} or ${fallback}`;
}

/**
 * The text cut into pieces that are drawn differently: fields, their errors, and characters that make it
 * Unicode.
 */
export function messagePieces(
  text: string,
  customFields: readonly string[],
  /** Characters that will be replaced by plain ones aren't marked. */
  isSentPlain = false,
): MessagePiece[] {
  const known = insertFields(customFields);
  const issues = findFieldIssues(text).map(({ start, end }) => ({ kind: 'issue' as const, start, end }));
  const isFaulty = (start: number) => issues.some((issue) => issue.start === start);
  const marks = [
    ...issues,
    ...findPersonalizedFields(text)
      .filter(({ start }) => !isFaulty(start))
      .map(({ name, fallback, start, end }) => ({
        kind: 'field' as const,
        start,
        end,
        label: labelOf(name, fallback, known),
      })),
    ...findUnicodeCharacters(text)
      .filter(({ plain }) => !isSentPlain || plain === undefined)
      .map(({ index, length }) => ({ kind: 'unicode' as const, start: index, end: index + length })),
  ].sort((one, other) => one.start - other.start);
  const pieces: MessagePiece[] = [];
  let at = 0;
  for (const { start, end, ...mark } of marks) {
    // Inside a mark that was drawn already.
    if (start < at) continue;
    if (start > at) pieces.push({ kind: 'plain', at, text: text.slice(at, start) });
    pieces.push({ ...mark, at: start, text: text.slice(start, end) });
    at = end;
  }
  if (at < text.length) pieces.push({ kind: 'plain', at, text: text.slice(at) });
  return pieces;
}
