/**
 * Long because every test starts its own campaign on the same account, which is set up once, and sends its
 * steps.
 */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDraftLists, addDraftNumbers, contactsToDraft } from '../../../contract/draft-recipients.ts';
import { listDrafts } from '../../../contract/drafts.ts';
import { noRecipients } from '../../../contract/forms/drip.ts';
import { getHome } from '../../../contract/home.ts';
import {
  beginSequence,
  calculateSequenceCredits,
  cancelSequence,
  createSequence,
  deleteSequence,
  getSequence,
  getSequenceCourse,
  listSequenceRecipients,
  listSequences,
  pauseSequence,
  resumeSequence,
  sequenceFailures,
  stopSequenceRecipient,
  updateSequence,
  type WrittenStep,
} from '../../../contract/sequences.ts';
import { recipientProblemMessages } from '../../../contract/states/recipient-problem.ts';
import { aBroadcast } from '../../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { receiveTexts } from '../../testing/receive-texts.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { preparedSteps } from './run-sequences.ts';
import { goneRefusal } from './write-sequence.ts';

const zone = 'America/New_York';
let app: TestApp;
let account: BuiltAccount;
/** One for each organization of these tests. */
const numbers = ['14235550100', '14235550101', '14235550102', '14235550103', '14235550104'];

beforeAll(async () => {
  app = await testApp(Object.fromEntries(numbers.map((one) => [one, 'infobip'])));
  account = await newAccount();
});

async function newAccount(credits = 100): Promise<BuiltAccount> {
  const made = await buildAccount(app, { numbers: { [numbers.pop() ?? '']: 'infobip' }, credits });
  await sql`update accounts set quiet_hours_on = false, features = '{DripCampaignsBeta}'
    where account_id = ${made.accountId}`.execute(app.database.system);
  await sql`update users set time_zone = ${zone} where account_id = ${made.accountId}`.execute(
    app.database.system,
  );
  return made;
}

const inDays = (days: number) => String(Temporal.Now.plainDateISO(zone).add({ days }));
const step = (message: string, days: number, more: WrittenStep = {}): WrittenStep => ({
  message,
  date: inDays(days),
  time: '3:30 PM',
  ...more,
});
const atOnce = (message: string): WrittenStep => ({ message, hasWait: false });

let serial = 0;
/** A draft of a campaign to this many phones. */
async function begin(people = 2, of = account) {
  const { body } = await app.call(beginSequence, { body: {} }, of.owner);
  const phones = Array.from({ length: people }, () => `1423555${String(6000 + serial++)}`);
  if (people > 0) {
    await app.call(
      addDraftNumbers,
      {
        params: { DraftBroadcastID: body.DraftBroadcastID },
        body: { Items: phones.map((PrimaryPhone) => ({ PrimaryPhone, Name: 'Ana Diaz' })) },
      },
      of.owner,
    );
  }
  return { ...body, phones };
}

function form(draftBroadcastId: number, steps: WrittenStep[], of = account) {
  return { draftBroadcastId, name: 'State tests', textNumberId: Object.values(of.numbers)[0] ?? 0, steps };
}

const read = async (SequenceID: number, of = account) =>
  (await app.call(getSequence, { params: { SequenceID } }, of.owner)).body;

async function textsTo(phones: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`
    select body from messages where phone = any(${phones}::text[]) and not is_inbound order by message_id`.execute(
    app.database.system,
  );
  return rows.map(({ body }) => body);
}

/** As if the next step were due. */
async function come(sequenceId: number): Promise<void> {
  await sql`update sequence_steps set start_at = now() where sequence_id = ${sequenceId} and position = (
    select min(position) from sequence_steps where sequence_id = ${sequenceId} and state = 'waiting')`.execute(
    app.database.system,
  );
  await goOut();
}

/** The first round finds due steps and creates broadcasts for them, the second sends them. */
async function goOut(): Promise<void> {
  await app.drain();
  await app.drain();
}

