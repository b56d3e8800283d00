import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createBroadcast, getBroadcast, updateBroadcast } from '../../../contract/broadcasts.ts';
import { addDraftNumbers } from '../../../contract/draft-recipients.ts';
import {
  createDraft,
  type DraftForm,
  getDraft,
  getPreflight,
  updateDraft,
} from '../../../contract/drafts.ts';
import { secondTextMessages } from '../../../contract/forms/second-text.ts';
import { chooseText, type SecondTextForm } from '../../../contract/second-text.ts';
import { mergeDraft } from '../../../contract/template-merges.ts';
import { checkBroadcast } from '../../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
import { hurryTexts } from '../../testing/hurry-texts.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { feedSlice } from '../feed/feed-broadcast.ts';
import { decideText, describeDecision, shortenBoth } from './rules.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' }, { SEND_SLICE: '25' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits: 5000 });
  await sql`update accounts set quiet_hours_on = false`.execute(app.database.system);
});

const long = `Parents’ night is on Thursday at 7 PM in the gym. ${'Please bring your child’s planner. '.repeat(4)}`;
const trying: SecondTextForm = { TextMessage: long, Share: 10, DecideBy: 'Replies', Hours: 2 };
let lastPhone = 14235561000;

/** A draft to this many people, each with their own phone. */
async function aDraft(people: number, form: Partial<DraftForm> = {}) {
  const { body: made } = await app.call(
    createDraft,
    {
      body: {
        ...{
          BroadcastName: 'Parents’ night',
          BroadcastType: 'GroupSMS',
          TextMessage: 'Parents’ night: Thursday, 7 PM.',
        },
        ...{ SecondText: trying, TextNumberID: Object.values(account.numbers)[0] ?? 0, ...form },
      },
    },
    account.owner,
  );
  const params = { DraftBroadcastID: made.DraftBroadcastID };
  const phones = Array.from({ length: people }, (_, index) => String(lastPhone + index));
  lastPhone += people;
  await app.call(
    addDraftNumbers,
    { params, body: { Items: phones.map((PrimaryPhone) => ({ PrimaryPhone, Name: 'Ana Diaz' })) } },
    account.owner,
  );
  await app.drain();
  return { params, phones, id: made.DraftBroadcastID };
}

async function send(people: number, form: Partial<DraftForm> = {}) {
  const draft = await aDraft(people, form);
  const sent = await app.call(createBroadcast, { body: draft.params }, account.owner);
  expect([sent.status, sent.body]).toEqual([200, expect.anything()]);
  return draft;
}

/** The phones that got each text, by its first words. */
async function reached(id: number) {
  const { rows } = await sql<{
    phone: string;
    place: number | null;
    body: string;
    credits: number;
    status: string;
  }>`
    select m.phone, s.place, m.body, m.credits, m.status from messages m
    join broadcast_slices s on s.account_id = m.account_id and s.broadcast_id = m.broadcast_id and s.slice_id = m.slice_id
    where m.broadcast_id = ${id} and not m.is_inbound order by m.message_id`.execute(app.database.system);
  const of = (place: number | null) => rows.filter((row) => row.place === place);
  return { all: rows, first: of(1), second: of(2), rest: of(null) };
}

const show = async (id: number) =>
  (await app.call(getBroadcast, { params: { BroadcastID: id } }, account.owner)).body;
const secondText = async (id: number) => (await show(id)).SecondText;
const choose = (id: number, Text: 'First' | 'Second') =>
  app.call(chooseText, { params: { BroadcastID: id }, body: { Text } }, account.owner);

async function untilTried(id: number, many: number): Promise<void> {
  await app.until(async () => {
    const tried = await secondText(id);
    return tried?.State === 'Waiting' && tried.First.DeliveredCount + tried.Second.DeliveredCount === many;
  });
}

/** The waiting time is over. */
async function endWait(id: number): Promise<void> {
  await sql`
    with t as (update second_texts set decide_at = now() where broadcast_id = ${id})
    update broadcasts set next_feed_at = now() where broadcast_id = ${id}`.execute(app.database.system);
}

const untilOver = (id: number) =>
  app.until(async () => (await checkBroadcast(app.database, id)).status === 'completed');

