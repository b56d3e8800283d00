import { neededBy } from './migrate.ts';

/**
 * The last migration of the previous version, whose processes run beside ours during an upgrade: increase it
 * with each release. Migrations up to this one are exempt.
 */
export const lastRelease = '0109_link_host_port.sql';

const rules: readonly (readonly [RegExp, string])[] = [
  [/\bdrop\s+(table|view|materialized\s+view|sequence|schema|type|domain|function|procedure)\b/, 'drops'],
  [
    /\bdrop\s+(column\s+)?(?!constraint|not|default|index|policy|trigger|expression|identity)(if\s+exists\s+)?\w+\s*[,;]/,
    'drops a column',
  ],
  [/\brename\s+(to|column|constraint)\b|\brename\s+\w+\s+to\b/, 'renames'],
  [/\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/, 'changes a type'],
  [/\balter\s+(column\s+)?\w+\s+set\s+not\s+null\b/, 'forbids nothing where there may be nothing'],
  [/\balter\s+(column\s+)?\w+\s+drop\s+default\b/, 'takes a default away'],
  [
    /\badd\s+column\s+(?:(?!\bdefault\b|\bgenerated\b|,|;).)*\bnot\s+null\b(?:(?!\bdefault\b|\bgenerated\b|,|;).)*[,;]/,
    'adds a column that has to be filled in',
  ],
];

/** Operations in a migration that a process of the last release can't work with. */
export function findBreaking(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\s+/g, ' ');
  const found = rules.filter(([pattern]) => pattern.test(plain)).map(([, what]) => what);
  return takesRightsAway(plain) ? [...found, 'takes a right away'] : found;
}

/** Nobody has used yet what a migration itself creates, or a right that it gives for its own statements. */
function takesRightsAway(plain: string): boolean {
  return [
    ...plain.matchAll(/\brevoke\s([^;]*?\son\s+(?:function\s+|table\s+)?(\w+)[^;]*?)\sfrom\s([^;]*)/g),
  ].some(
    ({ 1: right, 2: name, 3: role, index }) =>
      !new RegExp(`\\bcreate\\s(?:table|view|function)\\s${name}\\b`).test(plain) &&
      !plain.slice(0, index).includes(`grant ${right} to ${role};`),
  );
}

/**
 * Reason why a new migration can't be applied while processes of the last release run; undefined when it can. First
 * comes a release that no longer uses something, then one whose migration removes it and says which migration
 * processes have to know: one in the release in between.
 */
export function whyNotBeside(name: string, text: string): string | undefined {
  const needs = neededBy(text);
  const [breaking] = findBreaking(text);
  if (needs !== undefined)
    return needs <= lastRelease
      ? undefined
      : `${name} needs ${needs}, which the last release does not have: take things away one release later.`;
  return breaking === undefined
    ? undefined
    : `${name} ${breaking}, which the last release may still use: see "Upgrades" in docs/operating.md.`;
}
