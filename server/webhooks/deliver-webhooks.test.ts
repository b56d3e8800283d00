import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { addWebhook } from '../../contract/webhooks.ts';
import { getSecret } from '../auth/queries.ts';
import type { WebhookAnswer } from '../outside/post-webhook.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { createDeliveries } from './deliver-webhooks.ts';
import { atOnce, atOnceAccount, atOnceSlow, slowMs } from './rules.ts';

let app: TestApp;
/** Active requests, by URL: each is answered by calling it. */
let active: { url: string; answer: () => void }[];
let durationMs: number;

beforeAll(async () => {
  app = await testApp({}, { OUTSIDE_ALLOWED_HOSTS: '127.0.0.1:9' });
});

beforeEach(async () => {
  active = [];
  durationMs = 5;
  await app.database.system.updateTable('webhook_endpoints').set({ is_enabled: false }).execute();
});

/** An endpoint with this many deliveries that are due. */
async function addEndpoint({ accountId, owner }: BuiltAccount, path: string, many: number): Promise<void> {
  const body = { Url: `http://127.0.0.1:9/${path}`, EventTypes: ['group.created' as const] };
  const made = await app.call(addWebhook, { body }, owner);
  await sql`
    insert into webhook_deliveries (account_id, endpoint_id, message_key, event_type, body)
    select ${accountId}, ${made.body.WebhookID}, 'msg_' || n, 'group.created', '{}' from generate_series(1, ${many}::int) n`.execute(
    app.database.system,
  );
}

async function makeAccount(): Promise<BuiltAccount> {
  const account = await buildAccount(app);
  await sql`update accounts set is_api_authorized = true where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  return account;
}

function begin() {
  const { log, config, database } = app.context;
  const answered: WebhookAnswer = { status: 200, durationMs: 0, contentType: '', reply: '', error: '' };
  const poster = {
    post: ({ url }: { url: string }) =>
      new Promise<WebhookAnswer>((resolve) => {
        const one = {
          url,
          answer: () => {
            active.splice(active.indexOf(one), 1);
            resolve({ ...answered, durationMs });
          },
        };
        active.push(one);
      }),
    close: async () => {},
  };
  const installation = () => getSecret(database);
  return createDeliveries({ ...{ database, poster, log, installation }, publicUrl: config.PUBLIC_URL });
}

const answerAll = () => {
  for (const { answer } of [...active]) answer();
};
const activeAt = (path: string) => active.filter(({ url }) => url.endsWith(`/${path}`)).length;

/** Answers everything until the run ends. */
async function finish(run: Promise<void>): Promise<void> {
  let isOver = false;
  const end = run.finally(() => {
    isOver = true;
  });
  await waitUntil(() => {
    answerAll();
    return Promise.resolve(isOver);
  });
  await end;
}

it('leaves room beside an account with many endpoints that don’t respond', async () => {
  const crowd = await makeAccount();
  const other = await makeAccount();
  const paths = Array.from({ length: 20 }, (_, place) => `silent-${place}-end`);
  for (const path of paths) await addEndpoint(crowd, path, 70);
  await addEndpoint(other, 'well', 1);
  const deliveries = begin();
  const run = deliveries.run();
  await waitUntil(() => Promise.resolve(active.length > atOnceAccount));
  // A second look claims nothing more for them.
  await addEndpoint(other, 'later', 1);
  void deliveries.run();
  await waitUntil(() => Promise.resolve(activeAt('later') === 1));
  expect([activeAt('well'), active.length]).toEqual([1, atOnceAccount + 2]);
  const shares = paths.map(activeAt);
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
  await finish(run);
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from webhook_deliveries where state = 'waiting'`.execute(
    app.database.system,
  );
  expect(rows).toEqual([{ many: 0 }]);
});

it('gives an endpoint that responds slowly a smaller share', async () => {
  await addEndpoint(await makeAccount(), 'slow', 200);
  const deliveries = begin();
  const run = deliveries.run();
  await waitUntil(() => Promise.resolve(active.length === atOnce));
  durationMs = 8 * slowMs;
  answerAll();
  await waitUntil(() => Promise.resolve(active.length > 0));
  expect(active).toHaveLength(atOnceSlow);
  // It has recovered.
  durationMs = 5;
  for (let round = 0; round < 10 && active.length < atOnce; round += 1) {
    answerAll();
    await waitUntil(() => Promise.resolve(active.length > 0));
  }
  expect(active).toHaveLength(atOnce);
  await finish(run);
});
