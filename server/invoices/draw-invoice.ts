import type { WholeInvoice } from '../../contract/invoices.ts';
import { formatCents, formatUnitPrice } from '../../contract/money/cents.ts';
import { languageCode } from '../../contract/reference/languages.ts';
import { inLanguage } from '../in-language.ts';
import type { Letters } from './draw-letters.ts';

const ink = '#13201d';
const muted = '#5b6b67';
const rule = '#c9d1ce';
const accent = '#0f766e';
const left = 64;
const right = 548;
const width = right - left;
const pageBottom = 700;

type Pdf = PDFKit.PDFDocument;

interface InvoiceLook {
  from: readonly string[];
  accountId: number;
  zone: string;
  /** The language of the user who downloads it. The names of charged items stay as they are in the books. */
  languageId: number;
  /** Font files for scripts that neither the built-in fonts nor Inter have. */
  moreFonts?: readonly string[];
}

/** The labels and date formats of the invoice. */
interface Speech {
  say: (english: string) => string;
  day: (at: string) => string;
}

/** Functions with which a document draws letters that its built-in fonts don't have. */
const drawersOf = new WeakMap<Pdf, (letters: Letters) => void>();

/** An invoice on one page of letter paper, with its text in reading order and its structure for screen readers. */
export async function drawInvoice(
  invoice: WholeInvoice,
  { from, accountId, zone, languageId, moreFonts = [] }: InvoiceLook,
): Promise<Buffer> {
  // Loaded on first use: it takes a tenth of a second and 20 MB.
  const { default: PDFDocument } = await import('pdfkit');
  const { drawLetters } = await import('./draw-letters.ts');
  const say = inLanguage(languageId, 'files');
  const locale = `${languageCode(languageId)}-US`;
  const pdf: Pdf = new PDFDocument({
    size: 'LETTER',
    margins: { top: 56, bottom: 40, left, right: 64 },
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: locale,
    info: { Title: `${say('Invoice')} ${invoice.InvoiceID}`, Author: from[0] ?? 'Muster' },
  });
  drawersOf.set(pdf, (letters) => drawLetters(pdf, letters, moreFonts));
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
  // One formatter for the whole page: creating one takes longer than drawing a line.
  const days = new Intl.DateTimeFormat(locale, {
    ...{ timeZone: zone, year: 'numeric', month: 'long', day: 'numeric' },
  });
  const speech: Speech = { say, day: (at) => days.format(new Date(at)) };
  const document = pdf.struct('Document');
  pdf.addStructure(document);
  drawHead(pdf, document, { from, invoiceId: invoice.InvoiceID, say });
  const facts = [
    [say('Date'), speech.day(invoice.ChargeTimestamp)],
    [say('Terms'), say(invoice.Terms)],
    [say('Purchase order'), invoice.PoNumber || '–'],
    [say('Account'), String(accountId)],
  ] as const;
  const below = drawParties(pdf, document, { billTo: invoice.BillTo, facts, say });
  const afterLines = drawLines(pdf, document, { invoice, top: below + 28, speech });
  const afterTotals = drawTotals(pdf, document, { invoice, top: afterLines + 20, speech });
  drawFoot(pdf, document, { invoice, top: Math.min(afterTotals + 56, pageBottom) });
  document.end();
  pdf.end();
  return done;
}

const beyondLatin1 = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/** The built-in fonts have the letters of Western Europe. */
function isBuiltIn(text: string): boolean {
  return Array.from(text).every((character) => {
    const code = character.codePointAt(0) ?? 0;
    return (code >= 32 && code < 127) || (code >= 160 && code < 256) || beyondLatin1.includes(character);
  });
}

interface Style {
  size?: number;
  bold?: boolean;
  color?: string;
  align?: 'left' | 'right';
  width?: number;
}

