/** Published sheets that are cut off, damaged or large, from a server that this test runs. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import * as calls from '../../contract/integrations.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { closeAtEnd } from '../testing/closers.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { createIntegrationJobs } from './jobs.ts';
import { integrationIds } from './rules.ts';

const params = { IntegrationID: integrationIds.sheet };
let app: TestApp;
let account: BuiltAccount;
let serve: RequestListener;
let SheetUrl: string;

beforeAll(async () => {
  const server = createServer((request, response) => serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAtEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  SheetUrl = `http://${host}/sheet.csv`;
  app = await testApp({}, { OUTSIDE_ALLOWED_HOSTS: host });
});

beforeEach(async () => {
  account = await buildAccount(app);
});

const head = 'First name,Last name,Mobile,Groups';
const publish = (...lines: string[]) => {
  serve = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/csv' }).end([head, ...lines, ''].join('\n'));
};
/** The connection ends in the middle of the sheet. */
const cutOff = () => {
  serve = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-length': 10_000 });
    response.write(`${head}\nAda,Lind`, () => response.destroy());
  };
};
const person = (id: number, group = 'Choir') => `Person${id},Family,(423) 555-${1000 + id},${group}`;

const connect = () => app.call(calls.loginIntegration, { params, body: { SheetUrl } }, account.owner);

async function keep(name: string) {
  const { body } = await app.call(calls.listIntegrationGroups, { params }, account.owner);
  const group = body.Items.find(({ GroupName }) => GroupName === name);
  const Groups = [{ GroupID: group?.GroupID ?? '' }];
  const reply = await app.call(calls.keepIntegrationGroups, { params, body: { Groups } }, account.owner);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  await app.drain();
  return group;
}

async function sync() {
  await app.call(calls.syncIntegration, { params }, account.owner);
  await app.drain();
  const { body } = await app.call(calls.listIntegrationSyncs, { params }, account.owner);
  return body.Items[0];
}

it('says why a sheet that is cut off or damaged can’t be connected', async () => {
  cutOff();
  expect(refusalOf(await connect()).Message).toMatch(
    /^There was a problem connecting to your integration\. 127\.0\.0\.1:\d+ doesn’t answer\./,
  );
  publish(person(1), `"${'never closed '.repeat(40_000)}`);
  expect(refusalOf(await connect()).Message).toContain('Row 3 is too long to be a contact.');
});

it('ends a sync that finds the sheet cut off, damaged or its password unreadable', async () => {
  publish(person(1), person(2));
  expect((await connect()).status).toBe(200);
  await keep('Choir');
  cutOff();
  expect(await sync()).toMatchObject({
    State: 'failed',
    ErrorMessage: expect.stringContaining('doesn’t answer'),
  });
  publish(person(1), `"${'never closed '.repeat(40_000)}`);
  expect(await sync()).toMatchObject({ State: 'failed', ErrorMessage: expect.stringContaining('Row 3') });
  await sql`update integrations set secret = 'unreadable', connected_at = now()
    where account_id = ${account.accountId}`.execute(app.database.system);
  expect(await sync()).toMatchObject({
    State: 'failed',
    ErrorMessage: 'Something went wrong in the sync with Published sheet. Muster will try again.',
  });
  const { rows } = await sql<{ waits: boolean }>`
    select lease_until is null and next_sync_at > now() + interval '50 minutes' as waits from integrations
    where account_id = ${account.accountId}`.execute(app.database.system);
  expect(rows).toEqual([{ waits: true }]);
});

it('doesn’t wait for another system when the process ends, and continues in the next', async () => {
  publish(person(1));
  expect((await connect()).status).toBe(200);
  await keep('Choir');
  publish(person(1), person(2));
  const well = serve;
  let isAsked = false;
  serve = () => {
    isAsked = true;
  };
  await app.call(calls.syncIntegration, { params }, account.owner);
  const jobs = createIntegrationJobs(app.context);
  const run = jobs.tasks.sync_integrations();
  await waitUntil(() => Promise.resolve(isAsked));
  await jobs.stop();
  await run;
  const { body } = await app.call(calls.listIntegrationSyncs, { params }, account.owner);
  expect(body.Items[0]).toMatchObject({ State: 'running' });
  serve = well;
  await app.drain();
  const after = await app.call(calls.listIntegrationSyncs, { params }, account.owner);
  expect(after.body.Items[0]).toMatchObject({ SyncID: body.Items[0]?.SyncID, State: 'done', AddedCount: 1 });
});

it('reads a sheet of many pieces, in a thread', async () => {
  // The first and the last rows are of the same person, in two groups.
  const many = Array.from({ length: 5_000 }, (_, id) => person(id, 'Café'));
  publish('', ...many.slice(0, 3), ',,,', ...many.slice(3), person(0, 'Dirección'));
  expect((await connect()).status).toBe(200);
  expect(await keep('Dirección')).toMatchObject({ ContactCount: 1 });
  expect(await keep('Café')).toMatchObject({ ContactCount: 5_000 });
});
