// Reads TwiML: a small XML reader, and the verbs that the sandbox plays. It refuses unknown names, so that a
// misspelled one is noticed at once and not only at a real carrier.

type Element = {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: Element[];
  text: string;
};

export type Verb = {
  name: VerbName;
  attributes: Readonly<Record<string, string>>;
  /** Without what is around it. */
  text: string;
  children: readonly Verb[];
};

const verbs = {
  Play: ['loop', 'digits'],
  Say: ['voice', 'language', 'loop'],
  Pause: ['length'],
  Gather: ['action', 'method', 'input', 'numDigits', 'finishOnKey', 'timeout', 'actionOnEmptyResult'],
  Dial: ['action', 'method', 'timeout', 'timeLimit', 'callerId', 'answerOnBridge', 'hangupOnStar', 'record'],
  Number: ['url', 'method', 'statusCallback', 'statusCallbackEvent', 'statusCallbackMethod', 'sendDigits'],
  Record: [
    'action',
    'method',
    'timeout',
    'maxLength',
    'finishOnKey',
    'playBeep',
    'trim',
    'transcribe',
    'recordingStatusCallback',
    'recordingStatusCallbackEvent',
    'recordingStatusCallbackMethod',
  ],
  Redirect: ['method'],
  Hangup: [],
  Reject: ['reason'],
} as const;
type VerbName = keyof typeof verbs;

/** Verbs that may be nested in others. */
const inside: Partial<Record<VerbName, readonly VerbName[]>> = {
  Gather: ['Play', 'Say', 'Pause'],
  Dial: ['Number'],
};

/** A document that can't be run, with Twilio's code for the trouble. */
export class DocumentError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws DocumentError: 12100 is no XML, 12200 is XML that says nothing the sandbox can do. */
export function parseTwiml(text: string): Verb[] {
  const root = readXml(text);
  if (root.name !== 'Response') {
    throw new DocumentError(12200, `The document must be a <Response>, but it is a <${root.name}>.`);
  }
  return root.children.map((child) => toVerb(child, undefined));
}

function toVerb(element: Element, parent: VerbName | undefined): Verb {
  const { name, attributes, text } = element;
  if (!isVerb(name)) throw new DocumentError(12200, `The sandbox doesn't play <${name}>.`);
  const allowed = parent === undefined ? name !== 'Number' : inside[parent]?.includes(name);
  if (!allowed) throw new DocumentError(12200, `<${name}> isn't allowed inside <${parent ?? 'Response'}>.`);
  const known: readonly string[] = verbs[name];
  for (const attribute of Object.keys(attributes)) {
    if (!known.includes(attribute)) {
      throw new DocumentError(12200, `<${name}> has no attribute ${attribute} that the sandbox plays.`);
    }
  }
  return {
    name,
    attributes,
    text: text.trim(),
    children: element.children.map((child) => toVerb(child, name)),
  };
}

function isVerb(name: string): name is VerbName {
  return Object.hasOwn(verbs, name);
}

const notXml = (why: string) => new DocumentError(12100, `The document is not XML: ${why}.`);

function readXml(text: string): Element {
  const open: Element[] = [];
  let root: Element | undefined;
  // A comment, CDATA, a declaration, a tag, or text up to the next tag.
  const parts =
    /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<((?:"[^"]*"|'[^']*'|[^>"'])*)>|([^<]+)/gy;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    parts.lastIndex = at;
    const part = parts.exec(text);
    if (!part) throw notXml('a tag is not closed');
    at = parts.lastIndex;
    const [, data, tag, words] = part;
    const current = open.at(-1);
    if (data !== undefined || words !== undefined) {
      if (current) current.text += data ?? decodeEntities(words ?? '');
      else if ((data ?? words ?? '').trim() !== '') throw notXml('there is text outside of it');
    } else if (tag?.startsWith('!')) {
      throw notXml('it has a document type');
    } else if (tag?.startsWith('/')) {
      if (current?.name !== tag.slice(1).trim()) throw notXml(`<${tag}> closes nothing`);
      open.pop();
    } else if (tag !== undefined) {
      const element = readTag(tag.replace(/\/$/, ''));
      if (current) current.children.push(element);
      else if (root) throw notXml('it has two roots');
      else root = element;
      if (!tag.endsWith('/')) open.push(element);
    }
  }
  if (!root) throw notXml('it is empty');
  if (open.length > 0) throw notXml(`<${open.at(-1)?.name}> is not closed`);
  return root;
}

function readTag(tag: string): Element {
  const name = /^[A-Za-z_][\w.-]*/.exec(tag)?.[0];
  if (name === undefined) throw notXml(`<${tag}> is no tag`);
  const attributes: Record<string, string> = {};
  let rest = tag.slice(name.length);
  while (rest.trim() !== '') {
    const pair = /^\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/.exec(rest);
    if (!pair?.[1]) throw notXml(`<${tag}> has an attribute without quotes`);
    if (pair[1] in attributes) throw notXml(`<${tag}> has ${pair[1]} twice`);
    attributes[pair[1]] = decodeEntities(pair[2] ?? pair[3] ?? '');
    rest = rest.slice(pair[0].length);
  }
  return { name, attributes, children: [], text: '' };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&([^;&\s]*;?)/g, (_, rest: string) => {
    const name = rest.endsWith(';') ? rest.slice(0, -1) : '';
    const code = /^#(?:x([0-9a-fA-F]+)|(\d+))$/.exec(name);
    if (code) return String.fromCodePoint(code[1] ? Number.parseInt(code[1], 16) : Number(code[2]));
    const character = entities[name];
    if (character === undefined) throw notXml(`&${rest} must be written &amp;${rest}`);
    return character;
  });
}
