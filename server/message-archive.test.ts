import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import {
  detailFilters,
  getRecipientTimeline,
  listBroadcastDetails,
  listTextReplies,
} from '../contract/broadcast-results.ts';
import { getBroadcast } from '../contract/broadcasts.ts';
import { listOptOuts } from '../contract/consents.ts';
import { addContact, listContactHistory } from '../contract/contacts.ts';
import { listConversations, listTextMessages } from '../contract/conversations.ts';
import { listReplyGroups } from '../contract/reply-groups.ts';
import { getTextMessage, resendTextMessage } from '../contract/text-messages.ts';
import { runOperator } from './operator.ts';
import { recountFigures } from './reports/recount-figures.ts';
import { aBroadcast, checkBroadcast } from './testing/broadcasts.ts';
import { type BuiltAccount, buildAccount } from './testing/builders.ts';
import { refusalOf, type TestApp, testApp } from './testing/test-app.ts';
import { asOwner } from './testing/test-db.ts';
import { dropArchivedMonths } from './texts/archive-texts.ts';

const number = '14235550100';
const phone = '4235550143';
let app: TestApp;
let account: BuiltAccount;
let conversationId: number;
let personId: number;

const rowsOf = async <Row>(text: string) => (await sql.raw<Row>(text).execute(app.database.system)).rows;
const words = async (table: string) =>
  (await rowsOf<{ body: string }>(`select body from ${table} order by message_id`)).map(({ body }) => body);

/** The archive as users see it. */
async function seen() {
  const as = account.owner;
  const params = { ConversationID: conversationId };
  const first = await app.call(listTextMessages, { params, query: { pagesize: 2 } }, as);
  const next = first.body.Next ?? '';
  const second = await app.call(listTextMessages, { params, query: { pagesize: 20, next } }, as);
  const around = first.body.Items[1]?.TextMessageID ?? 0;
  return [
    ...[first.body, second.body],
    (await app.call(listTextMessages, { params, query: { pagesize: 3, around } }, as)).body,
    (await app.call(listConversations, {}, as)).body,
    (await app.call(listOptOuts, {}, as)).body,
    (await app.call(listContactHistory, { params: { PersonID: personId } }, as)).body,
  ];
}

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' }, { ARCHIVE_AFTER_MONTHS: '12', ARCHIVE_MONTHS: '24' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  const person = { FirstName: 'Dana', PrimaryPhone: phone };
  personId = (await app.call(addContact, { body: person }, account.owner)).body.PersonID;
  // One after the other: on a busy machine webhooks overtake each other.
  for (const text of ['One', 'Two', 'Three', 'STOP', 'START', 'Four', 'Five']) {
    await app.sandbox.text(phone, number, text);
    await app.until(async () => (await words('messages')).includes(text));
  }
  const [row] = (await app.call(listConversations, {}, account.owner)).body.Items;
  conversationId = row?.ConversationID ?? 0;
  await app.drain();
  // They were written a year and more ago, an hour apart; the first two a month before the others.
  await asOwner(app.databaseUrl, (client) =>
    client.query(`
      update messages set created_at = date_trunc('month', now()) - interval '13 months' + interval '14 days'
        + message_id * interval '1 hour'
        - case when body in ('One', 'Two') then interval '1 month' else interval '0' end;
      update conversations c set last_message_id = (select max(message_id) from messages)`),
  );
  await recountFigures(app.database, account.accountId, { fixes: true });
});

it('moves old texts and shows them as before; texts that other rows refer to stay', async () => {
  const before = await seen();
  const all = await words('messages');
  await app.sweep();
  const moved = await words('archived_messages');
  expect(moved).toEqual(expect.arrayContaining(['One', 'Two', 'Three', 'Four']));
  const stay = await words('messages');
  expect(stay).toEqual(expect.arrayContaining(['STOP', 'START', all.at(-1)]));
  expect([...moved, ...stay].sort()).toEqual(all.toSorted());
  expect(await seen()).toEqual(before);
  expect((await recountFigures(app.database, account.accountId)).differences).toEqual([]);
  const left = await rowsOf(
    'select from message_search s join archived_messages a using (account_id, message_id)',
  );
  expect(left).toEqual([]);
  const months = await rowsOf("select from pg_inherits where inhparent = 'archived_messages'::regclass");
  expect(months.length).toBeGreaterThanOrEqual(2);
  // Nothing more to do, however often it runs.
  await app.sweep();
  expect(await words('archived_messages')).toEqual(moved);
});

