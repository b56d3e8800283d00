import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from './testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

it.each(['14235550143', '4915112345678', '1234567', '999999999999999'])('%j is a phone', async (text) => {
  const { rows } = await sql<{ phone: string }>`select ${text}::phone as phone`.execute(app.database.system);
  expect(rows).toEqual([{ phone: text }]);
});

it.each([
  '',
  '123456',
  '1234567890123456',
  '04235550143',
  '+14235550143',
  ' 14235550143',
  '14235550143 ',
  '1423555014x',
  '1423\n5550143',
  '١٤٢٣٥٥٥',
  '１４２３５',
])('%j isn’t a phone', async (text) => {
  await expect(sql`select ${text}::phone`.execute(app.database.system)).rejects.toThrow('phone_check');
});
