import { beforeAll, expect, it } from 'vitest';
import { getUser } from '../contract/accounts.ts';
import { createConversation, listConversations, listTextMessages } from '../contract/conversations.ts';
import { errorBody } from '../contract/error-body.ts';
import { getHome } from '../contract/home.ts';
import { type BuiltAccount, buildAccount } from './testing/builders.ts';
import { type TestApp, testApp } from './testing/test-app.ts';
import { asOwner } from './testing/test-db.ts';
import { keyOf, openSocket } from './testing/test-socket.ts';
import { waitUntil } from './testing/wait-until.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  await app.startWorker();
});

/** Cuts every connection of the server at once, as a restart of PostgreSQL does. */
async function cutAll(): Promise<number> {
  const { rowCount } = await asOwner(app.databaseUrl, (client) =>
    client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    ),
  );
  return rowCount ?? 0;
}

function write(PrimaryPhone: string, Message: string, key: string) {
  return app.call(
    createConversation,
    {
      body: {
        TextNumberID: account.numbers[number] ?? 0,
        LastMessage: { Contact: { PrimaryPhone }, Message },
      },
    },
    { cookie: account.owner.cookie, headers: { 'idempotency-key': key } },
  );
}

it('requests fail with 503 for a moment at most, then everything continues', async () => {
  const as = account.owner;
  const socket = await openSocket(app.url, await keyOf(app, as));
  const statuses = new Map<number, number>();
  const bodies: unknown[] = [];
  let isOver = false;
  const note = (reply: { status: number; body: unknown }) => {
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    if (reply.status !== 200) bodies.push(reply.body);
  };
  const readers = [
    () => app.call(getUser, {}, as),
    () => app.call(listConversations, { query: { q: 'a' } }, as),
    () => app.call(getHome, {}, as),
    () => app.call(getUser, {}, as),
  ].map(async (read) => {
    while (!isOver) note(await read());
  });
  // Each text is requested with its key until it succeeds, as a page does.
  let written = 0;
  const writer = (async () => {
    while (!isOver) {
      const index = written;
      const reply = await write('4235550140', `Text ${index}`, `key-${index}`);
      note(reply);
      if (reply.status === 200) written += 1;
    }
  })();

  for (let time = 1; time <= 4; time += 1) {
    const count = written;
    await waitUntil(async () => written >= count + 3);
    expect(await cutAll()).toBeGreaterThan(3);
  }
  const count = written;
  await waitUntil(async () => written >= count + 3);
  isOver = true;
  await Promise.all([...readers, writer]);

  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(10);
  for (const body of bodies) {
    expect(errorBody.parse(body)).toMatchObject({ ErrorCode: 503, ErrorType: 'Informational' });
  }

  // Texts: each one written once and sent to the telephone once.
  const arrived = await waitUntil(async () => {
    const texts = await app.sandbox.messages('4235550140');
    return texts.length >= written ? texts : undefined;
  });
  const words = arrived.map((text) => text.Text).sort();
  expect(words).toEqual(Array.from({ length: written }, (_, index) => `Text ${index}`).sort());
  const [conversation] = (await app.call(listConversations, {}, as)).body.Items;
  const params = { ConversationID: conversation?.ConversationID ?? 0 };
  await waitUntil(async () => {
    const { body } = await app.call(listTextMessages, { params, query: { pagesize: 100 } }, as);
    return (
      body.Items.length === Math.min(100, written) && body.Items.every((item) => item.Status === 'delivered')
    );
  });

  // The socket that was open all the time: told to refetch, and gets new events.
  await socket.heard({ type: 'textnumbers.changed' });
  await app.sandbox.text('4235550141', number, 'And back');
  const inbound = await waitUntil(async () => {
    const { body } = await app.call(listConversations, { query: { unread: true } }, as);
    return body.Items[0];
  });
  await socket.heard({ type: 'conversation.changed', ConversationID: inbound.ConversationID });
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);

  // Credits: the ledger sums to the balance, nothing stays reserved.
  const row = await app.database.system
    .selectFrom('accounts')
    .select(['credit_balance', 'credit_reserved'])
    .where('account_id', '=', account.accountId)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ credit_balance: 1000 - written, credit_reserved: 0 });
});
