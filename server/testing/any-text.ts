import fc from 'fast-check';

/**
 * Any code points, halves of pairs too, and often one that means something in a file. (fast-check's own `binary` fills a
 * table of a million first, which takes seconds.)
 */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  const point = fc.nat({ max: 0x10ffff }).map((each) => String.fromCodePoint(each));
  const unit = fc.oneof({ weight: 4, arbitrary: point }, fc.constantFrom(...'",;\t\r\n\0 =+-@\u{feff}'));
  return fc.string({ unit, ...(maxLength === undefined ? {} : { maxLength }) });
}
