import { beforeAll, describe, expect, it } from 'vitest';
import { listContacts } from '../../../contract/contacts.ts';
import { buildAccount } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { buildRoster, deleted, type Roster } from '../testing/build-roster.ts';

let app: TestApp;
let account: Roster['account'];
let group: number;
let list: Roster['list'];

beforeAll(async () => {
  app = await testApp();
  ({ account, group, list } = await buildRoster(app));
});

describe('pages', () => {
  it('by number, with the total', async () => {
    expect(await list({ pagesize: 3 })).toMatchObject({ names: ['ben', 'Cy', 'Ana'], Size: 5 });
    expect(await list({ pagesize: 3, page: 2 })).toMatchObject({
      names: ['Éva', 'Dee'],
      Size: 5,
      Next: null,
    });
    expect(await list({ pagesize: 3, page: 3 })).toMatchObject({ names: [], Size: 5 });
  });

  const byName = ['ben', 'Cy', 'Ana', 'Éva', 'Dee'];
  const byAge = ['Ana', 'ben', 'Cy', 'Dee', 'Éva'];
  it.each([
    ['name', byName],
    ['-name', byName.toReversed()],
    ['oldest', byAge],
    ['newest', byAge.toReversed()],
  ] as const)('by cursor, sorted by %s: every row once, in order', async (sortby, expected) => {
    for (const query of [{}, { problem: 'false' }, { q: 'a' }] as const) {
      const whole = await list({ sortby, ...query });
      if (!('problem' in query) && !('q' in query)) expect(whole.names).toEqual(expected);
      else expect(whole.names).toEqual(expected.filter((name) => whole.names.includes(name)));
      const walked: string[] = [];
      let next: string | undefined;
      do {
        const page = await list({ sortby, pagesize: 2, ...query, ...(next === undefined ? {} : { next }) });
        expect(page.Size).toBe(whole.Size);
        walked.push(...page.names);
        next = page.Next ?? undefined;
      } while (next !== undefined);
      expect(walked).toEqual(whole.names);
    }
  });

  it('of a group and of the deleted, in every order', async () => {
    expect(await list({ sortby: 'newest' }, account.owner, group)).toMatchObject({ names: ['Cy', 'Ana'] });
    expect(await list({ sortby: '-name' }, account.owner, group)).toMatchObject({ names: ['Ana', 'Cy'] });
    expect(await list({ sortby: 'newest' }, account.owner, deleted)).toMatchObject({
      names: ['Gone'],
      Size: 1,
    });
  });

  it('refuses an invalid cursor', async () => {
    for (const next of ['x', 'bnVsbA', Buffer.from('["a\\u0000",1]').toString('base64url'), 'WyJhIiwtMV0']) {
      const reply = await app.call(listContacts, { params: { ListID: 0 }, query: { next } }, account.owner);
      expect(refusalOf(reply)).toMatchObject({ status: 400, Message: 'next is not a place in this list' });
    }
  });

  it('continues from a very long name', async () => {
    const { accountId, owner } = await buildAccount(app);
    const name = '𝕏'.repeat(50);
    await app.database.system
      .insertInto('contacts')
      .values([1, 2].map(() => ({ account_id: accountId, first_name: '漢'.repeat(50), last_name: name })))
      .execute();
    const first = await list({ pagesize: 1 }, owner);
    const second = await list({ pagesize: 1, next: first.Next ?? '' }, owner);
    expect(second.Items.map(({ PersonID }) => PersonID)).toEqual([(first.Items[0]?.PersonID ?? 0) + 1]);
  });
});
