/** Long because every test has people join a campaign of the same account, which is set up once. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { updateContact } from '../../../contract/contacts.ts';
import { noStart } from '../../../contract/forms/drip.ts';
import { addKeyword, deleteKeyword } from '../../../contract/keywords.ts';
import { formatE164 } from '../../../contract/phone/format-phone.ts';
import {
  beginSequence,
  cancelSequence,
  createSequence,
  getSequence,
  getSequenceCourse,
  listSequenceRecipients,
  pauseSequence,
  resumeSequence,
  sequenceFailures,
  stopSequenceRecipient,
  updateSequence,
  type WrittenStep,
} from '../../../contract/sequences.ts';
import { shiftClock } from '../../clock.ts';
import { asAccount } from '../../db.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
import { receiveTexts } from '../../testing/receive-texts.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { asOwner } from '../../testing/test-db.ts';
import { createCourseWork, runCourse } from './run-courses.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits: 500 });
  await sql`update accounts set quiet_hours_on = false, features = '{DripCampaignsBeta}'`.execute(
    app.database.system,
  );
  await sql`update text_numbers set carrier_answers_words = true`.execute(app.database.system);
});

let serial = 0;
const newPhone = () => `1423555${String(7000 + serial++)}`;

async function group(): Promise<number> {
  const { rows } = await sql<{ group_id: number }>`
    insert into groups (account_id, name)
    values (${account.accountId}, ${`New members ${serial++}`}) returning group_id`.execute(
    app.database.system,
  );
  return rows[0]?.group_id ?? 0;
}

/** A contact in the group; the same one with a given phone. */
async function join(groupId: number, firstName = 'Ana', phone = newPhone()): Promise<string> {
  await sql`
    with made as (
      insert into contacts (account_id, first_name, primary_phone, created_by_user_id)
      values (${account.accountId}, ${firstName}, ${phone === '' ? null : phone}, ${account.owner.userId})
      returning person_id, sort_name)
    insert into group_members (account_id, group_id, person_id, sort_name)
    select ${account.accountId}, ${groupId}, person_id, sort_name from made`.execute(app.database.system);
  return phone;
}

const text = (from: string, body: string) => receiveTexts(app, number, [{ from, body }]);

const rightAway = (message: string): WrittenStep => ({ message, hasWait: false });
const daysAfter = (afterDays: number, message: string): WrittenStep => ({
  message,
  afterDays,
  time: '9:00 AM',
});

type Start = Parameters<typeof app.call<typeof createSequence>>[1]['body'];

async function create(steps: WrittenStep[], start: Partial<Start>) {
  const { body } = await app.call(beginSequence, { body: {} }, account.owner);
  const reply = await app.call(
    createSequence,
    {
      body: {
        draftBroadcastId: body.DraftBroadcastID,
        name: 'Welcome',
        textNumberId: Object.values(account.numbers)[0] ?? 0,
        steps,
        ...start,
      },
    },
    account.owner,
  );
  return { reply, SequenceID: body.SequenceID };
}

async function started(steps: WrittenStep[], start: Partial<Start>): Promise<number> {
  const { reply, SequenceID } = await create(steps, start);
  expect([reply.status, reply.body]).toEqual([200, { SequenceID, metaData: { FailureCount: 0 } }]);
  await look(SequenceID);
  return SequenceID;
}

/** As if a minute had passed: the group is checked, and due steps are sent. */
async function look(SequenceID: number): Promise<void> {
  await sql`update sequences set next_at = now() where sequence_id = ${SequenceID}`.execute(
    app.database.system,
  );
  for (let round = 0; round < 3; round++) await app.drain();
}

/** As if everybody's next step were due. */
async function come(SequenceID: number): Promise<void> {
  await sql`update sequence_people set next_at = now() where sequence_id = ${SequenceID} and state = 'active'`.execute(
    app.database.system,
  );
  await look(SequenceID);
}