describe('a campaign', () => {
  it('is written, saved, estimated, started once and sent step by step', async () => {
    const { SequenceID, DraftBroadcastID, phones } = await begin();
    const steps = [atOnce('First, {{FirstName}}'), step('Second', 1), step('x'.repeat(200), 2)];
    const kept = await app.call(
      updateSequence,
      { params: { SequenceID }, body: { name: 'State tests', steps } },
      account.owner,
    );
    expect(kept.body).toMatchObject({ Name: 'State tests', Status: 'draft', StepCount: 3 });
    const wanted = form(DraftBroadcastID, steps);
    const cost = await app.call(calculateSequenceCredits, { body: wanted }, account.owner);
    expect(cost.body).toEqual({
      Credits: 8,
      CreditsEach: 4,
      RecipientCount: 2,
      Steps: [
        { Segments: 1, Credits: 2 },
        { Segments: 1, Credits: 2 },
        { Segments: 2, Credits: 4 },
      ],
    });
    const replies = await Promise.all(
      [1, 2, 3].map(() => app.call(createSequence, { body: wanted }, account.owner)),
    );
    expect(replies.map(({ status, body }) => [status, body])).toEqual(
      Array(3).fill([200, { SequenceID, metaData: { FailureCount: 0 } }]),
    );
    await goOut();
    expect(await textsTo(phones)).toEqual(['First, Ana', 'First, Ana']);
    const first = await read(SequenceID);
    expect(first).toMatchObject({ Status: 'running', SentStepCount: 1, RecipientCount: 2 });
    expect(first.Steps.map(({ State, SentCount }) => [State, SentCount])).toEqual([
      ['sent', 2],
      ['waiting', 0],
      ['waiting', 0],
    ]);
    await come(SequenceID);
    await come(SequenceID);
    expect(await textsTo(phones)).toHaveLength(6);
    expect(await read(SequenceID)).toMatchObject({
      Status: 'completed',
      SentStepCount: 3,
      NextStepDate: null,
    });
    const list = await app.call(listSequences, { query: { q: 'state' } }, account.owner);
    expect(list.body.Items.map((one) => one.SequenceID)).toContain(SequenceID);
    expect((await app.call(deleteSequence, { params: { SequenceID } }, account.owner)).status).toBe(200);
    expect((await app.call(getSequence, { params: { SequenceID } }, account.owner)).status).toBe(404);
  });

  it('is refused at its fields, in the specification’s words', async () => {
    const { DraftBroadcastID } = await begin(0);
    const refuse = async (steps: WrittenStep[], more: object = {}) => {
      const body = { ...form(DraftBroadcastID, steps), ...more };
      const { Errors } = refusalOf(await app.call(createSequence, { body }, account.owner));
      return Object.fromEntries((Errors ?? []).map(({ Field, Message }) => [Field, Message]));
    };
    expect(await refuse([step(' ', 1)], { name: '', textNumberId: null })).toMatchObject({
      name: 'Name must be at least 1 character.',
      recipients: noRecipients,
      'steps.0.message': 'Message cannot be empty.',
      textNumberId: expect.any(String),
    });
    expect(await refuse([step('a', 2), step('b', 1)])).toMatchObject({
      'steps.1.date': 'Your start date and time cannot be earlier than previous step.',
    });
    expect(await refuse([step('a', 1, { time: 'noon' })])).toMatchObject({
      'steps.0.time': 'Time must follow the format 5:00 AM or 5:00 PM.',
    });
    expect(await refuse([step('Hi {{ShoeSize}}', 1)])).toMatchObject({
      'steps.0.message': expect.stringContaining('ShoeSize'),
    });
    expect(await refuse([step('Look at http://bit.ly/x', 1)])).toHaveProperty(['steps.0.message']);
    expect(await refuse([step('a', -1)])).toHaveProperty(['steps.0.date']);
  });

  it('is not for those without the feature, nor for other people’s accounts', async () => {
    const plain = await buildAccount(app, { numbers: { [numbers.pop() ?? '']: 'infobip' } });
    expect((await app.call(beginSequence, { body: {} }, plain.owner)).status).toBe(403);
    const other = await newAccount();
    const { SequenceID, DraftBroadcastID } = await begin();
    expect((await app.call(getSequence, { params: { SequenceID } }, other.owner)).status).toBe(404);
    const body = form(DraftBroadcastID, [step('a', 1)], other);
    expect((await app.call(createSequence, { body }, other.owner)).status).toBe(404);
    const user = await buildUser(app, account.accountId, 'user');
    expect((await app.call(getSequence, { params: { SequenceID } }, user)).status).not.toBe(200);
  });

  it('is not in the list of broadcast drafts', async () => {
    const mine = await newAccount();
    await begin(1, mine);
    const { body } = await app.call(listDrafts, {}, mine.owner);
    expect(body.Items).toEqual([]);
  });
});

