import { beforeAll, expect, it } from 'vitest';
import { asSystem, type Database, openDatabase } from '../db.ts';
import { cloneDatabase } from '../testing/test-db.ts';
import { attachMedia } from './attach-media.ts';

let database: Database;
let accountId: number;

beforeAll(async () => {
  const { url, drop } = await cloneDatabase();
  database = openDatabase(url, { connections: 16 });
  const account = await database.system
    .insertInto('accounts')
    .values({ company_name: 'Pictures', time_zone: 'America/New_York' })
    .returning('account_id')
    .executeTakeFirstOrThrow();
  accountId = account.account_id;
  return async () => {
    await database.close();
    await drop();
  };
});

/** An inbound text with this many pictures on the list of those to fetch. */
async function makeText(pictures: number): Promise<number> {
  const { message_id } = await database.system
    .insertInto('messages')
    .values({
      account_id: accountId,
      text_number_id: 1,
      phone: '14235550143',
      is_inbound: true,
      status: 'received',
      origin: 'inbound',
      body: 'Look',
    })
    .returning('message_id')
    .executeTakeFirstOrThrow();
  await database.system
    .insertInto('inbound_media')
    .values(
      Array.from({ length: pictures }, (_, position) => ({
        account_id: accountId,
        message_id,
        position,
        aggregator_id: 5,
        url: `https://carrier.example/${position}`,
      })),
    )
    .execute();
  return message_id;
}

/** The picture at position n has the id 100 + n. */
function attach(messageId: number, position: number) {
  return asSystem(database, (trx) =>
    attachMedia(trx, { accountId, messageId, position, mediaId: 100 + position }),
  );
}

async function picturesOf(messageId: number): Promise<number[]> {
  const { media_ids } = await database.system
    .selectFrom('messages')
    .select('media_ids')
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow();
  return media_ids;
}

function permutations(of: number[]): number[][] {
  if (of.length < 2) return [of];
  return of.flatMap((first) =>
    permutations(of.filter((one) => one !== first)).map((rest) => [first, ...rest]),
  );
}

it('pictures are shown in the order in which they were sent, whatever order they arrive in', async () => {
  for (const order of permutations([0, 1, 2, 3])) {
    const messageId = await makeText(4);
    const hung: number[] = [];
    for (const position of order) {
      await attach(messageId, position);
      hung.push(100 + position);
      expect(await picturesOf(messageId)).toEqual(hung.toSorted((a, b) => a - b));
    }
  }
});

it('pictures that are fetched at the same moment are shown in their order too', async () => {
  for (let times = 0; times < 10; times += 1) {
    const messageId = await makeText(6);
    await Promise.all([5, 3, 1, 0, 2, 4].map((position) => attach(messageId, position)));
    expect(await picturesOf(messageId)).toEqual([100, 101, 102, 103, 104, 105]);
  }
});

it('a picture that never arrives leaves no gap, and one that arrives twice is attached once', async () => {
  const messageId = await makeText(3);
  await attach(messageId, 2);
  await attach(messageId, 0);
  await attach(messageId, 2);
  expect(await picturesOf(messageId)).toEqual([100, 102]);
});
