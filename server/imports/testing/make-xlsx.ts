import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

type XlsxCell =
  | string
  | number
  | boolean
  | { date: number }
  | { formula: string; value: string }
  | { inline: string };

export interface XlsxSheet {
  name: string;
  rows: (XlsxCell | null)[][];
  isHidden?: boolean;
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function columnName(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest === 0 ? '' : columnName(rest - 1)) + String.fromCharCode(65 + (index % 26));
}

/** A workbook in Excel's format: shared words, dates as numbers with a style. */
export async function makeXlsx(sheets: XlsxSheet[]): Promise<Buffer> {
  const words = new Map<string, number>();
  const cellXml = (cell: XlsxCell | null, place: string): string => {
    if (cell === null) return '';
    if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
    if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`;
    if (typeof cell === 'string') {
      if (!words.has(cell)) words.set(cell, words.size);
      return `<c r="${place}" t="s"><v>${words.get(cell)}</v></c>`;
    }
    if ('date' in cell) return `<c r="${place}" s="1"><v>${cell.date}</v></c>`;
    if ('inline' in cell)
      return `<c r="${place}" t="inlineStr"><is><r><t>${escapeXml(cell.inline)}</t></r></is></c>`;
    return `<c r="${place}" t="str"><f>${escapeXml(cell.formula)}</f><v>${escapeXml(cell.value)}</v></c>`;
  };
  const parts = new Map<string, string>();
  for (const [index, { rows }] of sheets.entries()) {
    const rowsXml = rows.map((cells, at) => {
      const xml = cells.map((cell, column) => cellXml(cell, `${columnName(column)}${at + 1}`)).join('');
      return `<row r="${at + 1}">${xml}</row>`;
    });
    parts.set(
      `xl/worksheets/sheet${index + 1}.xml`,
      `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rowsXml.join('')}</sheetData></worksheet>`,
    );
  }
  parts.set(
    'xl/sharedStrings.xml',
    `<sst>${[...words.keys()].map((word) => `<si><t>${escapeXml(word)}</t></si>`).join('')}</sst>`,
  );
  parts.set(
    'xl/styles.xml',
    '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
  );
  const list = sheets.map(
    ({ name, isHidden }, index) =>
      `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" ${isHidden ? 'state="hidden"' : ''} r:id="rId${index + 1}"/>`,
  );
  parts.set('xl/workbook.xml', `<workbook xmlns:r="r"><sheets>${list.join('')}</sheets></workbook>`);
  const places = sheets.map(
    (_, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  parts.set('xl/_rels/workbook.xml.rels', `<Relationships>${places.join('')}</Relationships>`);
  return zip(parts);
}

/** Parts of words, or this many spaces. */
export async function zip(parts: Map<string, string | { spaces: number }>): Promise<Buffer> {
  const file = new ZipFile();
  for (const [name, content] of parts) {
    if (typeof content === 'string') file.addBuffer(Buffer.from(content), name, { compressionLevel: 1 });
    else file.addReadStream(Readable.from(spaces(content.spaces)), name);
  }
  file.end();
  const pieces: Buffer[] = [];
  file.outputStream.on('data', (piece: Buffer) => pieces.push(piece));
  await once(file.outputStream, 'end');
  return Buffer.concat(pieces);
}

function* spaces(count: number) {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  for (let left = count; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
}
