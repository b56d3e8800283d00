import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createCall } from '../calls/create-call.ts';
import { leadProvider, leaveProvider } from '../calls/lead-provider.ts';
import { readConfig } from '../config.ts';
import { asSystem } from '../db.ts';
import { createLog } from '../log.ts';
import { asteriskCalls } from '../outside/calls-asterisk.ts';
import { buildAccount } from '../testing/builders.ts';
import {
  aCallDraft,
  callAtAnyHour,
  callsOf,
  phoneOf,
  readBroadcast,
  resultsOf,
  send,
} from '../testing/calls.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { testDb } from '../testing/test-db.ts';
import { createPlacing } from './place-calls.ts';

it('calls over your own trunk: a survey, a transfer, an opt-out, machines, a single process', async () => {
  const caller = '18655551090';
  const logged: string[] = [];
  // The number is Infobip's: the operator chooses who places calls.
  const app = await testApp(
    { [caller]: 'infobip' },
    { CALL_CARRIER: 'asterisk', CALL_STARTS_PER_SECOND: '200' },
    { logTo: logged },
  );
  await app.sandbox.control('PUT', '/settings', { CallSpeed: 25, CallStartsPerSecond: 1000 });
  const account = await buildAccount(app, { numbers: { [caller]: 'infobip' } });
  await callAtAnyHour(app, account);
  const { rows } = await sql<{ id: number }>`
    insert into transfer_numbers (account_id, phone, status, user_id)
    values (${account.accountId}, '14235550199', 'Approved', ${account.owner.userId})
    returning transfer_number_id as id`.execute(app.database.system);
  const people = ['0145', '0146', '0148', '0151', '0153', '0154'];
  const id = await aCallDraft(app, account, people.map(phoneOf), {
    BroadcastType: 'Survey',
    IsTransfer: true,
    TransferNumber: { ID: rows[0]?.id ?? 0 },
    TransferLines: 1,
    Retries: 0,
  });
  expect((await send(app, account, id)).status).toBe(200);
  await app.until(async () => (await readBroadcast(app, account, id)).BroadcastStatus === 'Completed');
  expect(await resultsOf(app, id)).toEqual({
    '0145': { result: 'voicemail', attempts: 1, charged: 2 },
    '0146': { result: 'busy', attempts: 1, charged: 0 },
    '0148': { result: 'invalid', attempts: 1, charged: 0 },
    '0151': { result: 'live_answer', attempts: 1, charged: 1 },
    '0153': { result: 'live_answer', attempts: 1, charged: 1 },
    '0154': { result: 'live_answer', attempts: 1, charged: 1 },
  });
  expect(await readBroadcast(app, account, id)).toMatchObject({
    SurveyResponses: [{ ID: 1, Label: '*1', Count: 1 }],
    TransferTotal: 1,
    TransferLinesUp: 0,
  });
  const consent = await sql<{ state: string }>`
    select state from consent_ledger where account_id = ${account.accountId} and phone = ${`1${phoneOf('0154')}`}`.execute(
    app.database.system,
  );
  expect(consent.rows).toEqual([{ state: 'out' }]);
  const [machine] = await callsOf(app, phoneOf('0145'));
  expect(machine?.Troubles).toEqual([]);
  expect(machine?.Heard.at(-1)?.Seconds).toBeGreaterThan(39);
  expect(await app.sandbox.stats()).toMatchObject({ CallsPlaced: 6, CallsRepeated: 0 });
  // Without it no call starts: /readyz and the log say so until it is back.
  const work = async () => ((await (await fetch(`${app.url}/readyz`)).json()) as { work?: string[] }).work;
  const isLogged = (sentence: string) => logged.some((line) => JSON.parse(line).msg === sentence);
  expect(await work()).toBeUndefined();
  await app.sandbox.faults({ Outage: true, Provider: 'asterisk' });
  await fetch(`${app.sandbox.url}/ari/channels`).catch(() => undefined);
  await app.until(async () => (await work()) !== undefined);
  expect(await work()).toEqual(['Asterisk can’t be reached: no call begins until it can.']);
  expect(isLogged('Asterisk can’t be reached; no call begins until it can')).toBe(true);
  await app.sandbox.control('DELETE', '/faults');
  await app.until(async () => (await work()) === undefined);
  expect(isLogged('Asterisk can be reached again')).toBe(true);
  // No process other than the leader talks to Asterisk, until the leader leaves or dies.
  const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  await sql`update call_pace set led_until = '-infinity' where provider = 2`.execute(app.database.system);
  expect(await leadProvider(app.database, 2, one)).toBe(true);
  expect(await leadProvider(app.database, 2, two)).toBe(false);
  expect(await leadProvider(app.database, 2, one)).toBe(true);
  await leaveProvider(app.database, 2, one);
  expect(await leadProvider(app.database, 2, two)).toBe(true);
});

it('a process that isn’t connected to Asterisk takes no call from the one that is', async () => {
  const database = await testDb();
  const { accountId, owner } = await buildAccount({ database } as TestApp);
  await asSystem(database, (trx) =>
    createCall(trx, {
      ...{ accountId, userId: owner.userId, provider: 7, phone: '14235550155', callerId: '18655551090' },
      task: { kind: 'verify', code: '1234' },
    }),
  );
  await sql`update call_pace set lines = 5 where provider = 7`.execute(database.system);
  const asterisk = asteriskCalls({
    ...{ url: 'http://127.0.0.1:9', user: 'muster', password: 'not-connected', app: 'muster' },
    ...{ endpoint: 'PJSIP/{number}@trunk', publicUrl: 'http://127.0.0.1:9' },
  });
  const log = createLog(readConfig({ DATABASE_URL: database.url, LOG_LEVEL: 'silent' }));
  const placing = createPlacing({ database, publicUrl: 'http://127.0.0.1:9', log }, asterisk);
  placing.run();
  await placing.stop();
  await asterisk.close();
  // It spent no start either.
  const { rows } = await sql`
    select q.state, p.next_start_at = '-infinity' as is_first from call_queue q join call_pace p using (provider)`.execute(
    database.system,
  );
  expect(rows).toEqual([{ state: 'waiting', is_first: true }]);
});
