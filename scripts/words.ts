import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { lineAt } from './imports.ts';
import { runMain } from './plain-error.ts';

/**
 * Checks that words are plain American English: string literals and JSX text of the programs, comments of all
 * sources and tests, and all papers: docs/ with its decisions, the READMEs, ARCHITECTURE, CONTRIBUTING,
 * CHANGELOG. It doesn't check names in code, comments inside SQL, the strings of tests and scripts, or
 * generated files.
 */
interface Turn {
  pattern: RegExp;
  instead: string;
  /** Set where comments may use it. */
  isFineInComments?: boolean;
  /** Set where only comments may not use it. */
  isFineElsewhere?: boolean;
  /** The only files that it is looked for in. */
  within?: RegExp;
}

/**
 * A comment that is a clause without a sentence around it: "How many were changed.", "When it goes out: now, or later.",
 * "Until when it works." Questions are fine, and so is a clause that a sentence follows after a comma ("When a carrier
 * refuses, the text waits.") or that is its subject ("What can't be read is left out."). Two verbs show that, with
 * nothing between or before them that begins another clause.
 */
function nounClause(): RegExp {
  const joins =
    'and|or|that|which|who|whom|whose|where|when|while|if|because|before|after|as|than|once|how|what';
  const words = `(?:(?!\\b(?:${joins})\\b)[^.,:;])*?`;
  const verb = "\\b(?:is|are|was|were|has|have|can|may|must|will|does|do)(?:n['’]t|not)?\\b";
  const isSubject = `${words}${verb}${words}\\b(?:is|are|was|were|stays?|goes|comes?|depends?)\\b`;
  const isQuestion = '[^.:;]*\\?';
  const isFollowed = `[^.:;]*, (?!(?:${joins}|with|for|by|in|on|e\\.g)\\b)`;
  return new RegExp(
    `^(?:(?:What|Whether|How|Who|Whom|Whose|Which|Why)\\b(?!${isQuestion}|${isSubject})` +
      `|(?:(?:After|At|By|For|From|In|Of|Since|To|Until|With) (?:how|what|when|which|whom)|When|Where)\\b` +
      `(?!${isQuestion}|${isSubject}|${isFollowed}))[^.,:;]*`,
  );
}

