import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as calls from '../../../contract/broadcasts.ts';
import { aBroadcast } from '../../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  const sender = {
    accountId: account.accountId,
    userId: account.owner.userId,
    textNumberId: account.numbers[number] ?? 0,
  };
  const day = 86_400_000;
  const at = (days: number) => new Date(Date.now() + days * day);
  const make = (name: string, status: 'draft' | 'model' | 'scheduled' | 'broadcasting', days: number) =>
    aBroadcast(app.database, sender, { name, status, count: 1, startAt: at(days), body: `About ${name}` });
  await make('Bake sale', 'broadcasting', -3);
  await make('carnival', 'scheduled', 2);
  await make('Early dismissal', 'broadcasting', -1);
  await make('Donations', 'broadcasting', -2);
  await make('Not yet', 'draft', 0);
  await make('Weekly', 'model', 0);
  await sql`update broadcasts set status = 'completed' where name = 'Bake sale'`.execute(app.database.system);
  await sql`update broadcasts set status = 'paused' where name = 'Donations'`.execute(app.database.system);
});

async function names(query: object, as = account.owner): Promise<string[]> {
  const found: string[] = [];
  let next: string | null | undefined;
  do {
    const { status, body } = await app.call(
      calls.listBroadcasts,
      { query: { ...query, pagesize: 2, ...(next ? { next } : {}) } },
      as,
    );
    expect(status).toBe(200);
    found.push(...body.Items.map(({ BroadcastName }) => BroadcastName));
    next = body.Next;
  } while (next !== null);
  return found;
}

describe('the list of broadcasts', () => {
  it('has the latest first, or by name, page by page; drafts and models are not in it', async () => {
    expect(await names({})).toEqual(['carnival', 'Early dismissal', 'Donations', 'Bake sale']);
    expect(await names({ sortby: 'startdate' })).toEqual([
      'Bake sale',
      'Donations',
      'Early dismissal',
      'carnival',
    ]);
    expect(await names({ sortby: 'name' })).toEqual([
      'Bake sale',
      'carnival',
      'Donations',
      'Early dismissal',
    ]);
    expect(await names({ sortby: '-name' })).toEqual([
      'Early dismissal',
      'Donations',
      'carnival',
      'Bake sale',
    ]);
  });

  it('by state, and by words of name and text', async () => {
    expect(await names({ category: 'Broadcasting' })).toEqual(['Early dismissal', 'Donations']);
    expect(await names({ category: 'Completed' })).toEqual(['Bake sale']);
    expect(await names({ category: 'NeedsMessage' })).toEqual([]);
    expect(await names({ q: 'ABOUT don' })).toEqual(['Donations']);
    expect(await names({ q: '%' })).toEqual([]);
  });

  it('refuses a cursor of another order', async () => {
    const { body } = await app.call(
      calls.listBroadcasts,
      { query: { sortby: 'name', pagesize: 1 } },
      account.owner,
    );
    const other = await app.call(calls.listBroadcasts, { query: { next: body.Next ?? '' } }, account.owner);
    expect(refusalOf(other)).toMatchObject({ status: 400, Message: 'next is not a place in this list' });
  });

  it('is counted; what is archived is apart; others see their own', async () => {
    await sql`update broadcasts set is_archived = true where name = 'Bake sale'`.execute(app.database.system);
    const { body } = await app.call(calls.getBroadcastsSummary, {}, account.owner);
    expect(body).toEqual({
      ...{ All: 3, Scheduled: 1, Broadcasting: 2, Completed: 0, Drafts: 1, Repeating: 0, Archived: 1 },
    });
    expect(await names({ archived: true })).toEqual(['Bake sale']);
    const user = await buildUser(app, account.accountId, 'user');
    const own = await app.call(calls.getBroadcastsSummary, {}, user);
    expect([own.body.All, own.body.Drafts, await names({}, user)]).toEqual([0, 0, []]);
  });
});

describe('labels', () => {
  const add = (LabelName: string, as = account.owner) =>
    app.call(calls.addLabel, { body: { LabelName } }, as);

  it('have one name each, are renamed and deleted, and select broadcasts', async () => {
    const { body: sports } = await add('Sports');
    const { body: arts } = await add('Arts');
    expect(refusalOf(await add('sports')).Errors).toEqual([
      { Field: 'LabelName', Message: 'There is a label with this name already.' },
    ]);
    const renamed = (LabelName: string) =>
      app.call(calls.updateLabel, { params: { LabelID: arts.LabelID }, body: { LabelName } }, account.owner);
    expect(refusalOf(await renamed('SPORTS')).status).toBe(400);
    expect((await renamed('Music')).body.LabelName).toBe('Music');
    expect(
      (await app.call(calls.listLabels, {}, account.owner)).body.Items.map(({ LabelName }) => LabelName),
    ).toEqual(['Music', 'Sports']);
    await sql`insert into broadcast_labels select account_id, broadcast_id, ${sports.LabelID} from broadcasts
      where name = 'carnival'`.execute(app.database.system);
    const query = { labelId: sports.LabelID };
    const { body } = await app.call(calls.listBroadcasts, { query }, account.owner);
    expect(body.Items.map(({ BroadcastName, Labels }) => [BroadcastName, Labels])).toEqual([
      ['carnival', [sports]],
    ]);
    const params = { LabelID: sports.LabelID };
    expect((await app.call(calls.deleteLabel, { params }, account.owner)).status).toBe(200);
    expect((await app.call(calls.deleteLabel, { params }, account.owner)).status).toBe(404);
    expect(await names({ q: 'carnival' })).toEqual(['carnival']);
  });

  it('are made by those who may make broadcasts', async () => {
    const user = await buildUser(app, account.accountId, 'user');
    await sql`update users set can_create_broadcast = false where user_id = ${user.userId}`.execute(
      app.database.system,
    );
    expect((await add('Mine', user)).status).toBe(403);
  });
});
