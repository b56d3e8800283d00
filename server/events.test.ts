import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { everyCall } from '../contract/calls.ts';
import { asAccount, asSystem, type Database } from './db.ts';
import { prepareEvents, sweepEvents } from './event-partitions.ts';
import { type KeptEvent, readEvents } from './read-events.ts';
import { hasRecorded, recordEvents } from './record-events.ts';
import { asOwner, testDb } from './testing/test-db.ts';
import { waitUntil } from './testing/wait-until.ts';

async function anAccount(database: Database): Promise<number> {
  const { account_id } = await database.system
    .insertInto('accounts')
    .values({ company_name: 'Maple' })
    .returning('account_id')
    .executeTakeFirstOrThrow();
  return account_id;
}

const read = (database: Database, reader = 'test', most = 100) =>
  asSystem(database, (trx) => readEvents(trx, reader, most));

/** Waits until this many can be read. */
async function readSome(database: Database, count: number, reader = 'test', most = 100) {
  const events: KeptEvent[] = [];
  await waitUntil(async () => {
    events.push(...(await read(database, reader, most)));
    return events.length >= count;
  });
  return events;
}

it('records one object, a set and a range, with the user and the changes', async () => {
  const database = await testDb();
  const accountId = await anAccount(database);
  await asAccount(database, accountId, async (trx) => {
    expect(hasRecorded(trx)).toBe(false);
    await recordEvents(trx, { accountId, userId: 7, address: '192.0.2.1' }, [
      { kind: 'contact.updated', id: 3, changes: { FirstName: ['Ann', 'Anna'] } },
      { kind: 'contacts.joined', ids: [3, 4, 5] },
      { kind: 'contacts.changed', range: { firstId: 1, lastId: 1_000_000 }, count: 900_000 },
    ]);
    expect(hasRecorded(trx)).toBe(true);
  });
  await asSystem(database, (trx) => recordEvents(trx, { accountId }, [{ kind: 'text.received', ids: [9] }]));
  const events = await readSome(database, 4);
  expect(events).toMatchObject([
    { kind: 'contact.updated', id: 3, count: 1, userId: 7, actorKind: 'user' },
    { kind: 'contacts.joined', id: null, ids: [3, 4, 5], count: 3 },
    { kind: 'contacts.changed', firstId: 1, lastId: 1_000_000, count: 900_000, ids: null },
    { kind: 'text.received', ids: [9], userId: null, actorKind: 'system' },
  ]);
  expect(events[0]?.changes).toEqual({ FirstName: ['Ann', 'Anna'] });
});

