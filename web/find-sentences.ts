import { parseSync } from 'vite';

/**
 * A sentence that people read, found in a source file: its English, which is also its name, and its position.
 */
export interface Sentence {
  english: string;
  start: number;
  end: number;
  /** Form of the sentence in the source: text between tags, a string, a template, or an attribute in quotes. */
  kind: 'text' | 'string' | 'template' | 'attribute';
  /**
   * The expressions behind its placeholders, as ranges of the source: `{name}` an expression, `<0/>` an
   * element.
   */
  holes: Map<string, { start: number; end: number }>;
  /** Spaces that the sentence has around it between tags. */
  isSpacedBefore: boolean;
  isSpacedAfter: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: a syntax tree is walked by its own names.
type Node = any;

/** Arguments of these are shown to people. */
const shownAttributes = new Set(
  `label title placeholder aria-label helperText alt description heading text tooltip primary secondary hint summary
  caption subtitle empty sentence action what question message body header legend note words say
  detail short long keep subheader closeLabel ariaLabel aria-description aria-valuetext unit noun one many eyebrow lead
  explanation reason tip footer ending doing verb headline crumb rowsName term save word
  headerName`.split(/\s+/),
);
/** Parts of a sentence, in lower case. */
const nounAttributes = new Set(['one', 'many', 'noun', 'unit', 'verb', 'doing']);
/** Arguments of these are for the program only. */
const hiddenAttributes = new Set(
  `sx style className id key to href src type variant color size role component value autoComplete inputMode
  pattern rel target accept method htmlFor aria-labelledby aria-describedby aria-controls gridTemplateColumns
  gridTemplateAreas transition transform boxShadow border background filter clipPath mask animation font fontFamily
  fontFeatureSettings viewBox d points strokeDasharray sizes margin padding queryKey mutationKey path allow event
  timeZone zone locale Content-Type format zoneId`.split(/\s+/),
);
/** Functions whose words are shown, whatever they look like. */
const shownBy = new Set(['countOf', 'say', 'usePageTitle', 'required', 'maxLength']);
/** Functions whose words are for the program only. */
const hiddenBy =
  /^(includes|startsWith|endsWith|indexOf|has|get|set|delete|querySelector|querySelectorAll|getElementById|split|getItem|setItem|removeItem|addEventListener|removeEventListener|createElement|setAttribute|removeAttribute|test|describe|styled|css|keyframes|import|matchMedia|useMediaQuery|lazy|fetch|URL|(?:[A-Z]\w*)?Error|HookRefused|RegExp|Event|CustomEvent|NumberFormat|DateTimeFormat|ListFormat|PluralRules|RelativeTimeFormat|Collator|createFileRoute|brand|regex|describe|meta|warn|error|log|Worker|postMessage|supports|register|pick|omit|getPropertyValue|append|toLocaleString|mutationKey|createContext|assertNever)$/;

const hasLetter = (text: string) => /\p{L}{2}|\p{L} \p{L}|^\p{L}$/u.test(text);
const isManyWords = (text: string) =>
  /\p{L}[\p{L}’'.,:;!?…)”]* +[\p{L}{“(\d]/u.test(text) || /\p{L}{2,}[.!?…:]$/u.test(text.trim());
const isForMachine = (text: string) =>
  /^[#./@]|\d(px|fr|ms|vh|vw|dvh|em|rem|%)|\b(var|calc|repeat|minmax|rgba?|color-mix|linear-gradient|translate[XY]?|scale|rotate|inset|env|max|min|clamp)\(|^(application|text|image|audio)\/|\bsolid\b|cubic-bezier|\bease\b|^use strict|https?:|^[\w-]+\/[\w./-]+$|^\S+[_=]\S+$|^M\d/.test(
    text,
  );

/** Files without words for people: lists of words, samples, descriptions of the API. */
const forMachines =
  /contract\/(testing\/|openapi|zapier|webhook-events|text\/(shorteners|spoken-keys|opt-out-request|inbound-word|device-name|reserved-words|no-answer)|phone\/area-codes|reference\/campaign-texts|.*\.cases\.ts$)|web\/(vite|find-sentences|reference\/example-of)|\.test\.tsx?$|\/e2e\/|route-tree\.gen/;
/**
 * Descriptions of calls and capabilities appear in the reference: languages/es/calls.json translates them.
 */
const inReference = new Set(['summary', 'description', 'about']);

export function findSentences(code: string, file: string): Sentence[] {
  if (forMachines.test(file)) return [];
  const { program } = parseSync(file, code);
  const found: Sentence[] = [];

  function walk(node: Node, parents: Node[]): void {
    if (!node || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const each of node) walk(each, parents);
      return;
    }
    if (typeof node.type !== 'string') return;
    if (
      /^TS(?!(As|Satisfies|NonNull)Expression$)/.test(node.type) ||
      /^(Import|Export\w+All)/.test(node.type)
    ) {
      if (node.type !== 'TSEnumDeclaration') return;
    }
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') addText(node);
    else if (node.type === 'Literal' && typeof node.value === 'string') addString(node, parents);
    else if (node.type === 'TemplateLiteral' && parents.at(-1)?.type !== 'TaggedTemplateExpression')
      addTemplate(node, parents);
    const inside = [...parents, node];
    for (const [name, child] of Object.entries(node)) {
      if (
        name === 'type' ||
        name === 'typeAnnotation' ||
        name === 'typeArguments' ||
        name === 'typeParameters'
      )
        continue;
      if (node.type === 'JSXElement' && name === 'children') {
        for (const each of child as Node[]) if (each.type !== 'JSXText') walk(each, inside);
        continue;
      }
      walk(child, inside);
    }
  }

  /** The children of an element as one sentence, from the first word to the last. */
  function addText(node: Node): void {
    const kids = (node.children as Node[])
      .map((child) => ({ child, text: textOf(child) }))
      .filter(({ child, text }) => !(child.type === 'JSXText' && text === ''));
    const isElement = ({ child }: { child: Node }) =>
      child.type === 'JSXElement' || child.type === 'JSXFragment';
    const isBlank = ({ text }: { text: string | undefined }) => text !== undefined && text.trim() === '';
    if (!kids.some(({ child, text }) => child.type === 'JSXText' && hasLetter(text ?? ''))) return;
    let from = 0;
    let to = kids.length;
    const at = (index: number) => kids[index] as (typeof kids)[number];
    while (from < to && (isElement(at(from)) || isBlank(at(from)))) from += 1;
    while (to > from && (isElement(at(to - 1)) || isBlank(at(to - 1)))) to -= 1;
    const some = kids.slice(from, to);
    const holes: Sentence['holes'] = new Map();
    let english = '';
    let elements = 0;
    for (const { child, text } of some) {
      if (text !== undefined) english += text;
      else if (child.type === 'JSXExpressionContainer') {
        const { expression } = child;
        if (expression.type === 'JSXEmptyExpression') continue;
        const name = nameOf(expression, holes);
        holes.set(name, { start: expression.start, end: expression.end });
        english += `{${name}}`;
      } else {
        const name = String(elements);
        elements += 1;
        holes.set(name, { start: child.start, end: child.end });
        english += `<${name}/>`;
      }
    }
    const trimmed = english.trim();
    if (!hasLetter(withoutHoles(trimmed))) return;
    found.push({
      english: trimmed,
      start: some[0]?.child.start,
      end: some.at(-1)?.child.end,
      kind: 'text',
      holes,
      isSpacedBefore: /^\s/.test(english),
      isSpacedAfter: /\s$/.test(english),
    });
  }

  function addString(node: Node, parents: Node[]): void {
    const parent = parents.at(-1);
    const text = node.value as string;
    if (parent?.type === 'JSXExpressionContainer' && text.trim() === '') return;
    const [word, context] = parent?.callee?.name === 'say' ? parent.arguments : [];
    if (node === context || !isShown(text, node, parents) || isReference(parents)) return;
    // say('Open', 'filter') is translated apart from other words that are written the same.
    const english = node === word && context ? `${text}#${context.value}` : text;
    push(english, node, parent?.type === 'JSXAttribute' ? 'attribute' : 'string', new Map());
  }

  function addTemplate(node: Node, parents: Node[]): void {
    const holes: Sentence['holes'] = new Map();
    let english = '';
    for (const [index, quasi] of node.quasis.entries()) {
      english += quasi.value.cooked;
      const expression = node.expressions[index];
      if (!expression) continue;
      const name = nameOf(expression, holes);
      holes.set(name, { start: expression.start, end: expression.end });
      english += `{${name}}`;
    }
    const filled = english.replace(/\{\w+\}/g, 'Xx');
    if (!hasLetter(withoutHoles(english)) || !isShown(filled, node, parents) || isReference(parents)) return;
    push(english, node, 'template', holes);
  }

  function push(
    english: string,
    { start, end }: Node,
    kind: Sentence['kind'],
    holes: Sentence['holes'],
  ): void {
    found.push({ english, start, end, kind, holes, isSpacedBefore: false, isSpacedAfter: false });
  }

  const isContract = /\bcontract\//.test(file);
  function isReference(parents: Node[]): boolean {
    return isContract && parents.some(({ type, key }) => type === 'Property' && inReference.has(key?.name));
  }

  walk(program, []);
  return found.sort((one, other) => one.start - other.start);
}

/** The use of a string tells whether people read it. */
function isShown(text: string, node: Node, parents: Node[]): boolean {
  if (!hasLetter(text) || isForMachine(text)) return false;
  let inner = node;
  let isGiven = false;
  for (const parent of parents.toReversed()) {
    switch (parent.type) {
      case 'JSXExpressionContainer':
        isGiven ||= false;
        break;
      case 'JSXElement':
      case 'JSXFragment':
        return isGiven ? isManyWords(text) : true;
      case 'JSXAttribute': {
        const name = String(parent.name?.name ?? '');
        if (hiddenAttributes.has(name)) return false;
        if (shownAttributes.has(name)) return isGiven ? isManyWords(text) : true;
        return isManyWords(text);
      }
      case 'Property': {
        if (inner === parent.key) return false;
        const name = String(parent.key?.name ?? parent.key?.value ?? '');
        if (hiddenAttributes.has(name)) return false;
        // A word in lower case is more likely a value; words that are shown are marked by `say`.
        if (shownAttributes.has(name) && !isGiven)
          return nounAttributes.has(name) || /^[^\p{Ll}]/u.test(text) || isManyWords(text);
        isGiven = true;
        break;
      }
      case 'MemberExpression':
        if (inner === parent.property) return false;
        break;
      case 'BinaryExpression':
        if (parent.operator !== '+') return false;
        break;
      case 'SwitchCase':
        if (inner === parent.test) return false;
        break;
      case 'TaggedTemplateExpression':
        return false;
      case 'NewExpression':
      case 'CallExpression': {
        const callee = parent.callee;
        const name = String(callee?.name ?? callee?.property?.name ?? '');
        if (inner !== callee) {
          if (hiddenBy.test(name)) return false;
          if (shownBy.has(name) && !isGiven) return true;
          isGiven = true;
        }
        break;
      }
      case 'ConditionalExpression':
        if (inner === parent.test) return false;
        break;
      case 'ArrayExpression':
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
      case 'ReturnStatement':
      case 'VariableDeclarator':
        isGiven = true;
        break;
    }
    inner = parent;
  }
  return isManyWords(text);
}

/** The text between tags, by the rules of JSX: line breaks and the indentation around them don't count. */
function textOf(child: Node): string | undefined {
  if (child.type === 'JSXExpressionContainer') {
    const { expression } = child;
    return expression.type === 'Literal' && typeof expression.value === 'string'
      ? expression.value
      : undefined;
  }
  if (child.type !== 'JSXText') return undefined;
  const lines = (child.value as string).split(/\r\n|\n|\r/);
  return lines
    .map((line, index) => {
      const start = index === 0 ? line : line.replace(/^[ \t]+/, '');
      return index === lines.length - 1 ? start : start.replace(/[ \t]+$/, '');
    })
    .filter((line, index) => line !== '' || (lines.length === 1 && index === 0))
    .join(' ');
}

const withoutHoles = (english: string) => english.replace(/\{\w+\}|<\d+\/>/g, '');

/** A placeholder is named after its expression. */
function nameOf(expression: Node, taken: Map<string, unknown>): string {
  const name = wordFor(expression);
  let unique = name;
  for (let count = 2; taken.has(unique); count += 1) unique = `${name}${count}`;
  return unique;
}

function wordFor(expression: Node): string {
  switch (expression?.type) {
    case 'Identifier':
      return lowered(expression.name);
    case 'MemberExpression':
      return expression.computed ? wordFor(expression.object) : lowered(expression.property.name);
    case 'ChainExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return wordFor(expression.expression);
    case 'CallExpression': {
      const word = wordFor(expression.arguments[0]);
      return word === 'value' ? wordFor(expression.callee) : word;
    }
    case 'LogicalExpression':
      return wordFor(expression.operator === '&&' ? expression.right : expression.left);
    default:
      return 'value';
  }
}

function lowered(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : 'value';
}
