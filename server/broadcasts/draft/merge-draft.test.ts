import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createBroadcast } from '../../../contract/broadcasts.ts';
import type { CallInput } from '../../../contract/call.ts';
import {
  addDraftNumbers,
  contactsToDraft,
  listDraftContacts,
  updateDraftContact,
} from '../../../contract/draft-recipients.ts';
import { createDraft, getDraft, getPreflight, updateDraft } from '../../../contract/drafts.ts';
import {
  createTemplateMerge,
  getTemplateMerge,
  listMergedMessages,
  mergeDraft,
  mergeSingle,
  updateMergedMessages,
} from '../../../contract/template-merges.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits: 500 });
  await app.database.system
    .insertInto('custom_fields')
    .values({ account_id: account.accountId, name: 'Bus route' })
    .execute();
});

let lastPhone = 2015550100;
function newPhone(): string {
  lastPhone += 1;
  return String(lastPhone);
}

async function contact(first_name: string, more: { bus?: string; notes?: string } = {}): Promise<number> {
  const { rows } = await sql<{ person_id: number }>`
    insert into contacts (account_id, first_name, last_name, primary_phone, notes, custom_data, created_by_user_id)
    select ${account.accountId}, ${first_name}, 'Doe', ${`1${newPhone()}`}, ${more.notes ?? ''},
      case when ${more.bus ?? null}::text is null then '{}' else jsonb_build_object(field_id::text, ${more.bus ?? null}::text) end,
      ${account.owner.userId}
    from custom_fields where account_id = ${account.accountId} limit 1
    returning person_id`.execute(app.database.system);
  return rows[0]?.person_id ?? 0;
}

async function draft(TextMessage: string, people: number[], more: object = {}): Promise<number> {
  const made = await app.call(
    createDraft,
    { body: { BroadcastName: 'Bus', TextMessage, TextNumberID: account.numbers[number] ?? null, ...more } },
    account.owner,
  );
  expect([made.status, made.body]).toEqual([200, expect.anything()]);
  const { DraftBroadcastID } = made.body;
  if (people.length > 0) await addContacts(DraftBroadcastID, people);
  return DraftBroadcastID;
}

async function addContacts(DraftBroadcastID: number, people: number[]): Promise<void> {
  const reply = await app.call(
    contactsToDraft,
    {
      params: { ListID: 0, DraftBroadcastID },
      body: { Selection: { Type: 'Selected', Items: people } },
    },
    account.owner,
  );
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
}

async function merge(DraftBroadcastID: number, body: object = {}) {
  const reply = await app.call(mergeDraft, { params: { DraftBroadcastID }, body }, account.owner);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return reply.body;
}

async function messages(TemplateMergeID: number, filter: 'invalid' | 'excluded' | 'all' = 'all') {
  const reply = await app.call(
    listMergedMessages,
    { params: { TemplateMergeID }, query: { filter } },
    account.owner,
  );
  return reply.body.Items;
}

const texts = async (id: number) => (await messages(id)).map((item) => item.TextMessage);

async function mend(TemplateMergeID: number, body: CallInput<typeof updateMergedMessages>['body']) {
  return app.call(updateMergedMessages, { params: { TemplateMergeID }, body }, account.owner);
}

async function estimate(DraftBroadcastID: number) {
  return (await app.call(getDraft, { params: { DraftBroadcastID } }, account.owner)).body;
}

async function checksOf(DraftBroadcastID: number): Promise<string[]> {
  const { body } = await app.call(getPreflight, { params: { DraftBroadcastID } }, account.owner);
  return body.Checks.map(({ Kind, Text }) => `${Kind}: ${Text}`);
}

const long = 'x'.repeat(330);

