/**
 * Webhooks: how many a second the worker delivers to a receiver in this process, beside a bare loop that signs and posts
 * the same bodies; how long an event takes to its endpoint while a hundred a second happen; the same beside an
 * endpoint that never answers; and beside twenty of those and twenty slow ones, of an older account.
 *
 *   node bench/webhooks.ts [deliveries]
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { webhookBody, webhookSample } from '../contract/webhook-events.ts';
import { sealSecret } from '../server/seal-secret.ts';
import { secretPlace } from '../server/webhooks/queries.ts';
import { newSecret, signWebhook } from '../server/webhooks/rules.ts';
import { percentile, report, startBench } from './harness.ts';

const count = Number(process.argv[2] ?? 10_000);
const atOnce = 64;

/** Time when each event came, by the id in its body. */
const cameAt = new Map<number, number>();
let arrived = 0;
const receiver = createServer((incoming, response) => {
  const pieces: Buffer[] = [];
  incoming.on('data', (piece: Buffer) => pieces.push(piece));
  incoming.on('end', () => {
    // The dead one: it takes the request and says nothing.
    if (incoming.url === '/dead') return;
    if (incoming.url === '/slow') {
      setTimeout(() => response.writeHead(200).end('ok'), 5_000);
      return;
    }
    const body = JSON.parse(Buffer.concat(pieces).toString()) as { data: { ID?: number } };
    if (typeof body.data.ID === 'number') cameAt.set(body.data.ID, performance.now());
    arrived += 1;
    response.writeHead(200).end('ok');
  });
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const bench = await startBench({ port: 4787, numbers: {} });
try {
  const crowdId = await makeAccount();
  const accountId = await makeAccount();
  const well = await makeEndpoint(accountId, `http://${host}/well`);
  const holds: boolean[] = [];
  const bare = await bareLoop();
  console.log(`       a bare loop of signed requests: ${Math.round(bare)} a second`);
  await fill(accountId, well, count);
  await bench.startServer({ OUTSIDE_ALLOWED_HOSTS: host });
  const began = performance.now();
  await until(() => arrived >= count);
  const rate = count / ((performance.now() - began) / 1000);
  holds.push(report('webhooks delivered a second', rate, { least: 1_000 }, ''));
  holds.push(report('an event at its endpoint, p95', await latency(accountId, 1), { most: 2_000 }, 'ms'));
  await fill(accountId, await makeEndpoint(accountId, `http://${host}/dead`), 1_000);
  holds.push(
    report('the same beside a dead endpoint, p95', await latency(accountId, 100_000), { most: 2_000 }, 'ms'),
  );
  for (const path of Array.from({ length: 40 }, (_, place) => (place % 2 === 0 ? 'dead' : 'slow')))
    await fill(crowdId, await makeEndpoint(crowdId, `http://${host}/${path}`), 200);
  const crowded = await latency(accountId, 200_000);
  holds.push(report('the same beside a crowd of dead and slow ones, p95', crowded, { most: 2_000 }, 'ms'));
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
  receiver.closeAllConnections();
  receiver.close();
}

async function makeAccount(): Promise<number> {
  const { rows } = await bench.db.query<{ id: string }>(
    "insert into accounts (company_name, is_api_authorized) values ('Bench', true) returning account_id as id",
  );
  return Number(rows[0]?.id);
}

async function makeEndpoint(accountId: number, url: string): Promise<number> {
  const { rows } = await bench.db.query<{ id: string }>(
    `insert into webhook_endpoints (account_id, url, event_types, secret)
     values ($1, $2, '{registration.changed}', '') returning endpoint_id as id`,
    [accountId, url],
  );
  const endpointId = Number(rows[0]?.id);
  const { rows: kept } = await bench.db.query<{ secret: Buffer }>('select secret from installation');
  const sealed = sealSecret(
    kept[0]?.secret ?? Buffer.alloc(0),
    secretPlace(accountId, endpointId),
    newSecret(),
  );
  await bench.db.query('update webhook_endpoints set secret = $2 where endpoint_id = $1', [
    endpointId,
    sealed,
  ]);
  return endpointId;
}

async function fill(accountId: number, endpointId: number, many: number): Promise<void> {
  const body = webhookBody('message.received', new Date(), webhookSample('message.received'));
  await bench.db.query(
    `insert into webhook_deliveries (account_id, endpoint_id, message_key, event_type, body)
     select $1, $2, 'msg_bench_' || n, 'message.received', $3 from generate_series(1, $4::int) n`,
    [accountId, endpointId, body, many],
  );
  await bench.db.query('analyze webhook_deliveries');
}

async function bareLoop(): Promise<number> {
  const agent = new Agent({ connections: atOnce });
  const body = webhookBody('message.received', new Date(), webhookSample('message.received'));
  const secret = newSecret();
  const began = performance.now();
  let left = count;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left > 0) {
        left -= 1;
        const [id, seconds] = [`msg_${left}`, Math.floor(Date.now() / 1000)];
        const answer = await request(`http://${host}/well`, {
          method: 'POST',
          dispatcher: agent,
          headers: {
            'content-type': 'application/json',
            'webhook-id': id,
            'webhook-timestamp': String(seconds),
            'webhook-signature': signWebhook([secret], { id, seconds, body }),
          },
          body,
        });
        await answer.body.dump();
      }
    }),
  );
  await agent.close();
  arrived = 0;
  return count / ((performance.now() - began) / 1000);
}

/** A hundred events a second for ten seconds, each as its own transaction. */
async function latency(accountId: number, firstId: number): Promise<number> {
  const sentAt = new Map<number, number>();
  for (let id = firstId; id < firstId + 1_000; id += 10) {
    const next = performance.now() + 100;
    for (let each = id; each < id + 10; each += 1) {
      await bench.db.query(
        "insert into events (account_id, kind, actor_kind, subject_id) values ($1, 'registration.changed', 'system', $2)",
        [accountId, each],
      );
      sentAt.set(each, performance.now());
    }
    await delay(Math.max(0, next - performance.now()));
  }
  await until(() => [...sentAt.keys()].every((id) => cameAt.has(id)));
  return percentile(
    [...sentAt].map(([id, at]) => (cameAt.get(id) ?? 0) - at),
    0.95,
  );
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('waited two minutes in vain');
    await delay(20);
  }
}
