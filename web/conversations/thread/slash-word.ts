export interface SlashWord {
  /** What stands after the slash, in small letters. */
  q: string;
  /** From the slash to the caret. */
  start: number;
  end: number;
}

/** The word that is being typed after a "/" which begins it; undefined where none is: "and/or" begins nothing. */
export function slashWord(text: string, caret: number): SlashWord | undefined {
  const before = text.slice(0, caret);
  const match = /(?:^|\s)\/([\p{L}\p{M}\p{N}_-]{0,30})$/u.exec(before);
  if (!match) return undefined;
  const q = (match[1] ?? '').toLowerCase();
  return { q, start: caret - q.length - 1, end: caret };
}

/** The text with a piece put in place of another, and where the caret goes. */
export function putIn(
  text: string,
  piece: string,
  { start, end }: Pick<SlashWord, 'start' | 'end'>,
): { text: string; caret: number } {
  const before = text.slice(0, start);
  // Between words of a sentence there is a space; one that is there already isn't doubled.
  const space = before === '' || /\s$/.test(before) ? '' : ' ';
  return { text: `${before}${space}${piece}${text.slice(end)}`, caret: start + space.length + piece.length };
}

interface Found {
  Shortcut: string;
  TemplateName: string;
}

/** Shortcuts that begin with what was typed stand first, the exact one before them. */
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
