/** A carrier that responds in another order, leaves a text out or names texts that it was not given. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { feedSlice } from '../broadcasts/feed/feed-broadcast.ts';
import { createLog } from '../log.ts';
import type { Carrier, HandOver, OutboundText } from '../outside/carrier.ts';
import { aBroadcast, recipientPhone } from '../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { matchHandOvers } from './match-hand-overs.ts';
import { type SendContext, sendSlice } from './send-messages.ts';
import { sendHeldSlice } from './send-slice.ts';

const number = '14235550100';
const log = createLog({ LOG_LEVEL: 'silent', ROLE: 'worker' });
let app: TestApp;
let account: BuiltAccount;
let context: SendContext;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  context = { database: app.database, publicUrl: 'http://localhost', log, metrics: app.metrics };
});

/** Returns the result of `say` for each text, in reverse order; texts that `say` leaves out are missing. */
function backwards(say: (text: OutboundText) => HandOver[]): Carrier {
  const stranger: HandOver = { key: 'mu-1-1-1', outcome: 'accepted', carrierMessageId: 'nobody’s' };
  return {
    aggregatorId: 5,
    name: 'Backwards',
    slice: 1000,
    refusesRepeats: true,
    hand: async (texts) => [stranger, ...texts.toReversed().flatMap(say)],
    find: async () => new Map(),
    readReceipts: () => [],
    readInbound: () => [],
    hookReply: { contentType: 'application/json', body: '{}' },
    fetchMedia: async () => Buffer.alloc(0),
    close: async () => undefined,
  };
}

async function whatBecame(phones: string[]) {
  const { rows } = await sql`
    select m.phone, m.status, m.carrier_message_id as "idThere", m.carrier_error as error, o.in_doubt as "inDoubt",
      o.lease_id as "leaseId"
    from messages m left join outbox o on o.account_id = m.account_id and o.message_id = m.message_id
    where m.account_id = ${account.accountId} and m.phone = any(${phones}::text[]) order by m.phone`.execute(
    app.database.system,
  );
  return rows;
}

const answers = (taken: string, refused: string) =>
  backwards(({ key, to }) => {
    if (to === taken) return [{ key, outcome: 'accepted', carrierMessageId: `of ${to}` }];
    if (to === refused) return [{ key, outcome: 'refused', status: 'number_unavailable', error: '7' }];
    return [];
  });

const outcomes = (taken: string, refused: string, leftOut: string) => [
  { phone: taken, status: 'sent', idThere: `of ${taken}`, error: null, inDoubt: null, leaseId: null },
  { phone: refused, status: 'number_unavailable', idThere: null, error: '7', inDoubt: null, leaseId: null },
  { phone: leftOut, status: 'waiting', idThere: null, error: null, inDoubt: true, leaseId: null },
];

const phonesFrom = (first: number) =>
  [0, 1, 2].map((index) => recipientPhone(index, first)) as [string, string, string];

it('for a broadcast: each gets its own result, and a missing one is in doubt', async () => {
  const sender = {
    accountId: account.accountId,
    userId: account.owner.userId,
    textNumberId: account.numbers[number] ?? 0,
  };
  await aBroadcast(app.database, sender, { count: 3, firstPhone: 6000 });
  const fed = await feedSlice(app.database, 5, 100);
  if (fed?.slice === undefined) throw new Error('nothing was fed');
  const [taken, refused, leftOut] = phonesFrom(6000);
  await sendHeldSlice(context, answers(taken, refused), fed.slice);
  expect(await whatBecame([taken, refused, leftOut])).toEqual(outcomes(taken, refused, leftOut));
});

it('for other texts: the same', async () => {
  const [taken, refused, leftOut] = phonesFrom(6100);
  await sql`
    with texts as (
      insert into messages (account_id, text_number_id, phone, is_inbound, status, status_at, origin, body, segments, credits)
      select ${account.accountId}, ${account.numbers[number]}, phone, false, 'waiting', now(), 'notification', 'Hi', 1, 0
      from unnest(${[taken, refused, leftOut]}::text[]) phone
      returning account_id, message_id, text_number_id, phone)
    insert into outbox (account_id, message_id, text_number_id, aggregator_id, phone)
    select account_id, message_id, text_number_id, 5, phone from texts`.execute(app.database.system);
  await sendSlice(context, answers(taken, refused), 100);
  expect(await whatBecame([taken, refused, leftOut])).toEqual(outcomes(taken, refused, leftOut));
});

it('two different results for one text leave it in doubt, and no other', () => {
  const given = new Map([
    ['a', 'A'],
    ['b', 'B'],
  ]);
  const results = matchHandOvers({ log }, given, [
    { key: 'b', outcome: 'refused', status: 'not_delivered', error: '' },
    { key: 'a', outcome: 'accepted', carrierMessageId: null },
    { key: 'b', outcome: 'accepted', carrierMessageId: null },
  ]);
  expect(results.map(({ text, outcome }) => [text, outcome])).toEqual([
    ['A', 'accepted'],
    ['B', 'doubt'],
  ]);
});
