import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as resultCalls from '../../../contract/broadcast-results.ts';
import * as calls from '../../../contract/broadcasts.ts';
import type { TextStatusCode } from '../../../contract/delivery/text-status.ts';
import { aBroadcast, recipientPhone } from '../../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { applyReceipts } from '../../texts/apply-receipts.ts';
import { writeSendKey } from '../../texts/rules.ts';
import { storeReceipts } from '../../texts/store-receipts.ts';
import { feedSlice } from '../feed/feed-broadcast.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let sender: { accountId: number; userId: number; textNumberId: number };

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  sender = {
    accountId: account.accountId,
    userId: account.owner.userId,
    textNumberId: account.numbers[number] ?? 0,
  };
});

/** The results of the first texts of a broadcast; the rest of it has not been fed. */
const states: TextStatusCode[] = [
  ...(['delivered', 'phone_unreachable', 'delivered', 'sent', 'number_unavailable'] as const),
  ...(['delivered', 'unknown', 'read', 'delivered'] as const),
];
let phones = 0;

/**
 * Twelve recipients: nine texts in three slices, in those states, the last one opted out before its turn; two
 * not fed yet.
 */
async function someResults(more: { name?: string } = {}) {
  const firstPhone = phones;
  phones += 100;
  const BroadcastID = await aBroadcast(app.database, sender, { count: 12, firstPhone, ...more });
  const phone = (index: number) => recipientPhone(index, firstPhone);
  await sql`insert into phone_consents (account_id, phone, text_state, text_changed_at)
    values (${account.accountId}, ${phone(9)}, 'out', now())`.execute(app.database.system);
  for (const size of [4, 4, 2]) await feedSlice(app.database, 5, size);
  await sql`update broadcasts set next_feed_at = now() + interval '1 hour' where broadcast_id = ${BroadcastID}`.execute(
    app.database.system,
  );
  await tell(BroadcastID, states);
  return { params: { BroadcastID }, phone, BroadcastID };
}

/** Receipts for the texts of a broadcast, in the order in which they were made. */
async function tell(broadcastId: number, statuses: TextStatusCode[]) {
  const texts = await app.database.system
    .selectFrom('messages')
    .select(['message_id', 'send_nonce'])
    .where('broadcast_id', '=', broadcastId)
    .where('is_inbound', '=', false)
    .orderBy('message_id')
    .execute();
  await storeReceipts(
    app.database,
    texts.slice(0, statuses.length).map(({ message_id, send_nonce }, index) => ({
      key: writeSendKey({ accountId: account.accountId, messageId: message_id, nonce: send_nonce }),
      status: statuses[index] ?? 'sent',
      carrierMessageId: null,
      error: statuses[index] === 'phone_unreachable' ? 'EC_ABSENT_SUBSCRIBER' : null,
      occurredAt: new Date(),
    })),
  );
  await applyReceipts(app.database, 1000);
}

function details(BroadcastID: number, query: object = {}, as = account.owner) {
  return app.call(resultCalls.listBroadcastDetails, { params: { BroadcastID }, query }, as);
}

/** The recipients in a tab, by their place in the broadcast, a few at a time. */
async function placesIn(BroadcastID: number, query: object): Promise<number[]> {
  const places: number[] = [];
  let next: string | null | undefined;
  do {
    const { status, body } = await details(BroadcastID, { ...query, pagesize: 2, ...(next ? { next } : {}) });
    expect(status).toBe(200);
    places.push(...body.Items.map(({ LastName }) => Number(LastName.slice('Number '.length))));
    next = body.Next;
  } while (next !== null);
  return places;
}

async function replyFrom(BroadcastID: number, phone: string, answer: 'Yes' | null = null) {
  await sql`update broadcast_recipients set replied_at = clock_timestamp(), survey_answer = ${answer}
    where broadcast_id = ${BroadcastID} and phone = ${phone}`.execute(app.database.system);
}

