import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { asSystem, type Database } from '../db.ts';
import { asOwner, testDb } from '../testing/test-db.ts';
import { isAnyDue } from './claim-texts.ts';

/** The row count in PostgreSQL's plan. */
async function planned(database: Database): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select from outbox`.execute(database.system);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? -1;
}

/**
 * Texts that weren't visible yet when PostgreSQL analyzed the table: it assumes that the queue is empty,
 * however long it is.
 */
async function fillUnseen(database: Database, count: number): Promise<void> {
  await asSystem(database, async (trx) => {
    await sql`
      insert into outbox (account_id, message_id, text_number_id, aggregator_id, phone, broadcast_id)
      select 1, i, 1, 5, '14235550100', i from generate_series(1, ${count}::int) i`.execute(trx);
    await asOwner(database.url, (client) => client.query('analyze outbox'));
  });
}

it('PostgreSQL analyzes a queue that it assumes to be empty again, before texts are claimed', async () => {
  const database = await testDb();
  expect(await isAnyDue(database, 5)).toBe(false);
  await fillUnseen(database, 6_000);
  expect(await planned(database)).toBe(1);

  expect(await isAnyDue(database, 2)).toBe(false);
  expect(await planned(database)).toBe(1);
  expect(await isAnyDue(database, 5)).toBe(true);
  expect(await planned(database)).toBe(6_000);
});

it('one with few texts is not analyzed, however large its file', async () => {
  const database = await testDb();
  await fillUnseen(database, 6_000);
  await sql`delete from outbox where message_id <= 5900`.execute(database.system);

  expect(await isAnyDue(database, 5)).toBe(true);
  expect(await planned(database)).toBe(1);
});
