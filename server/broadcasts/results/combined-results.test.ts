import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { detailsToList, listBroadcastDetails, repliesToDraft } from '../../../contract/broadcast-results.ts';
import type { CallInput } from '../../../contract/call.ts';
import { getDraft } from '../../../contract/drafts.ts';
import type { BuiltAccount } from '../../testing/builders.ts';
import { aCallDraft, callingAccount, callingApp, phoneOf, send } from '../../testing/calls.ts';
import type { TestApp } from '../../testing/test-app.ts';

/** Two mobile phones, a landline that can only be called, and one that nobody may text or call. */
const [first, second, landline, out] = [phoneOf('0171'), phoneOf('0172'), phoneOf('0173'), phoneOf('0174')];
const caller = '18655554310';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await callingApp([caller]);
  account = await callingAccount(app, caller);
  const { system } = app.database;
  await sql`insert into phone_lookups (account_id, phone, is_valid, line_type)
    values (${account.accountId}, ${`1${landline}`}, true, 'landline')`.execute(system);
  await sql`insert into phone_consents (account_id, phone, voice_state, voice_changed_at, text_state, text_changed_at)
    values (${account.accountId}, ${`1${out}`}, 'out', now(), 'out', now())`.execute(system);
});

type Type = 'Announcement' | 'SMSOrAnnouncement' | 'SMSAndAnnouncement' | 'SMSAndSurvey';

/** Sent, with its start two days ahead. */
async function planned(BroadcastType: Type): Promise<number> {
  const day = Temporal.Now.plainDateISO('America/New_York').add({ days: 2 });
  const id = await aCallDraft(app, account, [first, second, landline, out], {
    ...{ BroadcastType, startOption: 'START_LATER', StartDate: `${day}T10:00:00` },
    ...(BroadcastType === 'Announcement'
      ? {}
      : { TextMessage: 'School is closed.', TextNumberID: account.numbers[caller] ?? 0 }),
  });
  const sent = await send(app, account, id);
  expect([sent.status, sent.body]).toEqual([200, expect.anything()]);
  return id;
}

type Query = NonNullable<CallInput<typeof listBroadcastDetails>['query']>;

async function list(BroadcastID: number, query: Query) {
  const { body } = await app.call(listBroadcastDetails, { params: { BroadcastID }, query }, account.owner);
  return { Size: body.Size, phones: body.Items.map(({ PhoneNumber }) => PhoneNumber), Items: body.Items };
}

/** Phone and Result of each row. */
async function csv(id: number, query = ''): Promise<string[][]> {
  const reply = await fetch(`${app.url}/proxy/api/broadcasts/${id}/details.csv${query}`, {
    headers: { cookie: account.owner.cookie },
  });
  const [, ...rows] = (await reply.text()).trim().split('\r\n');
  return rows
    .map((row) => row.split(',').slice(2, 4))
    .map(([phone = '', result = '']) => [phone.slice(-4), result]);
}

describe.each([
  ['SMSOrAnnouncement', [landline], 3],
  ['SMSAndAnnouncement', [first, second, landline], 3],
] as const)('of a %s', (type, called, reached) => {
  let id: number;
  beforeAll(async () => {
    id = await planned(type);
  });

  it('All Texts are those who are texted, also in a selection and a search', async () => {
    expect(await list(id, { textresultcategory: 'All' })).toMatchObject({ Size: 2, phones: [first, second] });
    expect(await list(id, { textresultcategory: 'All', pagesize: 1 })).toMatchObject({
      Size: 2,
      phones: [first],
    });
    expect(await list(id, { textresultcategory: 'All', q: landline })).toMatchObject({ Size: 0 });
    expect(await list(id, { callresultcategory: 'All' })).toMatchObject({ phones: called });
    expect(await list(id, {})).toMatchObject({ Size: reached });
    const { body } = await app.call(
      detailsToList,
      {
        params: { BroadcastID: id },
        query: { textresultcategory: 'All' },
        body: { Selection: { Type: 'SelectedAll' }, Update: { ListName: `Texted by ${type}` } },
      },
      account.owner,
    );
    expect(body.AddedCount).toBe(2);
  });

  it('the file has the result of the text, and nothing for those who only get a call', async () => {
    expect(await csv(id)).toEqual([
      ['0171', 'Waiting'],
      ['0172', 'Waiting'],
      ['0173', ''],
    ]);
    expect(await csv(id, '?textresultcategory=All')).toHaveLength(2);
    expect(await csv(id, '?textresultcategory=LeftOut')).toEqual([['0174', 'Do not call']]);
    const { Items } = await list(id, { q: landline });
    expect(Items).toMatchObject([{ TextResultCategory: '', TextResult: '', Problem: null }]);
  });
});

it('of an announcement, nobody has the result of a text, and those left out have their reason', async () => {
  const id = await planned('Announcement');
  await sql`update broadcasts set status = 'completed', ended_at = now() where broadcast_id = ${id}`.execute(
    app.database.system,
  );
  expect(await csv(id)).toEqual([
    ['0171', ''],
    ['0172', ''],
    ['0173', ''],
  ]);
  expect(await csv(id, '?textresultcategory=LeftOut')).toEqual([['0174', 'Do not call']]);
  expect((await list(id, { textresultcategory: 'LeftOut' })).Items).toMatchObject([
    { TextResultCategory: 'LeftOut', TextResult: 'do_not_call', Problem: 'do_not_call' },
  ]);
  expect(await list(id, { textresultcategory: 'All' })).toMatchObject({ Size: 0, phones: [] });
});

it('people who replied to a survey by text and call are texted', async () => {
  const id = await planned('SMSAndSurvey');
  await sql`update broadcast_recipients set replied_at = now()
    where broadcast_id = ${id} and phone = ${`1${first}`}`.execute(app.database.system);
  const { body } = await app.call(
    repliesToDraft,
    { params: { BroadcastID: id }, query: { textresultcategory: 'NotOptedOut' } },
    account.owner,
  );
  expect(body.AddedCount).toBe(1);
  const draft = await app.call(
    getDraft,
    { params: { DraftBroadcastID: body.DraftBroadcastID }, query: {} },
    account.owner,
  );
  expect(draft.body).toMatchObject({
    BroadcastType: 'GroupSMS',
    CheckCallingWindow: false,
    TextNumberID: account.numbers[caller],
    VoiceNumberCount: 0,
  });
});
