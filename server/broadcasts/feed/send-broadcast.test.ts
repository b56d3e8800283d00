import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { deleteBroadcastDetails } from '../../../contract/broadcast-results.ts';
import { updateBroadcast } from '../../../contract/broadcasts.ts';
import { deleteDraft, updateDraft } from '../../../contract/drafts.ts';
import { listMergedMessages, mergeDraft, updateMergedMessages } from '../../../contract/template-merges.ts';
import { type BuiltAccount, buildUser } from '../../testing/builders.ts';
import { sendingWith } from '../../testing/sends.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';

const number = '14235550100';
const tollFree = '18005550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await anAccount(1000);
});

const { add, anAccount, countedPeople, credits, draft, numberOf, phones, row, send, setAccount } =
  sendingWith(() => app);

describe('Send', () => {
  it('fixes text, counts, credits and zones, and moves no recipient', async () => {
    const mine = await anAccount(100);
    await sql`update users set signature_text = 'Ms Lee' where user_id = ${mine.owner.userId}`.execute(
      app.database.system,
    );
    const id = await draft(mine, { IncludeSignature: true, TextMessage: 'x'.repeat(200) }, 0);
    await add(
      id,
      [
        { PrimaryPhone: '2125550101' },
        { PrimaryPhone: '2135550101' },
        { PrimaryPhone: '2135550102' },
        { PrimaryPhone: '12' },
      ],
      mine.owner,
    );
    const reply = await send(id, mine.owner, { ExpectedCount: 3, ExpectedCredits: 6 });
    expect([reply.status, reply.body]).toEqual([
      200,
      { BroadcastID: id, MessageRecordingInstruction: null, UriSummary: `/broadcasts/${id}` },
    ]);
    expect(await row(id)).toMatchObject({
      status: 'broadcasting',
      sent_body: `${'x'.repeat(200)}\n\nMs Lee`,
      sent_suffix: 'Ms Lee',
      is_personalized: false,
      segments: 2,
      credits_each: 2,
      going_count: 3,
      left_out_count: 1,
      credits_reserved: 6,
      credits_unfed: 6,
      aggregator_id: 5,
      sent_by_user_id: mine.owner.userId,
      start_at: expect.any(Date),
      next_feed_at: expect.any(Date),
    });
    expect(await credits(mine)).toEqual({ reserved: 6, free: 94, entries: 1, sum: 6 });
    const { rows: zones } = await sql`
      select zone, total from broadcast_zones where broadcast_id = ${id} order by zone`.execute(
      app.database.system,
    );
    expect(zones).toEqual([
      { zone: 'America/Los_Angeles', total: 2 },
      { zone: 'America/New_York', total: 1 },
    ]);
  });

  it('sends plain characters for what they cost, unless the draft keeps them', async () => {
    const of = await anAccount(100);
    // 160 characters and an ellipsis: three dots make it two segments.
    const text = `“${'x'.repeat(157)}”`;
    const plain = await draft(of, { TextMessage: text }, 1);
    await send(plain, of.owner);
    expect(await row(plain)).toMatchObject({
      sent_body: `"${'x'.repeat(157)}"`,
      segments: 1,
      credits_reserved: 1,
    });
    const longer = await draft(of, { TextMessage: `${'x'.repeat(159)}…` }, 1);
    await send(longer, of.owner);
    expect(await row(longer)).toMatchObject({ sent_body: `${'x'.repeat(159)}...`, segments: 2 });
    const kept = await draft(of, { TextMessage: text, KeepCharacters: true }, 1);
    await send(kept, of.owner);
    expect(await row(kept)).toMatchObject({ sent_body: text, body: text });
  });

  it('sends once when it is pressed fifty times at once, and takes the credits once', async () => {
    const mine = await anAccount(100);
    const id = await draft(mine, {}, 20);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send(id, mine.owner, {}, index % 2 === 0 ? { 'idempotency-key': 'same' } : {}),
      ),
    );
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.body.BroadcastID}`))).toEqual(
      new Set([`200 ${id}`]),
    );
    expect(await credits(mine)).toEqual({ reserved: 20, free: 80, entries: 1, sum: 20 });
  });

  it('never takes more credits than there are, whoever is first', async () => {
    const mine = await anAccount(50);
    const ids = await Promise.all(Array.from({ length: 8 }, () => draft(mine, {}, 20)));
    const replies = await Promise.all(ids.map((id) => send(id, mine.owner)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 200, 402, 402, 402, 402, 402, 402]);
    const refused = replies.find((reply) => reply.status === 402);
    expect(refused && refusalOf(refused)).toMatchObject({
      ErrorCode: 4100,
      ExtendedData: { MinCallUnitsRequired: 20, AvailableCallUnits: 10, AdditionalCallUnits: 10 },
    });
    expect(await credits(mine)).toEqual({ reserved: 40, free: 10, entries: 2, sum: 40 });
  });

  it('waits for a start that lies ahead, and for its hours', async () => {
    const id = await draft(account, { startOption: 'START_LATER', StartDate: '2099-01-01T03:00:00' });
    expect(refusalOf(await send(id, account.owner))).toMatchObject({
      Errors: [{ Field: 'StartDate', Message: 'Your start date and time is too far in the future.' }],
    });
    const mine = await anAccount(10);
    await setAccount(mine, 'quiet_hours_on = true');
    // Three at night, at least a day ahead.
    const day = new Date(Date.now() + 2 * 24 * 3_600_000).toISOString().slice(0, 10);
    const ahead = await draft(mine, { startOption: 'START_LATER', StartDate: `${day}T03:00:00` }, 0);
    await add(ahead, [{ PrimaryPhone: '2125550101' }], mine.owner);
    expect((await send(ahead, mine.owner)).status).toBe(200);
    const { status, start_at, started_at, next_feed_at } = await row(ahead);
    expect([status, started_at, next_feed_at]).toEqual(['scheduled', null, start_at]);
    const { rows } = await sql<{ opens: string }>`
      select (opens_at at time zone 'America/New_York')::text as opens from broadcast_zones
      where broadcast_id = ${ahead}`.execute(app.database.system);
    expect(rows).toEqual([{ opens: `${day} 08:00:00` }]);
  });

  it('refuses a start that is in the past or missing', async () => {
    const past = await draft(account, { startOption: 'START_LATER', StartDate: '2020-01-01T03:00:00' });
    expect(refusalOf(await send(past, account.owner)).Message).toBe(
      'Your start date and time cannot be in the past.',
    );
    const none = await draft(account, { startOption: 'START_LATER' });
    expect(refusalOf(await send(none, account.owner)).Message).toBe('Enter a Start Date');
    const repeating = await draft(account, { startOption: 'REPEATING' });
    expect(refusalOf(await send(repeating, account.owner)).status).toBe(422);
  });

  it.each([
    [{ BroadcastName: '' }, 'BroadcastName', 'Enter a Broadcast Name'],
    [{ TextNumberID: null }, 'TextNumberID', 'Select a Text Phone Number'],
    [{ TextMessage: ' ' }, 'TextMessage', 'Enter a Text Message'],
    [{ TextMessage: 'x'.repeat(321) }, 'TextMessage', "Can't exceed 320 characters."],
    [{ TextMessage: 'See bit.ly/abc' }, 'TextMessage', 'Text Message must not contain a shortened URL'],
    [
      { IsTextSurvey: true, TextSurveyAutoReplies: [{ Label: 'Yes', Message: 'x'.repeat(321) }] },
      'TextSurveyAutoReplies.0.Message',
      "Can't exceed 320 characters.",
    ],
  ])('refuses %o at its field', async (form, Field, Message) => {
    const id = await draft(account, form);
    const refusal = refusalOf(await send(id, account.owner));
    expect([refusal.status, refusal.Errors?.[0]]).toEqual([400, { Field, Message }]);
    expect((await row(id)).status).toBe('draft');
  });

  it('refuses when nobody would get it, or more people than the page showed', async () => {
    expect(refusalOf(await send(await draft(account, {}, 0), account.owner))).toMatchObject({
      status: 422,
      Message: 'Please add at least one valid recipient to your broadcast.',
    });
    const id = await draft(account);
    expect((await send(id, account.owner, { ExpectedCount: 2 })).status).toBe(409);
    expect((await send(id, account.owner, { ExpectedCredits: 2 })).status).toBe(409);
    expect((await send(id, account.owner, { ExpectedCount: 3, ExpectedCredits: 3 })).status).toBe(200);
  });

  it('refuses while people are still added', async () => {
    const id = await draft(account);
    await app.database.system
      .insertInto('work')
      .values({
        account_id: account.accountId,
        user_id: account.owner.userId,
        kind: 'draft-recipients',
        input: JSON.stringify({ broadcastId: id }),
        last_id: 1,
        total: 1,
        // No worker takes it in this test.
        lease_until: '2099-01-01T00:00:00Z',
      })
      .execute();
    expect(refusalOf(await send(id, account.owner)).Message).toMatch(/still being added/);
  });

  it('refuses a number that is blocked, unregistered, not for broadcasts, or not the user’s', async () => {
    const mine = await anAccount(10);
    const set = (change: string) =>
      sql`update text_numbers set ${sql.raw(change)} where account_id = ${mine.accountId}`.execute(
        app.database.system,
      );
    const id = await draft(mine);
    await set('is_blocked = true');
    expect(refusalOf(await send(id, mine.owner))).toMatchObject({
      Message: "This text number is blocked. We're working to resolve this for you...",
      ExtendedData: { Name: 'TextNumberBlocked' },
    });
    await set("is_blocked = false, registration_status = 'Pending'");
    expect(refusalOf(await send(id, mine.owner)).ExtendedData).toEqual({ Name: 'TextNumberNotRegistered' });
    await set("registration_status = 'Registered', can_create_broadcast = false");
    expect(refusalOf(await send(id, mine.owner)).Errors?.[0]?.Field).toBe('TextNumberID');
    await set('can_create_broadcast = true');
    const user = await buildUser(app, mine.accountId, 'user', { textNumberIds: [numberOf(mine)] });
    const theirs = await draft(mine, {}, 1, user);
    await sql`delete from user_text_numbers where user_id = ${user.userId}`.execute(app.database.system);
    expect((await send(theirs, user)).status).toBe(403);
  });

  it('is for those who may create broadcasts, and for the user’s own drafts', async () => {
    const user = await buildUser(app, account.accountId, 'user', { textNumberIds: [numberOf(account)] });
    const theirs = await draft(account, {}, 1, user);
    expect((await send(await draft(account), user)).status).toBe(404);
    await sql`update users set can_create_broadcast = false where user_id = ${user.userId}`.execute(
      app.database.system,
    );
    expect((await send(theirs, user)).status).toBe(403);
    const other = await anAccount(10);
    expect((await send(theirs, other.owner)).status).toBe(404);
    await sql`update users set can_create_broadcast = true where user_id = ${user.userId}`.execute(
      app.database.system,
    );
    expect((await send(theirs, user)).status).toBe(200);
    expect((await app.call(deleteDraft, { params: { DraftBroadcastID: theirs } }, user)).status).not.toBe(
      200,
    );
  });

  it('is refused to an account that may not send', async () => {
    const mine = await anAccount(10);
    const id = await draft(mine);
    await setAccount(mine, 'status_id = 1');
    expect((await send(id, mine.owner)).status).toBe(403);
  });
});

describe('limits', () => {
  /** For a subscription, whose billing period isn't the calendar month, which may end during the test. */
  const aMonth = "type_id = 1, monthly_level = 5, subscription_cycle_start_at = now() - interval '1 day'";

  it('of texts per day: other broadcasts’ texts on that day count, other days don’t', async () => {
    const mine = await anAccount(1000);
    await setAccount(mine, 'messages_per_day = 10');
    const day = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);
    const on = (days: number) => ({
      startOption: 'START_LATER' as const,
      StartDate: `${day(days)}T15:00:00`,
    });
    expect((await send(await draft(mine, on(3), 6), mine.owner)).status).toBe(200);
    const second = await draft(mine, on(3), 5);
    expect(refusalOf(await send(second, mine.owner))).toMatchObject({
      status: 422,
      Message: expect.stringContaining('11 texts on that day'),
    });
    await app.call(updateDraft, { params: { DraftBroadcastID: second }, body: on(4) }, mine.owner);
    expect((await send(second, mine.owner)).status).toBe(200);
  });

  it('of texts a day: two at once don’t both get the last', async () => {
    const mine = await anAccount(1000);
    await setAccount(mine, 'messages_per_day = 10');
    const ids = [await draft(mine, {}, 6), await draft(mine, {}, 6)];
    const replies = await Promise.all(ids.map((id) => send(id, mine.owner)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 422]);
  });

  it('of people per billing period, for monthly accounts: people already reached count once', async () => {
    const mine = await anAccount(0);
    await setAccount(mine, aMonth);
    const first = await draft(mine, {}, 0);
    const people = phones(4);
    await add(first, people, mine.owner);
    expect((await send(first, mine.owner)).status).toBe(200);
    expect(await row(first)).toMatchObject({ credits_reserved: 0, credits_each: 0, going_count: 4 });
    const again = await draft(mine, {}, 0);
    await add(again, people, mine.owner);
    await add(again, phones(2), mine.owner);
    expect(refusalOf(await send(again, mine.owner))).toMatchObject({
      status: 402,
      ErrorCode: 4101,
      ExtendedData: { UniqueCount: 6, MonthlyLevel: 5, ExceededBy: 1 },
    });
    const fits = await draft(mine, {}, 0);
    await add(fits, [...people, ...phones(1)], mine.owner);
    expect((await send(fits, mine.owner)).status).toBe(200);
    expect(await countedPeople(mine)).toBe(5);
  });

  it('of people: those a canceled broadcast never reached are free if no other goes to them', async () => {
    const mine = await anAccount(0);
    await setAccount(mine, aMonth);
    const [both, first] = [phones(2), phones(3)];
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19);
    const later = { startOption: 'START_LATER', StartDate: tomorrow };
    const [one, two] = [await draft(mine, later, 0), await draft(mine, later, 0)];
    await add(one, [...both, ...first], mine.owner);
    await add(two, both, mine.owner);
    for (const id of [one, two]) expect((await send(id, mine.owner)).status).toBe(200);
    expect(await countedPeople(mine)).toBe(5);
    // One of the first's own people is removed; then it is canceled: the two whom the second goes to stay
    // counted.
    const { rows } = await sql<{ id: number }>`
      select recipient_id as id from broadcast_recipients where broadcast_id = ${one} order by recipient_id desc limit 1`.execute(
      app.database.system,
    );
    const Selection = { Type: 'Selected' as const, Items: rows.map(({ id }) => id) };
    const took = await app.call(
      deleteBroadcastDetails,
      { params: { BroadcastID: one }, query: {}, body: { Selection } },
      mine.owner,
    );
    expect(took.body).toEqual({ RemovedCount: 1 });
    expect(await countedPeople(mine)).toBe(4);
    const cancel = (BroadcastID: number) =>
      app.call(
        updateBroadcast,
        { params: { BroadcastID }, body: { BroadcastStatus: 'Canceled' } },
        mine.owner,
      );
    await cancel(one);
    expect(await countedPeople(mine)).toBe(2);
    // The second has reached one of them by then.
    await sql`
      with made as (
        insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, broadcast_id)
        select account_id, ${numberOf(mine)}, min(phone), false, 'delivered', 'broadcast', 'Hi', broadcast_id
        from broadcast_recipients where broadcast_id = ${two} group by account_id, broadcast_id returning *)
      update broadcast_recipients r set message_id = m.message_id
      from made m where r.broadcast_id = m.broadcast_id and r.phone = m.phone`.execute(app.database.system);
    await cancel(two);
    expect(await countedPeople(mine)).toBe(1);
    // Neither does the canceled one count the others for the next one.
    const third = await draft(mine, later, 0);
    await add(third, [...both, ...first], mine.owner);
    expect((await send(third, mine.owner)).status).toBe(200);
    expect(await countedPeople(mine)).toBe(5);
  });

  it('a free trial texts verified numbers only', async () => {
    const mine = await anAccount(10);
    await setAccount(mine, 'is_free_trial = true');
    await app.database.system
      .insertInto('verified_phones')
      .values({ account_id: mine.accountId, phone: '12025550101' })
      .execute();
    const id = await draft(mine, {}, 0);
    await add(id, [{ PrimaryPhone: '2025550101' }, { PrimaryPhone: '2025550102' }], mine.owner);
    expect((await send(id, mine.owner)).status).toBe(200);
    expect(await row(id)).toMatchObject({ going_count: 1, left_out_count: 1, credits_reserved: 1 });
  });

  it('costs credits from a number with unlimited conversations too: those are one-to-one', async () => {
    const mine = await anAccount(3, tollFree);
    await sql`update text_numbers set flat_rate_status = 'Active' where account_id = ${mine.accountId}`.execute(
      app.database.system,
    );
    const id = await draft(mine, {}, 2);
    expect((await send(id, mine.owner)).status).toBe(200);
    expect(await row(id)).toMatchObject({ credits_each: 1, credits_reserved: 2, segments: 1 });
    expect(refusalOf(await send(await draft(mine, {}, 2), mine.owner)).ErrorCode).toBe(4100);
  });
});

describe('a personalized text', () => {
  it('is sent only once it is merged with its recipients, for what each text costs', async () => {
    const mine = await anAccount(100);
    const id = await draft(mine, { TextMessage: 'Hi {{FirstName|there}}' }, 3);
    expect(refusalOf(await send(id, mine.owner))).toMatchObject({ status: 409 });
    await app.call(mergeDraft, { params: { DraftBroadcastID: id }, body: {} }, mine.owner);
    await add(id, phones(1), mine.owner);
    expect((await send(id, mine.owner)).status).toBe(409);
    await app.call(mergeDraft, { params: { DraftBroadcastID: id }, body: {} }, mine.owner);
    expect((await send(id, mine.owner)).status).toBe(200);
    expect(await row(id)).toMatchObject({ is_personalized: true, credits_reserved: 4, going_count: 4 });
  });

  it('sends each text as it was merged or fixed by hand, and each costs its own segments', async () => {
    const mine = await anAccount(100, number);
    await sql`update users set signature_text = 'Ms Lee' where user_id = ${mine.owner.userId}`.execute(
      app.database.system,
    );
    const form = { TextMessage: 'Hi {{FirstName}}', IncludeSignature: true };
    const id = await draft(mine, form, 0);
    await add(
      id,
      [
        { PrimaryPhone: '2125550131', Name: 'Ann' },
        { PrimaryPhone: '2125550132', Name: 'Bob' },
      ],
      mine.owner,
    );
    await app.call(mergeDraft, { params: { DraftBroadcastID: id }, body: {} }, mine.owner);
    const listed = await app.call(
      listMergedMessages,
      { params: { TemplateMergeID: id }, query: { filter: 'all' } },
      mine.owner,
    );
    const bob = listed.body.Items.find(({ FirstName }) => FirstName === 'Bob')?.MergedMessageID ?? 0;
    const long = `Robert, ${'x'.repeat(200)}`;
    await app.call(
      updateMergedMessages,
      { params: { TemplateMergeID: id }, body: { Items: [{ MergedMessageID: bob, TextMessage: long }] } },
      mine.owner,
    );
    expect((await send(id, mine.owner, { ExpectedCredits: 3 })).status).toBe(200);
    const texts = await app.until(async () => {
      const got = [
        ...(await app.sandbox.messages('12125550131')),
        ...(await app.sandbox.messages('12125550132')),
      ];
      return got.length === 2 && got.map((text) => text.Text);
    });
    expect(texts).toEqual(['Hi Ann\n\nMs Lee', long]);
    const { rows } = await sql`
      select segments, credits from messages where broadcast_id = ${id} order by phone`.execute(
      app.database.system,
    );
    expect(rows).toEqual([
      { segments: 1, credits: 1 },
      { segments: 2, credits: 2 },
    ]);
  });
});
