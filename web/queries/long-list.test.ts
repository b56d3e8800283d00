import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ageExcept,
  firstPage,
  freshenPage,
  type LongList,
  type LongSource,
  nextPage,
  pagesInSight,
  rowsOf,
} from './long-list.ts';

interface Row {
  id: number;
  at: number;
  words: string;
}
type List = LongList<Row, null>;

/** A server's table, the latest first, paged behind a cursor as ours is. */
function table(size: number) {
  let clock = size;
  const rows = Array.from({ length: size }, (_, index) => ({ id: index + 1, at: index + 1, words: '' }));
  let requests = 0;
  const sorted = () => [...rows].sort((a, b) => b.at - a.at);
  const source: LongSource<Row, null> = {
    idOf: ({ id }) => id,
    placeOf: ({ at }) => at,
    fetch: async (after, pagesize) => {
      requests += 1;
      const found = sorted().filter(({ at }) => after === undefined || at < Number(after));
      const page = found.slice(0, pagesize).map((row) => ({ ...row }));
      return { rows: page, next: found.length > pagesize ? String(page.at(-1)?.at) : null, extra: null };
    },
  };
  return {
    source,
    ids: () => sorted().map(({ id }) => id),
    requests: () => requests,
    /** Something is said in the conversation: it goes to the top. */
    touch(id: number): void {
      const row = rows.find((one) => one.id === id);
      clock += 1;
      if (row) row.at = clock;
      else rows.push({ id, at: clock, words: '' });
    },
    remove(id: number): void {
      const index = rows.findIndex((one) => one.id === id);
      if (index >= 0) rows.splice(index, 1);
    },
    rename(id: number): void {
      const row = rows.find((one) => one.id === id);
      if (row) row.words += '!';
    },
  };
}

const idsOf = (list: List) => rowsOf(list.pages).map(({ id }) => id);

async function load(source: LongSource<Row, null>, pages: number): Promise<List> {
  let list = await firstPage(source);
  for (let page = 1; page < pages; page += 1) list = await nextPage(list, source);
  return list;
}

async function freshenAll(list: List, source: LongSource<Row, null>): Promise<List> {
  let fresh = list;
  for (let index = 0; index < fresh.pages.length; index += 1) fresh = await freshenPage(fresh, index, source);
  return fresh;
}

describe('a long list', () => {
  it('gets a new row at the top with one request, however much was loaded', async () => {
    const server = table(2000);
    const list = await load(server.source, 8);
    server.touch(9999);
    const before = server.requests();
    const fresh = await freshenPage(list, 0, server.source);
    expect(server.requests() - before).toBe(1);
    expect(idsOf(fresh)).toEqual(server.ids().slice(0, idsOf(list).length + 1));
  });

  it('shows a row that moved up only once', async () => {
    const server = table(600);
    const list = await load(server.source, 4);
    const deep = idsOf(list).at(-3) ?? 0;
    server.touch(deep);
    const ids = idsOf(await freshenPage(list, 0, server.source));
    expect(ids[0]).toBe(deep);
    expect(ids.filter((id) => id === deep)).toHaveLength(1);
    expect(ids).toHaveLength(idsOf(list).length);
  });

  it('closes up where rows have left, and takes in those that came back in the middle', async () => {
    const server = table(600);
    const list = await load(server.source, 4);
    for (const id of idsOf(list).slice(10, 40)) server.remove(id);
    const fresh = await freshenPage(list, 0, server.source);
    expect(idsOf(fresh)).toEqual(server.ids().slice(0, idsOf(fresh).length));
  });

  it('starts over when everything above changed', async () => {
    const server = table(200);
    const list = await load(server.source, 2);
    for (let id = 1000; id < 1700; id += 1) server.touch(id);
    const fresh = await freshenPage(list, 0, server.source);
    expect(idsOf(fresh)).toEqual(server.ids().slice(0, idsOf(fresh).length));
    expect(fresh.next).not.toBeNull();
    const more = await nextPage(fresh, server.source);
    expect(idsOf(more)).toEqual(server.ids().slice(0, idsOf(more).length));
  });

  it('keeps rows that say the same as the same objects', async () => {
    const server = table(60);
    const list = await load(server.source, 1);
    const [first, second] = rowsOf(list.pages);
    server.rename(first?.id ?? 0);
    const fresh = rowsOf((await freshenPage(list, 0, server.source)).pages);
    expect(fresh[0]).not.toBe(first);
    expect(fresh[0]?.words).toBe('!');
    expect(fresh[1]).toBe(second);
  });

  it('knows which pages are in sight, and which are old', async () => {
    const server = table(600);
    const list = await load(server.source, 3);
    expect(pagesInSight(list.pages, { first: 0, last: 9 })).toEqual([0]);
    expect(pagesInSight(list.pages, { first: 10, last: 20 })).toEqual([0, 1]);
    expect(pagesInSight(list.pages, { first: 115, last: 130 })).toEqual([2]);
    const aged = ageExcept(list, (page) => page === list.pages[0]);
    expect(aged.pages.map(({ isOld }) => isOld)).toEqual([false, true, true]);
    expect(aged.pages[0]).toBe(list.pages[0]);
  });

  it('is what the server has, once every page was fetched again, whatever happened', async () => {
    const happenings = fc.array(
      fc.record({ what: fc.constantFrom('touch', 'remove', 'add'), id: fc.integer({ min: 1, max: 400 }) }),
      { maxLength: 120 },
    );
    await fc.assert(
      fc.asyncProperty(happenings, fc.integer({ min: 1, max: 5 }), async (all, pages) => {
        const server = table(400);
        let list = await load(server.source, pages);
        for (const { what, id } of all) {
          if (what === 'touch') server.touch(id);
          if (what === 'add') server.touch(id + 1000);
          if (what === 'remove') server.remove(id);
        }
        list = await freshenAll(list, server.source);
        while (list.next !== null) list = await nextPage(list, server.source);
        expect(idsOf(list)).toEqual(server.ids());
      }),
      { numRuns: 60 },
    );
  });
});