async function leaveOut(BroadcastID: number, phone: string, problem: string) {
  await sql`
    insert into broadcast_recipients (account_id, broadcast_id, phone, first_name, last_name, problem)
    values (${account.accountId}, ${BroadcastID}, ${phone}, 'Lee', 'Number 77', ${problem})`.execute(
    app.database.system,
  );
  await sql`update broadcasts set left_out_count = left_out_count + 1 where broadcast_id = ${BroadcastID}`.execute(
    app.database.system,
  );
}

describe('the tabs', () => {
  it('list recipients by state, page by page, with the count that the broadcast has', async () => {
    const { BroadcastID, phone } = await someResults();
    await replyFrom(BroadcastID, phone(2));
    await replyFrom(BroadcastID, phone(0));
    await leaveOut(BroadcastID, phone(50), 'opted_out');
    const tabs: [object, number[]][] = [
      [{}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
      [{ textresultcategory: 'Delivered' }, [0, 2, 5, 8]],
      [{ textresultcategory: 'Read' }, [7]],
      [{ textresultcategory: 'Failed' }, [1, 6]],
      [{ textresultcategory: 'Invalid' }, [4]],
      [{ textresultcategory: 'Incomplete' }, [3, 10, 11]],
      [{ textresultcategory: 'OptedOut' }, [9]],
      // The latest answer first.
      [{ textresultcategory: 'Replied' }, [0, 2]],
      [{ textresultcategory: 'NotReplied' }, [3, 5, 7, 8]],
      [{ textresultcategory: 'LeftOut' }, [77]],
      [{ textresultcategory: 'NotOptedOut' }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11]],
    ];
    for (const [query, expected] of tabs) {
      expect([query, await placesIn(BroadcastID, query)]).toEqual([query, expected]);
      expect([query, (await details(BroadcastID, query)).body.Size]).toEqual([query, expected.length]);
    }
    // By page number too, across recipients with and without a text.
    const second = await details(BroadcastID, { textresultcategory: 'Incomplete', page: 2, pagesize: 2 });
    expect(second.body.Items.map(({ LastName }) => LastName)).toEqual(['Number 11']);
  });

  it('show the result of each', async () => {
    const { BroadcastID, phone } = await someResults();
    await leaveOut(BroadcastID, phone(50), 'not_textable');
    const { body } = await details(BroadcastID);
    const results = body.Items.map((item) => [item.TextResultCategory, item.TextResult]);
    expect(results[1]).toEqual(['Failed', 'phone_unreachable']);
    expect(results[3]).toEqual(['Incomplete', 'sent']);
    expect(results[9]).toEqual(['OptedOut', 'opted_out']);
    expect(results[11]).toEqual(['Incomplete', 'waiting']);
    expect(body.Items[0]).toMatchObject({ PhoneNumber: phone(0).slice(1), Problem: null, TextResponses: [] });
    const { body: out } = await details(BroadcastID, { textresultcategory: 'LeftOut' });
    expect(out.Items[0]).toMatchObject({
      TextResultCategory: 'LeftOut',
      Problem: 'not_textable',
      LastChange: null,
    });
  });

  it('find people by name and by phone, within a tab', async () => {
    const { BroadcastID, phone } = await someResults();
    expect(await placesIn(BroadcastID, { q: 'pat 1' })).toEqual([1, 10, 11]);
    expect(await placesIn(BroadcastID, { q: 'pat 1', textresultcategory: 'Failed' })).toEqual([1]);
    expect(await placesIn(BroadcastID, { q: phone(4).slice(1) })).toEqual([4]);
    expect(await placesIn(BroadcastID, { q: phone(4).slice(-4) })).toEqual([4]);
    expect((await details(BroadcastID, { q: '100%' })).body).toMatchObject({
      Items: [],
      Size: 0,
      Next: null,
    });
  });

  it('refuse an invalid cursor', async () => {
    const { BroadcastID } = await someResults();
    const { body } = await details(BroadcastID, { pagesize: 1 });
    for (const next of ['x', body.Next ?? '']) {
      const reply = await details(BroadcastID, { textresultcategory: 'Replied', next });
      expect(refusalOf(reply)).toMatchObject({ status: 400, Message: 'next is not a place in this list' });
    }
  });
});