async function textsTo(phone: string): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`
    select body from messages where phone = ${phone} and not is_inbound and origin = 'broadcast'
      and status not in ('canceled', 'opted_out') order by message_id`.execute(app.database.system);
  return rows.map(({ body }) => body);
}

async function setHours(isOn: boolean): Promise<void> {
  // Far from now in the area code's zones: from ten to thirteen hours ahead in New York.
  const at = (hours: number) =>
    `${String((new Date().getUTCHours() + 24 - 5 + hours) % 24).padStart(2, '0')}:00`;
  await sql`update accounts set quiet_hours_on = ${isOn}, quiet_start = ${at(10)}::time, quiet_stop = ${at(13)}::time`.execute(
    app.database.system,
  );
}

const read = async (SequenceID: number) =>
  (await app.call(getSequence, { params: { SequenceID } }, account.owner)).body;

async function people(SequenceID: number) {
  const { body } = await app.call(listSequenceRecipients, { params: { SequenceID } }, account.owner);
  return body.Items;
}
const stateOf = async (SequenceID: number, phone: string) =>
  (await people(SequenceID)).find(({ PhoneNumber }) => phone.endsWith(PhoneNumber));

describe('a campaign that begins when somebody joins a group', () => {
  it('takes up a large group at once', async () => {
    const groupId = await group();
    await sql`
      with made as (
        insert into contacts (account_id, first_name, primary_phone, created_by_user_id)
        select ${account.accountId}, 'Many', '1201' || (2000000 + n)::text, ${account.owner.userId}
        from generate_series(1, 20500) n
        returning person_id, sort_name)
      insert into group_members (account_id, group_id, person_id, sort_name)
      select ${account.accountId}, ${groupId}, person_id, sort_name from made`.execute(app.database.system);
    const id = await started([daysAfter(1, 'Tomorrow')], {
      ...{ startsOn: 'group', groupId, includesMembers: true },
    });
    const { rows } = await sql<{ state: string; many: number }>`
      select state, count(*)::int as many from sequence_people where sequence_id = ${id} group by state`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ state: 'active', many: 20_500 }]);
    await sql`delete from contacts where first_name = 'Many'`.execute(app.database.system);
  });

  it('compares a large group with its members of the start all at once', async () => {
    const many = 1_500;
    const groupId = await group();
    await sql`
      with made as (
        insert into contacts (account_id, first_name, primary_phone, created_by_user_id)
        select ${account.accountId}, 'Early', '1201' || (3000000 + n)::text, ${account.owner.userId}
        from generate_series(1, ${many}) n
        returning person_id, sort_name)
      insert into group_members (account_id, group_id, person_id, sort_name)
      select ${account.accountId}, ${groupId}, person_id, sort_name from made`.execute(app.database.system);
    const start = { startsOn: 'group', groupId, includesMembers: false } as const;
    const { reply, SequenceID: id } = await create([rightAway('Hello')], start);
    expect(reply.status).toBe(200);
    await app.drain();
    expect(await people(id)).toEqual([]);
    const stored = await sql<{ rows: number }>`
      select reltuples::int as rows from pg_class where oid = 'broadcast_recipients'::regclass`.execute(
      app.database.system,
    );
    expect(stored.rows[0]?.rows).toBeGreaterThanOrEqual(many);
    // As it is where the statistics are older than the campaign. Imports analyze the group's own tables.
    await asOwner(app.databaseUrl, (client) =>
      client.query(`
        analyze contacts, group_members;
        select pg_restore_relation_stats('schemaname', 'public', 'relname', 'broadcast_recipients', 'relpages', 1,
          'reltuples', 0::real);
        delete from pg_statistic where starelid = 'broadcast_recipients'::regclass`),
    );
    const read = await asAccount(app.database, account.accountId, async (trx) => {
      await runCourse(trx, account.accountId, id);
      const { rows } = await sql<{ rows: number }>`
        select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
        where relname = 'broadcast_recipients'`.execute(trx);
      return rows[0]?.rows ?? 0;
    });
    // Each of them once per statement, not once per contact.
    expect(read).toBeGreaterThan(many);
    expect(read).toBeLessThan(many * 20);
    const late = await join(groupId, 'Late');
    await look(id);
    expect((await people(id)).map(({ PhoneNumber }) => late.endsWith(PhoneNumber))).toEqual([true]);
    await sql`delete from contacts where first_name = 'Early'`.execute(app.database.system);
  });

  it('goes out to people who join later, step by step, each once', async () => {
    const groupId = await group();
    const early = await join(groupId);
    const id = await started([rightAway('Hi {{FirstName}}'), daysAfter(1, 'Day 1'), daysAfter(3, 'Day 3')], {
      startsOn: 'group',
      groupId,
    });
    const first = await join(groupId, 'Ben');
    await look(id);
    await look(id);
    expect(await textsTo(early)).toEqual([]);
    expect(await textsTo(first)).toEqual(['Hi Ben']);
    const second = await join(groupId, 'Cy');
    // Two contacts with one phone: it is sent there once.
    await join(groupId, 'Cy again', second);
    await come(id);
    expect([await textsTo(first), await textsTo(second)]).toEqual([['Hi Ben', 'Day 1'], ['Hi Cy']]);
    expect(await stateOf(id, first)).toMatchObject({ State: 'active', Position: 2 });
    const { Steps, StartsOn, RecipientCount } = await read(id);
    expect([
      StartsOn,
      RecipientCount,
      Steps.map(({ SentCount, WaitingCount }) => [SentCount, WaitingCount]),
    ]).toEqual([
      'group',
      2,
      [
        [2, 0],
        [1, 1],
        [0, 1],
      ],
    ]);
    await come(id);
    await come(id);
    expect(await textsTo(first)).toEqual(['Hi Ben', 'Day 1', 'Day 3']);
    expect(await textsTo(second)).toEqual(['Hi Cy', 'Day 1', 'Day 3']);
    expect(await stateOf(id, first)).toMatchObject({ State: 'done', Position: 3, NextStepDate: null });
    expect((await read(id)).Status).toBe('running');
  });

  it('includes existing members if configured, and ends for members who leave', async () => {
    const groupId = await group();
    const [stays, leaves] = [await join(groupId), await join(groupId)];
    const id = await started([daysAfter(1, 'One'), daysAfter(2, 'Two')], {
      startsOn: 'group',
      groupId,
      includesMembers: true,
    });
    await come(id);
    const member = sql`account_id = ${account.accountId} and group_id = ${groupId} and person_id = (
      select person_id from contacts where primary_phone = ${leaves})`;
    await sql`delete from group_members where ${member}`.execute(app.database.system);
    await come(id);
    expect([await textsTo(stays), await textsTo(leaves)]).toEqual([['One', 'Two'], ['One']]);
    expect(await stateOf(id, leaves)).toMatchObject({ State: 'left' });
    // A person who comes back starts over.
    await sql`insert into group_members (account_id, group_id, person_id, sort_name)
      select account_id, ${groupId}, person_id, sort_name from contacts where primary_phone = ${leaves}`.execute(
      app.database.system,
    );
    await look(id);
    expect(await stateOf(id, leaves)).toMatchObject({ State: 'active', Position: 0 });
  });

  it('ends for people who reply, opt out or are removed, and for nobody else', async () => {
    const groupId = await group();
    const id = await started([rightAway('One'), daysAfter(1, 'Two')], {
      ...{ startsOn: 'group', groupId, stopsOnReply: true },
    });
    const [replies, stops, out, stays] = await Promise.all([1, 2, 3, 4].map(() => join(groupId)));
    await look(id);
    await text(replies ?? '', 'Thanks!');
    await text(stops ?? '', 'STOP');
    // An opt-in afterwards doesn't restart the campaign.
    await text(stops ?? '', 'START');
    const RecipientID = (await stateOf(id, out ?? ''))?.RecipientID ?? 0;
    const params = { SequenceID: id, RecipientID };
    expect((await app.call(stopSequenceRecipient, { params }, account.owner)).status).toBe(200);
    expect((await app.call(stopSequenceRecipient, { params }, account.owner)).status).toBe(404);
    await come(id);
    const got = await Promise.all([replies, stops, out, stays].map((phone) => textsTo(phone ?? '')));
    expect(got).toEqual([['One'], ['One'], ['One'], ['One', 'Two']]);
    const states = await Promise.all([replies, stops, out, stays].map((phone) => stateOf(id, phone ?? '')));
    expect(states.map((person) => person?.State)).toEqual(['replied', 'opted_out', 'stopped', 'done']);
  });

  it('doesn’t text a person who replied while their step was held back', async () => {
    const groupId = await group();
    const id = await started([rightAway('One'), daysAfter(1, 'Two')], {
      ...{ startsOn: 'group', groupId, stopsOnReply: true },
    });
    const phone = await join(groupId);
    await look(id);
    // It is a quiet hour: the step is created and waits.
    await setHours(true);
    await come(id);
    await app.drain();
    const { rows } = await sql<{ fed_count: number }>`
      select fed_count from broadcasts where sequence_id = ${id} and sequence_position = 2`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ fed_count: 0 }]);
    await text(phone, 'No more, thanks');
    await setHours(false);
    await sql`update broadcast_zones set opens_at = now()`.execute(app.database.system);
    await sql`update broadcasts set next_feed_at = now() where sequence_id = ${id} and next_feed_at is not null`.execute(
      app.database.system,
    );
    await look(id);
    expect(await textsTo(phone)).toEqual(['One']);
  });

  it('is paused with a message when credits run out, and nobody misses a step', async () => {
    const groupId = await group();
    const id = await started([rightAway('One'), daysAfter(1, 'Two')], { startsOn: 'group', groupId });
    const phone = await join(groupId);
    await look(id);
    const { rows } = await sql<{ credit_balance: number; credit_reserved: number }>`
      select credit_balance, credit_reserved from accounts`.execute(app.database.system);
    await sql`update accounts set credit_balance = credit_reserved`.execute(app.database.system);
    await come(id);
    expect(await read(id)).toMatchObject({ Status: 'paused', PausedBecause: sequenceFailures[4100] });
    expect(await stateOf(id, phone)).toMatchObject({ State: 'active', Position: 1 });
    await sql`update accounts set credit_balance = ${rows[0]?.credit_balance ?? 0}`.execute(
      app.database.system,
    );
    await app.call(resumeSequence, { params: { SequenceID: id }, body: {} }, account.owner);
    await look(id);
    expect(await textsTo(phone)).toEqual(['One', 'Two']);
  });

  it('goes to the phone that somebody has by then, once to each', async () => {
    const groupId = await group();
    const id = await started([rightAway('One'), daysAfter(1, 'Two'), daysAfter(2, 'Three')], {
      ...{ startsOn: 'group', groupId, stopsOnReply: true },
    });
    const [old, left, right, other] = [
      await join(groupId),
      await join(groupId),
      await join(groupId),
      newPhone(),
    ];
    await look(id);
    const setPhone = (before: string, after: string) =>
      sql`update contacts set primary_phone = ${after} where primary_phone = ${before}`.execute(
        app.database.system,
      );
    await setPhone(old, other);
    // These two were entered the wrong way round.
    const aside = newPhone();
    await setPhone(left, aside);
    await setPhone(right, left);
    await setPhone(aside, right);
    await come(id);
    expect(await Promise.all([old, other, left, right].map(textsTo))).toEqual([
      ['One'],
      ['Two'],
      ['One', 'Two'],
      ['One', 'Two'],
    ]);
    expect((await people(id)).map(({ PhoneNumber }) => `1${PhoneNumber}`)).toEqual([other, right, left]);
    await text(other, 'Thanks!');
    expect(await stateOf(id, other)).toMatchObject({ State: 'replied', Position: 2 });
    // The second one has the phone of the first by now.
    await setPhone(left, right);
    await come(id);
    expect(await Promise.all([other, left, right].map(textsTo))).toEqual([
      ['Two'],
      ['One', 'Two'],
      ['One', 'Two', 'Three'],
    ]);
  });

  it('begins later for members who couldn’t be texted, and lists them until then', async () => {
    const groupId = await group();
    const id = await started([rightAway('One'), daysAfter(1, 'Two')], { startsOn: 'group', groupId });
    const [out, first, second] = [newPhone(), newPhone(), newPhone()];
    const consent = (state: string) =>
      sql`
      insert into phone_consents (account_id, phone, text_state) values (${account.accountId}, ${out}, ${state})
      on conflict (account_id, phone) do update set text_state = excluded.text_state`.execute(
        app.database.system,
      );
    await consent('out');
    await join(groupId, 'Out', out);
    await join(groupId, 'None', '');
    await join(groupId, 'First', first);
    await join(groupId, 'Again', first);
    await look(id);
    const leftOut = async () => {
      const query = { leftout: true };
      const { body } = await app.call(
        listSequenceRecipients,
        { params: { SequenceID: id }, query },
        account.owner,
      );
      return body.Items.map(({ FirstName }) => FirstName).sort();
    };
    expect(await leftOut()).toEqual(['Again', 'None', 'Out']);
    expect(await read(id)).toMatchObject({ RecipientCount: 1, LeftOutCount: 3 });
    await consent('in');
    await sql`update contacts set primary_phone = ${second} where account_id = ${account.accountId}
      and first_name = 'None'`.execute(app.database.system);
    await look(id);
    expect([await textsTo(out), await textsTo(first), await textsTo(second)]).toEqual([
      ['One'],
      ['One'],
      ['One'],
    ]);
    expect(await leftOut()).toEqual(['Again']);
    // Two contacts of one person are merged: the other one goes on.
    await sql`update contacts set deleted_at = now() where account_id = ${account.accountId}
      and first_name = 'First'`.execute(app.database.system);
    await come(id);
    expect([await textsTo(out), await textsTo(first), await textsTo(second)]).toEqual(
      Array(3).fill(['One', 'Two']),
    );
    expect(await leftOut()).toEqual([]);
  });

  it('is paused with a message when its group is deleted', async () => {
    const groupId = await group();
    const id = await started([rightAway('One')], { startsOn: 'group', groupId });
    await sql`update groups set deleted_at = now() where group_id = ${groupId}`.execute(app.database.system);
    await look(id);
    expect(await read(id)).toMatchObject({
      ...{ Status: 'paused', PausedBecause: sequenceFailures[405], StartsOnName: '' },
    });
  });

  it('doesn’t send late steps on a weekend, if it skips weekends', async () => {
    const groupId = await group();
    const id = await started([daysAfter(1, 'One')], { startsOn: 'group', groupId, skipsWeekends: true });
    const phone = await join(groupId);
    await look(id);
    await sql`update sequence_people set next_at = now() where sequence_id = ${id}`.execute(
      app.database.system,
    );
    await sql`update sequences set next_at = now() where sequence_id = ${id}`.execute(app.database.system);
    const { Zone } = await read(id);
    const today = Temporal.Now.zonedDateTimeISO(Zone);
    const saturday = today.add({ days: (13 - today.dayOfWeek) % 7 }).with({ hour: 12 });
    const byMs = saturday.epochMilliseconds - today.epochMilliseconds;
    shiftClock(byMs);
    try {
      await createCourseWork(app.context).run();
    } finally {
      shiftClock(-byMs);
    }
    const at = (await stateOf(id, phone))?.NextStepDate ?? '';
    const monday = saturday.add({ days: 2 }).with({ hour: 9, minute: 0, second: 0, millisecond: 0 });
    expect(Date.parse(at)).toBe(Math.floor(monday.epochMilliseconds / 60_000) * 60_000);
    expect(await textsTo(phone)).toEqual([]);
  });

  it('gives the step that waits before the next one', async () => {
    const groupId = await group();
    const id = await started([rightAway('One'), daysAfter(1, 'Two')], { startsOn: 'group', groupId });
    const phone = await join(groupId);
    const due = async () => {
      await sql`update sequence_people set next_at = now() where sequence_id = ${id} and state = 'active'`.execute(
        app.database.system,
      );
      await sql`update sequences set next_at = now() where sequence_id = ${id}`.execute(app.database.system);
      await createCourseWork(app.context).run();
    };
    await due();
    await due();
    await due();
    expect(await stateOf(id, phone)).toMatchObject({ State: 'active', Position: 1 });
    await look(id);
    await look(id);
    expect(await textsTo(phone)).toEqual(['One', 'Two']);
  });

  it('can be paused, changed and canceled', async () => {
    const groupId = await group();
    const id = await started([rightAway('One'), daysAfter(1, 'Two')], { startsOn: 'group', groupId });
    const phone = await join(groupId);
    await look(id);
    const params = { SequenceID: id };
    await app.call(pauseSequence, { params }, account.owner);
    await come(id);
    expect(await textsTo(phone)).toEqual(['One']);
    const change = (steps: WrittenStep[], more: object = {}) =>
      app.call(updateSequence, { params, body: { steps, ...more } }, account.owner);
    expect(refusalOf(await change([rightAway('One')])).status).toBe(409);
    expect(
      refusalOf(await change([rightAway('One'), daysAfter(1, 'Two')], { groupId: await group() })).status,
    ).toBe(409);
    const changed = await change([rightAway('One'), daysAfter(2, 'Second'), daysAfter(5, 'Third')]);
    expect(changed.body.Steps.map(({ AfterDays }) => AfterDays)).toEqual([null, 2, 5]);
    await app.call(resumeSequence, { params, body: {} }, account.owner);
    await look(id);
    expect(await textsTo(phone)).toEqual(['One', 'Second']);
    expect((await app.call(cancelSequence, { params }, account.owner)).body.Status).toBe('canceled');
    await come(id);
    expect(await textsTo(phone)).toEqual(['One', 'Second']);
  });

  it('is refused without a group, and with steps out of order', async () => {
    const without = await create([daysAfter(2, 'a'), daysAfter(1, 'b'), daysAfter(1, '')], {
      startsOn: 'group',
    });
    const { Errors } = refusalOf(without.reply);
    expect(Object.fromEntries((Errors ?? []).map(({ Field, Message }) => [Field, Message]))).toMatchObject({
      groupId: noStart.group,
      'steps.1.afterDays': 'Your start date and time cannot be earlier than previous step.',
      'steps.2.message': 'Message cannot be empty.',
    });
    const gone = await create([rightAway('a')], { startsOn: 'group', groupId: 999_999 });
    expect(gone.reply.status).toBe(404);
  });
});

