import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { listConversations } from '../../../contract/conversations.ts';
import { asAccount } from '../../db.ts';
import {
  actorOf,
  type BuiltAccount,
  type BuiltUser,
  buildAccount,
  buildUser,
} from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { matchingConversations } from '../queries.ts';

type Query = NonNullable<Parameters<typeof app.call<typeof listConversations>>[1]['query']>;

let app: TestApp;
let lastNumber = 14235552000;

beforeAll(async () => {
  app = await testApp();
});

async function build(): Promise<{ account: BuiltAccount; numbers: number[] }> {
  lastNumber += 2;
  const account = await buildAccount(app, {
    numbers: { [lastNumber]: 'infobip', [lastNumber + 1]: 'infobip' },
  });
  return { account, numbers: Object.values(account.numbers) };
}

const hour = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * hour);

/** A conversation with its texts, the oldest first; returns its id. */
async function talk(
  { accountId }: BuiltAccount,
  text_number_id: number,
  phone: string,
  {
    texts,
    change = {},
  }: {
    texts: [hoursAgo: number, body: string, origin?: 'inbound' | 'conversation' | 'broadcast'][];
    change?: { is_retired?: boolean; is_done?: boolean };
  },
): Promise<number> {
  const { system } = app.database;
  const common = { account_id: accountId, text_number_id, phone };
  const made = await system
    .insertInto('messages')
    .values(
      texts.map(([hoursAgo, body, origin = 'inbound']) => ({
        ...common,
        origin,
        body,
        is_inbound: origin === 'inbound',
        status: origin === 'inbound' ? 'received' : 'delivered',
        created_at: ago(hoursAgo),
      })),
    )
    .returning(['message_id', 'created_at'])
    .execute();
  const last = made.reduce((a, b) => (b.created_at >= a.created_at ? b : a));
  const { conversation_id } = await system
    .insertInto('conversations')
    .values({ ...common, ...change, last_message_id: last.message_id, last_message_at: last.created_at })
    .returning('conversation_id')
    .executeTakeFirstOrThrow();
  return conversation_id;
}