describe('a broadcast', () => {
  it('counts each text once, and its credits', async () => {
    const { params } = await someResults();
    const { body } = await app.call(calls.getBroadcast, { params }, account.owner);
    expect(body).toMatchObject({
      BroadcastStatus: 'Broadcasting',
      BroadcastStatusCategory: 'Broadcasting',
      PhoneNumberCount: 12,
      DeliveredTexts: 4,
      ReadCount: 1,
      FailedTextTotal: 2,
      InvalidTextCount: 1,
      TextOptedOut: 1,
      SentTotal: 1,
      WaitingTotal: 2,
      NotDeliveredTexts: 3,
      CanceledTotal: 0,
      NotRepliedTotal: 6,
      Credits: { Reserved: 2, Settled: 9, Released: 1 },
      CanChange: true,
      User: { UserID: account.owner.userId },
    });
    expect(Date.parse(body.EstimatedEnd ?? '')).toBeGreaterThan(Date.now());
  });

  it('that was canceled counts recipients it never reached as canceled', async () => {
    const { params, BroadcastID } = await someResults();
    await app.call(calls.updateBroadcast, { params, body: { BroadcastStatus: 'Canceled' } }, account.owner);
    const { body } = await app.call(calls.getBroadcast, { params }, account.owner);
    expect(body).toMatchObject({
      BroadcastStatus: 'Canceled',
      WaitingTotal: 0,
      CanceledTotal: 2,
      NotDeliveredTexts: 3,
      Credits: { Reserved: 0, Settled: 9, Released: 3 },
      EstimatedEnd: null,
    });
    expect(await placesIn(BroadcastID, { textresultcategory: 'Incomplete' })).toEqual([3, 10, 11]);
  });

  it('has at most two hundred points for its chart, including the last one', async () => {
    const { params, BroadcastID } = await someResults();
    await sql`insert into broadcast_samples (account_id, broadcast_id, taken_at, sent, delivered, failed)
      select ${account.accountId}, ${BroadcastID}, now() - (501 - i) * interval '1 second', i, i, 0
      from generate_series(1, 501) i`.execute(app.database.system);
    const { body } = await app.call(resultCalls.getBroadcastProgress, { params }, account.owner);
    expect(body.Items.length).toBeLessThanOrEqual(200);
    expect([body.Items[0]?.Sent, body.Items.at(-1)?.Sent]).toEqual([3, 501]);
  });
});

