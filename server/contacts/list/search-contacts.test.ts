import { beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { buildRoster, deleted, type Roster, unfiled } from '../testing/build-roster.ts';

let app: TestApp;
let account: Roster['account'];
let teacher: Roster['teacher'];
let group: number;
let segment: number;
let list: Roster['list'];

beforeAll(async () => {
  app = await testApp();
  ({ account, teacher, group, segment, list } = await buildRoster(app));
});

describe('search', () => {
  it.each([
    ['ADAMS', ['ben', 'Cy']],
    ['ben ad', ['ben']],
    ['ad ben', ['ben']],
    ['souza', ['Ana']],
    ['s', ['Ana']],
    ['an', ['Ana']],
    ['na', []],
    ['nunez', ['Éva']],
    ['NÚÑ eva', ['Éva']],
    ['umlaut', ['Éva']],
    ['bus 4', ['Ana']],
    ['(423) 555-0101', ['Ana']],
    ['+1 865 555 0102', ['ben']],
    ['1 423 555 0101', ['Ana']],
    ['865', ['ben']],
    ['7700 900', ['Cy']],
    ['_', ['Dee']],
    ['100%', ['Dee']],
    ['%', ['Dee']],
    ['\\', []],
    ['gone', []],
    ['foreign', []],
  ])('%j', async (q, found) => {
    expect(await list({ q })).toMatchObject({ names: found, Size: found.length, IsSimilar: false });
  });

  it('returns the total of all matches with a page of them', async () => {
    expect(await list({ q: 'adams', pagesize: 1 })).toMatchObject({ names: ['ben'], Size: 2 });
  });

  it('within a group, the unfiled, a segment, the deleted', async () => {
    expect(await list({ q: 'adams' }, account.owner, group)).toMatchObject({ names: ['Cy'], Size: 1 });
    expect(await list({ q: 'adams' }, account.owner, unfiled)).toMatchObject({ names: ['ben'], Size: 1 });
    expect(await list({ q: 'ben' }, account.owner, segment)).toMatchObject({ names: ['ben'], Size: 1 });
    expect(await list({ q: 'long ago' }, account.owner, deleted)).toMatchObject({ names: ['Gone'], Size: 1 });
    expect(await list({ q: '555-0104' }, account.owner, deleted)).toMatchObject({ names: ['Gone'] });
    expect(await list({ q: 'ana' }, account.owner, deleted)).toMatchObject({ names: [], Size: 0 });
  });

  it('shows approximate matches when nothing matches the words', async () => {
    expect(await list({ q: 'adasm' })).toMatchObject({ Size: 2, IsSimilar: true, IsMore: false });
    expect(await list({ q: 'sousa' })).toMatchObject({ names: ['Ana'], IsSimilar: true });
    expect(await list({ q: 'adasm' }, account.owner, group)).toMatchObject({
      names: ['Cy'],
      IsSimilar: true,
    });
    expect(await list({ q: 'adasm' }, teacher)).toMatchObject({ names: ['Cy'], IsSimilar: true });
    expect(await list({ q: 'xqzwvy' })).toMatchObject({ names: [], Size: 0, IsSimilar: false });
    const first = await list({ q: 'adasm', pagesize: 1 });
    const second = await list({ q: 'adasm', pagesize: 1, next: first.Next ?? '' });
    expect([...first.names, ...second.names].sort()).toEqual(['Cy', 'ben']);
    expect(second.Next).toBeNull();
  });
});
