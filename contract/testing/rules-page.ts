import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RuleTable } from './rule-table.ts';

/**
 * Writes docs/rules.md from every table of cases in contract/, so that the page says what the tests prove.
 */
const root = join(import.meta.dirname, '..', '..');
/** As many examples as explain a rule; the tests have them all. */
const maxExamples = 8;
const maxValueLength = 140;

type AnyTable = RuleTable<unknown, unknown>;

const subjects: Record<string, string> = {
  fields: 'Fields',
  forms: 'Forms',
  text: 'Text',
  phone: 'Phones',
  time: 'Time',
  delivery: 'Delivery',
  states: 'States and labels',
  money: 'Money and credits',
  reference: 'Reference data',
  uploads: 'Uploads',
  general: 'Selection and permissions',
};

export async function rulesPage(): Promise<string> {
  const files = globSync('contract/**/*.cases.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const bySubject = new Map<string, AnyTable[]>();
  for (const file of files.sort()) {
    const module: Record<string, unknown> = await import(pathToFileURL(join(root, file)).href);
    const tables = Object.values(module).flat().filter(isTable);
    if (tables.length === 0) throw new Error(`${file} exports no rule table`);
    const subject = subjectOf(file);
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), ...tables]);
  }
  const order = [...new Set([...Object.keys(subjects), ...bySubject.keys()])].filter((subject) =>
    bySubject.has(subject),
  );
  const sections = order.map((subject) => {
    const tables = bySubject.get(subject) ?? [];
    return [`## ${subjects[subject] ?? subject}`, ...tables.map(renderTable)].join('\n\n');
  });
  const contents = order.map((subject) => {
    const names = (bySubject.get(subject) ?? []).map(({ about }) => `[${about}](#${anchor(about)})`);
    return `- **${subjects[subject] ?? subject}**: ${names.join(' · ')}`;
  });
  return `${[introduction, contents.join('\n'), ...sections].join('\n\n')}\n`;
}

const introduction = `# The rules

Every rule that browser and server share, with the sentence a person sees and examples of what it gives. This page is
written from the tables of cases that the tests run (\`contract/**/*.cases.ts\`); change those and run
\`npm run generate\`. A rule that begins with "Ours" is a decision where the specification is silent.`;

/** contract/time/zones.cases.ts is about time; contract/permissions.cases.ts is general. */
function subjectOf(file: string): string {
  const [, folder = ''] = file.split('/');
  return folder.endsWith('.ts') ? 'general' : folder;
}

function isTable(value: unknown): value is AnyTable {
  return (
    typeof value === 'object' &&
    value !== null &&
    'about' in value &&
    'file' in value &&
    'rows' in value &&
    Array.isArray(value.rows)
  );
}

function renderTable({ about, file, rows }: AnyTable): string {
  const title = `### ${about}\n\n[${file}](../${file})`;
  return [title, ...rows.map(({ rule, message, cases }) => renderRow(rule, message, cases))].join('\n\n');
}

function renderRow(rule: string, message: string | undefined, cases: [unknown, unknown][]): string {
  const shown = cases.slice(0, maxExamples);
  const lines = shown.map(([input, output]) => `| ${code(input)} | ${code(output)} |`);
  const left = cases.length - shown.length;
  const more = left > 0 ? `\n\n… and ${left} more.` : '';
  const said = message === undefined ? '' : `\n\n> ${escapeText(message)}`;
  return `**${escapeText(rule)}**${said}\n\n| given | gives |\n|---|---|\n${lines.join('\n')}${more}`;
}

function escapeText(text: string): string {
  return text.replace(/[\\*_<>|`[\]]/g, (character) => `\\${character}`).replace(/\s+/g, ' ');
}

function code(value: unknown): string {
  const text = literal(value);
  const short =
    text.length > maxValueLength ? `${[...text.slice(0, maxValueLength)].slice(0, -1).join('')}…` : text;
  const visible = [...short].map((character) => visibleCharacter(character)).join('');
  const fence = visible.includes('`') ? '``' : '`';
  const pad = visible.startsWith('`') || visible.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${visible.replaceAll('|', '\\|')}${pad}${fence}`;
}

/** Spaces that aren't plain and characters without a shape are written out, or the example could not be read. */
function visibleCharacter(character: string): string {
  return character !== ' ' && /[\p{Cc}\p{Cf}\p{Z}\p{Cs}]/u.test(character)
    ? `\\u{${character.codePointAt(0)?.toString(16)}}`
    : character;
}

/** JavaScript as a person would write it, on one line. */
function literal(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array)
    return `bytes ${[...value.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')}`;
  if (value instanceof Set || value instanceof Map) return literal([...value]);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null && !(value instanceof RegExp)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return fields.length === 0
      ? '{}'
      : `{ ${fields.map(([name, field]) => `${fieldName(name)}: ${literal(field)}`).join(', ')} }`;
  }
  return String(value);
}

function fieldName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The anchor that GitHub gives a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