describe('merging a text with its recipients', () => {
  it('fills in each contact’s value, or a default; leaves out those without one until fixed', async () => {
    const people = [
      await contact('Ann', { bus: '4', notes: 'Gate B' }),
      await contact('Bob', { notes: 'Gate C' }),
      await contact('Cid'),
      await contact(''),
    ];
    const id = await draft('Hi {{FirstName}}, bus {{Bus_route|5}}. {{Notes}}', people);
    const found = await merge(id);
    expect(found).toEqual({
      TemplateMergeID: id,
      Status: 'Complete',
      Done: 4,
      Total: 4,
      InvalidMessageUri: `/template-merges/${id}/messages`,
      InvalidMessageCount: 2,
      ExcludedMessageCount: 0,
      MissingFields: [
        { Field: 'Notes', Count: 2, Exists: true },
        { Field: 'FirstName', Count: 1, Exists: true },
      ],
      AcceptsMissing: false,
      Preview: 'Hi Ann, bus 4. Gate B',
      SummaryUri: `/template-merges/${id}`,
    });
    expect(await messages(id)).toMatchObject([
      { TextMessage: 'Hi Ann, bus 4. Gate B', FirstName: 'Ann', TemplateMergeMessageStatus: 'Valid' },
      { TextMessage: 'Hi Bob, bus 5. Gate C', FirstName: 'Bob' },
      {
        TextMessage: 'Hi Cid, bus 5. ',
        FirstName: 'Cid',
        TemplateMergeMessageStatus: 'MissingData',
        Error: 'There is no Notes for this contact.',
        Exclude: false,
        Segments: 1,
      },
      { TextMessage: 'Hi , bus 5. ', TemplateMergeMessageStatus: 'MissingData' },
    ]);
    const [cid, nameless] = await messages(id, 'invalid');
    expect(await checksOf(id)).toContain(
      'warning: 2 people are left out because a personalized field has no value: 2 people without Notes, 1 person without FirstName.',
    );
    const mended = await mend(id, {
      Items: [
        { MergedMessageID: cid?.MergedMessageID ?? 0, TextMessage: 'Hi Cid, bus 5.' },
        { MergedMessageID: nameless?.MergedMessageID ?? 0, Exclude: true },
      ],
    });
    expect(mended.body.Merge).toMatchObject({
      InvalidMessageCount: 0,
      ExcludedMessageCount: 1,
      MissingFields: [],
    });
    expect(await estimate(id)).toMatchObject({ TextNumberCount: 3 });
    expect(await checksOf(id)).toContain('ok: Every personalized field has a value.');
  });

  it('sends texts with a gap only to those who confirm it, and only for that text', async () => {
    const people = [await contact('Ann', { bus: '4' }), await contact('Bob')];
    const id = await draft('{{FirstName}}, your bus: {{Bus_route}}', people);
    expect(await merge(id)).toMatchObject({ InvalidMessageCount: 1 });
    expect((await mend(id, { AcceptMissing: true })).body.Merge).toMatchObject({
      InvalidMessageCount: 0,
      AcceptsMissing: true,
    });
    expect(await estimate(id)).toMatchObject({ TextNumberCount: 2, RosterChangedSinceLastMerge: false });
    expect(await checksOf(id)).toContain(
      'warning: 1 text is sent with a blank where a personalized field has no value.',
    );
    expect((await mend(id, { AcceptMissing: false })).body.Merge).toMatchObject({ InvalidMessageCount: 1 });
    await mend(id, { AcceptMissing: true });
    expect(await merge(id, { TemplateText: '{{FirstName}}, take bus {{Bus_route}}' })).toMatchObject({
      InvalidMessageCount: 1,
      AcceptsMissing: false,
    });
  });

  it('reports an unknown field before Send', async () => {
    const people = [await contact('Ann'), await contact('Bob')];
    const id = await draft('Hi {{Fristname}}', people);
    expect(await merge(id)).toMatchObject({
      InvalidMessageCount: 2,
      MissingFields: [{ Field: 'Fristname', Count: 2, Exists: false }],
    });
    const sentence =
      'There is no personalized field {{Fristname}}. Correct it, or choose one with the personalize button.';
    const preflight = await app.call(getPreflight, { params: { DraftBroadcastID: id } }, account.owner);
    expect(preflight.body.Checks).toContainEqual({ Kind: 'error', Text: sentence });
    expect(preflight.body.Refusal?.Message).toBe(sentence);
    const sent = await app.call(createBroadcast, { body: { DraftBroadcastID: id } }, account.owner);
    expect([sent.status, refusalOf(sent).Message]).toEqual([400, sentence]);
    await merge(id, { TemplateText: 'Hi {{Fristname|friend}}' });
    expect(await checksOf(id)).toContain(
      'warning: There is no personalized field {{Fristname}}. Everyone gets “friend” instead.',
    );
  });

  it('puts values in plain characters, unless the draft keeps them', async () => {
    const people = [await contact('D’Angelo')];
    const id = await draft('“Hi” {{FirstName}}…', people);
    await merge(id);
    expect(await texts(id)).toEqual(['"Hi" D\'Angelo...']);
    await app.call(
      updateDraft,
      { params: { DraftBroadcastID: id }, body: { KeepCharacters: true } },
      account.owner,
    );
    expect(await estimate(id)).toMatchObject({ RosterChangedSinceLastMerge: true, KeepCharacters: true });
    await merge(id);
    expect(await texts(id)).toEqual(['“Hi” D’Angelo…']);
  });

  it('counts segments for each: the estimate is their sum', async () => {
    const people = [await contact('Ann'), await contact('Bob', { notes: 'y'.repeat(155) })];
    const id = await draft('Hello {{FirstName}} {{Notes|!}}', people);
    expect(await estimate(id)).toMatchObject({ MinCallUnitsRequired: 2, RosterChangedSinceLastMerge: true });
    await merge(id);
    expect(await estimate(id)).toMatchObject({ MinCallUnitsRequired: 3, RosterChangedSinceLastMerge: false });
    await addContacts(id, [await contact('Cid')]);
    expect(await estimate(id)).toMatchObject({ RosterChangedSinceLastMerge: true });
    await merge(id);
    expect(await estimate(id)).toMatchObject({ MinCallUnitsRequired: 4, RosterChangedSinceLastMerge: false });
  });

  it('leaves out people whose text is too long or empty, until it is fixed or changed', async () => {
    const people = [
      await contact('Ann', { bus: long }),
      await contact('Bob'),
      await contact('Cid', { bus: '7' }),
    ];
    const id = await draft('{{Bus_route}}', people);
    expect(await merge(id)).toMatchObject({ InvalidMessageCount: 2, Total: 3, Preview: '7' });
    const invalid = await messages(id, 'invalid');
    expect(invalid.map((item) => [item.FirstName, item.TemplateMergeMessageStatus, item.Error])).toEqual([
      ['Ann', 'ExceedsLimit', "Can't exceed 320 characters."],
      ['Bob', 'InvalidField', 'Enter a Text Message'],
    ]);
    expect(await estimate(id)).toMatchObject({ TextNumberCount: 1, MinCallUnitsRequired: 1 });
    const [ann, bob] = invalid.map((item) => item.MergedMessageID);
    const mended = await mend(id, {
      Items: [
        { MergedMessageID: ann ?? 0, TextMessage: 'Your bus has a long name.' },
        { MergedMessageID: bob ?? 0, Exclude: true },
      ],
    });
    expect(mended.body.Items).toMatchObject([
      { TextMessage: 'Your bus has a long name.', TemplateMergeMessageStatus: 'Valid', Error: '' },
      { Exclude: true },
    ]);
    expect(mended.body.Merge).toMatchObject({ InvalidMessageCount: 0, ExcludedMessageCount: 1, Total: 2 });
    expect(await estimate(id)).toMatchObject({ TextNumberCount: 2, RosterChangedSinceLastMerge: false });
    // The same text again, for somebody new: what was fixed stays.
    await addContacts(id, [await contact('Dan', { bus: '8' })]);
    await merge(id);
    expect((await texts(id)).sort()).toEqual(['', '7', '8', 'Your bus has a long name.']);
    // Another text: it doesn't.
    await merge(id, { TemplateText: 'Bus {{Bus_route|late}}' });
    expect(await messages(id, 'invalid')).toMatchObject([{ FirstName: 'Ann' }]);
    await merge(id, { TemplateText: 'The bus is late, {{FirstName}}.' });
    expect(await messages(id, 'invalid')).toEqual([]);
    expect(await estimate(id)).toMatchObject({ TextNumberCount: 3 });
  });

  it('includes a person again who was left out, unless their phone was added again meanwhile', async () => {
    const ann = await contact('Ann', { bus: long });
    const id = await draft('{{Bus_route}}!', [ann]);
    await merge(id);
    const [item] = await messages(id, 'invalid');
    await app.call(
      addDraftNumbers,
      { params: { DraftBroadcastID: id }, body: { Items: [{ PrimaryPhone: item?.PhoneNumber ?? '' }] } },
      account.owner,
    );
    await merge(id, { TemplateText: 'Hello {{FirstName|there}}!' });
    expect(await estimate(id)).toMatchObject({ TextNumberCount: 1, TotalTextNumberCount: 2 });
    expect(await texts(id)).toEqual(['Hello there!']);
  });

  it('excludes at once all who can’t be sent to, and includes one again', async () => {
    const id = await draft('{{Bus_route}}', [await contact('Ann'), await contact('Bob', { bus: '1' })]);
    await merge(id);
    expect((await mend(id, { ExcludeAll: true })).body.Merge).toMatchObject({
      InvalidMessageCount: 0,
      ExcludedMessageCount: 1,
    });
    const [excluded] = await messages(id, 'excluded');
    const back = await mend(id, {
      Items: [{ MergedMessageID: excluded?.MergedMessageID ?? 0, Exclude: false }],
    });
    expect(back.body.Merge).toMatchObject({ InvalidMessageCount: 1, ExcludedMessageCount: 0 });
  });

  it('counts the signature, which a text that was fixed by hand already contains', async () => {
    await sql`update users set signature_text = 'Ms Lee' where user_id = ${account.owner.userId}`.execute(
      app.database.system,
    );
    const id = await draft('Hi {{FirstName}}', [await contact('Ann')], { IncludeSignature: true });
    expect((await merge(id)).Preview).toBe('Hi Ann\n\nMs Lee');
    const [item] = await messages(id);
    await mend(id, {
      Items: [{ MergedMessageID: item?.MergedMessageID ?? 0, TextMessage: 'Hi Ann. Ms Lee' }],
    });
    expect(await texts(id)).toEqual(['Hi Ann. Ms Lee']);
  });

  it('drops its results when the text has no fields any more', async () => {
    const id = await draft('{{Bus_route}}', [await contact('Ann')]);
    await merge(id);
    expect(await estimate(id)).toMatchObject({ TextNumberCount: 0 });
    await app.call(
      updateDraft,
      { params: { DraftBroadcastID: id }, body: { TextMessage: 'No bus today.' } },
      account.owner,
    );
    expect(await estimate(id)).toMatchObject({ TextNumberCount: 1 });
    expect(await merge(id)).toMatchObject({ Total: 1, InvalidMessageCount: 0, Preview: 'No bus today.' });
    expect(await estimate(id)).toMatchObject({ TextNumberCount: 1, RosterChangedSinceLastMerge: false });
  });

  it('refuses an unknown field, and a fix of a text that has changed since', async () => {
    const id = await draft('Hi {{FirstName}}', [await contact('Ann')]);
    const bad = await app.call(
      createTemplateMerge,
      { body: { DraftBroadcastID: id, TemplateText: 'Hi {{First Name}}' } },
      account.owner,
    );
    expect(refusalOf(bad)).toMatchObject({ status: 400, Errors: [{ Field: 'TemplateText' }] });
    await merge(id);
    const [item] = await messages(id);
    await app.call(
      updateDraft,
      { params: { DraftBroadcastID: id }, body: { TextMessage: '{{LastName}}' } },
      account.owner,
    );
    const late = await mend(id, { Items: [{ MergedMessageID: item?.MergedMessageID ?? 0, Exclude: true }] });
    expect(refusalOf(late).status).toBe(409);
  });

  it('merges more than five thousand in the background, including a change on the way', async () => {
    const id = await draft('Hi {{FirstName|there}}', []);
    await sql`
      insert into broadcast_recipients (account_id, broadcast_id, phone, first_name)
      select ${account.accountId}, ${id}, '1203' || (5000000 + i), case when i % 2 = 0 then 'Pat' else '' end
      from generate_series(1, 12000) i`.execute(app.database.system);
    await sql`update broadcasts set recipients_version = 1 where broadcast_id = ${id}`.execute(
      app.database.system,
    );
    expect(await merge(id)).toMatchObject({ Status: 'InProgress', Total: 12000 });
    // A recipient is changed during the merge: none of the earlier results may be used.
    const [first] = await messages(id);
    const changed = await app.call(
      updateDraftContact,
      {
        params: { DraftBroadcastID: id },
        body: { RecipientID: first?.MergedMessageID ?? 0, PrimaryPhone: '2035000001', FirstName: 'Zoe' },
      },
      account.owner,
    );
    expect(changed.status).toBe(200);
    await app.drain();
    const done = await app.call(getTemplateMerge, { params: { TemplateMergeID: id } }, account.owner);
    expect(done.body).toMatchObject({ Status: 'Complete', Done: 12000, Total: 12000, Preview: 'Hi Zoe' });
    expect(await estimate(id)).toMatchObject({
      MinCallUnitsRequired: 12000,
      RosterChangedSinceLastMerge: false,
    });
  });
});