it('texts of old broadcasts and answers to them move too, and its results stay the same', async () => {
  const { accountId, owner, numbers } = account;
  const sender = { accountId, userId: owner.userId, textNumberId: numbers[number] ?? 0 };
  const phones = ['16155550141', '16155550142', '16155550143', '14235550186', '14235550184'];
  const BroadcastID = await aBroadcast(app.database, sender, { phones });
  await app.until(async () => (await checkBroadcast(app.database, BroadcastID)).status === 'completed');
  await app.sandbox.text('16155550141', number, 'Thank you, we will come');
  await app.until(async () => (await words('messages')).includes('Thank you, we will come'));
  await app.sandbox.text('16155550141', number, 'And my sister');
  await app.sandbox.text('16155550142', number, 'STOP');
  await app.until(async () => (await words('messages')).includes('And my sister'));
  await app.until(async () => (await words('messages')).filter((body) => body === 'STOP').length === 2);
  await app.drain();
  await asOwner(app.databaseUrl, (client) =>
    client.query(`
      update messages set created_at = created_at - interval '13 months', status_at = status_at - interval '13 months',
        handed_at = handed_at - interval '13 months'
      where message_id > (select through_message_id from message_archives where account_id = ${accountId});
      update broadcasts set ended_at = ended_at - interval '13 months' where broadcast_id = ${BroadcastID}`),
  );
  await recountFigures(app.database, accountId, { fixes: true });
  const params = { BroadcastID };
  const file = async (name: string) =>
    (
      await fetch(`${app.url}/proxy/api/broadcasts/${BroadcastID}/${name}`, {
        headers: { cookie: owner.cookie },
      })
    ).text();
  const results = async () => {
    const all = await app.call(listBroadcastDetails, { params, query: {} }, owner);
    const ids = all.body.Items.map(({ RecipientID }) => RecipientID);
    const tabs = detailFilters.shape.textresultcategory
      .unwrap()
      .options.map((textresultcategory) =>
        app.call(listBroadcastDetails, { params, query: { textresultcategory } }, owner),
      );
    const found = await app.call(listBroadcastDetails, { params, query: { q: 'Number 1' } }, owner);
    const lines = ids.map((RecipientID) =>
      app.call(getRecipientTimeline, { params: { BroadcastID, RecipientID } }, owner),
    );
    const { Speed: _, ...broadcast } = (await app.call(getBroadcast, { params }, owner)).body as object & {
      Speed?: unknown;
    };
    return [
      ...[broadcast, all.body, found.body],
      ...(await Promise.all(tabs)).map(({ body }) => body),
      ...(await Promise.all(lines)).map(({ body }) => body),
      (await app.call(listTextReplies, { params, query: {} }, owner)).body,
      (await app.call(listReplyGroups, { params }, owner)).body,
      await file('details.csv'),
      await file('textreplies.csv'),
    ];
  };
  const before = await results();
  await app.sweep();
  const moved = await rowsOf<{ phone: string; status: string }>(
    `select phone, status from archived_messages where broadcast_id = ${BroadcastID} order by phone, created_at`,
  );
  expect(moved).toEqual([
    { phone: '14235550184', status: 'number_unavailable' },
    { phone: '14235550186', status: 'phone_unreachable' },
    { phone: '16155550141', status: 'delivered' },
    { phone: '16155550141', status: 'received' },
    { phone: '16155550142', status: 'delivered' },
    { phone: '16155550143', status: 'delivered' },
  ]);
  expect(await results()).toEqual(before);
  expect((await recountFigures(app.database, accountId)).differences).toEqual([]);
});

