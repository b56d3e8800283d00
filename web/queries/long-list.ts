import { keepItems } from './same-items.ts';

/**
 * A list of which one may have scrolled through a hundred thousand rows, kept true at the price of a page or two.
 * Fetching everything again at each event, as an infinite query does, would take a thousand requests. So only the
 * head, where what is new arrives, and what is in sight are fetched again; the rest is old until it comes into sight.
 *
 * A page begins behind a cursor, and that stays true whatever happens before it. Where rows came or went, a page is
 * read on until it meets a row that is known to stand in a later one: no row is left out and none stands twice.
 */
export interface LongPage<Row> {
  /** Behind which it begins; undefined for the first. */
  after: string | undefined;
  rows: readonly Row[];
  /** Something may have changed since it was fetched. */
  isOld: boolean;
}

export interface LongList<Row, Extra> {
  pages: readonly LongPage<Row>[];
  /** Behind which the next page begins; null at the end. */
  next: string | null;
  /** What the reply of the first page says besides. */
  extra: Extra;
}

export interface Fetched<Row, Extra> {
  rows: readonly Row[];
  next: string | null;
  extra: Extra;
}

export interface LongSource<Row, Extra> {
  idOf: (row: Row) => number;
  /** Changes when the row moves to another place of the order. */
  placeOf: (row: Row) => unknown;
  fetch: (after: string | undefined, size: number) => Promise<Fetched<Row, Extra>>;
}

/** What the first page asks for is what one sees at once; who scrolls wants more of it. */
export const pageLengths = { first: 15, further: 100 } as const;

/** More rows than this that nobody knew of, and the list begins anew from there. */
const MOST_READ_ON = 5;

export async function firstPage<Row, Extra>(source: LongSource<Row, Extra>): Promise<LongList<Row, Extra>> {
  const { rows, next, extra } = await source.fetch(undefined, pageLengths.first);
  return { pages: [{ after: undefined, rows, isOld: false }], next, extra };
}

export async function nextPage<Row, Extra>(
  list: LongList<Row, Extra>,
  source: LongSource<Row, Extra>,
): Promise<LongList<Row, Extra>> {
  if (list.next === null) return list;
  const { rows, next } = await source.fetch(list.next, pageLengths.further);
  const known = new Set(list.pages.flatMap((page) => page.rows.map(source.idOf)));
  const fresh = rows.filter((row) => !known.has(source.idOf(row)));
  return { ...list, pages: [...list.pages, { after: list.next, rows: fresh, isOld: false }], next };
}

/** Which pages the rows from one index to another stand in. */
export function pagesInSight<Row>(
  pages: readonly LongPage<Row>[],
  { first, last }: { first: number; last: number },
): number[] {
  const found: number[] = [];
  let start = 0;
  for (const [index, { rows }] of pages.entries()) {
    if (start <= last && start + rows.length > first) found.push(index);
    start += rows.length;
    if (start > last) break;
  }
  return found;
}

/** Fetches one page again. */
export async function freshenPage<Row, Extra>(
  list: LongList<Row, Extra>,
  index: number,
  source: LongSource<Row, Extra>,
): Promise<LongList<Row, Extra>> {
  const page = list.pages[index];
  if (!page) return list;
  const later = placesOf(list.pages, index + 1, source);
  const isLastPage = index === list.pages.length - 1;
  const wanted = page.rows.length;
  const read: Row[] = [];
  let after = page.after;
  let fetched: Fetched<Row, Extra> | undefined;
  let extra = list.extra;
  let met: Place | undefined;
  for (let times = 0; times < MOST_READ_ON; times += 1) {
    // A little more than there was, so that one new row doesn't take a second request.
    const size = Math.min(100, Math.max(pageLengths.first, wanted - read.length + (isLastPage ? 0 : 5)));
    fetched = await source.fetch(after, size);
    if (after === undefined) extra = fetched.extra;
    for (const row of fetched.rows) {
      const place = later.get(source.idOf(row));
      met = place && place.at === source.placeOf(row) ? place : undefined;
      if (met) break;
      read.push(row);
    }
    if (met || fetched.next === null || (isLastPage && read.length >= wanted)) break;
    after = fetched.next;
  }
  const fresh: LongPage<Row> = {
    after: page.after,
    rows: keepItems(page.rows, source.idOf)(read),
    isOld: false,
  };
  const before = without(list.pages.slice(0, index), read, source);
  if (!met) return { pages: [...before, fresh], next: fetched?.next ?? null, extra };
  // What stood between the two and was not read is no longer there.
  const [reached, ...rest] = list.pages.slice(met.page);
  const cut = reached ? [{ ...reached, rows: reached.rows.slice(met.row) }, ...rest] : rest;
  return { pages: [...before, fresh, ...without(cut, read, source)], next: list.next, extra };
}

/** All pages but those that were just fetched may have changed. */
export function ageExcept<Row, Extra>(
  list: LongList<Row, Extra>,
  isFresh: (page: LongPage<Row>) => boolean,
): LongList<Row, Extra> {
  const pages = list.pages.map((page) => (page.isOld || isFresh(page) ? page : { ...page, isOld: true }));
  return { ...list, pages };
}

export function rowsOf<Row>(pages: readonly LongPage<Row>[]): readonly Row[] {
  return pages.length === 1 ? (pages[0]?.rows ?? []) : pages.flatMap(({ rows }) => rows);
}

interface Place {
  page: number;
  row: number;
  at: unknown;
}

function placesOf<Row, Extra>(
  pages: readonly LongPage<Row>[],
  from: number,
  { idOf, placeOf }: LongSource<Row, Extra>,
): Map<number, Place> {
  const places = new Map<number, Place>();
  // Two pages behind are as far as one page is ever read on into known rows; all rows would be too many.
  for (let page = from; page < Math.min(pages.length, from + MOST_READ_ON); page += 1) {
    for (const [row, item] of (pages[page]?.rows ?? []).entries()) {
      places.set(idOf(item), { page, row, at: placeOf(item) });
    }
  }
  return places;
}

/** The pages without rows that now stand elsewhere. Those that lose nothing stay the same objects. */
function without<Row, Extra>(
  pages: readonly LongPage<Row>[],
  gone: readonly Row[],
  { idOf }: LongSource<Row, Extra>,
): LongPage<Row>[] {
  const ids = new Set(gone.map(idOf));
  return pages.map((page) => {
    if (!page.rows.some((row) => ids.has(idOf(row)))) return page;
    return { ...page, rows: page.rows.filter((row) => !ids.has(idOf(row))) };
  });
}