it('tries both texts on a share, then sends the one with more replies to the rest, each person once', async () => {
  const { id, phones } = await send(200);
  // The longer text takes two credits: this is reserved for everybody.
  expect((await show(id)).Credits.Reserved).toBe(400);
  await untilTried(id, 40);
  const { first, second } = await reached(id);
  expect([first.length, second.length]).toEqual([20, 20]);
  expect(new Set(first.map(({ body }) => body))).toEqual(new Set(["Parents' night: Thursday, 7 PM."]));
  expect([first[0]?.credits, second[0]?.credits]).toEqual([1, 2]);
  expect(await show(id)).toMatchObject({
    BroadcastStatus: 'Broadcasting',
    HeldReason: expect.stringMatching(/^Waiting for replies to both texts until \d/),
    SecondText: { Winner: null, Decides: expect.any(String), RestCount: 160, Reason: '' },
  });
  // Nobody of the rest is fed before the time is up, even if something wakes the loop.
  await sql`update broadcasts set next_feed_at = now() where broadcast_id = ${id}`.execute(
    app.database.system,
  );
  await app.drain();
  expect((await reached(id)).all).toHaveLength(40);

  // Two replies to the second text, one to the first; somebody of the rest says STOP before their text goes out.
  const tried = new Set([...first, ...second].map(({ phone }) => phone));
  const stopped = phones.find((phone) => !tried.has(phone)) ?? '';
  await app.sandbox.text(first[0]?.phone ?? '', number, 'Thank you');
  for (const one of second.slice(0, 2)) await app.sandbox.text(one.phone, number, 'We will be there');
  await app.sandbox.text(second[2]?.phone ?? '', number, 'STOP');
  await app.sandbox.text(stopped, number, 'STOP');
  await app.until(async () => {
    const { rows } =
      await sql`select from phone_consents where phone in (${stopped}, ${second[2]?.phone ?? ''}) and text_state = 'out'`.execute(
        app.database.system,
      );
    return rows.length === 2 && (await secondText(id))?.Second.RepliedCount === 2;
  });
  await endWait(id);
  await untilOver(id);

  const after = await reached(id);
  expect(after.all).toHaveLength(200);
  expect(new Set(after.all.map(({ phone }) => phone)).size).toBe(200);
  expect(after.rest.every(({ body }) => body.startsWith("Parents' night is on"))).toBe(true);
  expect(after.rest.find(({ phone }) => phone === stopped)?.status).toBe('opted_out');
  expect(await secondText(id)).toMatchObject({
    State: 'Decided',
    Winner: 'Second',
    Reason: 'The second text did better: 2 of 20 people replied, compared with 1 of 20 for the other text.',
    First: { PeopleCount: 20, SentCount: 20, DeliveredCount: 20, RepliedCount: 1, OptedOutCount: 0 },
    Second: { PeopleCount: 20, SentCount: 20, DeliveredCount: 20, RepliedCount: 2, OptedOutCount: 1 },
    RestCount: 160,
    RestSentCount: 159,
  });
  // Credits add up: 20 short ones, 20 long ones, 159 long ones, and nothing stays reserved.
  await checkBroadcast(app.database, id);
  expect((await show(id)).Credits).toEqual({ Reserved: 0, Settled: 20 + 40 + 318, Released: 22 });
  const kinds = await sql<{ kind: string; actor_kind: string }>`
    select kind, actor_kind from events where kind = 'broadcast.textChosen' and subject_id = ${id}`.execute(
    app.database.system,
  );
  expect(kinds.rows).toEqual([{ kind: 'broadcast.textChosen', actor_kind: 'system' }]);
});

