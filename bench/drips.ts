/**
 * A drip campaign of ten steps beside ten broadcasts of the same texts to the same group: how much longer it takes. Then
 * two campaigns at once, one by dates and one that people join, while the worker is killed (kill -9) at twenty instants,
 * two in every step: every step of both at every telephone exactly once.
 *
 *   node bench/drips.ts [people] [kills]
 *
 * On a quiet machine of two cores about two and a half minutes with 2,000 people, most of it workers that start again; a
 * thousand people more take about ten seconds. With 0 kills only the comparison runs.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { findActiveActor } from '../server/access/load-actor.ts';
import { beginDraft } from '../server/broadcasts/draft/create-draft.ts';
import { isChangingRecipients } from '../server/broadcasts/draft/queries.ts';
import { createSequence } from '../server/broadcasts/drips/create-sequence.ts';
import { beginSequence } from '../server/broadcasts/drips/write-sequence.ts';
import { sendBroadcast } from '../server/broadcasts/feed/send-broadcast.ts';
import { addRecipients } from '../server/broadcasts/recipients/add-recipients.ts';
import { asAccount, openDatabase, type Trx } from '../server/db.ts';
import type { Actor } from '../server/serve.ts';
import { recipientPhone } from '../server/testing/broadcasts.ts';
import { addOwner } from './beside-broadcast.ts';
import { report, startBench } from './harness.ts';
import { makeSender } from './texts.ts';

const people = Number(process.argv[2] ?? 100_000);
const stepCount = 10;
const kills = Number(process.argv[3] ?? 20);
const number = '14235550100';
const texts = Array.from({ length: stepCount }, (_, index) => `Text ${index + 1} of ten: see you soon.`);

const bench = await startBench({ port: 4270, numbers: { [number]: 'infobip' } });
const database = openDatabase(bench.databaseUrl, { connections: 8 });
try {
  await bench.sandbox('PUT', '/settings', {
    ...{ DeliveryDelayMs: [0, 0], AutoAnswer: false, ReceiptsPerRequest: 1000 },
  });
  const { accountId, numberId } = await makeSender(bench.db, number, 5);
  const userId = await addOwner(bench, accountId);
  await bench.db.query(
    `update accounts set quiet_hours_on = false, features = '{DripCampaignsBeta}', messages_per_day = 2000000000
    where account_id = $1`,
    [accountId],
  );
  const groupId = await addGroup(accountId);
  const within = <T>(work: (trx: Trx, owner: Actor) => Promise<T>) =>
    asAccount(database, accountId, async (trx) => {
      const owner = await findActiveActor(trx, accountId, userId);
      if (owner === undefined) throw new Error('the bench has no owner');
      return work(trx, owner);
    });
  await bench.startServer({ ROLE: 'web' });
  let worker = await bench.startServer({ ROLE: 'worker' });

  let drip = await timed(prepareDates);
  let broadcasts = 0;
  // In turn, so that both meet the same machine: a broadcast, then the same text as the campaign's next step.
  for (const [index, text] of texts.entries()) {
    broadcasts += await timed(async () => {
      const id = await within(async (trx, owner) => {
        const made = await beginDraft(trx, owner, {
          ...{ BroadcastName: `Broadcast ${index + 1}`, BroadcastType: 'SMS', TextMessage: text },
          TextNumberID: numberId,
        });
        await addRecipients(trx, owner, made, { kind: 'lists', listIds: [groupId] });
        return made;
      });
      await until(async () => !(await within((trx) => isChangingRecipients(trx, accountId, id))));
      await within((trx, owner) => sendBroadcast(trx, owner, id, { startsAt: new Date() }));
      await accepted((2 * index + 1) * people);
    });
    drip += await timed(async () => {
      await bench.db.query(
        "update sequence_steps set start_at = now() where state = 'waiting' and position = $1",
        [index + 1],
      );
      await accepted((2 * index + 2) * people);
    });
  }
  console.log(
    `ten broadcasts ${(broadcasts / 1000).toFixed(1)} s, a drip of ten steps ${(drip / 1000).toFixed(1)} s`,
  );
  const holds = [report('a drip beside ten broadcasts', drip / broadcasts, { most: 1.3 }, 'times')];
  if (kills > 0) holds.push(...(await killWhileDripping()));
  process.exitCode = holds.every(Boolean) ? 0 : 1;

  /** A campaign by dates to everybody in the group, started; answers with its id. */
  async function prepareDates(): Promise<number> {
    const id = await within(async (trx, owner) => {
      const { DraftBroadcastID, SequenceID } = await beginSequence(trx, owner);
      await addRecipients(trx, owner, DraftBroadcastID, { kind: 'lists', listIds: [groupId] });
      return SequenceID;
    });
    await until(async () => !(await anyWork()));
    await within((trx, owner) => startDates(trx, owner, numberId));
    return id;
  }

  async function killWhileDripping(): Promise<boolean[]> {
    const began = performance.now();
    const byDates = await prepareDates();
    const joined = await within((trx, owner) => startCourse(trx, owner, { numberId, groupId }));
    await until(async () => (await enrolled(joined)) === people);
    const perStep = Math.ceil(kills / stepCount);
    let killed = 0;
    for (let step = 1; step <= stepCount; step++) {
      await bench.db.query(
        'update sequence_steps set start_at = now() where sequence_id = $1 and position = $2',
        [byDates, step],
      );
      await bench.db.query(
        "update sequence_people set next_at = now() where sequence_id = $1 and state = 'active'",
        [joined],
      );
      await bench.db.query('update sequences set next_at = now() where sequence_id = $1', [joined]);
      for (let kill = 0; kill < perStep && killed < kills; kill++) {
        // Early ones while people are taken up, judged and merged; later ones while texts are handed over.
        if (kill === 0) await delay(killed * 120);
        else {
          const goal = (2 * people * (0.9 * killed + 1)) / (kills + 1);
          await until(async () => (await madeOf([byDates, joined], step)) >= goal);
        }
        await worker.kill('SIGKILL');
        killed += 1;
        worker = await bench.startServer({ ROLE: 'worker' });
      }
      await until(async () => (await madeOf([byDates, joined], step)) === 2 * people);
      console.log(
        `       step ${step}, ${killed} kills, ${Math.round((performance.now() - began) / 1000)} s`,
      );
    }
    const all = 2 * stepCount * people;
    await until(async () => (await endedOf([byDates, joined])) >= all);
    const stats = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
    const { rows } = await bench.db.query<Record<'many' | 'phones' | 'delivered', number>>(
      `select count(*)::int as many, count(distinct (m.phone, b.sequence_id, b.sequence_position))::int as phones,
        count(*) filter (where m.status = 'delivered')::int as delivered
      from messages m join broadcasts b on b.account_id = m.account_id and b.broadcast_id = m.broadcast_id
      where b.sequence_id = any($1)`,
      [[byDates, joined]],
    );
    const exactly = { least: all, most: all };
    const [{ many, phones, delivered } = { many: 0, phones: 0, delivered: 0 }] = rows;
    return [
      report(`texts of two campaigns, ${killed} kills`, many, exactly, 'texts'),
      report('one for each person and step', phones, exactly, 'texts'),
      report('delivered', delivered, exactly, 'texts'),
      report('at the telephones', (stats.Accepted ?? 0) - all, exactly, 'texts'),
    ];
  }
} finally {
  await database.close();
  await bench.close();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 600_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${holds}`);
    await delay(50);
  }
}

async function accepted(goal: number): Promise<void> {
  await until(async () => ((await bench.sandbox('GET', '/stats')) as { Accepted: number }).Accepted >= goal);
}

async function ask(text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await bench.db.query<{ many: number }>(text, values);
  return rows[0]?.many ?? 0;
}

async function anyWork(): Promise<boolean> {
  return (await ask("select count(*)::int as many from work where status = 'InProgress'")) > 0;
}

/** People whom a campaign that they join has taken up. */
function enrolled(sequenceId: number): Promise<number> {
  return ask('select count(*)::int as many from sequence_people where sequence_id = $1', [sequenceId]);
}

/**
 * Texts of a step that were made, and below those of all steps whose end is known. By the slices: counting the texts
 * themselves twenty times a second took more of the machine than sending them.
 */
function madeOf(sequenceIds: number[], step: number): Promise<number> {
  return ask(
    `select coalesce(sum(s.total), 0)::int as many from broadcasts b
    join broadcast_slices s on s.account_id = b.account_id and s.broadcast_id = b.broadcast_id
    where b.sequence_id = any($1) and b.sequence_position = $2`,
    [sequenceIds, step],
  );
}

function endedOf(sequenceIds: number[]): Promise<number> {
  return ask(
    `select coalesce(sum(s.total - s.waiting - s.sent), 0)::int as many from broadcasts b
    join broadcast_slices s on s.account_id = b.account_id and s.broadcast_id = b.broadcast_id
    where b.sequence_id = any($1)`,
    [sequenceIds],
  );
}

async function addGroup(accountId: number): Promise<number> {
  const { rows } = await bench.db.query<{ group_id: number }>(
    "insert into groups (account_id, name) values ($1, 'Everybody here') returning group_id",
    [accountId],
  );
  const groupId = Number(rows[0]?.group_id);
  const phones = Array.from({ length: people }, (_, index) => recipientPhone(index));
  await bench.db.query(
    `with made as (
      insert into contacts (account_id, first_name, primary_phone)
      select $1, 'Ana', phone from unnest($3::text[]) phone returning person_id, sort_name)
    insert into group_members (account_id, group_id, person_id, sort_name)
    select $1, $2, person_id, sort_name from made`,
    [accountId, groupId, phones],
  );
  await bench.db.query('vacuum analyze contacts, group_members');
  return groupId;
}

async function startDates(trx: Trx, owner: Actor, textNumberId: number): Promise<void> {
  const { rows } = await sql<{ broadcast_id: number }>`
    select broadcast_id from sequences where status = 'draft' and account_id = ${owner.accountId}`.execute(
    trx,
  );
  const day = (index: number) => new Date(Date.now() + (index + 2) * 86_400_000).toISOString().slice(0, 10);
  await createSequence(
    trx,
    owner,
    {
      ...{ params: undefined, query: undefined },
      body: {
        draftBroadcastId: rows[0]?.broadcast_id ?? 0,
        name: 'Ten steps',
        textNumberId,
        steps: texts.map((message, index) => ({
          ...{ message: `Drip: ${message}`, date: day(index), time: '9:00 AM', hasWait: true, mediaIds: [] },
        })),
      },
    },
    'https://muster.example',
  );
}

async function startCourse(
  trx: Trx,
  owner: Actor,
  { numberId, groupId }: { numberId: number; groupId: number },
): Promise<number> {
  const { DraftBroadcastID, SequenceID } = await beginSequence(trx, owner);
  await createSequence(
    trx,
    owner,
    {
      ...{ params: undefined, query: undefined },
      body: {
        ...{ draftBroadcastId: DraftBroadcastID, name: 'Ten steps from joining', textNumberId: numberId },
        ...{ startsOn: 'group', groupId, includesMembers: true },
        steps: texts.map((message, index) => ({
          ...{ message: `Course: ${message}`, afterDays: index + 1, time: '9:00 AM', hasWait: true },
          ...{ date: '', mediaIds: [] },
        })),
      },
    },
    'https://muster.example',
  );
  return SequenceID;
}
