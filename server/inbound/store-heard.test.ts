import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '../db.ts';
import { testDb } from '../testing/test-db.ts';
import { storeHeard, trustHeard } from './store-heard.ts';

const [first, second] = [randomUUID(), randomUUID()];

/** Texts from one phone as they came over a connection: how many of them had come before. */
async function hear(database: Database, connection: string, ...bodies: string[]): Promise<number> {
  const texts = bodies.map((body) => ({
    ...{ connection, inboundKey: `smpp:${randomUUID()}`, from: '16155550101', to: '14235550100' },
    ...{ body, media: [], occurredAt: new Date() },
  }));
  return (await storeHeard(database, 6, { texts, parts: [] })).repeats;
}

async function stored(database: Database): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`select body from carrier_inbound`.execute(database.system);
  return rows.map(({ body }) => body);
}

it('a text that comes again over another connection is the same text, once for each that came before', async () => {
  const database = await testDb();
  expect(await hear(database, first, 'Yes', 'Yes', 'No')).toBe(0);
  expect(await hear(database, second, 'Yes', 'Maybe')).toBe(1);
  expect(await hear(database, second, 'Yes', 'Yes')).toBe(1);
  expect((await stored(database)).toSorted()).toEqual(['Maybe', 'No', 'Yes', 'Yes', 'Yes']);
});

it('a repeat may be sent again as well', async () => {
  const database = await testDb();
  await hear(database, first, 'Yes');
  expect(await hear(database, second, 'Yes')).toBe(1);
  expect(await hear(database, randomUUID(), 'Yes')).toBe(1);
  expect(await stored(database)).toEqual(['Yes']);
});

it('the same words over one connection, or after it has proved to work, are another text', async () => {
  const database = await testDb();
  await hear(database, first, 'Yes');
  expect(await hear(database, first, 'Yes')).toBe(0);
  expect(await trustHeard(database, first, 60)).toBe(true);
  expect(await trustHeard(database, first, 0)).toBe(false);
  expect(await hear(database, second, 'Yes')).toBe(0);
  await sql`update heard_texts set heard_at = now() - interval '11 minutes'`.execute(database.system);
  expect(await hear(database, first, 'Yes')).toBe(0);
  expect(await stored(database)).toHaveLength(4);
});

it('a part that comes again after its text is complete begins no other text', async () => {
  const database = await testDb();
  const part = (connection: string, place: number) => ({
    ...{ connection, from: '16155550101', to: '14235550100', reference: 7, parts: 2, part: place },
    ...{ body: `part ${place} `, occurredAt: new Date() },
  });
  const parts = [part(first, 1), part(first, 2)];
  expect(await storeHeard(database, 6, { texts: [], parts })).toEqual({ repeats: 0, isAnyWhole: true });
  expect(await storeHeard(database, 6, { texts: [], parts: [part(second, 2)] })).toEqual({
    ...{ repeats: 1, isAnyWhole: false },
  });
  expect((await sql`select from inbound_parts`.execute(database.system)).rows).toEqual([]);
});
