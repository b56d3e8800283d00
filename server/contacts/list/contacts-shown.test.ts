import { beforeAll, describe, expect, it } from 'vitest';
import type { SelectionQuery } from '../../../contract/contacts.ts';
import { asAccount } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { actorOf, buildUser } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { contactsShown } from '../queries.ts';
import {
  buildRoster,
  deleted,
  everyone,
  type ListQuery,
  type Roster,
  unfiled,
} from '../testing/build-roster.ts';

let app: TestApp;
let account: Roster['account'];
let teacher: Roster['teacher'];
let group: number;
let segment: number;
let people: Roster['people'];
let list: Roster['list'];

beforeAll(async () => {
  app = await testApp();
  ({ account, teacher, group, segment, people, list } = await buildRoster(app));
});

describe('contactsShown', () => {
  async function shown(actor: Actor, listId: number, query: SelectionQuery, within?: [number, number]) {
    return asAccount(app.database, account.accountId, async (trx) => {
      const range = within && { firstId: within[0], lastId: within[1] };
      const condition = await contactsShown(trx, actor, { listId, query, within: range });
      const rows = await trx
        .selectFrom('contacts as c')
        .select('c.first_name')
        .where(condition as never)
        .execute();
      return rows.map(({ first_name }) => first_name).sort();
    });
  }

  it('includes exactly the rows of the list', async () => {
    const seesAll = await buildUser(app, account.accountId, 'user', { canSeeAllRoster: true });
    const queries: ListQuery[] = [
      {},
      { q: 'adams' },
      { q: 'a' },
      { q: '423 555' },
      { q: 'adasm' },
      { q: 'gone' },
      { q: 'xqzwvy' },
      { consent: 'notasked' },
      { problem: 'true' },
      { q: 'a', problem: 'false' },
    ];
    for (const ListID of [everyone, unfiled, deleted, group, segment]) {
      for (const query of queries) {
        for (const user of [seesAll, teacher]) {
          const { names } = await list(query, user, ListID);
          const { q = '', consent, problem } = query;
          const meant = await shown(await actorOf(app, account.accountId, user.userId), ListID, {
            q,
            consent,
            problem: problem === undefined ? undefined : problem === 'true',
          });
          // Approximate matches of a search are shown, and are never part of "all".
          expect([ListID, query, meant]).toEqual([ListID, query, q === 'adasm' ? [] : names.sort()]);
        }
      }
    }
  });

  it('within a range of ids; never approximate matches, when slices have changed the selection', async () => {
    const ben = people.get('ben') ?? 0;
    const owner = await actorOf(app, account.accountId, account.owner.userId);
    expect(await shown(owner, everyone, { q: 'adams' }, [ben, ben])).toEqual(['ben']);
    expect(await shown(owner, everyone, { q: '' }, [ben, ben + 1])).toEqual(['Cy', 'ben']);
    expect(await shown(owner, everyone, { q: 'adasm' }, [0, ben + 100])).toEqual([]);
  });
});
