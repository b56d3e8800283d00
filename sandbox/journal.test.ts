import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  basic,
  createClient,
  infobipKey,
  type Receiver,
  startReceiver,
  startTestSandbox,
  textMessage,
  twilioBase,
} from './testing.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
let folder: string;
let muster: Receiver;
const running = new Set<ChildProcess>();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  muster = await startReceiver();
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  running.clear();
  await muster.close();
  rmSync(folder, { recursive: true, force: true });
});

function journalFile(): string {
  return join(folder, readdirSync(folder).find((name) => name.startsWith('journal')) ?? '');
}

type Program = { url: string; kill: () => Promise<void>; stop: () => Promise<number>; send: typeof fetch };

/** The real program in a process of its own, so that it can be killed. */
async function run(environment: Record<string, string> = {}): Promise<Program> {
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      SANDBOX_PORT: '0',
      SANDBOX_DATA_DIR: folder,
      SANDBOX_NUMBERS: '14235550100=infobip,14235550120=twilio',
      SANDBOX_RETRY_UNIT_MS: '20',
      SANDBOX_DELIVERY_DELAY_MS: '0,0',
      INFOBIP_INBOUND_URL: `${muster.url}/inbound`,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const [line] = (await once(child.stdout ?? process.stdin, 'data')) as [Buffer];
  const url = /^sandbox ready on (http:\S+)/.exec(line.toString())?.[1] ?? '';
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    running.delete(child);
    child.kill(signal);
    const [code] = (await once(child, 'exit')) as [number];
    return code;
  };
  return {
    url,
    send: (path, init) => fetch(url + String(path), init),
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}

async function json<T>(program: Program, path: string, init?: RequestInit): Promise<T> {
  const headers = { authorization: path.startsWith('/2010') ? basic : infobipKey };
  const response = await program.send(path, { headers, ...init });
  return (await response.json()) as T;
}

function post(program: Program, id: string, to: string, text: string) {
  const body = textMessage([{ to, messageId: id }], text, {
    webhooks: { delivery: { url: `${muster.url}/receipts` } },
  });
  return json<{ messages: { status: { id: number } }[] }>(program, '/sms/3/messages', {
    method: 'POST',
    body: JSON.stringify(body, null, 2),
  });
}

type Items = { Items: { Text: string; Direction: string; Status: string; At: string; ID: string }[] };
type Stats = Record<string, number>;

async function settled(program: Program): Promise<Stats> {
  for (;;) {
    const stats = await json<Stats>(program, '/stats');
    if (stats.Pending === 0) return stats;
  }
}

// Each test starts the program up to four times.
describe('the journal', () => {
  it('keeps messages, telephones and ids when the program is killed', async () => {
    const first = await run();
    await post(first, 'a', '14235550143', 'one');
    await post(first, 'b', '14235550143', 'two');
    await first.send('/phones', { method: 'POST', body: '{"Number":"4235550175","Name":"Ann"}' });
    await first.send('/phones/4235550143/messages', {
      method: 'POST',
      body: '{"To":"14235550100","Text":"three"}',
    });
    await settled(first);
    const before = await json<Items>(first, '/phones/4235550143/messages');
    const sid = (
      await json<{ sid: string }>(first, `${twilioBase}/Messages.json`, {
        method: 'POST',
        body: new URLSearchParams({ To: '+14235550106', From: '+14235550120', Body: 'four' }),
      })
    ).sid;
    await settled(first);
    // The end of a message is written within 50 ms of it; a program killed before would deliver it again.
    const written = /"t":"done","s":\[(\d+,)*4\]/;
    while (!written.test(readFileSync(journalFile(), 'utf8'))) await new Promise(setImmediate);
    await first.kill();

    const second = await run();
    expect(await json<Items>(second, '/phones/4235550143/messages')).toMatchObject({
      Items: before.Items.map(({ ID, Text, Direction, Status, At }) => ({ ID, Text, Direction, Status, At })),
    });
    expect(before.Items.map(({ Text }) => Text).sort()).toEqual(['one', 'three', 'two']);
    expect(await json(second, '/phones')).toMatchObject({ Size: 5 });
    expect((await post(second, 'a', '14235550143', 'one')).messages[0]?.status.id).toBe(23);
    expect(await json(second, `${twilioBase}/Messages/${sid}.json`)).toMatchObject({
      status: 'delivered',
      body: 'four',
    });
    expect(await json<Stats>(second, '/stats')).toMatchObject({
      Accepted: 3,
      Delivered: 3,
      Inbound: 1,
      DuplicatesByKey: 1,
      Pending: 0,
    });
  });

  it('goes on with what was under way: every message arrives once, with its receipt', async () => {
    const first = await run({ SANDBOX_DELIVERY_DELAY_MS: '300,300' });
    await Promise.all(Array.from({ length: 50 }, (_, i) => post(first, `m${i}`, '14235550109', `text ${i}`)));
    await first.kill();
    const second = await run();
    const stats = await settled(second);
    expect(stats).toMatchObject({ Accepted: 50, Delivered: 50 });
    const { Items } = await json<Items>(second, '/phones/4235550109/messages');
    expect(Items.map(({ ID }) => ID).sort()).toEqual(Array.from({ length: 50 }, (_, i) => `m${i}`).sort());
    const reported = new Set(
      muster.hooks.flatMap(({ body }) =>
        JSON.parse(body).results.map((each: { messageId: string }) => each.messageId),
      ),
    );
    expect(reported.size).toBe(50);
  });

  it('delivers receipts and texts that Muster could not take before the restart', async () => {
    const { port } = muster;
    await muster.close();
    const first = await run();
    await post(first, 'a', '14235550143', 'one');
    await first.send('/phones/4235550143/messages', {
      method: 'POST',
      body: '{"To":"14235550100","Text":"back"}',
    });
    while (((await json<Stats>(first, '/stats')).WebhookFailures ?? 0) < 2) await new Promise(setImmediate);
    await first.kill();
    muster = await startReceiver(port);
    const second = await run();
    await settled(second);
    expect(muster.hooks.map(({ path }) => path).sort()).toEqual(['/inbound', '/receipts']);
  });

  it('leaves a torn last line out and stays one small file', async () => {
    const first = await run();
    for (let i = 0; i < 20; i++) await post(first, `m${i}`, '14235550143', `text ${i}`);
    await settled(first);
    expect(await first.stop()).toBe(0);
    appendFileSync(journalFile(), '{"t":"accept","p":"infobip","at":1,"s":20,"b":{"mess');
    writeFileSync(join(folder, 'journal-99999.jsonl.tmp'), 'half');
    let size = 0;
    for (let i = 0; i < 3; i++) {
      const again = await run();
      expect(await json<Stats>(again, '/stats')).toMatchObject({ Accepted: 20, Delivered: 20 });
      await again.stop();
      const files = readdirSync(folder).filter((name) => name.startsWith('journal'));
      expect(files).toHaveLength(1);
      const now = statSync(join(folder, files[0] ?? '')).size;
      if (size > 0) expect(now).toBe(size);
      size = now;
    }
  });
});

