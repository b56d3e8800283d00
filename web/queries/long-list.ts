import { keepItems } from './same-items.ts';

/**
 * A list that people may have scrolled through for a hundred thousand rows, kept up to date for the price of a page or
 * two. Fetching everything again at each event, as an infinite query does, would take a thousand requests. So only the
 * first page, where new rows arrive, and the visible pages are fetched again. The others are stale until they become
 * visible. A page starts after a cursor, which stays valid whatever happens before it. If rows came or went, a page is
 * read further until it meets a row of a later page, so that no row is missing or duplicated.
 */
export interface LongPage<Row> {
  /** The cursor it starts after; undefined for the first page. */
  after: string | undefined;
  rows: readonly Row[];
  /** It may have changed since it was fetched. */
  isOld: boolean;
}

export interface LongList<Row, Extra> {
  pages: readonly LongPage<Row>[];
  /** The cursor of the next page; null at the end. */
  next: string | null;
  /** Other values of the first page's reply. */
  extra: Extra;
}

export interface Fetched<Row, Extra> {
  rows: readonly Row[];
  next: string | null;
  extra: Extra;
}

export interface LongSource<Row, Extra> {
  idOf: (row: Row) => number;
  /** Changes when the row moves to another position. */
  placeOf: (row: Row) => unknown;
  fetch: (after: string | undefined, size: number) => Promise<Fetched<Row, Extra>>;
}

/** The first page holds what is visible at first; people who scroll want more at once. */
export const pageLengths = { first: 15, further: 100 } as const;

/** With more unknown rows than this, the list starts over from there. */
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

/** The pages that hold a range of rows. */
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
    // Slightly more than before, so that one new row doesn't cost a second request.
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
  // Rows between the two that weren't in the reply are gone.
  const [reached, ...rest] = list.pages.slice(met.page);
  const cut = reached ? [{ ...reached, rows: reached.rows.slice(met.row) }, ...rest] : rest;
  return { pages: [...before, fresh, ...without(cut, read, source)], next: list.next, extra };
}

/** Marks all pages stale except those just fetched. */
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
  // A page is never read further than two pages into known rows; comparing all rows would be too slow.
  for (let page = from; page < Math.min(pages.length, from + MOST_READ_ON); page += 1) {
    for (const [row, item] of (pages[page]?.rows ?? []).entries()) {
      places.set(idOf(item), { page, row, at: placeOf(item) });
    }
  }
  return places;
}

/** The pages without rows that moved elsewhere. Unchanged pages keep their identity. */
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
