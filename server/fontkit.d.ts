/** The part of fontkit that is used (server/invoices/draw-letters.ts); it has no types. */
declare module 'fontkit' {
  export interface PathCommand {
    command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath';
    args: number[];
  }
  export interface Font {
    unitsPerEm: number;
    hasGlyphForCodePoint(code: number): boolean;
    glyphForCodePoint(code: number): { advanceWidth: number; path: { commands: PathCommand[] } };
  }
  export function create(bytes: Uint8Array): Font | { fonts: Font[] };
}