describe('selected recipients', () => {
  it('can be added to a group, new or existing; those who aren’t contacts become contacts', async () => {
    const { params, phone } = await someResults();
    await app.database.system
      .insertInto('contacts')
      .values({ account_id: account.accountId, primary_phone: phone(1), first_name: 'Known' })
      .execute();
    const toList = (ListName: string, query: object) =>
      app.call(
        resultCalls.detailsToList,
        { params, query, body: { Selection: { Type: 'SelectedAll' }, Update: { ListName } } },
        account.owner,
      );
    const first = await toList('Did not get it', { textresultcategory: 'Failed' });
    expect(first.body).toMatchObject({ AddedCount: 2, CreatedCount: 1 });
    const again = await toList('did not get it', { textresultcategory: 'Invalid' });
    expect(again.body).toEqual({ ListID: first.body.ListID, AddedCount: 1, CreatedCount: 1 });
    const members = await app.database.system
      .selectFrom('group_members as m')
      .innerJoin('contacts as c', 'c.person_id', 'm.person_id')
      .select(['c.primary_phone', 'c.first_name', 'c.created_by_user_id'])
      .where('m.group_id', '=', first.body.ListID)
      .orderBy('c.primary_phone')
      .execute();
    expect(members.map(({ primary_phone }) => primary_phone)).toEqual([phone(1), phone(4), phone(6)]);
    expect(members[1]).toMatchObject({ first_name: 'Pat', created_by_user_id: account.owner.userId });
    expect(refusalOf(await toList('Everyone', {})).Message).toBe('The group name is already in use.');
  });

  it('can start another broadcast, with the text or without', async () => {
    const { params, BroadcastID, phone } = await someResults({ name: 'Snow day' });
    const { body: shown } = await details(BroadcastID, { textresultcategory: 'Failed' });
    const one = shown.Items[0]?.RecipientID ?? 0;
    const again = await app.call(
      resultCalls.detailsToDraft,
      {
        params,
        query: { textresultcategory: 'Failed' },
        body: { Selection: { Type: 'SelectedAllExcept', Items: [one] }, WithMessage: true },
      },
      account.owner,
    );
    expect(again.body).toMatchObject({ AddedCount: 1 });
    const draft = await app.database.system
      .selectFrom('broadcasts as b')
      .innerJoin('broadcast_recipients as r', 'r.broadcast_id', 'b.broadcast_id')
      .select(['b.status', 'b.name', 'b.body', 'b.text_number_id', 'r.phone'])
      .where('b.broadcast_id', '=', again.body.DraftBroadcastID)
      .execute();
    expect(draft).toEqual([
      {
        status: 'draft',
        name: 'Snow day',
        body: 'School is closed today.',
        text_number_id: sender.textNumberId,
        phone: phone(6),
      },
    ]);
    const nobody = await app.call(
      resultCalls.detailsToDraft,
      { params, query: { textresultcategory: 'Replied' }, body: { Selection: { Type: 'SelectedAll' } } },
      account.owner,
    );
    expect(refusalOf(nobody)).toMatchObject({ status: 422, Message: 'Nobody here could be sent to.' });
  });

  it('who have not been fed are removed, and their credits return', async () => {
    const { params, BroadcastID } = await someResults();
    const reserved = async () => (await ledger()).credit_reserved;
    const before = await reserved();
    const remove = (query: object) =>
      app.call(
        resultCalls.deleteBroadcastDetails,
        { params, query, body: { Selection: { Type: 'SelectedAll' } } },
        account.owner,
      );
    expect((await remove({ q: 'number 10' })).body).toEqual({ RemovedCount: 1 });
    expect((await remove({ textresultcategory: 'Delivered' })).body).toEqual({ RemovedCount: 0 });
    expect(before - (await reserved())).toBe(1);
    const { body } = await app.call(calls.getBroadcast, { params }, account.owner);
    expect(body).toMatchObject({
      ...{ PhoneNumberCount: 11, LeftOutCount: 1, WaitingTotal: 1 },
      Credits: { Reserved: 1, Settled: 9, Released: 2 },
    });
    expect(await placesIn(BroadcastID, { textresultcategory: 'LeftOut' })).toEqual([10]);
    await sql`update broadcasts set next_feed_at = now() where broadcast_id = ${BroadcastID}`.execute(
      app.database.system,
    );
    const fed = await feedSlice(app.database, 5, 100);
    expect([fed?.slice?.texts.length, fed?.isLast]).toEqual([1, true]);
    expect(await placesIn(BroadcastID, { textresultcategory: 'Incomplete' })).toEqual([3, 11]);
    await sql`update broadcasts set status = 'completed' where broadcast_id = ${BroadcastID}`.execute(
      app.database.system,
    );
    expect(refusalOf(await remove({})).status).toBe(409);
  });
});

async function ledger() {
  return app.database.system
    .selectFrom('accounts')
    .select(['credit_balance', 'credit_reserved'])
    .where('account_id', '=', account.accountId)
    .executeTakeFirstOrThrow();
}