describe('the text of one', () => {
  it('steps through the recipients who get it', async () => {
    const id = await draft('Hi {{FirstName}}', [
      await contact('Ann'),
      await contact('Bob'),
      await contact('Cid'),
    ]);
    const one = async (body: object) =>
      app.call(
        mergeSingle,
        { params: { DraftBroadcastID: id }, body: { TemplateText: 'Bye {{FirstName}}', ...body } },
        account.owner,
      );
    expect((await one({})).body).toMatchObject({ TextMessage: 'Bye Ann', Position: 1, Total: 3 });
    const third = await one({ Position: 3 });
    expect(third.body).toMatchObject({ TextMessage: 'Bye Cid', Position: 3, Total: 3 });
    expect((await one({ RecipientID: third.body.MergedMessageID })).body).toMatchObject({ Position: 3 });
    expect((await one({ Position: 2 })).body).toMatchObject({ TextMessage: 'Bye Bob' });
    expect((await one({ Position: 4 })).status).toBe(404);
  });

  it('is its maker’s to see', async () => {
    const id = await draft('Hi {{FirstName}}', [await contact('Ann')]);
    const other = await buildUser(app, account.accountId, 'user');
    for (const call of [getTemplateMerge, listMergedMessages] as const) {
      expect((await app.call(call, { params: { TemplateMergeID: id } }, other)).status).toBe(404);
    }
  });

  it('keeps notes and custom fields of contacts from those who don’t see them', async () => {
    const person = await contact('Ann', { bus: '4', notes: 'Gate B' });
    const text = 'Hi {{FirstName}}, bus {{Bus_route}}. {{Notes}}';
    const id = await draft(text, [person]);
    await merge(id);
    const other = await buildUser(app, account.accountId, 'user', {
      textNumberIds: Object.values(account.numbers),
    });
    await sql`update users set can_see_all_broadcasts = true, can_create_broadcast = true
      where user_id = ${other.userId}`.execute(app.database.system);
    const shown = async (as: { cookie: string }) => {
      const ask = { params: { DraftBroadcastID: id }, body: { TemplateText: text } };
      const all = { params: { TemplateMergeID: id }, query: { filter: 'all' as const } };
      const listed = await app.call(listMergedMessages, all, as);
      const people = await app.call(listDraftContacts, { params: { DraftBroadcastID: id } }, as);
      return {
        words: [
          (await app.call(mergeSingle, ask, as)).body.TextMessage,
          ...listed.body.Items.map((item) => item.TextMessage),
          (await app.call(getTemplateMerge, { params: { TemplateMergeID: id } }, as)).body.Preview,
          (await app.call(getPreflight, { params: { DraftBroadcastID: id } }, as)).body.Sample?.TextMessage,
        ],
        data: people.body.Items[0]?.CustomData,
      };
    };
    const said = (words: string) => [words, words, words, words];
    expect(await shown(account.owner)).toEqual({
      words: said('Hi Ann, bus 4. Gate B'),
      data: { 'Bus route': '4' },
    });
    // The sender sees the contact, and the text has the values: the field stands for them.
    expect(await shown(other)).toEqual({ words: said('Hi Ann, bus {{Bus_route}}. {{Notes}}'), data: {} });

    // Sent by somebody who doesn't see the contact, the text lacks them, as previewed.
    await sql`update broadcasts set user_id = ${other.userId}, merge_state = 'none'
      where broadcast_id = ${id}`.execute(app.database.system);
    expect(await merge(id)).toMatchObject({ InvalidMessageCount: 1 });
    const accepted = await mend(id, { Items: [], AcceptMissing: true });
    expect(accepted.body.Merge).toMatchObject({ InvalidMessageCount: 0, AcceptsMissing: true });
    const lacking = said('Hi Ann, bus . ');
    expect((await shown(other)).words).toEqual(lacking);
    expect((await shown(account.owner)).words).toEqual(lacking);
    // At whatever hour this runs.
    await sql`update accounts set quiet_hours_on = false where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect((await app.call(createBroadcast, { body: { DraftBroadcastID: id } }, other)).status).toBe(200);
    const sent = await app.until(async () => {
      const { rows } = await sql<{ body: string }>`
        select body from messages where broadcast_id = ${id}`.execute(app.database.system);
      return rows[0]?.body;
    });
    expect(sent).toBe(lacking[0]);
  });
});
