/**
 * Finds the translation of a sentence that was put together on the server. The catalog names sentences as
 * they are written in the source, with placeholders. The values of the placeholders are translated in turn,
 * if they are known.
 */
export function createDictionary(
  catalog: Readonly<Record<string, string | null>>,
): (words: string) => string {
  const known = new Map(Object.entries(catalog));
  const patterns = [...known.keys()].flatMap(toPattern);
  // Patterns with the most words of their own first; the others match almost anything.
  patterns.sort((one, other) => other.weight - one.weight);

  function translate(words: string, depth: number): string {
    const whole = known.get(words);
    if (whole !== undefined) return whole ?? words;
    const found = depth > 3 ? undefined : (fill(words, depth) ?? eachSentence(words, depth));
    return found ?? words;
  }

  function fill(words: string, depth: number): string | undefined {
    for (const { english, names, expression, weight } of patterns) {
      const match = expression.exec(words);
      const translation = match && known.get(english);
      if (!match || !translation) continue;
      const values = new Map(names.map((name, index) => [name, match[index + 1] ?? '']));
      if (weight < leastLetters && ![...values].every(([name, value]) => isOurs(name, value, depth + 1)))
        continue;
      // {{FirstName}} is a field of a message: its name stays.
      return translation.replace(/(\{\{.*?\}\})|\{(\w+)\}/g, (hole, field?: string, name = '') => {
        if (field !== undefined) return field.replace(/\{(\w+)\}/, (inner, of) => values.get(of) ?? inner);
        const value = values.get(name);
        return value === undefined ? hole : translateValue(name, value, depth + 1);
      });
    }
    return undefined;
  }

  /** The value of {month} is looked up as "May#month" first: May may be a person, too. */
  function translateValue(name: string, value: string, depth: number): string {
    const meant = known.get(`${value}#${name}`);
    if (meant) return meant;
    const clock = /^(\d{1,2}:\d\d) ([AP]M)(?= [A-Z][a-z]+$|$)/;
    if (clock.test(value))
      return value.replace(clock, (_, time, half) => `${time} ${known.get(`${half}#clock`) ?? half}`);
    const translated = translate(value, depth);
    if (translated !== value) return translated;
    // English puts an article before the label: "Enter a Name".
    const bare = value.replace(/^an? /, '');
    if (bare !== value) return translate(bare, depth);
    const parts = value.split(', ');
    return parts.every((part) => known.get(part)) ? parts.map((part) => known.get(part)).join(', ') : value;
  }

  /** True if the server wrote the value: words that have a translation, or a figure. */
  function isOurs(name: string, value: string, depth: number): boolean {
    return /^\d|^\P{L}*$/u.test(value) || translateValue(name, value, depth) !== value;
  }

  function eachSentence(words: string, depth: number): string | undefined {
    const sentences = words.split(/(?<=[.!?]) (?=\p{Lu})/u);
    return sentences.length < 2 ? undefined : sentences.map((one) => translate(one, depth + 1)).join(' ');
  }

  return (words) => translate(words, 0);
}

interface Pattern {
  english: string;
  names: string[];
  expression: RegExp;
  weight: number;
}

/**
 * A pattern with hardly a word of its own ("{first} to {last}") would match text that people wrote. It is
 * used only where all of its parts are the server's.
 */
const leastLetters = 5;

function toPattern(english: string): Pattern[] {
  const names: string[] = [];
  const parts = english.split(/\{(\w+)\}/);
  if (parts.length === 1) return [];
  const source = parts.map((part, index) => {
    if (index % 2 === 0) return RegExp.escape(part);
    names.push(part);
    return '(.*?)';
  });
  const own = parts.filter((_, index) => index % 2 === 0).join('');
  const weight = (own.match(/\p{L}/gu) ?? []).length;
  if (weight === 0) return [];
  return [{ english, names, expression: new RegExp(`^${source.join('')}$`, 's'), weight }];
}