it('lets the sender choose early, stop, pause, resume, and shows a decision without replies', async () => {
  const { id } = await send(100);
  expect(refusalOf(await choose(id, 'Second'))).toMatchObject({ status: 409 });
  await untilTried(id, 20);
  const put = (BroadcastStatus: 'Paused' | 'Broadcasting' | 'Canceled', of = id) =>
    app.call(updateBroadcast, { params: { BroadcastID: of }, body: { BroadcastStatus } }, account.owner);
  await put('Paused');
  await put('Broadcasting');
  await app.drain();
  expect((await reached(id)).all).toHaveLength(20);
  // It sends to everybody else, so it needs what resuming needs.
  const setStatus = (status: number) =>
    sql`update accounts set status_id = ${status} where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
  await setStatus(1);
  expect((await choose(id, 'Second')).status).toBe(403);
  await setStatus(0);
  expect((await choose(id, 'Second')).body).toEqual({ Winner: 'Second' });
  expect((await choose(id, 'Second')).body).toEqual({ Winner: 'Second' });
  expect(refusalOf(await choose(id, 'First')).Message).toBe('The second text has been chosen already.');
  await untilOver(id);
  expect((await reached(id)).rest.every(({ credits }) => credits === 2)).toBe(true);
  expect((await secondText(id))?.Reason).toMatch(/^Pat Number \d+ chose the second text\.$/);

  const quiet = await send(100);
  await untilTried(quiet.id, 20);
  await endWait(quiet.id);
  await untilOver(quiet.id);
  expect(await secondText(quiet.id)).toMatchObject({
    Winner: 'First',
    Reason: 'Nobody replied, so everyone else gets the first text.',
  });
  expect(await checkBroadcast(app.database, quiet.id)).toMatchObject({
    texts: { delivered: 100 },
    reserved: 0,
  });

  const stopped = await send(100);
  await untilTried(stopped.id, 20);
  await put('Canceled', stopped.id);
  await app.drain();
  expect(await secondText(stopped.id)).toMatchObject({ State: 'Stopped', Winner: null, Decides: null });
  expect(await checkBroadcast(app.database, stopped.id)).toMatchObject({
    texts: { delivered: 20 },
    reserved: 0,
  });
  expect(refusalOf(await choose(stopped.id, 'First')).Message).toBe('This broadcast was canceled.');
});

it('decides by clicks on short links, with personalized texts', async () => {
  const { id, params } = await aDraft(100, {
    TextMessage: 'Hi {{FirstName}}, sign up: https://school.example.com/a',
    ShortenLinks: true,
    SecondText: {
      ...trying,
      TextMessage: `Sign up here, {{FirstName}}: https://school.example.com/b ${'now '.repeat(40)}`,
      DecideBy: 'Clicks',
    },
  });
  await app.call(mergeDraft, { params, body: {} }, account.owner);
  await app.drain();
  expect((await app.call(getDraft, { params, query: {} }, account.owner)).body.MinCallUnitsRequired).toBe(
    200,
  );
  expect((await app.call(createBroadcast, { body: params }, account.owner)).status).toBe(200);
  await untilTried(id, 20);
  const { first, second } = await reached(id);
  expect(first[0]).toMatchObject({
    body: expect.stringMatching(/^Hi Ana, sign up: http\S+\/l\/\w{10}$/),
    credits: 1,
  });
  expect(second[0]).toMatchObject({ body: expect.stringMatching(/^Sign up here, Ana: /), credits: 2 });
  const path = /\/l\/\w{10}/.exec(second[3]?.body ?? '')?.[0] ?? '';
  await fetch(app.url + path, {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/604.1' },
  });
  await app.sandbox.text(first[0]?.phone ?? '', number, 'Thank you');
  await app.until(async () => (await secondText(id))?.First.RepliedCount === 1);
  await endWait(id);
  await untilOver(id);
  expect(await secondText(id)).toMatchObject({
    Winner: 'Second',
    Second: { ClickedCount: 1 },
    First: { ClickedCount: 0 },
  });
  expect(await checkBroadcast(app.database, id)).toMatchObject({ texts: { delivered: 100 }, reserved: 0 });
});

it('loses nobody and sends nothing twice if a worker dies with a slice of either part', async () => {
  const { id } = await send(200);
  // The state after kill -9: the slice is created and leased, and nobody hands it over.
  const die = async () => {
    expect((await feedSlice(app.database, 5, 10))?.slice?.texts).toHaveLength(10);
    await sql`update outbox_slices set lease_until = now() - interval '1 second'`.execute(
      app.database.system,
    );
  };
  const hurried = async () => {
    await hurryTexts(app.database);
    return true;
  };
  await die();
  await app.until(async () => (await hurried()) && (await secondText(id))?.State === 'Waiting');
  await endWait(id);
  await die();
  await app.until(
    async () => (await hurried()) && (await checkBroadcast(app.database, id)).status === 'completed',
  );
  expect((await secondText(id))?.First.SentCount).toBe(20);
  const { all, rest } = await reached(id);
  expect([new Set(all.map(({ phone }) => phone)).size, rest.length]).toEqual([200, 160]);
  expect(await checkBroadcast(app.database, id)).toMatchObject({ texts: { delivered: 200 }, reserved: 0 });
});