it('an account sees only its own archive, and nobody can change it', async () => {
  const other = await buildAccount(app);
  const of = (id: number) =>
    app.database.app.transaction().execute(async (trx) => {
      await sql`select set_config('app.account_id', ${String(id)}, true)`.execute(trx);
      return (await sql`select from all_messages`.execute(trx)).rows.length;
    });
  expect([await of(other.accountId), await of(account.accountId)]).toEqual([
    0,
    (await words('all_messages')).length,
  ]);
  await expect(rowsOf("update archived_messages set body = ''")).rejects.toThrow('permission denied');
});

it('an archived text is found by its id, and can be sent again if it failed', async () => {
  const [row] = await rowsOf<{ id: number }>(
    "select message_id as id from archived_messages where body = 'Three'",
  );
  const params = { TextMessageID: row?.id ?? 0 };
  const get = (as = account.owner) => app.call(getTextMessage, { params }, as);
  expect((await get()).body).toMatchObject({ ...params, Message: 'Three', ConversationID: conversationId });
  const other = await buildAccount(app, { numbers: { 14235550101: 'infobip' } });
  expect((await get(other.owner)).status).toBe(404);
  const resend = () => app.call(resendTextMessage, { params, body: {} }, account.owner);
  expect(refusalOf(await resend()).Message).toBe('Only texts that were sent from here can be sent again.');
  await asOwner(app.databaseUrl, (client) =>
    client.query(`update archived_messages set is_inbound = false, status = 'not_delivered', origin = 'conversation'
      where message_id = ${params.TextMessageID}`),
  );
  expect((await resend()).body).toMatchObject({ Message: 'Three', Origin: 'conversation' });
  expect(refusalOf(await resend()).Message).toBe('This text was sent again already.');
});

it('has the columns of the ledger, in their order', async () => {
  const columns = (table: string) =>
    rowsOf(`select attname, atttypid::regtype::text from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped order by attnum`);
  expect(await columns('archived_messages')).toEqual(await columns('messages'));
  expect(await columns('all_messages')).toEqual(await columns('messages'));
});

it('erasing a person also erases them from the archive', async () => {
  process.env.DATA_DIR = app.dataDir;
  const said = await runOperator(app.database, [
    'erase',
    String(account.accountId),
    'phone',
    phone,
    'really',
  ]);
  expect(said.join('\n')).not.toMatch(/still|left over/i);
  const { length } = await rowsOf(`select from all_messages where phone = '1${phone}' or body = 'One'`);
  expect(length).toBe(0);
});

it('months past their retention are dropped whole', async () => {
  await recountFigures(app.database, account.accountId, { fixes: true });
  const figures = () =>
    Promise.all(
      ['daily_texts', 'daily_usage', 'usage_sums', 'daily_results'].map((table) =>
        rowsOf(`select * from ${table} where account_id = ${account.accountId} order by 1, 2, 3, 4, 5`),
      ),
    );
  const counted = await figures();
  const before = (await words('archived_messages')).length;
  expect(await dropArchivedMonths(app.database, 24)).toEqual([]);
  const dropped = await dropArchivedMonths(app.database, 13);
  expect(dropped).toEqual([expect.stringMatching(/^\d{4}_\d{2}$/)]);
  expect((await words('archived_messages')).length).toBe(before - 2);
  // Figures of those days can't be counted again: they stay.
  const muster = (...fix: string[]) =>
    runOperator(app.database, ['figures', String(account.accountId), ...fix]);
  expect(await muster('fix')).toEqual([
    expect.stringMatching(/^Days before \d{4}-\d{2}-01 are not counted: their texts were deleted/),
    expect.stringMatching(/every figure is/),
  ]);
  expect(await figures()).toEqual(counted);
  // Those of the days after are still compared.
  await sql`update daily_texts set received = received + 1 where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  expect((await muster()).length).toBe(2 + (counted[0]?.length ?? 0) - 1);
});