function write(pdf: Pdf, text: string, at: [x: number, y: number], style: Style = {}): void {
  const { size = 9.5, bold = false, color = ink, align = 'left', width: space = width } = style;
  const [x, y] = at;
  if (!isBuiltIn(text)) {
    drawersOf.get(pdf)?.({ text, x, y, size, bold, color, align, width: space });
    return;
  }
  pdf
    .font(bold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(size)
    .fillColor(color)
    .text(text, x, y, { width: space, align, lineBreak: true });
}

function tagged(pdf: Pdf, parent: PDFKit.PDFStructureElement, tag: string, draw: () => void): void {
  parent.add(pdf.struct(tag, {}, draw));
}

/** Lines and the logo: screen readers skip them. */
function artifact(pdf: Pdf, draw: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' });
  draw();
  pdf.endMarkedContent();
}

function line(pdf: Pdf, y: number, from = left): void {
  artifact(pdf, () => pdf.moveTo(from, y).lineTo(right, y).lineWidth(0.6).strokeColor(rule).stroke());
}

function drawHead(
  pdf: Pdf,
  document: PDFKit.PDFStructureElement,
  { from, invoiceId, say }: { from: readonly string[]; invoiceId: number; say: Speech['say'] },
): void {
  const [name = 'Muster', ...address] = from;
  artifact(pdf, () => {
    pdf.roundedRect(left, 56, 26, 26, 7).fill(accent);
    const initial = name.charAt(0).toLowerCase();
    if (!isBuiltIn(initial)) return;
    pdf
      .font('Helvetica-Bold')
      .fontSize(15)
      .fillColor('#ffffff')
      .text(initial, left, 62, { width: 26, align: 'center' });
  });
  tagged(pdf, document, 'P', () => write(pdf, name, [left + 36, 57], { size: 13, bold: true, width: 280 }));
  tagged(pdf, document, 'P', () =>
    write(pdf, address.join(', '), [left + 36, 73], { color: muted, width: 280 }),
  );
  tagged(pdf, document, 'H1', () =>
    write(pdf, say('Invoice'), [right - 180, 54], { size: 22, bold: true, align: 'right', width: 180 }),
  );
  tagged(pdf, document, 'P', () =>
    write(pdf, String(invoiceId), [right - 180, 80], { color: muted, align: 'right', width: 180 }),
  );
}

function drawParties(
  pdf: Pdf,
  document: PDFKit.PDFStructureElement,
  {
    billTo,
    facts,
    say,
  }: { billTo: readonly string[]; facts: readonly (readonly [string, string])[]; say: Speech['say'] },
): number {
  const top = 132;
  tagged(pdf, document, 'P', () => write(pdf, say('Bill to'), [left, top], { color: muted }));
  let y = top + 15;
  billTo.slice(0, 6).forEach((text, index) => {
    tagged(pdf, document, 'P', () =>
      write(pdf, text.slice(0, 60), [left, y], { bold: index === 0, width: 200 }),
    );
    // A long name takes two lines.
    y = Math.max(y + 14, pdf.y + 2);
  });
  facts.forEach(([label, value], index) => {
    const x = left + 214 + (index % 2) * 146;
    const y = top + Math.floor(index / 2) * 38;
    tagged(pdf, document, 'P', () => write(pdf, label, [x, y], { color: muted, width: 136 }));
    tagged(pdf, document, 'P', () => write(pdf, value, [x, y + 15], { width: 136 }));
  });
  return Math.max(top + 15 + 4 * 14, y);
}

const columns = [
  { x: left, width: 230, align: 'left' },
  { x: left + 236, width: 70, align: 'right' },
  { x: left + 312, width: 76, align: 'right' },
  { x: left + 394, width: 90, align: 'right' },
] as const;

function drawLines(
  pdf: Pdf,
  document: PDFKit.PDFStructureElement,
  { invoice, top, speech }: { invoice: WholeInvoice; top: number; speech: Speech },
): number {
  const { say } = speech;
  const table = pdf.struct('Table');
  document.add(table);
  const drawRow = (cells: readonly string[], tag: 'TH' | 'TD', y: number) => {
    const row = pdf.struct('TR');
    table.add(row);
    cells.forEach((text, index) => {
      const column = columns[index];
      if (column === undefined) return;
      const style = tag === 'TH' ? { color: muted } : { bold: index === 0 };
      tagged(pdf, row, tag, () =>
        write(pdf, text, [column.x, y], { ...style, width: column.width, align: column.align }),
      );
    });
    row.end();
  };
  line(pdf, top);
  drawRow([say('Description'), say('Quantity'), say('Price'), say('Amount')], 'TH', top + 9);
  line(pdf, top + 28);
  const price = invoice.UnitCost === null ? '' : formatUnitPrice(invoice.UnitCost);
  const gross = Math.round((invoice.Amount + invoice.PartialCredits) * 100);
  drawRow(
    [
      invoice.IsPayG ? say('Credits') : invoice.Description,
      invoice.Quantity.toLocaleString('en-US'),
      price,
      formatCents(gross),
    ],
    'TD',
    top + 40,
  );
  table.end();
  const note = noteOf(invoice, speech);
  tagged(pdf, document, 'P', () => write(pdf, note, [left, top + 56], { color: muted, width: 230 }));
  const bottom = Math.max(top + 96, pdf.y + 10);
  line(pdf, bottom);
  return bottom;
}

function noteOf(invoice: WholeInvoice, { say, day }: Speech): string {
  if (invoice.IsPayG) return say('One text segment or 30 seconds of a call each. They don’t expire.');
  const { SubscriptionStartDate: start, SubscriptionEndDate: end } = invoice;
  return start && end ? say(`${day(start)} to ${day(end)}`) : '';
}

function drawTotals(
  pdf: Pdf,
  document: PDFKit.PDFStructureElement,
  { invoice, top, speech }: { invoice: WholeInvoice; top: number; speech: Speech },
): number {
  const { say, day } = speech;
  const cents = (dollars: number) => Math.round(dollars * 100);
  const start = left + 244;
  let y = top;
  const row = (label: string, value: string, style: Style = {}) => {
    tagged(pdf, document, 'P', () =>
      write(pdf, label, [start, y], {
        ...style,
        color: style.color ?? (style.bold ? ink : muted),
        width: 150,
      }),
    );
    tagged(pdf, document, 'P', () =>
      write(pdf, value, [right - 100, y], { ...style, color: ink, align: 'right', width: 100 }),
    );
    y += 20;
  };
  if (invoice.PartialCredits > 0)
    row(say('Credit for unused days'), `-${formatCents(cents(invoice.PartialCredits))}`);
  row(say('Subtotal'), formatCents(cents(invoice.Amount)));
  row(
    invoice.TaxLabel === '' ? say('Sales tax') : say(`Sales tax, ${invoice.TaxLabel}`),
    formatCents(cents(invoice.SalesTax)),
  );
  line(pdf, y - 2, start);
  y += 8;
  row(say('Total'), formatCents(cents(invoice.GrandTotal)), { bold: true });
  // As many as fit on the page; the rest are summed up.
  const shown = invoice.Payments.slice(0, 6);
  for (const payment of shown)
    row(
      payment.Amount < 0
        ? `${say(payment.Method)}, ${day(payment.Date)}`
        : `${say(`Paid ${day(payment.Date)}`)}, ${say(payment.Method)}`,
      payment.Amount < 0 ? formatCents(-cents(payment.Amount)) : `-${formatCents(cents(payment.Amount))}`,
    );
  const rest = invoice.Payments.slice(shown.length).reduce((sum, { Amount }) => sum + cents(Amount), 0);
  if (rest > 0) row(say('Other payments'), `-${formatCents(rest)}`);
  line(pdf, y - 2, start);
  y += 8;
  const label = invoice.InvoiceStatusCategory === 'Voided' ? say('Voided') : say('Balance due');
  row(label, formatCents(cents(invoice.BalanceDue)), { bold: true, size: 12 });
  return y;
}

function drawFoot(
  pdf: Pdf,
  document: PDFKit.PDFStructureElement,
  { invoice, top }: { invoice: WholeInvoice; top: number },
): void {
  if (invoice.AdditionalNotes === '') return;
  line(pdf, top);
  tagged(pdf, document, 'P', () => write(pdf, invoice.AdditionalNotes, [left, top + 14], { color: muted }));
}
