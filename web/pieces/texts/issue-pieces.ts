import { findFieldIssues } from '../../../contract/text/personalized-fields.ts';

/** A stretch of a text: an issue with a personalized field, or what is between two of them. */
export interface IssuePiece {
  at: number;
  text: string;
  isIssue: boolean;
}

/** The text cut at the issues with its personalized fields; nothing if there are none. */
export function issuePieces(text: string): IssuePiece[] {
  const issues = findFieldIssues(text).toSorted((one, other) => one.start - other.start);
  const pieces: IssuePiece[] = [];
  let at = 0;
  const add = (end: number, isIssue: boolean) => {
    if (end > at) pieces.push({ at, text: text.slice(at, end), isIssue });
    at = Math.max(at, end);
  };
  for (const { start, end } of issues) {
    add(start, false);
    add(end, true);
  }
  if (issues.length > 0) add(text.length, false);
  return pieces;
}
