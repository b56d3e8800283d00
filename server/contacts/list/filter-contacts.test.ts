import { beforeAll, describe, expect, it } from 'vitest';
import { buildAccount } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { buildRoster, type Roster } from '../testing/build-roster.ts';

let app: TestApp;
let account: Roster['account'];
let group: number;
let list: Roster['list'];

beforeAll(async () => {
  app = await testApp();
  ({ account, group, list } = await buildRoster(app));
});

describe('filters', () => {
  it.each([
    ['optedin', ['ben']],
    ['optedout', ['Ana']],
    ['notasked', ['Cy', 'Éva']],
    ['donotcall', ['ben']],
  ] as const)('consent %s', async (consent, found) => {
    expect(await list({ consent })).toMatchObject({ names: found, Size: found.length });
  });

  it('by phones that can’t be texted, contacts without a phone; and the others', async () => {
    expect(await list({ problem: 'true' })).toMatchObject({ names: ['Ana', 'Éva', 'Dee'], Size: 3 });
    expect(await list({ problem: 'false' })).toMatchObject({ names: ['ben', 'Cy'], Size: 2 });
  });

  it('in addition to a search and a group', async () => {
    expect(await list({ q: 'adams', consent: 'optedin' })).toMatchObject({ names: ['ben'], Size: 1 });
    expect(await list({ consent: 'optedout' }, account.owner, group)).toMatchObject({ names: ['Ana'] });
  });

  it('an organization that requires opt-in can text only people who have opted in', async () => {
    const strict = await buildAccount(app);
    await app.database.system
      .updateTable('accounts')
      .set({ require_text_opt_in: true })
      .where('account_id', '=', strict.accountId)
      .execute();
    await app.database.system
      .insertInto('contacts')
      .values({ account_id: strict.accountId, first_name: 'Flo', primary_phone: '14235550109' })
      .execute();
    const { Items } = await list({ problem: 'true' }, strict.owner);
    expect(Items.map(({ PrimaryPhoneError }) => PrimaryPhoneError)).toEqual([
      "This number hasn't opted-in to receiving texts.",
    ]);
  });
});