/** Each of these made people read a sentence twice. Add one when another turns up in review. */
const turns: Turn[] = [
  { pattern: /\bstands?\b(?! (?:for|out)\b)/i, instead: '“is”, “is listed” or “appears”' },
  { pattern: /\b(?:is|are) held against\b/i, instead: '“is compared with”' },
  { pattern: /\b(?:takes?|took|taken) for\b(?! granted)/i, instead: '“treats as”' },
  { pattern: /\bof which\b/i, instead: 'a second sentence' },
  { pattern: /\b(?:is|are|was|were|be) told of\b/i, instead: '“is notified about”' },
  { pattern: /\bwhat became of\b/i, instead: '“results”, or what happened' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: '“fix”' },
  { pattern: /\b(?:tak(?:es?|en|ing)|took) (?:\w+ )?back\b/i, instead: '“undo”' },
  { pattern: /\bone[’']s own\b/i, instead: '“your own”' },
  { pattern: /\banew\b/i, instead: '“again”' },
  {
    pattern: /(?:^|[.!] )What\b[^?.!:]*\b(?:is|are|goes|stays)\b[^?.!:]*\./,
    instead: 'the subject first',
    // In comments nounClause looks at the opening instead.
    isFineInComments: true,
  },
  {
    pattern: nounClause(),
    instead: 'the subject first: “Number of …”, “True if …”, “Reason why …”, “Time when …”',
    isFineElsewhere: true,
  },
  {
    // In the server only: the contract has sentences of the specification. The three files left out have texts to
    // telephones, which are written in the plain characters that they are sent in, and one more such sentence.
    pattern: /\p{L}'(?:s|t|re|ve|ll|d|m)\b/u,
    instead: '“’”',
    isFineInComments: true,
    within: /^server\/(?!numbers\/rules|replies\/rules|onboarding\/send-mfa)/,
  },
];

/** British spellings, as words. */
const spellings: Turn[] = [
  {
    pattern:
      /\b(?:organi|recogni|personali|normali|capitali|authori|categori|summari|customi|initiali|apologi|optimi|minimi|prioriti)s(?:e[ds]?|ing|ations?|ational)\b/i,
    instead: '“-ize”, “-ization”',
  },
  { pattern: /\b(?:colour|behaviour|favourite|neighbour|honour)(?:s|ed|ing)?\b/i, instead: '“-or”' },
  { pattern: /\b(?:cancell|labell|travell|diall)(?:ed|ing)\b/i, instead: 'a single “l”' },
  { pattern: /\b(?:grey|whilst|enrolment|judgement|centre)\b/i, instead: 'the American spelling' },
];

const sources = ['web', 'contract', 'server', 'client', 'sandbox', 'bench'].map(
  (area) => `${area}/**/*.{ts,tsx}`,
);
const commented = ['web', 'contract', 'server', 'client', 'sandbox', 'bench', 'scripts'].map(
  (area) => `${area}/**/*.{ts,tsx,js,mjs}`,
);
const pages = ['*.md', 'docs/**/*.md', 'client/*.md', 'sandbox/*.md'];
const isLeftOut = (path: string) =>
  /\.(?:test|cases|spec|gen|types)\.tsx?$|(?:^|\/)(?:e2e|testing|demo)\//.test(path);
const isGenerated = (path: string) => /\.(?:gen|types)\.tsx?$|\/node_modules\//.test(path);

export function checkWords(root: string): string[] {
  const violations: string[] = [];
  const strings = new Set(globSync([...sources, ...pages], { cwd: root }).filter((path) => !isLeftOut(path)));
  const comments = new Set(globSync(commented, { cwd: root }).filter((path) => !isGenerated(path)));
  for (const path of [...strings.union(comments)].sort()) {
    const text = readFileSync(join(root, path), 'utf8');
    const parsed = path.endsWith('.md') ? undefined : parseSync(path, text);
    const passages = parsed ? [] : readPage(text);
    if (parsed && strings.has(path)) passages.push(...readStrings(text, parsed));
    if (parsed && comments.has(path)) passages.push(...readComments(text, parsed));
    for (const { at, words, isComment } of passages)
      for (const { pattern, instead, isFineInComments, isFineElsewhere, within } of [
        ...turns,
        ...spellings,
      ]) {
        const isFine = (isComment ? isFineInComments : isFineElsewhere) || within?.test(path) === false;
        const found = isFine ? null : pattern.exec(words);
        if (found)
          violations.push(
            `${path}:${lineAt(text, at)}: “${found[0].trim()}” in “${cut(words)}”: use ${instead}`,
          );
      }
  }
  return violations;
}

type Parsed = ReturnType<typeof parseSync>;

interface Passage {
  at: number;
  words: string;
  isComment?: boolean;
}

/** Paragraphs and table rows, without code. */
function readPage(text: string): Passage[] {
  // Code, addresses and the paths of files.
  const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`|\]\([^)\s]*\)|[\w./-]+\.tsx?\b/g, (code) =>
    code.replace(/[^\n]/g, ' '),
  );
  return [...prose.matchAll(/[^\n]+(?:\n(?![\n|#*-])[^\n]+)*/g)].map(({ 0: words, index }) => ({
    at: index,
    words: words.replace(/\s+/g, ' '),
  }));
}

/** Literals of two words or more, and JSX text. Tagged templates and `column as Name` are SQL. */
function readStrings(text: string, { program }: Parsed): Passage[] {
  const passages: Passage[] = [];
  const add = (at: number, raw: string) => {
    const words = raw.replace(/\s+/g, ' ').trim();
    const isColumn = /^[\w.]+ as \w+$/.test(words);
    if (!isColumn && /\p{L} +\S*\p{L}/u.test(words)) passages.push({ at, words });
  };
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    else if (isNode(node)) {
      if (node.type === 'ImportDeclaration' || node.type === 'TaggedTemplateExpression') return;
      if (node.type === 'JSXText' || (node.type === 'Literal' && typeof node.value === 'string'))
        add(node.start, String(node.value));
      if (node.type === 'TemplateLiteral') add(node.start, text.slice(node.start + 1, node.end - 1));
      for (const value of Object.values(node)) visit(value);
    }
  };
  visit(program);
  return passages;
}

/** Comments without code in backticks. Lines of `//` below one another are one comment. */
function readComments(text: string, { comments }: Parsed): Passage[] {
  const passages: Passage[] = [];
  let end = -1;
  for (const comment of comments) {
    const words = comment.value
      .replace(/^\*|\n *\*/g, ' ')
      .replace(/`[^`]*`/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    const last = passages.at(-1);
    const goesOn = comment.type === 'Line' && end >= 0 && /^\n[ \t]*$/.test(text.slice(end, comment.start));
    if (last && goesOn) last.words += ` ${words}`;
    else passages.push({ at: comment.start, words, isComment: true });
    end = comment.type === 'Line' ? comment.end : -1;
  }
  return passages;
}

type Node = { type: string; start: number; end: number; value?: unknown };

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function cut(words: string): string {
  return words.length > 100 ? `${words.slice(0, 99)}…` : words;
}

if (import.meta.main) {
  await runMain(async () => {
    const violations = checkWords(join(import.meta.dirname, '..'));
    for (const violation of violations) console.log(violation);
    return violations.length > 0 ? 1 : 0;
  });
}