it('details.csv has everybody of a tab, with the result in words', async () => {
  const { BroadcastID, phone } = await someResults({ name: 'Snow: day' });
  await replyFrom(BroadcastID, phone(0));
  await sql`insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, broadcast_id)
    values (${account.accountId}, ${sender.textNumberId}, ${phone(0)}, true, 'received', 'inbound', '=Thanks, all', ${BroadcastID})`.execute(
    app.database.system,
  );
  const fetchCsv = async (query: string) => {
    const reply = await fetch(`${app.url}/proxy/api/broadcasts/${BroadcastID}/details.csv${query}`, {
      headers: { cookie: account.owner.cookie },
    });
    return {
      name: reply.headers.get('content-disposition'),
      lines: (await reply.text()).trim().split('\r\n'),
    };
  };
  const all = await fetchCsv('');
  expect(all.name).toContain('Snow%20day%20details.csv');
  expect(all.lines).toHaveLength(13);
  expect(all.lines[1]).toMatch(/^Pat,Number 0,\(201\) 000-\d{4},Delivered,\d{4}-.*,1,1,"'=Thanks, all"$/);
  expect(all.lines[11]).toMatch(/,Waiting,,,,$/);
  const failed = await fetchCsv('?textresultcategory=Failed');
  expect(failed.lines.slice(1).map((line) => line.split(',')[3])).toEqual(['Phone Unreachable', 'Unknown']);
});

describe('who may see it', () => {
  it('its creator and users who see all broadcasts; nobody of another organization', async () => {
    const { BroadcastID, params } = await someResults();
    const user = await buildUser(app, account.accountId, 'user', { textNumberIds: [sender.textNumberId] });
    const stranger = await buildAccount(app);
    for (const as of [user, stranger.owner]) {
      expect((await app.call(calls.getBroadcast, { params }, as)).status).toBe(404);
      expect((await details(BroadcastID, {}, as)).status).toBe(404);
      expect((await app.call(calls.listBroadcasts, { query: {} }, as)).body.Items).toEqual([]);
    }
    await sql`update users set can_see_all_broadcasts = true, can_create_broadcast = false
      where user_id = ${user.userId}`.execute(app.database.system);
    const { body } = await app.call(calls.getBroadcast, { params }, user);
    expect(body).toMatchObject({ BroadcastID, CanChange: false });
    const removing = await app.call(
      resultCalls.deleteBroadcastDetails,
      { params, body: { Selection: { Type: 'SelectedAll' } } },
      user,
    );
    expect(removing.status).toBe(403);
  });
});

it('the timeline of a recipient says why they did or did not get it', async () => {
  const { BroadcastID } = await someResults();
  const { body: failed } = await details(BroadcastID, { textresultcategory: 'Failed' });
  const RecipientID = failed.Items[0]?.RecipientID ?? 0;
  const timeline = (id: number, as = account.owner) =>
    app.call(resultCalls.getRecipientTimeline, { params: { BroadcastID, RecipientID: id } }, as);
  const { body } = await timeline(RecipientID);
  expect(body).toMatchObject({
    Verdict: 'Pat Number 1 did not get it: Phone Unreachable. The phone is turned off or out of range.',
    ...{ TextMessage: 'School is closed today.', Segments: 1, Credits: 1 },
    Recipient: { RecipientID, TextResult: 'phone_unreachable' },
  });
  expect(body.Events.map(({ Kind }) => Kind)).toEqual([
    ...['added', 'credits', 'waiting', 'handed over', 'credits', 'carrier'],
  ]);
  const { body: waiting } = await details(BroadcastID, { textresultcategory: 'Incomplete' });
  const last = await timeline(waiting.Items.at(-1)?.RecipientID ?? 0);
  expect(last.body.Verdict).toBe('Pat Number 11 is in line. The broadcast has not come to them yet.');
  expect((await timeline(RecipientID + 1_000)).status).toBe(404);
});
