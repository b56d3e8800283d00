import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { plainCell } from '../../csv.ts';
import type { Download } from '../../serve.ts';

/** A sheet has 1,048,576 rows, including the header. */
const rowsOfSheet = 1_048_575;
const bytesAtOnce = 64 * 1024;

/** One pass over the rows, shared by all sheets. */
type Rows = AsyncIterator<string[], unknown>;

/**
 * A workbook that is generated while it is sent: the sheets are written into the archive row by row. All
 * cells are text, so that phones keep their zeros and nothing is interpreted as a formula.
 */
export function xlsxDownload(
  fileName: string,
  {
    header,
    rows,
    rowCount,
    sheetRows = rowsOfSheet,
  }: { header: string[]; rows: AsyncIterable<string[]>; rowCount: number; sheetRows?: number },
): Download {
  const zip = new ZipFile();
  const names = Array.from({ length: Math.max(1, Math.ceil(rowCount / sheetRows)) }, (_, index) => index + 1);
  const iterator: Rows = rows[Symbol.asyncIterator]();
  for (const [path, xml] of Object.entries(partsOf(names))) zip.addBuffer(Buffer.from(xml), path);
  // Our own end of the archive: yazl's can't be canceled.
  const stream = new PassThrough();
  zip.on('error', (error: Error) => stream.destroy(error));
  for (const name of names) {
    zip.addReadStreamLazy(`xl/worksheets/sheet${name}.xml`, { compressionLevel: 4 }, (give) => {
      const sheet = Readable.from(sheetChunks(header, iterator, sheetRows), { objectMode: false });
      sheet.on('error', (error) => stream.destroy(error));
      stream.once('close', () => sheet.destroy());
      give(null, sheet);
    });
  }
  zip.end();
  zip.outputStream.pipe(stream);
  return {
    fileName,
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    stream,
  };
}

async function* sheetChunks(header: string[], rows: Rows, most: number) {
  let xml = `${declaration}<worksheet xmlns="${main}"><sheetData>${rowXml(1, header)}`;
  for (let index = 0; index < most; index += 1) {
    const { value, done } = await rows.next();
    if (done) break;
    xml += rowXml(index + 2, value as string[]);
    if (xml.length < bytesAtOnce) continue;
    yield Buffer.from(xml);
    xml = '';
  }
  yield Buffer.from(`${xml}</sheetData></worksheet>`);
}

function rowXml(number: number, cells: string[]): string {
  let xml = `<row r="${number}">`;
  for (const [index, cell] of cells.entries()) {
    if (cell === '') continue;
    xml += `<c r="${columnName(index)}${number}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
  }
  return `${xml}</row>`;
}

/** 0 is A, 25 is Z, 26 is AA. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeXml(text: string): string {
  return (
    plainCell(text)
      .toWellFormed()
      .replace(/[\ufffe\uffff]/g, '')
      // Office interprets _x000D_ as a character, so the underscore is escaped.
      .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
      .replace(/[&<>]/g, (sign) => entities[sign] ?? '')
  );
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The small files that every workbook has. */
function partsOf(names: number[]): Record<string, string> {
  const each = (write: (name: number) => string) => names.map(write).join('');
  return {
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/>${each(
      (name) =>
        `<Override PartName="/xl/worksheets/sheet${name}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`,
    )}</Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${each(
      (name) => `<sheet name="Contacts${name === 1 ? '' : ` ${name}`}" sheetId="${name}" r:id="rId${name}"/>`,
    )}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packageRelations}">${each(
      (name) =>
        `<Relationship Id="rId${name}" Type="${office}/worksheet" Target="worksheets/sheet${name}.xml"/>`,
    )}</Relationships>`,
  };
}
