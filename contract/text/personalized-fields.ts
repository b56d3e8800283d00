/**
 * Personalized fields: {{FirstName}}, or {{FirstName|friend}} with a default for contacts without a first
 * name. "Non-empty token with no spaces except an optional default part."
 */
export interface PersonalizedField {
  /** The token, e.g. FirstName. Empty where there is nothing between the braces. */
  name: string;
  /** The default part, e.g. friend; undefined without one. */
  fallback: string | undefined;
  start: number;
  end: number;
}

export type FieldIssueKind = 'empty' | 'format' | 'unbalanced';

/** The problem and its position, so that the editor can mark it in red. */
export interface FieldIssue {
  kind: FieldIssueKind;
  start: number;
  end: number;
}

export const fieldIssueMessages: Readonly<Record<FieldIssueKind, string>> = {
  empty: 'Personalized fields should not be empty.',
  format:
    'Your message has a personalized field with an invalid format. Try using the personalize button above instead.',
  unbalanced: 'Your message may not get personalized as expected. The issues have been highlighted in red.',
};

/** The issues of a text, in their order in the text. */
export function findFieldIssues(text: string): FieldIssue[] {
  return read(text).issues;
}

export function findPersonalizedFields(text: string): PersonalizedField[] {
  return read(text).fields;
}

export function hasPersonalizedFields(text: string): boolean {
  return read(text).fields.length > 0;
}

/** The message of a text: empty fields first, then a bad format, then unbalanced braces; undefined when all is well. */
export function personalizedFieldError(text: string): string | undefined {
  const kinds = new Set(findFieldIssues(text).map((issue) => issue.kind));
  for (const kind of ['empty', 'format', 'unbalanced'] as const) {
    if (kinds.has(kind)) return fieldIssueMessages[kind];
  }
  return undefined;
}

export interface Personalized {
  text: string;
  /** Fields for which there was neither a value nor a default part; they are removed from the text. */
  missing: readonly string[];
}

/**
 * The text as one person gets it. Names are compared without regard to case. A value is put in as it is and never
 * read again, so that a contact called "{{Notes}}" stays one.
 */
export function personalize(
  text: string,
  values: Readonly<Record<string, string | undefined>>,
): Personalized {
  const fields = findPersonalizedFields(text);
  if (fields.length === 0) return { text, missing: [] };
  const byName = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
  const missing = new Set<string>();
  let result = '';
  let at = 0;
  for (const { name, fallback, start, end } of fields) {
    const value = byName.get(name.toLowerCase())?.trim() || fallback;
    if (value === undefined) missing.add(name);
    result += text.slice(at, start) + (value ?? '');
    at = end;
  }
  return { text: result + text.slice(at), missing: [...missing] };
}

const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * One pass. A field runs from the last "{{" to the next "}}". Braces that don't pair up that way are issues, and so is
 * {FirstName} in single braces, which nobody would fill in.
 */
function read(text: string): { fields: PersonalizedField[]; issues: FieldIssue[] } {
  const fields: PersonalizedField[] = [];
  const issues: FieldIssue[] = [];
  const unbalanced = (start: number, end: number) => issues.push({ kind: 'unbalanced', start, end });
  let openAt = -1;
  let singleAt = -1;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const next = text.charCodeAt(i + 1);
    if (code === OPEN && next === OPEN) {
      // "{{{": the first brace is too many. "{{a {{b": the first pair was never closed.
      if (openAt >= 0) unbalanced(openAt, openAt === i - 1 ? i : openAt + 2);
      openAt = i;
    } else if (code === OPEN) {
      if (openAt !== i - 1 || i === 0) singleAt = i;
    } else if (code === CLOSE && next === CLOSE) {
      if (openAt >= 0) {
        const field = fieldOf(text, openAt, i + 2);
        const kind = issueOf(field);
        if (kind) issues.push({ kind, start: openAt, end: i + 2 });
        fields.push(field);
      } else {
        unbalanced(singleAt >= 0 ? singleAt : i, i + 2);
      }
      openAt = -1;
      singleAt = -1;
      i += 1;
    } else if (code === CLOSE && openAt < 0) {
      const inside = singleAt >= 0 ? text.slice(singleAt + 1, Math.min(i, singleAt + 52)) : '';
      if (isToken(inside)) unbalanced(singleAt, i + 1);
      singleAt = -1;
    }
  }
  if (openAt >= 0) unbalanced(openAt, openAt + 2);
  return { fields, issues };
}

function fieldOf(text: string, start: number, end: number): PersonalizedField {
  const inside = text.slice(start + 2, end - 2);
  const bar = inside.indexOf('|');
  return bar < 0
    ? { name: inside, fallback: undefined, start, end }
    : { name: inside.slice(0, bar), fallback: inside.slice(bar + 1), start, end };
}

function issueOf({ name, fallback }: PersonalizedField): FieldIssueKind | undefined {
  if (name.trim() === '') return 'empty';
  return isToken(name) && fallback?.trim() !== '' ? undefined : 'format';
}

/** Letters, digits and the signs that names of custom data have; no spaces. At most as long as such a name. */
function isToken(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.\-#/&'’]{0,49}$/u.test(name);
}
