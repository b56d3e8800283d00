/**
 * The peer: the same texts as one job each in BullMQ on Redis, taken to the same sandbox, a request each, as such
 * programs do it. Neither is a dependency of Muster: where one of them isn't there it is said, and nothing is measured.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { credentials } from './harness.ts';

interface Queue {
  addBulk(jobs: { name: string; data: object; opts?: object }[]): Promise<unknown>;
  getJobCountByTypes(...types: string[]): Promise<number>;
  close(): Promise<void>;
}
interface Bull {
  Queue: new (name: string, options: object) => Queue;
  Worker: new (
    name: string,
    run: (job: { data: { to: string; key: string } }) => Promise<void>,
    options: object,
  ) => { close(): Promise<void> };
}

const redisPort = 6399;

/** Texts a second; undefined, with a sentence, where it can't be measured here. */
export async function measurePeer(
  sandboxUrl: string,
  number: string,
  count: number,
): Promise<number | undefined> {
  const bull = await findBull();
  if (bull === undefined) {
    console.log('the peer is not measured: BullMQ is not installed (npm install --no-save bullmq ioredis)');
    return undefined;
  }
  const redis = spawn('redis-server', ['--port', String(redisPort), '--save', '', '--appendonly', 'yes'], {
    cwd: '/tmp',
    stdio: 'ignore',
  });
  const failed = once(redis, 'error').then(() => true);
  if (await Promise.race([failed, new Promise<false>((resolve) => setTimeout(resolve, 1000, false))])) {
    console.log('the peer is not measured: redis-server is not installed (apt-get install redis-server)');
    return undefined;
  }
  try {
    return await run(bull, sandboxUrl, number, count);
  } finally {
    redis.kill('SIGKILL');
    await once(redis, 'exit');
  }
}

async function findBull(): Promise<Bull | undefined> {
  try {
    return createRequire(import.meta.url)('bullmq') as Bull;
  } catch {
    return undefined;
  }
}

async function run(bull: Bull, sandboxUrl: string, number: string, count: number): Promise<number> {
  const connection = { host: '127.0.0.1', port: redisPort };
  const queue = new bull.Queue('texts', { connection });
  const start = performance.now();
  let done = 0;
  const worker = new bull.Worker(
    'texts',
    async ({ data }) => {
      await fetch(`${sandboxUrl}/sms/3/messages`, {
        method: 'POST',
        headers: { authorization: `App ${credentials.INFOBIP_API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          messages: [
            {
              sender: number,
              destinations: [{ to: data.to, messageId: data.key }],
              content: { text: 'School is closed today.' },
            },
          ],
        }),
      });
      done += 1;
    },
    { connection, concurrency: 100 },
  );
  for (let from = 0; from < count; from += 1000) {
    await queue.addBulk(
      Array.from({ length: Math.min(1000, count - from) }, (_, index) => ({
        name: 'text',
        data: { to: `1${3010000000 + from + index}`, key: `peer-${from + index}` },
        opts: { removeOnComplete: true },
      })),
    );
  }
  while (done < count) await new Promise((resolve) => setTimeout(resolve, 50));
  const seconds = (performance.now() - start) / 1000;
  await worker.close();
  await queue.close();
  return count / seconds;
}