describe('a campaign that runs', () => {
  async function started(steps: WrittenStep[], people = 2) {
    const begun = await begin(people);
    const reply = await app.call(
      createSequence,
      { body: form(begun.DraftBroadcastID, steps) },
      account.owner,
    );
    expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
    await goOut();
    return begun;
  }

  it('doesn’t hold up others while it is paused with a step that is ready', async () => {
    const { SequenceID } = await started([step('One', 60)]);
    const { accountId, owner } = account;
    const sender = { accountId, userId: owner.userId, textNumberId: Object.values(account.numbers)[0] ?? 0 };
    const ready = await aBroadcast(app.database, sender, { status: 'draft' });
    await sql`update broadcasts set sequence_id = ${SequenceID}, sequence_position = 1
      where account_id = ${accountId} and broadcast_id = ${ready}`.execute(app.database.system);
    const waiting = async () => (await preparedSteps.execute(app.database.system)).rows;
    expect(await waiting()).toEqual([{ account_id: accountId, id: ready }]);
    await app.call(pauseSequence, { params: { SequenceID } }, owner);
    expect(await waiting()).toEqual([]);
    await app.call(cancelSequence, { params: { SequenceID } }, owner);
  });

  it('goes out right away in new words too, if its first step waited', async () => {
    const { DraftBroadcastID, SequenceID, phones } = await begin();
    const body = form(DraftBroadcastID, [atOnce('One'), step('Two', 5)]);
    await app.call(createSequence, { body }, account.owner);
    const params = { SequenceID };
    await app.call(pauseSequence, { params }, account.owner);
    const steps = [atOnce('One, reworded'), step('Two', 5)];
    const changed = await app.call(updateSequence, { params, body: { steps } }, account.owner);
    expect(changed.body.Steps[0]?.StartDate).not.toBeNull();
    await app.call(resumeSequence, { params, body: { Missed: 'send' } }, account.owner);
    await goOut();
    expect(await textsTo(phones)).toEqual(['One, reworded', 'One, reworded']);
    await app.call(cancelSequence, { params }, account.owner);
  });

  it('is paused, resumed without missed steps, and canceled', async () => {
    const { SequenceID, phones } = await started([step('One', 1), step('Two', 2), step('Three', 3)]);
    const params = { SequenceID };
    expect((await app.call(pauseSequence, { params }, account.owner)).body.Status).toBe('paused');
    await come(SequenceID);
    expect(await textsTo(phones)).toEqual([]);
    const resumed = await app.call(resumeSequence, { params, body: {} }, account.owner);
    expect(resumed.body.Steps.map(({ State }) => State)).toEqual(['skipped', 'waiting', 'waiting']);
    await come(SequenceID);
    expect(await textsTo(phones)).toEqual(['Two', 'Two']);
    await app.call(pauseSequence, { params }, account.owner);
    await come(SequenceID);
    await app.call(resumeSequence, { params, body: { Missed: 'send' } }, account.owner);
    await goOut();
    expect(await textsTo(phones)).toEqual(['Two', 'Two', 'Three', 'Three']);
    expect((await read(SequenceID)).Status).toBe('completed');
    expect((await app.call(cancelSequence, { params }, account.owner)).status).toBe(409);

    const other = await started([step('One', 1)]);
    const canceled = await app.call(
      cancelSequence,
      { params: { SequenceID: other.SequenceID } },
      account.owner,
    );
    expect(canceled.body).toMatchObject({ Status: 'canceled', Steps: [{ State: 'skipped' }] });
    await come(other.SequenceID);
    expect(await textsTo(other.phones)).toEqual([]);
  });

  it('allows changes of steps that haven’t been sent, and no others', async () => {
    const { SequenceID, phones } = await started([atOnce('One'), step('Two', 1)]);
    const change = (steps: WrittenStep[]) =>
      app.call(updateSequence, { params: { SequenceID }, body: { steps } }, account.owner);
    const early = refusalOf(await change([atOnce('One'), step('Two', -2)]));
    expect(early.Errors?.map(({ Field }) => Field)).toEqual(['steps.1.date']);
    expect(refusalOf(await change([atOnce('Another'), step('Second', 1)]))).toMatchObject({
      status: 409,
      Message: goneRefusal(1),
    });
    const { body } = await change([atOnce('One'), step('Second', 1), step('Third', 2)]);
    expect(body.Steps.map(({ Message }) => Message)).toEqual(['One', 'Second', 'Third']);
    await come(SequenceID);
    expect(await textsTo(phones)).toEqual(['One', 'One', 'Second', 'Second']);
  });

  it('leaves out people who opted out and who were removed', async () => {
    const { SequenceID, phones } = await started([step('One', 1), step('Two', 2)], 3);
    const [leaves = '', stops = '', stays = ''] = phones;
    await sql`insert into phone_consents (account_id, phone, text_state)
      values (${account.accountId}, ${stops}, 'out')`.execute(app.database.system);
    await come(SequenceID);
    expect(await textsTo([stops])).toEqual([]);
    const people = await app.call(listSequenceRecipients, { params: { SequenceID } }, account.owner);
    const who = people.body.Items.find(({ PhoneNumber }) => leaves.endsWith(PhoneNumber));
    const params = { SequenceID, RecipientID: who?.RecipientID ?? 0 };
    expect((await app.call(stopSequenceRecipient, { params }, account.owner)).status).toBe(200);
    expect((await app.call(stopSequenceRecipient, { params }, account.owner)).status).toBe(404);
    await come(SequenceID);
    expect(await textsTo([leaves])).toEqual(['One']);
    expect(await textsTo([stays])).toEqual(['One', 'Two']);
  });

  it('uses its contacts’ current phones, and skips deleted and removed ones', async () => {
    const begun = await begin(0);
    const { SequenceID, DraftBroadcastID } = begun;
    const phones = Array.from({ length: 5 }, () => `1423555${String(6000 + serial++)}`);
    const [old = '', , , stopped = '', corrected = ''] = phones;
    const people = [];
    for (const [index, primary_phone] of [...phones.slice(0, 4), null].entries()) {
      const { person_id } = await app.database.system
        .insertInto('contacts')
        .values({
          ...{ account_id: account.accountId, created_by_user_id: account.owner.userId },
          ...{ first_name: `Ana ${index}`, last_name: 'Diaz', primary_phone },
        })
        .returning('person_id')
        .executeTakeFirstOrThrow();
      people.push(person_id);
    }
    const added = await app.call(
      contactsToDraft,
      {
        params: { ListID: 0, DraftBroadcastID },
        body: { Selection: { Type: 'Selected', Items: people } },
      },
      account.owner,
    );
    expect(added.status).toBe(200);
    const body = form(DraftBroadcastID, [atOnce('One'), step('Two', 1)]);
    const reply = await app.call(createSequence, { body }, account.owner);
    expect(reply.body.metaData.FailureCount).toBe(1);
    await goOut();
    expect(await textsTo(phones)).toHaveLength(4);
    const { body: list } = await app.call(listSequenceRecipients, { params: { SequenceID } }, account.owner);
    const leaves = list.Items.find(({ PhoneNumber }) => stopped.endsWith(PhoneNumber));
    const params = { SequenceID, RecipientID: leaves?.RecipientID ?? 0 };
    expect((await app.call(stopSequenceRecipient, { params }, account.owner)).status).toBe(200);
    const [moves = 0, deleted = 0, , leaver = 0, mended = 0] = people;
    const fresh = `1423555${String(6000 + serial++)}`;
    const another = `1423555${String(6000 + serial++)}`;
    for (const [person, phone] of [
      [moves, fresh],
      [leaver, another],
      [mended, corrected],
    ] as const)
      await sql`update contacts set primary_phone = ${phone} where person_id = ${person}`.execute(
        app.database.system,
      );
    await sql`update contacts set deleted_at = now() where person_id = ${deleted}`.execute(
      app.database.system,
    );
    await come(SequenceID);
    expect(await textsTo([old])).toEqual(['One']);
    expect(await textsTo([fresh])).toEqual(['Two']);
    expect(await textsTo([corrected])).toEqual(['Two']);
    expect(await textsTo([stopped, another, phones[1] ?? ''])).toEqual(['One', 'One']);
  });

  it('pauses with a message when credits run out, and tries the step again', async () => {
    const poor = await newAccount(8);
    const begun = await begin(2, poor);
    const written = [atOnce('One'), step('Two', 1), step('Three', 2), step('Four', 3)];
    const body = form(begun.DraftBroadcastID, written, poor);
    const costly = { ...body, steps: [...written, step('Five', 4)] };
    expect(refusalOf(await app.call(createSequence, { body: costly }, poor.owner))).toMatchObject({
      status: 402,
    });
    await app.call(createSequence, { body }, poor.owner);
    await goOut();
    const { SequenceID } = begun;
    const params = { SequenceID };
    const setCredits = (credits: number) =>
      sql`update accounts set credit_balance = ${credits} where account_id = ${poor.accountId}`.execute(
        app.database.system,
      );
    const change = (steps: WrittenStep[]) =>
      app.call(updateSequence, { params, body: { steps } }, poor.owner);
    const states = (of: { Steps: { State: string }[] }) => of.Steps.map(({ State }) => State);
    await setCredits(0);
    // Its day has come: the form must not require another one either.
    const past = step('Two', -1);
    await sql`update sequence_steps set date_text = ${past.date} where sequence_id = ${SequenceID} and position = 2`.execute(
      app.database.system,
    );
    await come(SequenceID);
    expect(await read(SequenceID, poor)).toMatchObject({
      Status: 'paused',
      PausedBecause: sequenceFailures[4100],
      Steps: [{ State: 'sent' }, { State: 'failed' }, { State: 'waiting' }, { State: 'waiting' }],
    });
    expect((await app.call(getHome, {}, poor.owner)).body.PausedCampaigns).toEqual([
      { SequenceID, Name: body.name, PausedBecause: sequenceFailures[4100] },
    ]);
    // Another step, and its own words, can be changed meanwhile. It is still the one that is tried again.
    const other = await change([atOnce('One'), past, step('Third', 2), step('Four', 3)]);
    expect([other.status, states(other.body)]).toEqual([200, ['sent', 'failed', 'waiting', 'waiting']]);
    // The third is missed and skipped, and the second fails again: both keep their states.
    await sql`update sequence_steps set start_at = now() where sequence_id = ${SequenceID} and position = 3`.execute(
      app.database.system,
    );
    await app.call(resumeSequence, { params, body: {} }, poor.owner);
    await goOut();
    expect(states(await read(SequenceID, poor))).toEqual(['sent', 'failed', 'skipped', 'waiting']);
    const worded = await change([
      atOnce('One'),
      { ...past, message: 'Second' },
      step('Third', 2),
      step('Four', 3),
    ]);
    expect([worded.status, states(worded.body)]).toEqual([200, ['sent', 'failed', 'skipped', 'waiting']]);
    const skipped = await change([atOnce('One'), past, step('3', 2), step('Four', 3)]);
    expect(refusalOf(skipped)).toMatchObject({ status: 409, Message: goneRefusal(3) });
    // Moved after the one that follows it.
    const late = await change([atOnce('One'), step('Second', 4), step('Third', 2), step('Four', 3)]);
    expect(refusalOf(late).Errors?.map(({ Field }) => Field)).toEqual(['steps.3.date']);
    await setCredits(10);
    await app.call(resumeSequence, { params, body: {} }, poor.owner);
    await goOut();
    expect(await textsTo(begun.phones)).toEqual(['One', 'One', 'Second', 'Second']);
    await come(SequenceID);
    expect(await textsTo(begun.phones)).toHaveLength(6);
    expect((await read(SequenceID, poor)).Status).toBe('completed');
  });

  it('sends a picture with a step, and pauses when it is gone', async () => {
    const { media_id } = await app.database.system
      .insertInto('media')
      .values({
        account_id: account.accountId,
        created_by_user_id: account.owner.userId,
        ...{ public_key: 'drip', content_type: 'image/png', file_name: 'map.png', content_hash: 'none' },
        ...{ byte_size: 1, width: 1, height: 1 },
      })
      .returning('media_id')
      .executeTakeFirstOrThrow();
    const picture = { mediaIds: [media_id] };
    const { SequenceID, DraftBroadcastID, phones } = await begin(1);
    const body = form(DraftBroadcastID, [{ ...atOnce('A map'), ...picture }, step('', 1, picture)]);
    const cost = await app.call(calculateSequenceCredits, { body }, account.owner);
    expect(cost.body.Credits).toBeGreaterThan(2);
    expect((await app.call(createSequence, { body }, account.owner)).status).toBe(200);
    await goOut();
    const { rows } = await sql<{ media_ids: number[] }>`
      select media_ids from messages where phone = ${phones[0]} and not is_inbound`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ media_ids: [media_id] }]);
    expect((await read(SequenceID)).Steps[1]?.Media).toMatchObject([{ mediaId: media_id }]);
    await sql`delete from media where media_id = ${media_id}`.execute(app.database.system);
    await come(SequenceID);
    expect(await read(SequenceID)).toMatchObject({ Status: 'paused', PausedBecause: sequenceFailures[415] });
    const others = form((await begin(1)).DraftBroadcastID, [{ ...atOnce('A'), mediaIds: [999_999] }]);
    expect((await app.call(createSequence, { body: others }, account.owner)).status).toBe(404);
  });

  it('texts a person with two entries once, and refuses a change of a step that is being sent', async () => {
    const begun = await begin(1);
    const add = (PrimaryPhone: string) =>
      app.call(
        addDraftNumbers,
        {
          params: { DraftBroadcastID: begun.DraftBroadcastID },
          body: { Items: [{ PrimaryPhone, Name: 'Ana again' }] },
        },
        account.owner,
      );
    await add(begun.phones[0] ?? '');
    const body = form(begun.DraftBroadcastID, [step('One', 1), step('Two', 2)]);
    const reply = await app.call(createSequence, { body }, account.owner);
    expect(reply.body.metaData.FailureCount).toBe(1);
    const { SequenceID } = begun;
    expect(await read(SequenceID)).toMatchObject({ RecipientCount: 1, LeftOutCount: 1 });
    const left = await app.call(
      listSequenceRecipients,
      { params: { SequenceID }, query: { leftout: true } },
      account.owner,
    );
    expect(left.body.Items).toMatchObject([
      { FirstName: 'Ana', PersonID: null, LeftOutBecause: recipientProblemMessages.duplicate },
    ]);
    await sql`update sequence_steps set start_at = now() where sequence_id = ${SequenceID} and position = 1`.execute(
      app.database.system,
    );
    await sql`update sequence_steps set state = 'preparing' where sequence_id = ${SequenceID} and position = 1`.execute(
      app.database.system,
    );
    const change = await app.call(
      updateSequence,
      { params: { SequenceID }, body: { steps: [step('Other words', 1), step('Two', 2)] } },
      account.owner,
    );
    expect(refusalOf(change)).toMatchObject({ status: 409, Message: goneRefusal(1) });
    await sql`update sequence_steps set state = 'waiting' where sequence_id = ${SequenceID} and position = 1`.execute(
      app.database.system,
    );
    await goOut();
    await come(SequenceID);
    expect(await textsTo(begun.phones)).toEqual(['One', 'Two']);
  });

  it('pauses with a message when nobody is left, and when its number is gone', async () => {
    const { SequenceID, phones } = await started([step('One', 1), step('Two', 2)], 1);
    await sql`insert into phone_consents (account_id, phone, text_state)
      values (${account.accountId}, ${phones[0]}, 'out')`.execute(app.database.system);
    await come(SequenceID);
    expect(await read(SequenceID)).toMatchObject({ Status: 'paused', PausedBecause: sequenceFailures[404] });
    const other = await started([step('One', 1)], 1);
    await sql`update text_numbers set released_at = now() where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    await come(other.SequenceID);
    await sql`update text_numbers set released_at = null where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect(await read(other.SequenceID)).toMatchObject({
      ...{ Status: 'paused', PausedBecause: sequenceFailures[410] },
      Steps: [{ State: 'failed' }],
    });
  });

  it('reports which of its groups was deleted, and continues with everybody else', async () => {
    const begun = await begin(1);
    const member = `1423555${String(6000 + serial++)}`;
    const { system } = app.database;
    const { group_id: ListID } = await system
      .insertInto('groups')
      .values({ account_id: account.accountId, name: 'Grade 5' })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    await sql`
      with made as (
        insert into contacts (account_id, primary_phone, first_name, created_by_user_id)
        values (${account.accountId}, ${member}, 'Cleo', ${account.owner.userId})
        returning account_id, person_id, sort_name)
      insert into group_members (account_id, group_id, person_id, sort_name)
      select account_id, ${ListID}, person_id, sort_name from made`.execute(system);
    const added = await app.call(
      addDraftLists,
      {
        params: { DraftBroadcastID: begun.DraftBroadcastID },
        body: { Selection: { Type: 'Selected', Items: [{ ListID }] } },
      },
      account.owner,
    );
    expect(added.status).toBe(200);
    const body = form(begun.DraftBroadcastID, [atOnce('One'), step('Two', 1)]);
    expect((await app.call(createSequence, { body }, account.owner)).status).toBe(200);
    await goOut();
    expect((await read(begun.SequenceID)).DeletedGroups).toEqual([]);
    await sql`update groups set deleted_at = now() where group_id = ${ListID}`.execute(system);
    expect((await read(begun.SequenceID)).DeletedGroups).toEqual(['Grade 5']);
    await come(begun.SequenceID);
    expect(await textsTo([member])).toEqual(['One']);
    expect(await textsTo(begun.phones)).toEqual(['One', 'Two']);
  });

  it('lists people who came into its group later, and stops for them', async () => {
    const { system } = app.database;
    const { group_id: ListID } = await system
      .insertInto('groups')
      .values({ account_id: account.accountId, name: 'Grade 6' })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    const enter = async () => {
      const phone = `1423555${String(6000 + serial++)}`;
      await sql`
        with made as (
          insert into contacts (account_id, primary_phone, first_name, created_by_user_id)
          values (${account.accountId}, ${phone}, 'Cleo', ${account.owner.userId})
          returning account_id, person_id, sort_name)
        insert into group_members (account_id, group_id, person_id, sort_name)
        select account_id, ${ListID}, person_id, sort_name from made`.execute(system);
      return phone;
    };
    const first = await enter();
    const { SequenceID, DraftBroadcastID } = await begin(0);
    const params = { SequenceID };
    const added = { Selection: { Type: 'Selected' as const, Items: [{ ListID }] } };
    await app.call(addDraftLists, { params: { DraftBroadcastID }, body: added }, account.owner);
    const steps = [atOnce('One'), step('Two', 1), step('Three', 2)];
    await app.call(createSequence, { body: form(DraftBroadcastID, steps) }, account.owner);
    await goOut();
    const later = await enter();
    await come(SequenceID);
    expect([await textsTo([first]), await textsTo([later])]).toEqual([['One', 'Two'], ['Two']]);
    const { body } = await app.call(listSequenceRecipients, { params }, account.owner);
    expect(body.Items.map(({ PhoneNumber }) => `1${PhoneNumber}`)).toEqual([first, later]);
    const RecipientID = body.Items[1]?.RecipientID ?? 0;
    const stop = { params: { ...params, RecipientID } };
    expect((await app.call(stopSequenceRecipient, stop, account.owner)).status).toBe(200);
    // Only those whom it was started for are counted.
    expect((await read(SequenceID)).RecipientCount).toBe(1);
    await come(SequenceID);
    expect([await textsTo([first]), await textsTo([later])]).toEqual([['One', 'Two', 'Three'], ['Two']]);
  });

  it('keeps its name and its reason, and is over when its last steps are removed', async () => {
    const { SequenceID } = await started([atOnce('One'), step('Two', 1, { hasWait: false })], 1);
    const params = { SequenceID };
    const change = (body: Parameters<typeof app.call<typeof updateSequence>>[1]['body']) =>
      app.call(updateSequence, { params, body }, account.owner);
    // Only the first step may go out right away.
    expect((await read(SequenceID)).Steps.map(({ HasWait }) => HasWait)).toEqual([false, true]);
    expect(refusalOf(await change({ name: ' ' })).Errors).toEqual([
      { Field: 'name', Message: 'Name must be at least 1 character.' },
    ]);
    expect(refusalOf(await change({ includesMembers: true })).status).toBe(409);
    await sql`update sequences set status = 'paused', failure_code = 4100 where sequence_id = ${SequenceID}`.execute(
      app.database.system,
    );
    const paused = await app.call(pauseSequence, { params }, account.owner);
    expect(paused.body.PausedBecause).toBe(sequenceFailures[4100]);
    await app.call(resumeSequence, { params, body: {} }, account.owner);
    expect((await change({ steps: [atOnce('One')] })).body.Status).toBe('completed');
  });

  it('skips the step that couldn’t be sent, or goes on from another number, if the user wants that', async () => {
    const { SequenceID, phones } = await started([step('One', 1), step('Two', 2), step('Three', 3)], 1);
    const params = { SequenceID };
    const [own = 0] = Object.values(account.numbers);
    const block = (isBlocked: boolean) =>
      sql`update text_numbers set is_blocked = ${isBlocked} where text_number_id = ${own}`.execute(
        app.database.system,
      );
    await block(true);
    await come(SequenceID);
    await block(false);
    const resumed = await app.call(resumeSequence, { params, body: { Failed: 'skip' } }, account.owner);
    expect(resumed.body.Steps.map(({ State }) => State)).toEqual(['skipped', 'waiting', 'waiting']);
    await come(SequenceID);
    expect(await textsTo(phones)).toEqual(['Two']);
    const { rows } = await sql<{ text_number_id: number }>`
      insert into text_numbers (account_id, phone, aggregator_id, registration_status)
      select account_id, '14235550999', aggregator_id, registration_status from text_numbers
      where text_number_id = ${own} returning text_number_id`.execute(app.database.system);
    const textNumberId = rows[0]?.text_number_id ?? 0;
    const move = (to: number) =>
      app.call(updateSequence, { params, body: { textNumberId: to } }, account.owner);
    expect(refusalOf(await move(textNumberId)).status).toBe(409);
    await app.call(pauseSequence, { params }, account.owner);
    expect(refusalOf(await move(999_999)).status).toBe(404);
    expect((await move(textNumberId)).body.TextNumberID).toBe(textNumberId);
    expect((await move(own)).status).toBe(200);
    await app.call(resumeSequence, { params, body: {} }, account.owner);
    await come(SequenceID);
    expect(await textsTo(phones)).toEqual(['Two', 'Three']);
  });

  it('runs in the name of whoever started it, and of whoever resumes it when they are gone', async () => {
    const writer = await buildUser(app, account.accountId, 'user');
    const starter = await buildUser(app, account.accountId, 'admin');
    await sql`insert into user_text_numbers (account_id, user_id, text_number_id)
      select account_id, u, text_number_id from text_numbers, unnest(${[writer.userId, starter.userId]}::bigint[]) u
      where account_id = ${account.accountId} and released_at is null on conflict do nothing`.execute(
      app.database.system,
    );
    await sql`update users set can_see_all_broadcasts = true, can_create_broadcast = true, can_see_all_roster = true
      where user_id = any(${[writer.userId, starter.userId]}::bigint[])`.execute(app.database.system);
    const begun = await begin(1, { ...account, owner: writer });
    const body = form(begun.DraftBroadcastID, [step('One', 1), step('Two', 2)]);
    expect((await app.call(createSequence, { body }, starter)).status).toBe(200);
    const disable = (user: { userId: number }) =>
      sql`update users set is_active = false where user_id = ${user.userId}`.execute(app.database.system);
    await disable(writer);
    await come(begun.SequenceID);
    expect(await textsTo(begun.phones)).toEqual(['One']);
    await disable(starter);
    await come(begun.SequenceID);
    const params = { SequenceID: begun.SequenceID };
    expect((await read(begun.SequenceID)).PausedBecause).toBe(sequenceFailures[2003]);
    await app.call(resumeSequence, { params, body: {} }, account.owner);
    await goOut();
    expect(await textsTo(begun.phones)).toEqual(['One', 'Two']);
  });

  it('is seen, paused and canceled where drip campaigns are no longer allowed', async () => {
    const { SequenceID } = await started([step('One', 60)]);
    const params = { SequenceID };
    const allow = (features: string[], type: number) =>
      sql`update accounts set features = ${features}::text[], type_id = ${type}
        where account_id = ${account.accountId}`.execute(app.database.system);
    await allow([], 1);
    expect((await read(SequenceID)).Status).toBe('running');
    expect((await app.call(listSequenceRecipients, { params }, account.owner)).status).toBe(200);
    expect((await app.call(pauseSequence, { params }, account.owner)).body.Status).toBe('paused');
    expect(refusalOf(await app.call(resumeSequence, { params, body: {} }, account.owner)).status).toBe(403);
    expect((await app.call(cancelSequence, { params }, account.owner)).body.Status).toBe('canceled');
    await allow(['DripCampaignsBeta'], 0);
  });

  it('pauses with the message of the refusal, or says that it is no longer allowed', async () => {
    const pausedBy = async (change: string, back: string) => {
      const { SequenceID } = await started([step('One', 1)], 1);
      const where = `where account_id = ${account.accountId}`;
      await sql`${sql.raw(`update ${change} ${where}`)}`.execute(app.database.system);
      await come(SequenceID);
      await sql`${sql.raw(`update ${back} ${where}`)}`.execute(app.database.system);
      return (await read(SequenceID)).PausedBecause;
    };
    expect(await pausedBy('text_numbers set is_blocked = true', 'text_numbers set is_blocked = false')).toBe(
      "This text number is blocked. We're working to resolve this for you...",
    );
    expect(
      await pausedBy("accounts set features = '{}'", "accounts set features = '{DripCampaignsBeta}'"),
    ).toBe(sequenceFailures[2004]);
    // A monthly plan.
    expect(await pausedBy('accounts set type_id = 1', 'accounts set type_id = 0')).toBe(
      sequenceFailures[2004],
    );
  });

  it('shows the whole course of each recipient before it is started', async () => {
    const { SequenceID, DraftBroadcastID } = await begin(1);
    await app.call(
      addDraftNumbers,
      {
        params: { DraftBroadcastID },
        body: { Items: [{ PrimaryPhone: `1423555${String(6000 + serial++)}`, Name: 'Ben Okafor' }] },
      },
      account.owner,
    );
    const params = { SequenceID };
    const steps = [atOnce('Hi {{FirstName}}'), step('Bye {{FirstName}}', 1)];
    await app.call(updateSequence, { params, body: { name: 'Hello', steps } }, account.owner);
    const courseAt = (position: number) =>
      app.call(getSequenceCourse, { params, query: { position } }, account.owner);
    const words = (of: { Items: { State: string; Message: string }[] }) =>
      of.Items.map(({ State, Message }) => [State, Message]);
    expect(words((await courseAt(1)).body)).toEqual([
      ['waiting', 'Hi Ana'],
      ['waiting', 'Bye Ana'],
    ]);
    const second = (await courseAt(2)).body;
    expect(second.Recipient).toMatchObject({ FirstName: 'Ben', LastName: 'Okafor' });
    expect(words(second)).toEqual([
      ['waiting', 'Hi Ben'],
      ['waiting', 'Bye Ben'],
    ]);
    expect((await courseAt(3)).status).toBe(404);
  });

  it('ends for people who reply if configured, and shows everybody’s whole course', async () => {
    const begun = await begin(2);
    const body = { ...form(begun.DraftBroadcastID, [atOnce('One'), step('Two', 1)]), stopsOnReply: true };
    await app.call(createSequence, { body }, account.owner);
    await goOut();
    const [replies = '', stays = ''] = begun.phones;
    const [number = ''] = Object.keys(account.numbers);
    await receiveTexts(app, number, [{ from: replies, body: 'Thank you' }]);
    const { SequenceID } = begun;
    const people = await app.call(listSequenceRecipients, { params: { SequenceID } }, account.owner);
    expect(people.body.Items.map(({ State, Position }) => [State, Position])).toEqual([
      ['replied', 1],
      ['active', 1],
    ]);
    expect((await read(SequenceID)).RecipientCount).toBe(1);
    const courseOf = async (at: number) => {
      const recipientId = people.body.Items[at]?.RecipientID ?? 0;
      const query = { recipientId };
      const course = await app.call(getSequenceCourse, { params: { SequenceID }, query }, account.owner);
      return course.body.Items.map(({ State, Message, Note }) => [State, Message, Note]);
    };
    expect(await courseOf(0)).toEqual([
      ['sent', 'One', ''],
      ['skipped', 'Two', 'They replied, which ended the campaign for them.'],
    ]);
    expect(await courseOf(1)).toEqual([
      ['sent', 'One', ''],
      ['waiting', 'Two', ''],
    ]);
    await come(SequenceID);
    expect([await textsTo([replies]), await textsTo([stays])]).toEqual([['One'], ['One', 'Two']]);
  });
});
