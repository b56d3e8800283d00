export interface SlashWord {
  /** The text after the slash, in lowercase. */
  q: string;
  /** From the slash to the caret. */
  start: number;
  end: number;
}

/** The word being typed after a "/" at its start; undefined otherwise: "and/or" doesn't count. */
export function slashWord(text: string, caret: number): SlashWord | undefined {
  const before = text.slice(0, caret);
  const match = /(?:^|\s)\/([\p{L}\p{M}\p{N}_-]{0,30})$/u.exec(before);
  if (!match) return undefined;
  const q = (match[1] ?? '').toLowerCase();
  return { q, start: caret - q.length - 1, end: caret };
}

/** Replaces a range of the text, and returns the new caret position. */
export function putIn(
  text: string,
  piece: string,
  { start, end }: Pick<SlashWord, 'start' | 'end'>,
): { text: string; caret: number } {
  const before = text.slice(0, start);
  // Adds a space between words, unless there is one.
  const space = before === '' || /\s$/.test(before) ? '' : ' ';
  return { text: `${before}${space}${piece}${text.slice(end)}`, caret: start + space.length + piece.length };
}

interface Found {
  Shortcut: string;
  TemplateName: string;
}

/** The exact shortcut first, then shortcuts that begin with the typed text. */
export function byShortcut<Text extends Found>(texts: readonly Text[], q: string): Text[] {
  const rank = ({ Shortcut }: Text) => {
    const shortcut = Shortcut.toLowerCase();
    if (q === '' || !shortcut.startsWith(q)) return 2;
    return shortcut === q ? 0 : 1;
  };
  return texts
    .map((text, at) => ({ text, at }))
    .sort((a, b) => rank(a.text) - rank(b.text) || a.at - b.at)
    .map(({ text }) => text);
}
