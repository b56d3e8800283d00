/**
 * A drip campaign of ten steps beside ten broadcasts of the same texts to the same group: how much longer it takes. Then
 * a campaign that people join, through twenty kills of the worker: every step at every telephone exactly once.
 *
 *   node bench/drips.ts [people]
 */
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
const kills = 20;
const number = '14235550100';
/** Broadcasts `b` of the campaign that people join. */
const ofCourse = "join sequences q on q.sequence_id = b.sequence_id and q.starts_on = 'group'";
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

  const broadcasts = await timed(async () => {
    for (const [index, text] of texts.entries()) {
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
      await accepted((index + 1) * people);
    }
  });
  const drip = await timed(async () => {
    await within(async (trx, owner) => {
      const { DraftBroadcastID, SequenceID } = await beginSequence(trx, owner);
      await addRecipients(trx, owner, DraftBroadcastID, { kind: 'lists', listIds: [groupId] });
      return SequenceID;
    });
    await until(async () => !(await anyWork()));
    await within((trx, owner) => startDates(trx, owner, numberId));
    // All steps are due at once: each waits for the one before it, as on its day.
    for (let step = 1; step <= stepCount; step++) {
      await bench.db.query(
        "update sequence_steps set start_at = now() where state = 'waiting' and position = $1",
        [step],
      );
      await accepted((stepCount + step) * people);
    }
  });

  const before = 2 * stepCount * people;
  await within((trx, owner) => startCourse(trx, owner, { numberId, groupId }));
  let killed = 0;
  for (let step = 1; step <= stepCount; step++) {
    await until(async () => (await readyFor(step - 1)) === people);
    await bench.db.query("update sequence_people set next_at = now() where state = 'active'");
    await bench.db.query("update sequences set next_at = now() where starts_on = 'group'");
    for (const part of [0.2, 0.7]) {
      if (killed === kills) break;
      await until(async () => (await madeFor(step)) >= people * part * 0.5);
      await worker.kill('SIGKILL');
      killed += 1;
      worker = await bench.startServer({ ROLE: 'worker' });
    }
    await until(async () => (await madeFor(step)) === people);
  }
  await until(async () => (await delivered()) >= stepCount * people);
  const stats = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
  const { rows } = await bench.db.query<{ many: number; phones: number }>(
    `select count(*)::int as many, count(distinct (m.phone, b.sequence_position))::int as phones
    from messages m join broadcasts b on b.broadcast_id = m.broadcast_id
    ${ofCourse}`,
  );
  const all = stepCount * people;
  console.log(
    `ten broadcasts ${(broadcasts / 1000).toFixed(1)} s, a drip of ten steps ${(drip / 1000).toFixed(1)} s`,
  );
  const holds = [
    report('a drip beside ten broadcasts', drip / broadcasts, { most: 1.3 }, 'times'),
    report(
      `texts of the joined campaign, ${killed} kills`,
      rows[0]?.many ?? 0,
      { least: all, most: all },
      'texts',
    ),
    report('one for each person and step', rows[0]?.phones ?? 0, { least: all, most: all }, 'texts'),
    report(
      'at their telephones in all',
      stats.Accepted ?? 0,
      { least: before + all, most: before + all },
      'texts',
    ),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await database.close();
  await bench.close();
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 600_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
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

/** People who have had so many steps. */
function readyFor(step: number): Promise<number> {
  return ask('select count(*)::int as many from sequence_people where position = $1', [step]);
}

/** Texts of a step of the campaign that people join. */
function madeFor(step: number): Promise<number> {
  return ask(
    `select count(*)::int as many from messages m join broadcasts b on b.broadcast_id = m.broadcast_id ${ofCourse}
    where b.sequence_position = $1`,
    [step],
  );
}

function delivered(): Promise<number> {
  return ask(
    `select count(*)::int as many from messages m join broadcasts b on b.broadcast_id = m.broadcast_id ${ofCourse}
    where m.status = 'delivered'`,
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
): Promise<void> {
  const { DraftBroadcastID } = await beginSequence(trx, owner);
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
}