async function search(user: BuiltUser, query: Query) {
  const { status, body } = await app.call(listConversations, { query }, user);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

const idsOf = (body: { Items: { ConversationID: number }[] }) =>
  body.Items.map((item) => item.ConversationID);

/** All pages; the id of each conversation and the time of the match. */
async function pages(user: BuiltUser, query: Query): Promise<number[]> {
  const ids: number[] = [];
  let next: string | null = null;
  do {
    const body: Awaited<ReturnType<typeof search>> = await search(user, {
      ...query,
      ...(next === null ? {} : { next }),
    });
    ids.push(...idsOf(body));
    next = body.Next;
  } while (next !== null && ids.length < 2000);
  return ids;
}

/** The set that a selection of all matches would affect. */
async function selected(account: BuiltAccount, query: Query): Promise<Set<number>> {
  const actor = await actorOf(app, account.accountId, account.owner.userId);
  return asAccount(app.database, account.accountId, async (trx) => {
    const condition = await matchingConversations(trx, actor, listConversations.query.parse(query));
    const { rows } = await sql<{ id: number }>`
      select c.conversation_id as id from conversations c where ${condition}`.execute(trx);
    return new Set(rows.map(({ id }) => id));
  });
}

describe('in texts', () => {
  let account: BuiltAccount;
  let numbers: number[];
  let picnic: number;
  let both: number;
  let old: number;
  let second: number;
  let odd: number;

  beforeAll(async () => {
    ({ account, numbers } = await build());
    const [first = 0, other = 0] = numbers;
    // Found by a text that is not the last one.
    picnic = await talk(account, first, '14235553001', {
      texts: [
        [30, 'Is the Picnic on Friday?'],
        [20, 'the picnic, yes', 'conversation'],
        [1, 'Thanks'],
      ],
    });
    both = await talk(account, first, '14235553002', {
      texts: [[10, 'Friday it is. Ok? Zoë brings the picnic basket']],
    });
    old = await talk(account, first, '14235553003', {
      texts: [
        [24 * 20, 'A picnic in spring'],
        [2, 'Hello again'],
      ],
    });
    second = await talk(account, other, '14235553004', { texts: [[5, 'picnic blanket 4711']] });
    odd = await talk(account, first, '14235553006', {
      texts: [
        [4, 'Great👍 Don’t go: 野餐在星期五 https://muster.example/x?a=1'],
        [3, `nospace${'x'.repeat(1_590)}`],
      ],
    });
    await talk(account, first, '14235553005', { texts: [[3, 'Picnic for everybody!', 'broadcast']] });
    const stranger = await build();
    await talk(stranger.account, stranger.numbers[0] ?? 0, '14235553001', { texts: [[1, 'our picnic']] });
  });

  // Before and after the index contains them.
  describe.each(['waiting', 'indexed'])('%s', (when) => {
    beforeAll(async () => {
      if (when === 'indexed') await app.drain();
      const { rows } =
        await sql`select from message_search_queue where account_id = ${account.accountId}`.execute(
          app.database.system,
        );
      expect(rows.length > 0).toBe(when === 'waiting');
    });

    it('finds any text of the last two weeks, at the latest match, but not broadcasts', async () => {
      const body = await search(account.owner, { q: 'PICNIC' });
      expect(idsOf(body)).toEqual([second, both, picnic]);
      expect(body.Items.map((item) => item.Found?.Message)).toEqual([
        'picnic blanket 4711',
        'Friday it is. Ok? Zoë brings the picnic basket',
        'the picnic, yes',
      ]);
      expect(body.Items[2]?.LastMessage?.Message).toBe('Thanks');
    });

    it('requires every word, in any order, without accents', async () => {
      expect(idsOf(await search(account.owner, { q: 'friday picnic' }))).toEqual([both, picnic]);
      expect(idsOf(await search(account.owner, { q: 'basket zoe' }))).toEqual([both]);
      expect(idsOf(await search(account.owner, { q: 'picnic spring' }))).toEqual([]);
      expect(idsOf(await search(account.owner, { q: 'ok' }))).toEqual([both]);
      expect(idsOf(await search(account.owner, { q: '4711' }))).toEqual([second]);
      expect(idsOf(await search(account.owner, { q: 'pic_ic' }))).toEqual([]);
    });

    it('by the beginning of words, after any separator, also emoji and scripts without spaces', async () => {
      for (const q of ['grea', '👍', '星期五', 'muster.example/x', 'don’t', 'nospacexxx', 'x'.repeat(60)]) {
        expect([q, idsOf(await search(account.owner, { q }))]).toEqual([q, [odd]]);
      }
      expect(idsOf(await search(account.owner, { q: 'reat' }))).toEqual([]);
      expect(idsOf(await search(account.owner, { q: '星期六' }))).toEqual([]);
      expect(idsOf(await search(account.owner, { q: '?!' }))).toEqual([]);
    });

    it('returns how far back it looked, and looks further when told to', async () => {
      const body = await search(account.owner, { q: 'picnic' });
      const from = Date.parse(body.SearchedFrom ?? '');
      expect(Math.abs(from - ago(14 * 24).getTime())).toBeLessThan(hour);
      const further = await search(account.owner, { q: 'picnic', 'date-from': '2020-01-01' });
      expect(idsOf(further)).toEqual([second, both, picnic, old]);
      expect(further.SearchedFrom).toBeNull();
      const until = ago(24 * 15)
        .toISOString()
        .slice(0, 10);
      expect(idsOf(await search(account.owner, { q: 'picnic', 'date-to': until }))).toEqual([old]);
      expect(await search(account.owner, {})).not.toHaveProperty('SearchedFrom');
    });

    it('only in conversations that the user may see', async () => {
      const clerk = await buildUser(app, account.accountId, 'user', { textNumberIds: numbers.slice(1) });
      expect(idsOf(await search(clerk, { q: 'picnic' }))).toEqual([second]);
      expect(idsOf(await search(account.owner, { q: 'picnic', textNumberId: numbers[0] }))).toEqual([
        both,
        picnic,
      ]);
      expect(idsOf(await search(account.owner, { q: 'picnic', isDone: true }))).toEqual([]);
      expect(idsOf(await search(account.owner, { q: 'picnic', searchin: 'people' }))).toEqual([]);
    });

    it('page by page, in both directions', async () => {
      expect(await pages(account.owner, { q: 'picnic', pagesize: 1 })).toEqual([second, both, picnic]);
      expect(await pages(account.owner, { q: 'picnic', pagesize: 2, sortby: 'oldest' })).toEqual([
        picnic,
        both,
        second,
      ]);
      expect(idsOf(await search(account.owner, { q: 'picnic', pagesize: 1, page: 2 }))).toEqual([both]);
    });

    it('and a selection of all matches is the same set', async () => {
      for (const q of ['picnic', 'ok', '4711', 'nothing']) {
        expect(await selected(account, { q }), q).toEqual(new Set(idsOf(await search(account.owner, { q }))));
      }
    });
  });
});

describe('by person', () => {
  it('by name, note or phone, at their latest text; with two matches, shown once', async () => {
    const { account, numbers } = await build();
    const [first = 0, second = 0] = numbers;
    const dana = await talk(account, first, '14235554001', { texts: [[5, 'Hello']] });
    const danaToo = await talk(account, second, '14235554002', { texts: [[4, 'Dana here again']] });
    const speaksOf = await talk(account, first, '18655554003', {
      texts: [
        [6, 'Ask Dana'],
        [1, 'No hurry'],
      ],
    });
    await talk(account, first, '14235554004', { texts: [[24 * 15, 'Dana, long ago']] });
    await app.database.system
      .insertInto('contacts')
      .values(
        [
          { primary_phone: '14235554001', first_name: 'Dana', last_name: 'Whitfield', notes: 'Choir' },
          {
            primary_phone: '14235559999',
            secondary_phone: '14235554002',
            first_name: 'Dana',
            last_name: 'Pike',
          },
          { primary_phone: '14235554004', first_name: 'Dana', last_name: 'Old' },
        ].map((row) => ({ ...row, account_id: account.accountId })),
      )
      .execute();
    const both = await search(account.owner, { q: 'dana' });
    expect(idsOf(both)).toEqual([danaToo, dana, speaksOf]);
    expect(both.Items.map((item) => item.Found?.Message ?? null)).toEqual([
      'Dana here again',
      null,
      'Ask Dana',
    ]);
    expect(idsOf(await search(account.owner, { q: 'dana', searchin: 'people' }))).toEqual([danaToo, dana]);
    expect(idsOf(await search(account.owner, { q: 'dana', searchin: 'texts' }))).toEqual([danaToo, speaksOf]);
    expect(idsOf(await search(account.owner, { q: 'choir whit' }))).toEqual([dana]);
    expect(idsOf(await search(account.owner, { q: '55400' }))).toEqual([speaksOf, danaToo, dana]);
    expect(idsOf(await search(account.owner, { q: '(865) 555-4003' }))).toEqual([speaksOf]);
    expect(idsOf(await search(account.owner, { q: '86' }))).toEqual([speaksOf]);
    for (const q of ['dana', '55400', '86']) {
      expect(await selected(account, { q }), q).toEqual(new Set(idsOf(await search(account.owner, { q }))));
    }
  });

  it('a moved one is found by its texts; by name the one that continues it', async () => {
    const { account, numbers } = await build();
    const [first = 0, second = 0] = numbers;
    const moved = { is_retired: true, is_done: true };
    const before = await talk(account, first, '14235554101', {
      texts: [[5, 'The old address']],
      change: moved,
    });
    const now = await talk(account, second, '14235554101', { texts: [[5, 'Hello']] });
    await app.database.system
      .insertInto('contacts')
      .values({ account_id: account.accountId, primary_phone: '14235554101', first_name: 'Noor' })
      .execute();
    expect(idsOf(await search(account.owner, { q: 'noor' }))).toEqual([now]);
    expect(idsOf(await search(account.owner, { q: '4101' }))).toEqual([now]);
    expect(idsOf(await search(account.owner, { q: 'address' }))).toEqual([before]);
  });
});

/** The conversations of all texts that were inserted directly, found like others. */
async function beginConversations(accountId: number): Promise<void> {
  await sql`
    insert into conversations (account_id, text_number_id, phone, last_message_at)
    select account_id, text_number_id, phone, max(created_at) from messages
    where account_id = ${accountId} group by 1, 2, 3`.execute(app.database.system);
  await app.drain();
}

describe('very frequent matches', () => {
  it('a word of twelve thousand texts: every conversation once, by its latest', async () => {
    const { account, numbers } = await build();
    // A word that occurs only there, long before.
    await sql`
      insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, created_at)
      values (${account.accountId}, ${numbers[0]}, '14235569999', true, 'received', 'inbound', 'Greetings from Zanzibar',
        now() - interval '300 days')`.execute(app.database.system);
    // 260 conversations, the latest text of each at another minute, and for the first 60 an older one outside
    // the newest ten thousand.
    await sql`
      insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, created_at)
      select ${account.accountId}, ${numbers[0]}, '1423556' || lpad((case when n <= 500 then n % 60 else 60 + n % 200 end)::text, 4, '0'),
        true, 'received', 'inbound', 'Thank you ' || n || case when n % 40 = 0 then ' kindly' else '' end,
        now() - (13000 - n) * interval '1 minute'
      from generate_series(1, 12000) n`.execute(app.database.system);
    await beginConversations(account.accountId);
    const { rows } = await sql<{ id: number }>`
      select conversation_id as id from conversations where account_id = ${account.accountId}
      order by last_message_at desc, conversation_id desc`.execute(app.database.system);
    const all = rows.map(({ id }) => id);
    expect(all).toHaveLength(261);
    const oldest = all.pop();
    expect(await pages(account.owner, { q: 'zanzibar' })).toEqual([]);
    expect(await pages(account.owner, { q: 'zanzibar', 'date-from': '2020-01-01' })).toEqual([oldest]);
    expect(await pages(account.owner, { q: 'thank', pagesize: 70 })).toEqual(all);
    expect(await pages(account.owner, { q: 'thank you', pagesize: 100, sortby: 'oldest' })).toEqual(
      all.reverse(),
    );
    // One text in forty: too few of them are among the newest, and the index would return too many.
    const { rows: kind } = await sql<{ id: number }>`
      select c.conversation_id as id from messages m join conversations c using (account_id, text_number_id, phone)
      where m.account_id = ${account.accountId} and m.body like '%kindly'
      group by c.conversation_id order by max(m.created_at) desc`.execute(app.database.system);
    expect(kind).not.toHaveLength(0);
    for (const pagesize of [4, 70]) {
      expect(await pages(account.owner, { q: 'kindly', pagesize })).toEqual(kind.map(({ id }) => id));
    }
  });

  it('a word of a few texts a week, behind 2,000 others: each thread once, by its latest', async () => {
    const { account, numbers } = await build();
    // 240 conversations, twenty a week; before them a single one.
    await sql`
      insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, created_at)
      select ${account.accountId}, ${numbers[0]}, case when n > 241 then '14235570000' else '1423556' || lpad(n::text, 4, '0') end,
        true, 'received', 'inbound', case when n > 241 then 'Good morning' else 'See you at the orchard' end,
        case when n = 1 then now() - interval '600 days'
          when n > 241 then now() - (2500 - n) * interval '1 second'
          else now() - (242 - n) * interval '1 week' / 20 - interval '1 hour' end
      from generate_series(1, 2400) n`.execute(app.database.system);
    await beginConversations(account.accountId);
    const { rows } = await sql<{ id: number }>`
      select conversation_id as id from conversations where account_id = ${account.accountId} and phone like '1423556%'
      order by last_message_at desc`.execute(app.database.system);
    const meant = rows.map(({ id }) => id);
    expect(meant).toHaveLength(241);
    const ever = { q: 'orchard', 'date-from': '2020-01-01' };
    // A small page needs five weeks, a large one nine; the single one is found after all of them.
    for (const pagesize of [10, 45, 70]) {
      expect(await pages(account.owner, { ...ever, pagesize }), String(pagesize)).toEqual(meant);
    }
    expect(await pages(account.owner, { ...ever, pagesize: 70, sortby: 'oldest' })).toEqual(
      meant.toReversed(),
    );
  });

  it('a name of three thousand and more: every conversation once, at its latest text', async () => {
    const { account, numbers } = await build();
    await sql`
      insert into contacts (account_id, first_name, last_name, primary_phone)
      select ${account.accountId}, 'Ann' || n, 'Everyman', '1423557' || lpad(n::text, 4, '0')
      from generate_series(1, 3100) n`.execute(app.database.system);
    // Every other one has the name.
    await sql`
      insert into conversations (account_id, text_number_id, phone, last_message_at)
      select ${account.accountId}, ${numbers[0]},
        case when n % 2 = 0 then '1423557' else '1423558' end || lpad(n::text, 4, '0'), now() - n * interval '1 minute'
      from generate_series(1, 60) n`.execute(app.database.system);
    const { rows } = await sql<{ id: number }>`
      select conversation_id as id from conversations where account_id = ${account.accountId} and phone like '1423557%'
      order by last_message_at desc`.execute(app.database.system);
    const meant = rows.map(({ id }) => id);
    expect(meant).toHaveLength(30);
    // Before and after their words are indexed.
    for (const known of [false, true]) {
      if (known) await app.drain();
      expect(await pages(account.owner, { q: 'everyman', pagesize: 7 }), String(known)).toEqual(meant);
      expect(await pages(account.owner, { q: 'everyman', pagesize: 7, sortby: 'oldest' })).toEqual(
        meant.toReversed(),
      );
      expect(await selected(account, { q: 'everyman' })).toEqual(new Set(meant));
    }
  });
});