describe('before Send', () => {
  const refused = async (people: number, form: Partial<DraftForm>) => {
    const { params } = await aDraft(people, form);
    return refusalOf(await app.call(createBroadcast, { body: params }, account.owner)).Message;
  };

  it('is refused where it makes no sense', async () => {
    expect(await refused(99, {})).toBe(secondTextMessages.fewPeople);
    expect(await refused(100, { TextMessage: long })).toBe(secondTextMessages.same);
    expect(await refused(100, { SecondText: { ...trying, DecideBy: 'Clicks' } })).toBe(
      secondTextMessages.noLinks,
    );
    expect(await refused(100, { SecondText: { ...trying, TextMessage: '' } })).toBe('Enter a Text Message');
  });

  it('pre-flight shows the more expensive text and what will happen; edits keep both', async () => {
    const inDays = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString().slice(0, 10);
    const { params, id } = await aDraft(100, { startOption: 'START_LATER', StartDate: `${inDays}T10:00:00` });
    const { body: before } = await app.call(getPreflight, { params }, account.owner);
    expect(before.Cost).toMatchObject({ Credits: 200, Segments: [{ Segments: 2, Count: 100 }] });
    // The rest follow two hours after the first part.
    expect(Date.parse(before.Ends) - Date.parse(before.Starts)).toBeGreaterThanOrEqual(2 * 3_600_000);
    expect(before.Checks).toContainEqual({
      Kind: 'ok',
      Text: 'About 10 people get each text. 2 hours after the last of them, the text with more replies goes to the other 80.',
    });
    expect((await app.call(createBroadcast, { body: params }, account.owner)).status).toBe(200);
    const edited = await app.call(
      updateBroadcast,
      {
        params: { BroadcastID: id },
        body: { SecondText: { ...trying, TextMessage: 'See you on Thursday?', Share: 20 } },
      },
      account.owner,
    );
    expect(edited.body.SecondText).toMatchObject({
      State: 'Ahead',
      Share: 20,
      Second: { TextMessage: 'See you on Thursday?', PeopleCount: 20 },
    });
    expect(edited.body.Credits.Reserved).toBe(100);
    // A draft loses it when it changes to calls, or when it is removed.
    const other = await aDraft(1);
    await app.call(updateDraft, { params: other.params, body: { SecondText: null } }, account.owner);
    expect(
      (await app.call(getDraft, { params: other.params, query: {} }, account.owner)).body.SecondText,
    ).toBeNull();
  });
});

it('compares rates, and takes the first text for a tie', () => {
  expect(decideText({ sent: 10, people: 3 }, { sent: 20, people: 5 })).toEqual({ winner: 1, reason: 'more' });
  expect(decideText({ sent: 10, people: 1 }, { sent: 20, people: 2 })).toEqual({ winner: 1, reason: 'tie' });
  const figures = { sent: 1200, people: 30 };
  expect(
    describeDecision({
      winner: 1,
      reason: 'tie',
      decideBy: 'clicks',
      first: figures,
      second: figures,
      by: '',
    }),
  ).toBe(
    'Both texts did equally well (30 of 1,200 and 30 of 1,200 people opened a link), so everyone else gets the first text.',
  );
  const both = shortenBoth('a https://x.org/1', 'b https://x.org/2 https://x.org/1', 'https://m.org/l/');
  expect(both.links.map(({ url }) => url)).toEqual(['https://x.org/1', 'https://x.org/2']);
  expect([both.first, both.second]).toEqual([
    'a https://m.org/l/Muster0001',
    'b https://m.org/l/Muster0002 https://m.org/l/Muster0001',
  ]);
});