describe('a campaign that begins with a word', () => {
  async function keyword(Keyword: string): Promise<number> {
    const { body } = await app.call(
      addKeyword,
      {
        body: {
          ...{ Keyword, Message: 'See you there', Active: true, ListID: null },
          TextNumberIDs: Object.values(account.numbers),
        },
      },
      account.owner,
    );
    return body.ID;
  }

  it('begins with a keyword, once while it runs, and again after its end', async () => {
    const keywordId = await keyword('PICNIC');
    const id = await started([rightAway('Bring a chair'), daysAfter(3, 'It is tomorrow')], {
      ...{ startsOn: 'keyword', keywordId },
    });
    const phone = newPhone();
    await text(phone, 'Picnic');
    await text(phone, 'picnic');
    await look(id);
    expect(await textsTo(phone)).toEqual(['Bring a chair']);
    await text(phone, 'picnic');
    await come(id);
    expect(await textsTo(phone)).toEqual(['Bring a chair', 'It is tomorrow']);
    await text(phone, 'picnic');
    await look(id);
    expect(await textsTo(phone)).toEqual(['Bring a chair', 'It is tomorrow', 'Bring a chair']);
  });

  it('goes to somebody who joins again with another phone, and goes on when all of a set have left', async () => {
    const id = await started([rightAway('Hello'), daysAfter(3, 'Three days later')], {
      ...{ startsOn: 'join', stopsOnReply: true },
    });
    const [old, other] = [newPhone(), newPhone()];
    await text(old, 'JOIN');
    await look(id);
    await text(old, 'My number changes');
    await sql`update contacts set primary_phone = ${other} where primary_phone = ${old}`.execute(
      app.database.system,
    );
    await text(other, 'JOIN');
    await look(id);
    expect([await textsTo(old), await textsTo(other)]).toEqual([['Hello'], ['Hello']]);
    // Their next step is made, and they reply before it is sent.
    await sql`update sequence_people set next_at = now() where sequence_id = ${id} and state = 'active'`.execute(
      app.database.system,
    );
    await sql`update sequences set next_at = now() where sequence_id = ${id}`.execute(app.database.system);
    await createCourseWork(app.context).run();
    await text(other, 'No more, thanks');
    await look(id);
    expect(await textsTo(other)).toEqual(['Hello']);
    expect(await read(id)).toMatchObject({ Status: 'running', PausedBecause: '' });
    const third = newPhone();
    await text(third, 'JOIN');
    await look(id);
    expect(await textsTo(third)).toEqual(['Hello']);
  });

  it('ends for a contact that was deleted, and begins again when they text the word again', async () => {
    const keywordId = await keyword('GARDEN');
    const id = await started([rightAway('Hello'), daysAfter(3, 'Later')], {
      ...{ startsOn: 'keyword', keywordId },
    });
    const [phone, merged] = [newPhone(), newPhone()];
    await text(phone, 'Garden');
    await text(merged, 'Garden');
    await look(id);
    await sql`update contacts set deleted_at = now() where primary_phone = any(${[phone, merged]})`.execute(
      app.database.system,
    );
    await sql`insert into contacts (account_id, first_name, primary_phone, created_by_user_id)
      values (${account.accountId}, 'Gus', ${merged}, ${account.owner.userId})`.execute(app.database.system);
    await come(id);
    expect([await textsTo(phone), await textsTo(merged)]).toEqual([['Hello'], ['Hello', 'Later']]);
    expect(await stateOf(id, phone)).toMatchObject({ State: 'left' });
    await text(phone, 'Garden');
    await come(id);
    await come(id);
    expect(await textsTo(phone)).toEqual(['Hello', 'Hello', 'Later']);
  });

  it('doesn’t take the word that begins it for a reply', async () => {
    const keywordId = await keyword('LUNCH');
    const id = await started([rightAway('Bring a plate'), daysAfter(3, 'It is tomorrow')], {
      ...{ startsOn: 'keyword', keywordId, stopsOnReply: true },
    });
    const phone = newPhone();
    await text(phone, 'Lunch');
    await look(id);
    await text(phone, 'lunch');
    await look(id);
    expect(await textsTo(phone)).toEqual(['Bring a plate']);
    expect(await stateOf(id, phone)).toMatchObject({ State: 'active', Position: 1 });
    await text(phone, 'Thanks!');
    expect(await stateOf(id, phone)).toMatchObject({ State: 'replied' });
    expect((await read(id)).NobodyJoinsBecause).toBe('');
    await sql`update keywords set active = false where keyword_id = ${keywordId}`.execute(
      app.database.system,
    );
    expect((await read(id)).NobodyJoinsBecause).toContain('switched off');
    await app.call(deleteKeyword, { params: { KeywordID: keywordId } }, account.owner);
    expect(await read(id)).toMatchObject({
      Status: 'running',
      NobodyJoinsBecause: expect.stringContaining('was deleted'),
    });
  });

  it('shows the steps that went to the phone that somebody had before', async () => {
    const groupId = await group();
    const id = await started([rightAway('One'), daysAfter(1, 'Two'), daysAfter(2, 'Three')], {
      ...{ startsOn: 'group', groupId },
    });
    const [before, after] = [await join(groupId, 'Eve'), newPhone()];
    const other = await join(groupId, 'Fay');
    await look(id);
    const idOf = async (phone: string) => {
      const { rows } = await sql<{ id: number }>`
        select person_id as id from contacts where primary_phone = ${phone}`.execute(app.database.system);
      return rows[0]?.id ?? 0;
    };
    const change = async (PersonID: number, FirstName: string, PrimaryPhone: string) => {
      const reply = await app.call(
        updateContact,
        { params: { PersonID }, body: { FirstName, PrimaryPhone } },
        account.owner,
      );
      expect(reply.status).toBe(200);
    };
    const courseOf = async (phone: string) => {
      const query = { recipientId: (await stateOf(id, phone))?.RecipientID ?? 0 };
      const { body } = await app.call(
        getSequenceCourse,
        { params: { SequenceID: id }, query },
        account.owner,
      );
      return body.Items.map(({ State, Note }) => [State, Note]);
    };
    const [eve, fay] = [await idOf(before), await idOf(other)];
    await change(eve, 'Eve', after);
    // Her old phone is somebody else's now, who got her own first step at another one.
    await change(fay, 'Fay', before);
    const former = (phone: string) => `Sent to their phone at the time, ${formatE164(phone)}.`;
    await come(id);
    expect(await courseOf(after)).toEqual([
      ['sent', former(before)],
      ['sent', ''],
      ['waiting', expect.anything()],
    ]);
    expect(await courseOf(before)).toEqual([
      ['sent', former(other)],
      ['sent', ''],
      ['waiting', expect.anything()],
    ]);
  });

  it('begins with JOIN, and shows one person’s whole course', async () => {
    const id = await started([rightAway('Welcome, {{FirstName}}'), daysAfter(3, 'Three days after JOIN')], {
      ...{ startsOn: 'join', skipsWeekends: true },
    });
    const phone = newPhone();
    await text(phone, 'JOIN');
    await sql`update contacts set first_name = 'Dee' where primary_phone = ${phone}`.execute(
      app.database.system,
    );
    await look(id);
    // On a weekend the first step waits for Monday, which comes now.
    await sql`update sequence_people set next_at = now() where sequence_id = ${id} and position = 0`.execute(
      app.database.system,
    );
    await look(id);
    const person = await stateOf(id, phone);
    const course = await app.call(
      getSequenceCourse,
      { params: { SequenceID: id }, query: { recipientId: person?.RecipientID ?? 0 } },
      account.owner,
    );
    expect(course.body.Items).toMatchObject([
      { Position: 1, State: 'sent', Message: 'Welcome, Dee' },
      { Position: 2, State: 'waiting', Message: 'Three days after JOIN' },
    ]);
    const due = Date.parse(course.body.Items[1]?.Date ?? '');
    const day = new Date(due).toLocaleDateString('en-US', { weekday: 'short', timeZone: 'America/New_York' });
    expect(['Sat', 'Sun']).not.toContain(day);
    expect(due - Date.now()).toBeGreaterThan(2 * 86_400_000 - 86_400_000);
    // A person who joins now, without a name.
    const anybody = await app.call(getSequenceCourse, { params: { SequenceID: id } }, account.owner);
    expect(anybody.body).toMatchObject({
      Recipient: null,
      Items: [{ State: 'waiting', Message: 'Welcome, {{FirstName}}' }, { State: 'waiting' }],
    });
    expect((await app.call(getSequenceCourse, { params: { SequenceID: 1e9 } }, account.owner)).status).toBe(
      404,
    );
  });
});
