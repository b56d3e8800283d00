import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create, type Font, type PathCommand } from 'fontkit';

/**
 * Letters that a PDF's built-in fonts don't have (Łukasz, Žižek, Ελένη), drawn as outlines of Inter, the font
 * of the pages. Each of its files contains one script and is read when a letter of that script is first
 * needed. The words are stored with the outlines, so that they can be read aloud, searched and copied.
 */
const scripts = ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext'];
const opened = new Map<string, Font>();

function openFont(file: string): Font {
  const known = opened.get(file);
  if (known !== undefined) return known;
  const found = create(readFileSync(file));
  const font = 'fonts' in found ? found.fonts[0] : found;
  if (font === undefined) throw new Error(`${file} holds no font`);
  opened.set(file, font);
  return font;
}

function interFile(script: string): string {
  return fileURLToPath(
    import.meta.resolve(`@fontsource-variable/inter/files/inter-${script}-wght-normal.woff2`),
  );
}

interface Glyph {
  outline: string;
  /** As fractions of the font size. */
  width: number;
  unitsPerEm: number;
}

/** As an SVG path of lines and cubic curves: the PDF library draws quadratic ones too flat. */
function outlineOf(commands: readonly PathCommand[]): string {
  let [x, y] = [0, 0];
  return commands
    .map(({ command, args }) => {
      const [fromX, fromY] = [x, y];
      [x, y] = [args.at(-2) ?? x, args.at(-1) ?? y];
      switch (command) {
        case 'moveTo':
          return `M${x} ${y}`;
        case 'lineTo':
          return `L${x} ${y}`;
        case 'bezierCurveTo':
          return `C${args.join(' ')}`;
        case 'quadraticCurveTo': {
          const [middleX = 0, middleY = 0] = args;
          const toward = (from: number, middle: number) => from + (2 / 3) * (middle - from);
          return `C${toward(fromX, middleX)} ${toward(fromY, middleY)} ${toward(x, middleX)} ${toward(y, middleY)} ${x} ${y}`;
        }
        default:
          return 'Z';
      }
    })
    .join('');
}

function findGlyph(code: number, moreFonts: readonly string[]): Glyph | undefined {
  for (const file of [...scripts.map(interFile), ...moreFonts]) {
    const font = openFont(file);
    if (!font.hasGlyphForCodePoint(code)) continue;
    const { advanceWidth, path } = font.glyphForCodePoint(code);
    return {
      outline: outlineOf(path.commands),
      width: advanceWidth / font.unitsPerEm,
      unitsPerEm: font.unitsPerEm,
    };
  }
  return undefined;
}

/** Letters that were drawn before: building an outline takes longer than drawing it. */
const drawn = new Map<string, Glyph | undefined>();
const mostDrawn = 2000;

function glyphOf(character: string, moreFonts: readonly string[]): Glyph | undefined {
  const known = drawn.get(character);
  if (known !== undefined) return known;
  if (drawn.size >= mostDrawn) drawn.clear();
  const glyph = lookUp(character, moreFonts);
  drawn.set(character, glyph);
  return glyph;
}

/** The letter itself, or without its accent, or a question mark if no font has either. */
function lookUp(character: string, moreFonts: readonly string[]): Glyph | undefined {
  for (const one of [character, character.normalize('NFD'), '?']) {
    const glyph = findGlyph(one.codePointAt(0) ?? 0, moreFonts);
    if (glyph !== undefined) return glyph;
  }
  return undefined;
}

export interface Letters {
  text: string;
  x: number;
  y: number;
  size: number;
  bold: boolean;
  color: string;
  align: 'left' | 'right';
  width: number;
}

/** Helvetica's baseline and line height, so that the two fonts line up. */
const ascent = 0.718;
const lineHeight = 1.156;
/** Inter's files have one weight each: bold letters get a thin outline. */
const boldEdge = 0.035;

/** `moreFonts` are font files for scripts that Inter doesn't have. */
export function drawLetters(
  pdf: PDFKit.PDFDocument,
  { text, x, y, size, bold, color, align, width }: Letters,
  moreFonts: readonly string[],
): void {
  const glyphs = new Map<string, Glyph | undefined>();
  for (const character of text) glyphs.set(character, glyphOf(character, moreFonts));
  const widthOf = (words: string) =>
    Array.from(words).reduce((sum, character) => sum + (glyphs.get(character)?.width ?? 0) * size, 0);
  const lines = wrap(text, width, widthOf);
  pdf.markContent('Span', { actual: text });
  lines.forEach((line, index) => {
    let at = align === 'right' ? x + width - widthOf(line) : x;
    const baseline = y + ascent * size + index * lineHeight * size;
    for (const character of line) {
      const glyph = glyphs.get(character);
      if (glyph === undefined) continue;
      const scale = size / glyph.unitsPerEm;
      pdf.save().translate(at, baseline).scale(scale, -scale).path(glyph.outline);
      if (bold) pdf.lineWidth(boldEdge * glyph.unitsPerEm).fillAndStroke(color, color);
      else pdf.fill(color);
      pdf.restore();
      at += glyph.width * size;
    }
  });
  pdf.endMarkedContent();
  pdf.y = y + lines.length * lineHeight * size;
}

function wrap(text: string, width: number, widthOf: (words: string) => number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || widthOf(longer) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
