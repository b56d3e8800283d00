import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDraftNumbers } from '../../../contract/draft-recipients.ts';
import { earlierThanPreviousStep } from '../../../contract/fields/time-rules.ts';
import {
  addSequenceStep,
  beginSequence,
  cancelSequence,
  createSequence,
  getSequence,
  getSequenceCourse,
  listSequenceRecipients,
  pauseSequence,
  previewSequenceStep,
  stopSequenceRecipient,
  updateSequence,
  type WrittenStep,
} from '../../../contract/sequences.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
import { receiveTexts } from '../../testing/receive-texts.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { groupGone } from './run-sequences.ts';
import { changedMeanwhile } from './write-sequence.ts';

const zone = 'America/New_York';
const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip', '14235550101': 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits: 100 });
  await sql`update accounts set quiet_hours_on = false, features = '{DripCampaignsBeta}'
    where account_id = ${account.accountId}`.execute(app.database.system);
  await sql`update users set time_zone = ${zone} where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  await sql`update text_numbers set carrier_answers_words = true`.execute(app.database.system);
});

let serial = 0;
const newPhone = () => `1423555${String(8000 + serial++)}`;
const inDays = (days: number) => String(Temporal.Now.plainDateISO(zone).add({ days }));
const on = (days: number, message: string, time = '3:30 PM') => ({ message, date: inDays(days), time });
const daysAfter = (afterDays: number, message: string) => ({ message, afterDays, time: '9:00 AM' });
const atOnce = (message: string): WrittenStep => ({ message, hasWait: false });

async function start(steps: WrittenStep[], more: object = {}, people = 2) {
  const { body } = await app.call(beginSequence, { body: {} }, account.owner);
  const { DraftBroadcastID, SequenceID } = body;
  const phones = Array.from({ length: people }, newPhone);
  const Items = phones.map((PrimaryPhone) => ({ PrimaryPhone, Name: 'Ana Diaz' }));
  if (people > 0)
    await app.call(addDraftNumbers, { params: { DraftBroadcastID }, body: { Items } }, account.owner);
  const textNumberId = account.numbers[number] ?? 0;
  const form = { draftBroadcastId: DraftBroadcastID, name: 'Tests', textNumberId, steps, ...more };
  const { status } = await app.call(createSequence, { body: form }, account.owner);
  expect(status).toBe(200);
  await goOut();
  return { SequenceID, phones };
}

async function goOut(): Promise<void> {
  for (let round = 0; round < 3; round++) await app.drain();
}

/** As if the next step were due. */
async function come(SequenceID: number): Promise<void> {
  await sql`update sequence_steps set start_at = now() where sequence_id = ${SequenceID} and position = (
    select min(position) from sequence_steps where sequence_id = ${SequenceID} and state = 'waiting')`.execute(
    app.database.system,
  );
  await sql`update sequence_people set next_at = now() where sequence_id = ${SequenceID} and state = 'active'`.execute(
    app.database.system,
  );
  await sql`update sequences set next_at = now() where sequence_id = ${SequenceID} and starts_on <> 'dates'`.execute(
    app.database.system,
  );
  await goOut();
}

async function textsTo(...phones: (string | undefined)[]): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`
    select body from messages where phone = any(${phones}::text[]) and not is_inbound order by message_id`.execute(
    app.database.system,
  );
  return rows.map(({ body }) => body);
}

const add = (SequenceID: number, body: object, as = account.owner) =>
  app.call(addSequenceStep, { params: { SequenceID }, body }, as);
const preview = async (SequenceID: number, body: object) =>
  (await app.call(previewSequenceStep, { params: { SequenceID }, body }, account.owner)).body;
const read = async (SequenceID: number) =>
  (await app.call(getSequence, { params: { SequenceID } }, account.owner)).body;
const wordsOf = (of: { Steps: { Message: string; State: string }[] }) =>
  of.Steps.map(({ Message, State }) => `${Message} ${State}`);

describe('a step that is added to a campaign on dates', () => {
  it('is sorted by date and sent to everybody, once, also while it is paused', async () => {
    const { SequenceID, phones } = await start([atOnce('One'), on(5, 'Last')]);
    const added = on(3, 'Between');
    expect(await preview(SequenceID, added)).toMatchObject({
      ...{ Position: 2, StepCount: 3, RecipientCount: 2, FinishedCount: 0, PassedCount: 0 },
      ...{ Credits: 2, RemainingCredits: 4, AvailableCredits: 98 },
    });
    const { body } = await add(SequenceID, added);
    expect(wordsOf(body)).toEqual(['One sent', 'Between waiting', 'Last waiting']);
    expect(body.Steps.map((step) => step.Date)).toEqual(['', inDays(3), inDays(5)]);
    await app.call(pauseSequence, { params: { SequenceID } }, account.owner);
    expect(wordsOf((await add(SequenceID, on(7, 'After all'))).body)).toEqual([
      ...['One sent', 'Between waiting', 'Last waiting', 'After all waiting'],
    ]);
    await sql`update sequences set status = 'running' where sequence_id = ${SequenceID}`.execute(
      app.database.system,
    );
    for (let step = 0; step < 3; step++) await come(SequenceID);
    expect(await textsTo(phones[0])).toEqual(['One', 'Between', 'Last', 'After all']);
    expect((await textsTo(...phones)).length).toBe(8);
    expect((await read(SequenceID)).Status).toBe('completed');
    const { rows } = await sql<{ changes: unknown }>`select changes from events
      where account_id = ${account.accountId} and kind = 'sequence.updated' and subject_id = ${SequenceID}`.execute(
      app.database.system,
    );
    expect(rows.map(({ changes }) => changes)).toEqual([{ StepCount: [2, 3] }, { StepCount: [3, 4] }]);
  });

  it('is refused at its own fields, and if there are steps at that time already', async () => {
    const { SequenceID } = await start([atOnce('One'), on(5, 'Last')]);
    const fieldsOf = async (body: object) => refusalOf(await add(SequenceID, body)).Errors;
    expect(await fieldsOf({ message: '', date: '', time: '' })).toEqual([
      { Field: 'message', Message: 'Message cannot be empty.' },
      { Field: 'date', Message: 'Enter a Date' },
      { Field: 'time', Message: 'Enter a Time' },
    ]);
    expect(await fieldsOf(on(-1, 'Yesterday'))).toMatchObject([{ Field: 'date' }]);
    expect(await fieldsOf(on(5, 'At the same time'))).toEqual([
      { Field: 'date', Message: earlierThanPreviousStep },
    ]);
    expect(await fieldsOf(on(6, 'Hi {{NoSuchField}}'))).toMatchObject([{ Field: 'message' }]);
    expect(wordsOf(await read(SequenceID))).toEqual(['One sent', 'Last waiting']);
    const others = await buildAccount(app, { numbers: { '14235550101': 'infobip' } });
    await sql`update accounts set features = '{DripCampaignsBeta}' where account_id = ${others.accountId}`.execute(
      app.database.system,
    );
    expect((await add(SequenceID, on(6, 'Mine'), others.owner)).status).toBe(404);
    await app.call(cancelSequence, { params: { SequenceID } }, account.owner);
    expect(refusalOf(await add(SequenceID, on(6, 'Too late')))).toMatchObject({
      ...{ status: 409, Message: 'This drip campaign has ended.' },
    });
  });

  it('is refused when it can’t be paid together with the remaining steps', async () => {
    const { SequenceID } = await start([atOnce('One'), on(5, 'Last')]);
    const setCredits = (credits: number) =>
      sql`update accounts set credit_balance = ${credits} where account_id = ${account.accountId}`.execute(
        app.database.system,
      );
    await setCredits(3);
    expect(refusalOf(await add(SequenceID, on(6, 'Too much')))).toMatchObject({ status: 402 });
    expect(wordsOf(await read(SequenceID))).toHaveLength(2);
    await setCredits(4);
    expect((await add(SequenceID, on(6, 'Paid'))).status).toBe(200);
    await setCredits(100);
  });

  it('costs what those who are left in it cost, with a step that is being prepared', async () => {
    const { SequenceID } = await start([atOnce('One'), on(5, 'Last')], {}, 3);
    const { body } = await app.call(listSequenceRecipients, { params: { SequenceID } }, account.owner);
    const params = { SequenceID, RecipientID: body.Items[0]?.RecipientID ?? 0 };
    await app.call(stopSequenceRecipient, { params }, account.owner);
    const cost = { RecipientCount: 2, Credits: 2, RemainingCredits: 4 };
    expect(await preview(SequenceID, on(6, 'After all'))).toMatchObject(cost);
    await sql`update sequence_steps set state = 'preparing' where sequence_id = ${SequenceID} and position = 2`.execute(
      app.database.system,
    );
    expect(await preview(SequenceID, on(6, 'After all'))).toMatchObject(cost);
    const setCredits = (credits: number) =>
      sql`update accounts set credit_balance = credit_reserved + ${credits}
        where account_id = ${account.accountId}`.execute(app.database.system);
    await setCredits(3);
    expect(refusalOf(await add(SequenceID, on(6, 'After all'))).status).toBe(402);
    await setCredits(4);
    expect((await add(SequenceID, on(6, 'After all'))).status).toBe(200);
    await setCredits(100);
  });

  it('isn’t overwritten by a page that doesn’t know of it yet', async () => {
    const { SequenceID } = await start([atOnce('One'), on(5, 'Last')]);
    const { StepsVersion: stepsVersion } = await read(SequenceID);
    await add(SequenceID, on(3, 'Between'));
    const save = (body: object) => app.call(updateSequence, { params: { SequenceID }, body }, account.owner);
    const steps = [atOnce('One'), on(5, 'Last, reworded')];
    expect(refusalOf(await save({ steps, stepsVersion }))).toMatchObject({
      ...{ status: 409, Message: changedMeanwhile },
    });
    const after = await read(SequenceID);
    expect(wordsOf(after)).toEqual(['One sent', 'Between waiting', 'Last waiting']);
    const all = [atOnce('One'), on(3, 'Between'), on(5, 'Last, reworded')];
    const saved = await save({ steps: all, stepsVersion: after.StepsVersion });
    expect(wordsOf(saved.body)).toEqual(['One sent', 'Between waiting', 'Last, reworded waiting']);
    expect(saved.body.StepsVersion).not.toBe(after.StepsVersion);
    // A step that goes out changes nothing that a page could overwrite.
    await come(SequenceID);
    expect((await read(SequenceID)).StepsVersion).toBe(saved.body.StepsVersion);
    // A program that doesn't say what it knows removes what it doesn't name.
    expect(wordsOf((await save({ steps: all.slice(0, 2) })).body)).toEqual(['One sent', 'Between sent']);
  });

  it('is added once, however often it is requested', async () => {
    const { SequenceID } = await start([atOnce('One'), on(5, 'Last')]);
    const headers = { 'idempotency-key': 'add-step' };
    const input = { params: { SequenceID }, body: on(6, 'Again') };
    for (let time = 0; time < 2; time++)
      expect((await app.call(addSequenceStep, input, { ...account.owner, headers })).status).toBe(200);
    expect(wordsOf(await read(SequenceID))).toEqual(['One sent', 'Last waiting', 'Again waiting']);
  });
});

describe('a step that is added to a campaign that people join', () => {
  async function group(): Promise<number> {
    const { rows } = await sql<{ group_id: number }>`
      insert into groups (account_id, name) values (${account.accountId}, ${`New ${serial++}`})
      returning group_id`.execute(app.database.system);
    return rows[0]?.group_id ?? 0;
  }

  async function join(groupId: number): Promise<string> {
    const phone = newPhone();
    await sql`
      with made as (
        insert into contacts (account_id, first_name, primary_phone, created_by_user_id)
        values (${account.accountId}, 'Ana', ${phone}, ${account.owner.userId}) returning person_id, sort_name)
      insert into group_members (account_id, group_id, person_id, sort_name)
      select ${account.accountId}, ${groupId}, person_id, sort_name from made`.execute(app.database.system);
    return phone;
  }

  const joinedBefore = (SequenceID: number, phone: string, days: number) =>
    sql`update sequence_people set joined_day = joined_day - ${days}::int, joined_at = joined_at - ${days} * interval '1 day',
        ended_at = ended_at - ${days} * interval '1 day'
      where sequence_id = ${SequenceID} and phone = ${phone}`.execute(app.database.system);

  const people = async (SequenceID: number) =>
    (await app.call(listSequenceRecipients, { params: { SequenceID } }, account.owner)).body.Items;
  const states = async (SequenceID: number) =>
    (await people(SequenceID)).map(({ State, Position }) => `${State} ${Position}`).sort();

  async function courseOf(SequenceID: number, phone: string): Promise<string[]> {
    const person = (await people(SequenceID)).find(({ PhoneNumber }) => phone.endsWith(PhoneNumber));
    const query = { recipientId: person?.RecipientID ?? 0 };
    const { body } = await app.call(getSequenceCourse, { params: { SequenceID }, query }, account.owner);
    expect(body.Items.filter(({ State, Date: at }) => State === 'skipped' && at !== null)).toEqual([]);
    return body.Items.map(({ Message, State }) => `${Message} ${State}`);
  }

  it('is sent to those on their way, and to those who have finished if its day is still ahead', async () => {
    const groupId = await group();
    const startsOn = 'group' as const;
    const { SequenceID } = await start([atOnce('One'), daysAfter(1, 'Two')], { startsOn, groupId }, 0);
    const [soon, late] = [await join(groupId), await join(groupId)];
    await come(SequenceID);
    await come(SequenceID);
    const onTheWay = await join(groupId);
    await sql`update sequences set next_at = now() where sequence_id = ${SequenceID}`.execute(
      app.database.system,
    );
    await goOut();
    await joinedBefore(SequenceID, soon, 2);
    await joinedBefore(SequenceID, late, 30);
    expect(await states(SequenceID)).toEqual(['active 1', 'done 2', 'done 2']);
    expect(await preview(SequenceID, daysAfter(7, 'Three'))).toMatchObject({
      ...{ Position: 3, StepCount: 3, RecipientCount: 1, FinishedCount: 1, PassedCount: 1, Credits: 2 },
    });
    expect(await preview(SequenceID, { message: 'Not yet written' })).toMatchObject({
      ...{ FinishedCount: 0, PassedCount: 2 },
    });
    const early = refusalOf(await add(SequenceID, { ...daysAfter(1, 'Early'), time: '8:00 AM' }));
    expect(early.Errors).toEqual([{ Field: 'afterDays', Message: earlierThanPreviousStep }]);
    const { body } = await add(SequenceID, daysAfter(7, 'Three'));
    expect(body.Steps.map(({ AfterDays, WaitingCount }) => [AfterDays, WaitingCount])).toEqual([
      [null, 0],
      [1, 1],
      [7, 1],
    ]);
    expect(await states(SequenceID)).toEqual(['active 1', 'active 2', 'done 2']);
    await come(SequenceID);
    await come(SequenceID);
    expect(await textsTo(soon)).toEqual(['One', 'Two', 'Three']);
    expect(await textsTo(onTheWay)).toEqual(['One', 'Two', 'Three']);
    expect(await textsTo(late)).toEqual(['One', 'Two']);
    expect(await courseOf(SequenceID, late)).toEqual(['One sent', 'Two sent', 'Three skipped']);
    expect(await states(SequenceID)).toEqual(['done 2', 'done 3', 'done 3']);
    // Saved with the others, it has the same effect.
    const steps = [atOnce('One'), daysAfter(1, 'Two'), daysAfter(7, 'Three'), daysAfter(60, 'Four')];
    await app.call(updateSequence, { params: { SequenceID }, body: { steps } }, account.owner);
    expect(await states(SequenceID)).toEqual(['active 3', 'active 3', 'active 3']);
    await come(SequenceID);
    expect(await textsTo(late)).toEqual(['One', 'Two', 'Four']);
  });

  it('doesn’t go to those who wrote STOP or replied long after their last step', async () => {
    const groupId = await group();
    const more = { startsOn: 'group' as const, groupId, stopsOnReply: true };
    const { SequenceID } = await start([atOnce('One')], more, 0);
    const [stops, replies, silent] = [await join(groupId), await join(groupId), await join(groupId)];
    await come(SequenceID);
    for (const phone of [stops, replies, silent]) await joinedBefore(SequenceID, phone, 14);
    const write = (from: string, body: string) => receiveTexts(app, number, [{ from, body }]);
    await write(stops, 'STOP');
    await write(stops, 'START');
    await write(replies, 'Thank you!');
    // They have been through it all the same.
    expect((await read(SequenceID)).RecipientCount).toBe(3);
    expect(await preview(SequenceID, daysAfter(30, 'Two'))).toMatchObject({
      ...{ RecipientCount: 0, FinishedCount: 1, PassedCount: 0, Credits: 1 },
    });
    await add(SequenceID, daysAfter(30, 'Two'));
    expect(await states(SequenceID)).toEqual(['active 1', 'opted_out 1', 'replied 1']);
    await come(SequenceID);
    const got = [await textsTo(stops), await textsTo(replies), await textsTo(silent)];
    expect(got).toEqual([['One'], ['One'], ['One', 'Two']]);
  });

  it('doesn’t go to those who left the group, who don’t begin again either when they come back', async () => {
    const groupId = await group();
    const { SequenceID } = await start([atOnce('One')], { startsOn: 'group', groupId }, 0);
    const [stays, leaves] = [await join(groupId), await join(groupId)];
    await come(SequenceID);
    const person = sql`(select person_id from contacts where primary_phone = ${leaves})`;
    await sql`delete from group_members where group_id = ${groupId} and person_id = ${person}`.execute(
      app.database.system,
    );
    expect(await preview(SequenceID, daysAfter(7, 'Two'))).toMatchObject({
      ...{ RecipientCount: 0, FinishedCount: 1, PassedCount: 0, Credits: 1 },
    });
    await add(SequenceID, daysAfter(7, 'Two'));
    expect(await states(SequenceID)).toEqual(['active 1', 'done 1']);
    await come(SequenceID);
    await sql`insert into group_members (account_id, group_id, person_id, sort_name)
      select account_id, ${groupId}, person_id, sort_name from contacts where primary_phone = ${leaves}`.execute(
      app.database.system,
    );
    await come(SequenceID);
    expect([await textsTo(stays), await textsTo(leaves)]).toEqual([['One', 'Two'], ['One']]);
    // Nobody can say any more who is in it.
    await sql`update groups set deleted_at = now() where group_id = ${groupId}`.execute(app.database.system);
    expect(refusalOf(await add(SequenceID, daysAfter(30, 'Three')))).toMatchObject({ Message: groupGone });
  });
});