describe('starting', () => {
  const fails = async (environment: Record<string, string>) => {
    const child = spawn(process.execPath, [program], { env: { ...process.env, ...environment } });
    let said = '';
    child.stderr.on('data', (piece: Buffer) => {
      said += piece.toString();
    });
    const [code] = (await once(child, 'exit')) as [number];
    return [code, said.trim()];
  };

  it('says in one sentence that the port is taken', async () => {
    expect(await fails({ SANDBOX_PORT: String(muster.port) })).toEqual([
      1,
      `Port ${muster.port} is in use. Stop the other program, or set SANDBOX_PORT to another port.`,
    ]);
  });

  it('says in one sentence which variable is wrong', async () => {
    expect(await fails({ SANDBOX_PORT: 'many' })).toEqual([
      1,
      'SANDBOX_PORT must be a whole number from 0 to 65535, but it is "many".',
    ]);
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const [code, said] = await fails({ SANDBOX_PORT: '0', SANDBOX_DATA_DIR: join(file, 'inside') });
    expect(code).toBe(1);
    expect(said).toMatch(/^The sandbox can't use its folder .* Check SANDBOX_DATA_DIR and its rights\.$/);
  });

  it('says plainly that the page is not built', async () => {
    const sandbox = await startTestSandbox({ SANDBOX_WEB_DIR: join(folder, 'none') });
    const answer = await createClient(sandbox).call('GET', '/');
    expect([answer.status, answer.text]).toMatchObject([503, expect.stringContaining('not built yet')]);
    await sandbox.close();
  });

  it('keeps calls; one that was under way is one that the network lost', async () => {
    muster.files.set('/doc', { type: 'text/xml', body: '<Response><Say>Hello</Say></Response>' });
    const place = (to: string, program: Program) =>
      json<{ sid: string }>(program, `${twilioBase}/Calls.json`, {
        method: 'POST',
        headers: { authorization: basic },
        body: new URLSearchParams({
          To: to,
          From: '+14235550120',
          Url: `${muster.url}/doc?to=${to}`,
          StatusCallback: `${muster.url}/status`,
        }),
      });
    type Calls = { Items: { CallID: string; State: string; Result: string; Heard: { Text: string }[] }[] };
    const first = await run({ SANDBOX_CALL_SPEED: '100' });
    const answered = await place('+14235550133', first);
    await muster.waitFor(1, ({ body }) => body.includes(answered.sid) && body.includes('CallDuration'));
    const ringing = await place('+14235550147', first);
    await first.kill();
    const second = await run({ SANDBOX_CALL_SPEED: '100' });
    const [lost] = await muster.waitFor(1, ({ body }) => body.includes(`CallSid=${ringing.sid}`));
    expect(Object.fromEntries(new URLSearchParams(lost?.body))).toMatchObject({
      CallStatus: 'failed',
      SipResponseCode: '503',
    });
    expect((await json<Calls>(second, '/phones/4235550133/calls')).Items).toMatchObject([
      { CallID: answered.sid, State: 'Ended', Result: 'Answered', Heard: [{ Text: 'Hello' }] },
    ]);
    expect(await json(second, '/stats')).toMatchObject({ CallsPlaced: 2, CallsEnded: 2, CallsRepeated: 0 });
    await second.kill();
    const third = await run();
    expect(await json(third, '/stats')).toMatchObject({ CallsPlaced: 2, CallsEnded: 2, CallsRepeated: 0 });
    const again = await place('+14235550133', third);
    expect(again.sid).not.toBe(answered.sid);
    expect(await json(third, '/stats')).toMatchObject({ CallsPlaced: 3, CallsRepeated: 1 });
  });
});
