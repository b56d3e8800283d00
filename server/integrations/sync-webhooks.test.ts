import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import * as calls from '../../contract/integrations.ts';
import { type WebhookType, webhookShapes } from '../../contract/webhook-events.ts';
import { addWebhook } from '../../contract/webhooks.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { closeAtEnd } from '../testing/closers.ts';
import { endProcess, spawnWorker } from '../testing/spawn-worker.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { integrationIds as ids } from './rules.ts';

interface Hook {
  type: WebhookType;
  data: Record<string, unknown>;
}

let app: TestApp;
let account: BuiltAccount;
let host: string;
let hooks: Hook[];
const IntegrationID = ids.sheet;
const heard: WebhookType[] = [
  ...(['contact.created', 'contact.updated', 'contact.deleted', 'integration.synced'] as const),
  ...(['integration.held', 'integration.undone'] as const),
];

beforeAll(async () => {
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      hooks.push(JSON.parse(Buffer.concat(pieces).toString()));
      response.writeHead(200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAtEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  app = await testApp({}, { OUTSIDE_ALLOWED_HOSTS: host });
  Object.assign(app.context.config, { INTEGRATIONS_PLAYED_AT: app.sandbox.url });
});

beforeEach(async () => {
  hooks = [];
  await app.database.system.updateTable('webhook_endpoints').set({ is_enabled: false }).execute();
  account = await buildAccount(app);
  await app.database.system
    .updateTable('accounts')
    .set({ is_api_authorized: true })
    .where('account_id', '=', account.accountId)
    .execute();
});

const person = (place: number, first = `Person ${place}`, groups = ['Choir']) => {
  return { id: `${place}`, first, last: 'Sample', phone: String(14_235_554_000 + place), groups };
};

async function setPeople(Items: ReturnType<typeof person>[]): Promise<void> {
  await app.sandbox.control('PUT', '/sources/people', { Items });
}

async function connect(): Promise<void> {
  const body = { SheetUrl: `${app.sandbox.url}/sheet.csv` };
  const reply = await app.call(calls.loginIntegration, { params: { IntegrationID }, body }, account.owner);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  const listed = await app.call(calls.listIntegrationGroups, { params: { IntegrationID } }, account.owner);
  const Groups = listed.body.Items.filter(({ GroupName }) => GroupName === 'Choir').map(({ GroupID }) => {
    return { GroupID };
  });
  await app.call(calls.keepIntegrationGroups, { params: { IntegrationID }, body: { Groups } }, account.owner);
}

async function listen(EventTypes = heard): Promise<void> {
  const { status } = await app.call(
    addWebhook,
    { body: { Url: `http://${host}/hook`, EventTypes } },
    account.owner,
  );
  expect(status).toBe(200);
}

/** Resolves once this has come, with everything that came; each fits its shape. */
async function untilHeard(last: WebhookType): Promise<Map<string, Hook['data'][]>> {
  await app.until(async () => hooks.some(({ type }) => type === last));
  await app.drain();
  for (const { type, data } of hooks)
    if (type.startsWith('integration.')) expect(webhookShapes.sync.safeParse(data).error).toBeUndefined();
  const some = Map.groupBy(hooks, ({ type }) => type);
  hooks = [];
  return new Map([...some].map(([type, all]) => [type, all.map(({ data }) => data)]));
}

const sync = () => app.call(calls.syncIntegration, { params: { IntegrationID } }, account.owner);
const names = (told: Hook['data'][] | undefined) => told?.map(({ FirstName }) => FirstName).sort();

it('tells whom a sync added and changed, with its counts, and that it was undone', async () => {
  await listen();
  const people = Array.from({ length: 120 }, (_, place) => person(place));
  await setPeople([...people, { ...person(120), phone: 'none' }]);
  await connect();
  const begun = await untilHeard('integration.synced');
  expect(begun.get('contact.created')).toHaveLength(120);
  const counts = { AddedCount: 120, ChangedCount: 0, LeftCount: 0, SkippedCount: 1 };
  expect(begun.get('integration.synced')).toMatchObject([{ ID: IntegrationID, ...counts }]);
  expect([...begun.keys()].sort()).toEqual(['contact.created', 'integration.synced']);

  await setPeople([...people.slice(2), person(1, 'Changed'), person(200)]);
  await sync();
  const told = await untilHeard('integration.synced');
  expect(names(told.get('contact.created'))).toEqual(['Person 200']);
  // One left the group; nobody is deleted.
  expect(names(told.get('contact.updated'))).toEqual(['Changed', 'Person 0']);
  const left = told.get('contact.updated')?.find(({ FirstName }) => FirstName === 'Person 0');
  expect(left).toMatchObject({ ListIDs: [-1], IsDeleted: false });
  expect(told.has('contact.deleted')).toBe(false);
  const [synced] = told.get('integration.synced') ?? [];
  expect(synced).toMatchObject({
    UserID: account.owner.userId,
    AddedCount: 1,
    ChangedCount: 1,
    LeftCount: 1,
  });

  // Nothing changed: nothing to tell. Then so many leave that it is held.
  await sync();
  await app.drain();
  expect(hooks).toEqual([]);
  await setPeople(people.slice(110));
  await sync();
  const held = await untilHeard('integration.held');
  expect(held.get('integration.held')).toMatchObject([{ ID: IntegrationID, LeftCount: 110 }]);
  await setPeople(people);
  await sync();
  await untilHeard('integration.synced');

  const { body } = await app.call(calls.listIntegrationSyncs, { params: { IntegrationID } }, account.owner);
  const SyncID = body.Items.find(({ CanUndo }) => CanUndo)?.SyncID ?? 0;
  await app.call(calls.undoSync, { params: { IntegrationID, SyncID } }, account.owner);
  const undone = await untilHeard('integration.undone');
  expect(undone.get('integration.undone')).toMatchObject([{ SyncID, ID: IntegrationID }]);
});

it('tells once of a sync whose worker is killed before its end', { timeout: 120_000 }, async () => {
  const env = {
    INTEGRATIONS_PLAYED_AT: app.sandbox.url,
    OUTSIDE_ALLOWED_HOSTS: `${host},${new URL(app.sandbox.url).host}`,
  };
  const people = Array.from({ length: 30 }, (_, place) => person(place));
  await setPeople(people);
  await connect();
  await app.drain();
  await listen();
  await setPeople([...people.slice(1, 29), person(29, 'Changed'), person(300)]);
  await sync();
  const isWritten = async () => {
    const { rows } = await sql`
      select from contacts where account_id = ${account.accountId} and first_name = 'Changed'`.execute(
      app.database.system,
    );
    return rows.length > 0;
  };
  await asOwner(app.databaseUrl, async (owner) => {
    await owner.query(
      "insert into integration_syncs (account_id, integration_id, state) values ($1, $2, 'running')",
      [account.accountId, IntegrationID],
    );
    // The worker writes its people, and then waits for this row to end the sync.
    await owner.query('begin');
    await owner.query(
      "select from integration_syncs where account_id = $1 and state = 'running' for no key update",
      [account.accountId],
    );
    const worker = spawnWorker(app, env);
    await waitUntil(isWritten);
    await endProcess(worker, 'SIGKILL');
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    await owner.query('update integrations set lease_until = now() where account_id = $1', [
      account.accountId,
    ]);
    await owner.query('commit');
  });
  spawnWorker(app, env);
  const told = await untilHeard('integration.synced');
  expect(names(told.get('contact.created'))).toEqual(['Person 300']);
  expect(names(told.get('contact.updated'))).toEqual(['Changed', 'Person 0']);
  expect(told.get('integration.synced')).toMatchObject([{ AddedCount: 1, ChangedCount: 1, LeftCount: 1 }]);
});
