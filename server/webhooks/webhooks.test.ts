/** Long because every test needs the same receiver and the same delivery loop, which are set up once. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Webhook as Verifier } from 'standardwebhooks';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallInput } from '../../contract/call.ts';
import {
  addContact,
  copyContacts,
  mergeContacts,
  undoContacts,
  updateContact,
} from '../../contract/contacts.ts';
import { createConversation, updateConversations } from '../../contract/conversations.ts';
import * as imports from '../../contract/imports.ts';
import { addList } from '../../contract/lists.ts';
import { quickSend } from '../../contract/quick-send.ts';
import {
  typesOfKind,
  webhookEvents,
  webhookKinds,
  webhookSample,
  webhookShapes,
  webhookTypes,
} from '../../contract/webhook-events.ts';
import * as calls from '../../contract/webhooks.ts';
import { asAccount, asSystem } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { closeAtEnd } from '../testing/closers.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { fanOut, fanOutEvents } from './fan-out-events.ts';
import { waitAfter } from './rules.ts';

interface Hook {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let app: TestApp;
let account: BuiltAccount;
let host: string;
let hooks: Hook[];
let answer: (hook: Hook, response: ServerResponse) => void;
const ours = '14235550100';
const theirs = '14235550143';

beforeAll(async () => {
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const hook = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(pieces).toString(),
      };
      hooks.push(hook);
      answer(hook, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAtEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  app = await testApp({ [ours]: 'infobip' }, { OUTSIDE_ALLOWED_HOSTS: `${host},127.0.0.1:9` });
  account = await authorized({ [ours]: 'infobip' });
});

beforeEach(async () => {
  hooks = [];
  answer = (_hook, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('thanks');
  await app.database.system.updateTable('webhook_endpoints').set({ is_enabled: false }).execute();
});

async function authorized(numbers: Record<string, 'infobip'> = {}): Promise<BuiltAccount> {
  const made = await buildAccount(app, { numbers });
  await app.database.system
    .updateTable('accounts')
    .set({ is_api_authorized: true })
    .where('account_id', '=', made.accountId)
    .execute();
  return made;
}

type Types = CallInput<typeof calls.addWebhook>['body']['EventTypes'];
async function add(EventTypes: Types, Url = `http://${host}/hook`, of = account) {
  const { status, body } = await app.call(calls.addWebhook, { body: { Url, EventTypes } }, of.owner);
  expect(status).toBe(200);
  return body;
}

async function deliveriesOf(WebhookID: number, query: { state?: 'waiting' | 'delivered' | 'failed' } = {}) {
  const { body } = await app.call(
    calls.listWebhookDeliveries,
    { params: { WebhookID }, query },
    account.owner,
  );
  return body.Items;
}
const one = async (WebhookID: number, DeliveryID: number) =>
  (await app.call(calls.getWebhookDelivery, { params: { WebhookID, DeliveryID } }, account.owner)).body;
const happened = (events: Parameters<typeof recordEvents>[2], of = account) =>
  asAccount(app.database, of.accountId, (trx) => recordEvents(trx, { accountId: of.accountId }, events));
const dataOf = ({ body }: Hook) =>
  JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> };
async function addPerson(FirstName: string, PrimaryPhone: string) {
  const reply = await app.call(
    addContact,
    { body: { FirstName, LastName: 'Delgado', PrimaryPhone } },
    account.owner,
  );
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return reply.body;
}

describe('a delivery', () => {
  it('is signed by Standard Webhooks, by both secrets while one is being replaced', async () => {
    const made = await add(['contact.created']);
    await addPerson('Rosa', '4235550144');
    await app.drain();
    const [hook] = hooks;
    if (hook === undefined) throw new Error('nothing came');
    const verify = (secret: string, of = hook) =>
      new Verifier(secret).verify(of.body, of.headers as Record<string, string>);
    expect(verify(made.Secret)).toMatchObject({ type: 'contact.created', data: { FirstName: 'Rosa' } });
    expect(() => verify(made.Secret, { ...hook, body: `${hook.body} ` })).toThrow('No matching signature');

    const params = { WebhookID: made.WebhookID };
    const { body: rotated } = await app.call(calls.rotateWebhookSecret, { params }, account.owner);
    expect(rotated.Secret).not.toBe(made.Secret);
    await addPerson('Sam', '4235550145');
    await app.drain();
    const second = hooks[1] as Hook;
    expect(verify(made.Secret, second)).toEqual(verify(rotated.Secret, second));
    await sql`update webhook_endpoints set old_secret_until = now() - interval '1 second'
      where endpoint_id = ${made.WebhookID}`.execute(app.database.system);
    await addPerson('Kim', '4235550146');
    await app.drain();
    expect(() => verify(made.Secret, hooks[2] as Hook)).toThrow('No matching signature');
    expect(verify(rotated.Secret, hooks[2] as Hook)).toMatchObject({ data: { FirstName: 'Kim' } });
    const shown = await app.call(calls.showWebhookSecret, { params }, account.owner);
    expect(shown.body.Secret).toBe(rotated.Secret);
    const stored = await sql<{ text: string }>`select w::text as text from webhook_endpoints w`.execute(
      app.database.system,
    );
    expect(stored.rows.every(({ text }) => !text.includes(rotated.Secret.slice(6, 30)))).toBe(true);
  });

  it('is sent for everybody who became a contact, in any way', async () => {
    await add(['contact.created']);
    await app.sandbox.text('14235550171', ours, 'JOIN');
    const paste = (many: number) =>
      app.call(
        imports.pasteContacts,
        {
          params: { ListID: 0 },
          body: {
            UserIndicatedConsentDeclared: true,
            Items: Array.from({ length: many }, (_, place) => ({
              ...{ Name: `Person ${place}`, PrimaryPhone: String(4_235_551_000 + place) },
            })),
          },
        },
        account.owner,
      );
    expect((await paste(120)).status).toBe(200);
    // Existing contacts are not new.
    expect((await paste(2)).status).toBe(200);
    await app.until(async () => hooks.length >= 121);
    await app.drain();
    const people = hooks.map(dataOf);
    expect(new Set(people.map(({ data }) => data.PrimaryPhone)).size).toBe(121);
    expect([people.length, new Set(people.map(({ type }) => type)).size]).toEqual([121, 1]);
    expect(people.map(({ data }) => data.PrimaryPhone)).toContain('14235550171');
  });

  it('is sent for texts received, sent and delivered, and opt-outs, only for subscribed types', async () => {
    const made = await add([
      'message.received',
      'message.sent',
      'message.delivered',
      'contact.opted_out',
      'contact.updated',
    ]);
    const person = await addPerson('Ann', theirs);
    await app.call(
      updateContact,
      {
        params: { PersonID: person.PersonID },
        body: { FirstName: 'Ann', LastName: 'Lee', PrimaryPhone: theirs, CustomData: {} },
      } as never,
      account.owner,
    );
    await app.sandbox.text(theirs, ours, 'Is the bus running?');
    await app.until(async () => hooks.some((hook) => dataOf(hook).type === 'message.received'));
    await app.sandbox.text(theirs, ours, 'STOP');
    await app.until(async () => hooks.some((hook) => dataOf(hook).type === 'message.delivered'));
    const told = Map.groupBy(hooks.map(dataOf), ({ type }) => type);
    expect(told.get('contact.updated')?.[0]?.data).toMatchObject({
      PersonID: person.PersonID,
      LastName: 'Lee',
    });
    expect(told.get('message.received')?.[0]?.data).toMatchObject({
      ...{
        PhoneNumber: theirs,
        TextNumber: ours,
        Message: 'Is the bus running?',
        IsInbound: true,
        Status: 'received',
      },
      ...{ ConversationID: expect.any(Number), BroadcastID: null },
    });
    // The confirmation of the opt-out is the only text that we sent.
    expect(told.get('message.sent')?.[0]?.data).toMatchObject({
      IsInbound: false,
      Status: expect.any(String),
    });
    expect(told.get('message.delivered')?.[0]?.data).toMatchObject({
      Status: 'delivered',
      StatusLabel: 'Delivered',
    });
    expect(told.get('contact.opted_out')).toHaveLength(1);
    expect(told.get('contact.opted_out')?.[0]?.data).toMatchObject({
      ...{ PhoneNumber: theirs, PersonIDs: [person.PersonID], Channel: 'text', Source: 'inbound' },
    });
    expect(told.has('contact.created')).toBe(false);
    for (const [type, some] of told) {
      const shape = webhookShapes[webhookEvents[type as keyof typeof webhookEvents].shape];
      for (const { data } of some) expect(shape.safeParse(data).error, type).toBeUndefined();
    }
    expect(new Set(hooks.map(({ headers }) => headers['webhook-id'])).size).toBe(hooks.length);
    expect((await deliveriesOf(made.WebhookID)).every(({ State }) => State === 'delivered')).toBe(true);
  });

  it('is sent once for each contact whom an import changed', async () => {
    await addPerson('Una', '4235550191');
    await addPerson('Vic', '4235550192');
    await add(['contact.created', 'contact.updated', 'import.finished']);
    const answered = await fetch(`${app.url}/proxy/api/fileuploads/two.csv`, {
      method: 'POST',
      headers: { cookie: account.owner.cookie },
      body: 'First name,Phone\nUna-Maria,4235550191\nVic,4235550192\nWim,4235550193\n',
    });
    const { FileID, FileStructure } = (await answered.json()) as imports.FileUpload;
    const Columns = imports.fileColumns.parse(FileStructure.Tabs[0]);
    await app.call(
      imports.processFile,
      { params: { FileID }, body: { TabNumber: 1, HasHeader: true, Columns } },
      account.owner,
    );
    await app.drain();
    const { status } = await app.call(
      imports.importFile,
      { params: { ListID: 0 }, body: { FileID, UserIndicatedConsentDeclared: true } },
      account.owner,
    );
    expect(status).toBe(200);
    await app.drain();
    expect(hooks.map(dataOf).map(({ type, data }) => [type, data.FirstName ?? data.Count])).toEqual(
      expect.arrayContaining([
        ['contact.created', 'Wim'],
        ['contact.updated', 'Una-Maria'],
        ['import.finished', 3],
      ]),
    );
    expect(hooks).toHaveLength(3);
  });

  it('tells of merged contacts which one changed and which are deleted', async () => {
    await add(['contact.updated', 'contact.deleted']);
    const [kept, gone] = [await addPerson('Cy', '14235550151'), await addPerson('Di', '14235550152')];
    const PersonIDs = [kept.PersonID, gone.PersonID];
    await app.call(mergeContacts, { body: { PersonIDs, IsPreview: true } }, account.owner);
    await app.call(mergeContacts, { body: { PersonIDs } }, account.owner);
    await app.until(async () => hooks.length >= 2);
    await app.drain();
    expect(hooks.map(dataOf).map(({ type, data }) => [type, data.PersonID])).toEqual(
      expect.arrayContaining([
        ['contact.updated', kept.PersonID],
        ['contact.deleted', gone.PersonID],
      ]),
    );
    expect(hooks).toHaveLength(2);
  });

  it('contains the number of a change of many, and each user who was deactivated', async () => {
    await add(['contacts.changed', 'conversations.changed', 'conversation.updated', 'user.updated']);
    const { body: group } = await app.call(addList, { body: { ListName: 'Riders' } }, account.owner);
    const people = [await addPerson('Uma', '4235550181'), await addPerson('Vic', '4235550182')];
    const Selection = { Type: 'Selected' as const, Items: people.map(({ PersonID }) => PersonID) };
    const params = { ListID: 0, TargetID: group.ListID };
    const joined = await app.call(copyContacts, { params, body: { Selection } }, account.owner);
    await app.call(undoContacts, { params: { UndoID: joined.body.UndoID ?? 0 } }, account.owner);
    const recipients = ['14235550183', '14235550184'].map((PrimaryPhone) => ({ PrimaryPhone }));
    const [Contact, ...Contacts] = recipients;
    const TextNumberID = account.numbers[ours] ?? 0;
    const body = { TextNumberID, LastMessage: { Contact, Message: 'The bus is late.' }, Contacts };
    const begun = await app.call(createConversation, { body } as never, account.owner);
    expect([begun.status, begun.body]).toEqual([200, expect.anything()]);
    const Items = begun.body.Items.map(({ ConversationID }) => ConversationID ?? 0);
    const done = { Selection: { Type: 'Selected' as const, Items }, Update: { IsDone: true } };
    expect((await app.call(updateConversations, { body: done }, account.owner)).status).toBe(200);
    await happened([{ kind: 'users.changed', ids: [71, 72] }]);
    await app.until(async () => hooks.length >= 7);
    await app.drain();
    const told = Map.groupBy(hooks.map(dataOf), ({ type }) => type);
    const dataOfType = (type: string) => told.get(type)?.map(({ data }) => data) ?? [];
    expect(dataOfType('contacts.changed')).toEqual([
      { What: 'Added contacts to a group', Count: 2, ListID: group.ListID },
      { What: 'Undid a change to contacts', Count: 2, ListID: null },
    ]);
    expect(new Set(dataOfType('conversation.updated').map(({ ConversationID }) => ConversationID))).toEqual(
      new Set(Items),
    );
    expect(dataOfType('conversations.changed')).toEqual([
      { What: 'Changed several conversations', Count: 2, ListID: null },
    ]);
    expect(dataOfType('user.updated').map(({ ID }) => ID)).toEqual([71, 72]);
  });

  it('has a sample of its format for every type, and reads every kind', () => {
    for (const type of webhookTypes)
      expect(
        webhookShapes[webhookEvents[type].shape].safeParse(webhookSample(type)).error,
        type,
      ).toBeUndefined();
    for (const kind of webhookKinds) expect(typesOfKind(kind).length).toBeGreaterThan(0);
  });
});

describe('an endpoint that fails', () => {
  it('is tried again with growing waits over three days, and keeps each try with its response', async () => {
    const made = await add(['group.created']);
    answer = (_hook, response) =>
      response.writeHead(500, { 'content-type': 'text/plain' }).end('database is locked');
    await app.call(
      calls.testWebhook,
      { params: { WebhookID: made.WebhookID }, body: { EventType: 'group.created' } },
      account.owner,
    );
    await app.drain();
    const [first] = await deliveriesOf(made.WebhookID);
    expect(first).toMatchObject({ State: 'waiting', Tries: 1, LastStatus: 500 });
    // Since it was recorded, whenever this test sees it.
    const { rows } = await sql<{ wait: number }>`
      select extract(epoch from d.next_try_at - w.failing_since) * 1000 as wait
      from webhook_deliveries d join webhook_endpoints w using (account_id, endpoint_id)
      where d.delivery_id = ${first?.DeliveryID}`.execute(app.database.system);
    const wait = Number(rows[0]?.wait);
    expect(wait).toBeGreaterThan(3_000);
    expect(wait).toBeLessThan(6_000);
    const due = sql`update webhook_deliveries set next_try_at = now() where delivery_id = ${first?.DeliveryID}`;
    await due.execute(app.database.system);
    answer = (_hook, response) => response.writeHead(204).end();
    await app.drain();
    const whole = await one(made.WebhookID, first?.DeliveryID ?? 0);
    expect(whole).toMatchObject({
      ...{ State: 'delivered', Tries: 2, NextTryTimestamp: null },
      Attempts: [
        { Attempt: 2, Status: 204, Reply: '' },
        { Attempt: 1, Status: 500, Reply: 'database is locked', ContentType: 'text/plain' },
      ],
    });
    expect(JSON.parse(whole.Body)).toMatchObject({ type: 'group.created', data: { ListID: 12 } });
    expect(hooks[0]?.headers['webhook-id']).toBe(hooks[1]?.headers['webhook-id']);

    let total = 0;
    let tries = 1;
    for (let next = waitAfter(tries, 0.5); next !== undefined; next = waitAfter(tries, 0.5)) {
      total += next;
      tries += 1;
    }
    expect(tries).toBe(11);
    expect(total / 3_600_000).toBeGreaterThan(70);
    expect(total / 3_600_000).toBeLessThan(72);
    await sql`update webhook_deliveries set state = 'waiting', round_tries = 10, next_try_at = now() where delivery_id = ${first?.DeliveryID}`.execute(
      app.database.system,
    );
    answer = (_hook, response) => response.writeHead(503).end();
    await app.drain();
    expect(await deliveriesOf(made.WebhookID)).toMatchObject([
      { State: 'failed', Tries: 3, LastStatus: 503 },
    ]);
  });

  it('does not delay others: not by silence, an endless body or redirects', async () => {
    const held = new Set<ServerResponse>();
    let givenUp = 0;
    let isSilent = true;
    answer = (hook, response) => {
      if (hook.path === '/silent' && isSilent) {
        held.add(response);
        response.once('close', () => {
          held.delete(response);
          givenUp += 1;
        });
      } else if (hook.path === '/endless') {
        response.writeHead(200);
        response.write('x'.repeat(100));
      } else if (hook.path === '/large') response.writeHead(200).end('y'.repeat(1_000_000));
      else if (hook.path === '/redirect')
        response.writeHead(302, { location: `http://${host}/inward` }).end();
      else response.writeHead(200).end();
    };
    const paths = ['silent', 'endless', 'large', 'redirect', 'well'];
    const made = new Map<string, number>();
    for (const path of paths)
      made.set(path, (await add(['group.deleted'], `http://${host}/${path}`)).WebhookID);
    made.set('dead', (await add(['group.deleted'], 'http://127.0.0.1:9/')).WebhookID);
    // As many as the silent one may have at once. It is on the host of the others.
    await sql`
      insert into webhook_deliveries (account_id, endpoint_id, message_key, event_type, body)
      select ${account.accountId}, ${made.get('silent')}, 'msg_' || n, 'group.deleted', '{}'
      from generate_series(1, 64) n`.execute(app.database.system);
    // Objects that can't be looked up any more are left out.
    await happened([{ kind: 'group.deleted', id: 999_999 }]);
    const { rows } = await sql<{ group_id: number }>`
      insert into groups (account_id, name) values (${account.accountId}, 'Gone') returning group_id`.execute(
      app.database.system,
    );
    const id = rows[0]?.group_id ?? 0;
    const drains: Promise<void>[] = [];
    const delivered = (many: number) =>
      waitUntil(async () => {
        drains.push(app.drain());
        await new Promise((resolve) => setTimeout(resolve, 300));
        return (await deliveriesOf(made.get('well') ?? 0, { state: 'delivered' })).length === many;
      });
    // Others don't wait for the silent one: while it holds requests, events arrive. It is given up after
    // fifteen seconds; if the machine paused for that long, there is another try.
    let arrived = 0;
    for (let isProven = false; !isProven; ) {
      const before = { held: held.size, givenUp };
      await happened([{ kind: 'group.deleted', id }]);
      arrived += 1;
      await delivered(arrived);
      isProven = before.held > 0 && givenUp === before.givenUp;
      if (givenUp === 0) continue;
      await sql`update webhook_endpoints set resting_until = null`.execute(app.database.system);
      await sql`update webhook_deliveries set next_try_at = now() where endpoint_id = ${made.get('silent')}`.execute(
        app.database.system,
      );
    }
    isSilent = false;
    for (const response of held) response.socket?.destroy();
    await Promise.all(drains);
    const [endless] = await deliveriesOf(made.get('endless') ?? 0);
    expect(endless?.State).toBe('delivered');
    expect((await one(made.get('endless') ?? 0, endless?.DeliveryID ?? 0)).Attempts[0]?.Reply).toBe(
      'x'.repeat(100),
    );
    const [large] = await deliveriesOf(made.get('large') ?? 0);
    expect((await one(made.get('large') ?? 0, large?.DeliveryID ?? 0)).Attempts[0]?.Reply).toHaveLength(4096);
    const [redirect] = await deliveriesOf(made.get('redirect') ?? 0);
    expect(redirect).toMatchObject({ State: 'waiting', LastStatus: 302 });
    expect(hooks.some(({ path }) => path === '/inward')).toBe(false);
    const [dead] = await deliveriesOf(made.get('dead') ?? 0);
    expect((await one(made.get('dead') ?? 0, dead?.DeliveryID ?? 0)).Attempts[0]).toMatchObject({
      ...{ Status: null, Error: 'The host refused the connection.' },
    });
  });

  it('is turned off after a week, or if it reports it is gone; owners and admins get a mail', async () => {
    const admin = await buildUser(app, account.accountId, 'admin');
    const week = await add(['user.created'], `http://${host}/week`);
    const gone = await add(['user.created'], `http://${host}/gone`);
    const young = await add(['user.created'], `http://${host}/young`);
    await sql`update webhook_endpoints set failing_since = now() - interval '8 days' where endpoint_id = ${week.WebhookID}`.execute(
      app.database.system,
    );
    await sql`update webhook_endpoints set failing_since = now() - interval '6 days' where endpoint_id = ${young.WebhookID}`.execute(
      app.database.system,
    );
    answer = ({ path }, response) => response.writeHead(path === '/gone' ? 410 : 500).end();
    await happened([{ kind: 'user.created', id: admin.userId }]);
    await app.drain();
    await app.drain();
    const { body } = await app.call(calls.listWebhooks, {}, account.owner);
    const stateOf = (id: number) => body.Items.find(({ WebhookID }) => WebhookID === id);
    expect(stateOf(week.WebhookID)).toMatchObject({ IsEnabled: false, OffReason: 'failing', Waiting: 1 });
    expect(stateOf(gone.WebhookID)).toMatchObject({ IsEnabled: false, OffReason: 'gone' });
    expect(stateOf(young.WebhookID)).toMatchObject({ IsEnabled: true, FailingSince: expect.any(String) });
    const mails = await app.sandbox.mails(`${admin.userName}@example.org`);
    expect(mails.map(({ Subject }) => Subject)).toEqual([
      'A webhook was switched off',
      'A webhook was switched off',
    ]);
    expect(mails.map(({ Text }) => Text).join()).toContain(
      `Nothing has arrived at http://${host}/week for a week`,
    );
    // When turned on again, it starts over with the waiting ones.
    answer = (_hook, response) => response.writeHead(200).end();
    const params = { WebhookID: week.WebhookID };
    const change = { Url: `http://${host}/week`, EventTypes: ['user.created' as const], IsEnabled: true };
    const on = await app.call(calls.updateWebhook, { params, body: change }, account.owner);
    expect(on.body).toMatchObject({ IsEnabled: true, OffReason: '', FailingSince: null });
    await sql`update webhook_deliveries set next_try_at = now() where state = 'waiting'`.execute(
      app.database.system,
    );
    await app.drain();
    expect(await deliveriesOf(week.WebhookID)).toMatchObject([{ State: 'delivered' }]);
  });
});

describe('nothing is lost', () => {
  it('is delivered once more when the process dies between the event and the response', async () => {
    const made = await add(['user.updated']);
    await happened([{ kind: 'user.updated', id: account.owner.userId }]);
    // Read by a process that died before it could write: the cursor hasn't moved.
    const died = new Error('killed');
    await asSystem(app.database, async (trx) => {
      expect(await fanOut(trx)).toBeGreaterThan(0);
      throw died;
    }).catch((error: unknown) => expect(error).toBe(died));
    expect(await deliveriesOf(made.WebhookID)).toEqual([]);
    expect(await fanOutEvents(app.database)).toBeGreaterThan(0);
    // Claimed by a process that died before the response: due again when the lease has expired.
    await sql`update webhook_deliveries set tries = 1, round_tries = 1, next_try_at = now() + interval '1 minute'
      where endpoint_id = ${made.WebhookID}`.execute(app.database.system);
    await app.drain();
    expect(hooks).toHaveLength(0);
    await sql`update webhook_deliveries set next_try_at = now() where endpoint_id = ${made.WebhookID}`.execute(
      app.database.system,
    );
    await app.drain();
    expect(hooks).toHaveLength(1);
    expect(await deliveriesOf(made.WebhookID)).toMatchObject([{ State: 'delivered', Tries: 2 }]);
    await app.drain();
    expect(hooks).toHaveLength(1);
  });

  it('is read in turns, however many ids the events hold', async () => {
    await app.drain();
    const ids = Array.from({ length: 3_000 }, (_, place) => 9_000_000 + place);
    for (let each = 0; each < 3; each += 1) await happened([{ kind: 'contact.updated', ids }]);
    const read: number[] = [];
    await waitUntil(async () => {
      read.push(await asSystem(app.database, fanOut));
      return read.filter((many) => many > 0).length === 3;
    });
    expect(Math.max(...read)).toBe(1);
  });

  it('is replayed one by one or by period, under the same id', async () => {
    const made = await add(['text_number.added']);
    answer = (_hook, response) => response.writeHead(400).end();
    await happened([
      { kind: 'textNumber.added', id: 1 },
      { kind: 'textNumber.added', id: 2 },
    ]);
    await app.drain();
    await sql`update webhook_deliveries set state = 'failed' where endpoint_id = ${made.WebhookID}`.execute(
      app.database.system,
    );
    answer = (_hook, response) => response.writeHead(200).end();
    const params = { WebhookID: made.WebhookID };
    const [latest] = await deliveriesOf(made.WebhookID);
    const replay = { params: { ...params, DeliveryID: latest?.DeliveryID ?? 0 } };
    expect((await app.call(calls.replayWebhookDelivery, replay, account.owner)).body).toEqual({ Count: 1 });
    await app.drain();
    expect((await deliveriesOf(made.WebhookID)).map(({ State }) => State)).toEqual(['delivered', 'failed']);
    const From = new Date(Date.now() - 60_000).toISOString();
    const To = new Date(Date.now() + 60_000).toISOString();
    const range = (OnlyFailed: boolean) =>
      app.call(calls.replayWebhook, { params, body: { From, To, OnlyFailed } }, account.owner);
    expect((await range(true)).body).toEqual({ Count: 1 });
    await app.drain();
    expect((await range(false)).body).toEqual({ Count: 2 });
    await app.drain();
    expect((await deliveriesOf(made.WebhookID)).map(({ Tries }) => Tries).sort()).toEqual([3, 3]);
    expect(new Set(hooks.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
    const backwards = await app.call(
      calls.replayWebhook,
      { params, body: { From: To, To: From } },
      account.owner,
    );
    expect(refusalOf(backwards)).toMatchObject({
      status: 400,
      Message: 'The end has to be after the beginning',
    });
  });
});

describe('a short link that is opened', () => {
  const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1';

  it('is reported once per person, not for machines, and a thousand people are a few events', async () => {
    await sql`update accounts set quiet_hours_on = false`.execute(app.database.system);
    const person = await addPerson('Lea', '4235550188');
    const TextNumberID = Object.values(account.numbers)[0] ?? 0;
    const sent = await app.call(
      quickSend,
      {
        body: {
          ...{ People: [{ PersonID: person.PersonID }], TextNumberID, ShortenLinks: true },
          TextMessage: 'Sign up: https://school.example.org/forms',
        },
      },
      account.owner,
    );
    expect([sent.status, sent.body]).toEqual([200, expect.anything()]);
    await app.drain();
    await app.drain();
    const { rows } = await sql<{ token: string; link_id: number; broadcast_id: number }>`
      select t.token, l.link_id, l.broadcast_id from link_tokens t join links l using (account_id, link_id)
      where l.account_id = ${account.accountId}`.execute(app.database.system);
    const [
      { token, link_id: linkId, broadcast_id: broadcastId } = { token: '', link_id: 0, broadcast_id: 0 },
    ] = rows;
    const open = (userAgent: string) =>
      fetch(`${app.url}/l/${token}`, { redirect: 'manual', headers: { 'user-agent': userAgent } });
    const kept = async () => {
      const found = await sql<{ events: number; waiting: number }>`
        select (select count(*)::int from events where kind = 'link.opened') as events,
          (select count(*)::int from opened_links) as waiting`.execute(app.database.system);
      return found.rows[0];
    };

    await open('WhatsApp/2.23');
    expect((await open(safari)).status).toBe(302);
    // Nobody subscribed: nothing is saved.
    expect(await kept()).toEqual({ events: 0, waiting: 0 });

    await add(['link.opened']);
    await sql`update link_tokens set clicks = 0, first_clicked_at = null, last_clicked_at = null`.execute(
      app.database.system,
    );
    await open('WhatsApp/2.23');
    await Promise.all([open(safari), open(safari)]);
    await sql`update link_tokens set last_clicked_at = now() - interval '1 minute' where clicks > 0`.execute(
      app.database.system,
    );
    await open(safari);
    await app.drain();
    expect(hooks.map(dataOf)).toMatchObject([
      {
        type: 'link.opened',
        data: {
          ...{ BroadcastID: broadcastId, Url: 'https://school.example.org/forms', PersonID: person.PersonID },
          ...{ PhoneNumber: '14235550188', RecipientID: expect.any(Number) },
          OpenTimestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      },
    ]);

    await sql`
      with many as (
        insert into broadcast_recipients (account_id, broadcast_id, phone)
        select ${account.accountId}::bigint, ${broadcastId}::bigint, '1423555' || (1000 + n)
        from generate_series(1, 1100) n returning recipient_id)
      insert into opened_links (account_id, link_id, recipient_id)
      select ${account.accountId}::bigint, ${linkId}::bigint, recipient_id from many`.execute(
      app.database.system,
    );
    await app.drain();
    await app.drain();
    expect(new Set(hooks.map(({ headers }) => headers['webhook-id'])).size).toBe(1101);
    expect(await kept()).toEqual({ events: 4, waiting: 0 });
  });
});

describe('the counts of the page', () => {
  it('count the rows of the list, of any age, and the share is of seven days', async () => {
    const made = await add(['user.updated']);
    await happened([{ kind: 'user.updated', ids: Array.from({ length: 12 }, (_, index) => index + 1) }]);
    await fanOutEvents(app.database);
    // Four waiting, four failed, four delivered; half of each are ten days old.
    await sql`
      update webhook_deliveries d set state = (array['waiting', 'failed', 'delivered'])[1 + n % 3],
        created_at = now() - case when n % 2 = 0 then interval '10 days' else interval '1 hour' end,
        next_try_at = now() + interval '1 hour'
      from (select delivery_id, (row_number() over (order by delivery_id))::int as n from webhook_deliveries
        where endpoint_id = ${made.WebhookID}) numbered
      where numbered.delivery_id = d.delivery_id`.execute(app.database.system);
    const params = { WebhookID: made.WebhookID };
    const ask = async (query: { state?: 'failed'; pagesize?: number; next?: string }) =>
      (await app.call(calls.listWebhookDeliveries, { params, query }, account.owner)).body;
    const Counts = { All: 12, Failed: 4, Waiting: 4 };
    expect(await ask({})).toMatchObject({ Items: { length: 12 }, Counts });
    expect(await ask({ state: 'failed' })).toMatchObject({ Items: { length: 4 }, Counts });
    const first = await ask({ pagesize: 5 });
    expect(first).toMatchObject({ Items: { length: 5 }, Counts });
    const second = await ask({ pagesize: 5, next: first.Next ?? '' });
    expect(second).toMatchObject({ Items: { length: 5 } });
    expect(second.Counts).toBeUndefined();
    const { body } = await app.call(calls.listWebhooks, {}, account.owner);
    expect(body.Items.find(({ WebhookID }) => WebhookID === made.WebhookID)).toMatchObject({
      ...{ Delivered: 2, Failed: 2, Waiting: 2 },
    });
  });
});

describe('permissions and addresses', () => {
  it('refuses private addresses and plain http, also if a name resolves to one', async () => {
    const bad = async (Url: string) =>
      refusalOf(
        await app.call(calls.addWebhook, { body: { Url, EventTypes: ['user.created'] } }, account.owner),
      ).Message;
    expect(await bad('http://example.org/hook')).toBe('The address has to begin with https://.');
    expect(await bad('https://10.0.0.1/hook')).toBe('The address is in a private network.');
    expect(await bad('https://[::1]/hook')).toBe('The address is in a private network.');
    expect(await bad('ftp://example.org')).toBe('Enter an address such as https://example.org/muster');
    const named = await add(['user.created'], 'https://localhost/hook');
    await app.call(calls.testWebhook, { params: { WebhookID: named.WebhookID }, body: {} }, account.owner);
    await app.drain();
    const [tried] = await deliveriesOf(named.WebhookID);
    expect((await one(named.WebhookID, tried?.DeliveryID ?? 0)).Attempts[0]?.Error).toBe(
      'The address is in a private network.',
    );
  });

  it('is for owners and admins of accounts with API access, and each account sees its own', async () => {
    const user = await buildUser(app, account.accountId, 'user');
    expect((await app.call(calls.listWebhooks, {}, user)).status).toBe(403);
    const closed = await buildAccount(app);
    expect((await app.call(calls.listWebhooks, {}, closed.owner)).status).toBe(403);
    const other = await authorized();
    const mine = await add(['user.created', 'contact.created']);
    const theirsToo = await add(['user.created'], `http://${host}/other`, other);
    await happened([{ kind: 'user.created', id: 5 }], other);
    await app.drain();
    expect(hooks.map(({ path }) => path)).toEqual(['/other']);
    const foreign = { params: { WebhookID: theirsToo.WebhookID } };
    expect((await app.call(calls.deleteWebhook, foreign, account.owner)).status).toBe(404);
    expect(
      (await app.call(calls.deleteWebhook, { params: { WebhookID: mine.WebhookID } }, account.owner)).status,
    ).toBe(200);
    await happened([{ kind: 'user.created', id: 6 }]);
    await app.drain();
    expect(hooks).toHaveLength(1);
    await app.sweep();
    const { rows } = await sql`select from webhook_endpoints where endpoint_id = ${mine.WebhookID}`.execute(
      app.database.system,
    );
    expect(rows).toHaveLength(0);
  });
});