it('a change that is rolled back leaves none', async () => {
  const database = await testDb();
  const accountId = await anAccount(database);
  const failing = asAccount(database, accountId, async (trx) => {
    await recordEvents(trx, { accountId }, [{ kind: 'contact.created', id: 1 }]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await read(database)).toEqual([]);
});

it('a slow transaction is never skipped, and each reader gets every event once', async () => {
  const database = await testDb();
  const accountId = await anAccount(database);
  let commit: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let began: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => {
    began = resolve;
  });
  // Takes the lower id and commits last.
  const slow = asSystem(database, async (trx) => {
    await recordEvents(trx, { accountId }, [{ kind: 'contact.created', id: 1 }]);
    began();
    await held;
  });
  await hasBegun;
  await asSystem(database, (trx) => recordEvents(trx, { accountId }, [{ kind: 'contact.created', id: 2 }]));
  expect(await read(database)).toEqual([]);
  commit();
  await slow;
  const first = await readSome(database, 1, 'test', 1);
  const second = await readSome(database, 1, 'test', 10);
  expect([...first, ...second].map(({ id }) => id)).toEqual([1, 2]);
  expect(await read(database)).toEqual([]);
  expect((await readSome(database, 2, 'another')).map(({ id }) => id)).toEqual([1, 2]);
});

it('a reader whose work fails reads the same events again', async () => {
  const database = await testDb();
  const accountId = await anAccount(database);
  await asSystem(database, (trx) => recordEvents(trx, { accountId }, [{ kind: 'text.sent', id: 1 }]));
  const failed = new Error('the receiver is down');
  await waitUntil(async () => {
    const failing = asSystem(database, async (trx) => {
      if ((await readEvents(trx, 'test', 10)).length === 1) throw failed;
    });
    return failing.then(
      () => false,
      (error) => error === failed,
    );
  });
  expect(await readSome(database, 1)).toHaveLength(1);
});

it('belongs to its account, and can’t be changed', async () => {
  const database = await testDb();
  const [one, two] = [await anAccount(database), await anAccount(database)];
  await asAccount(database, one, (trx) =>
    recordEvents(trx, { accountId: one }, [{ kind: 'text.sent', id: 1 }]),
  );
  const seen = await asAccount(database, two, (trx) => trx.selectFrom('events').selectAll().execute());
  expect(seen).toEqual([]);
  const foreign = asAccount(database, two, (trx) =>
    recordEvents(trx, { accountId: one }, [{ kind: 'text.sent', id: 1 }]),
  );
  await expect(foreign).rejects.toThrow(/row-level security/);
  for (const statement of [
    sql`update events set kind = ''`,
    sql`delete from events`,
    sql`select from events_rest`,
  ]) {
    await expect(statement.execute(database.system)).rejects.toThrow(/permission denied/);
  }
});

it('has a partition for this month and the next two, and drops those past their retention', async () => {
  const database = await testDb();
  const accountId = await anAccount(database);
  // Before the first start has created any.
  await asSystem(database, (trx) => recordEvents(trx, { accountId }, [{ kind: 'text.sent', id: 1 }]));
  await prepareEvents(database);
  await prepareEvents(database);
  await asSystem(database, (trx) => recordEvents(trx, { accountId }, [{ kind: 'text.sent', id: 2 }]));
  const months = async () => {
    const { rows } = await sql<{ name: string; many: number }>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'events'::regclass order by 1`.execute(database.system);
    return rows.map(({ name }) => name);
  };
  const names = await months();
  expect(names).toHaveLength(4);
  expect(names.filter((name) => /^events_\d{4}_\d{2}$/.test(name))).toHaveLength(3);
  expect((await readSome(database, 2)).map(({ id }) => id)).toEqual([1, 2]);
  const rest = await asOwner(database.url, (client) => client.query('select from only events_rest'));
  expect(rest.rowCount).toBe(0);
  await asOwner(database.url, (client) =>
    client.query(
      `create table events_2024_01 partition of events for values from ('2024-01-01') to ('2024-02-01')`,
    ),
  );
  await sweepEvents(database, 13);
  expect(await months()).toEqual(names);
});

it('works after a backup was restored into a new cluster, whose transaction ids start over', async () => {
  const database = await testDb();
  const accountId = await anAccount(database);
  await asSystem(database, (trx) => recordEvents(trx, { accountId }, [{ kind: 'text.sent', id: 1 }]));
  await asSystem(database, (trx) => recordEvents(trx, { accountId }, [{ kind: 'text.sent', id: 2 }]));
  expect(await readSome(database, 1, 'test', 1)).toHaveLength(1);
  // The state after a restore: all existing rows have ids far above the next transaction's.
  await asOwner(database.url, async (client) => {
    await client.query(`update events set xact_id = (xact_id::text::bigint + 1000000000)::text::xid8`);
    await client.query(`update event_readers set xact_id = (xact_id::text::bigint + 1000000000)::text::xid8`);
  });
  await prepareEvents(database);
  await asSystem(database, (trx) => recordEvents(trx, { accountId }, [{ kind: 'text.sent', id: 3 }]));
  expect((await readSome(database, 2)).map(({ id }) => id)).toEqual([2, 3]);
});

it('every call that changes something declares what is recorded', () => {
  const silent = everyCall.filter(({ call }) => call.method !== 'GET' && call.event === undefined);
  expect(silent.map(({ name }) => name)).toEqual([]);
});
