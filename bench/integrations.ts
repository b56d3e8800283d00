/**
 * An integration beside an import: the same people, once imported as a file over HTTP and once kept in step with a
 * published sheet, which this process serves; then the sheet again with one person in a hundred changed.
 *
 *   node bench/integrations.ts [people]
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FileUpload } from '../contract/imports.ts';
import type { Integration, IntegrationGroup, IntegrationSync } from '../contract/integrations.ts';
import { hashPassword } from '../server/auth/sign-in.ts';
import { integrationIds } from '../server/integrations/rules.ts';
import { report, startBench } from './harness.ts';

const count = Number(process.argv[2] ?? 100_000);
const password = 'bench-horse-7';
const IntegrationID = integrationIds.sheet;

/** One in `every` has another last name. */
function sheet(every: number): Buffer {
  const lines = Array.from({ length: count }, (_, i) => {
    const seven = String(2_000_000 + (i % 7_900_000));
    const changed = every > 0 && i % every === 0 ? 'X' : '';
    return `Person ${i % 977},Family${(i * 31) % 90_001}${changed},(423) ${seven.slice(0, 3)}-${seven.slice(3)},Group ${i % 40}`;
  });
  return Buffer.from(['First Name,Last Name,Cell phone,Groups', ...lines, ''].join('\r\n'));
}

let published = sheet(0);
const source = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/csv', 'content-length': published.length }).end(published);
});
source.listen(0, '127.0.0.1');
await once(source, 'listening');
const host = `127.0.0.1:${(source.address() as AddressInfo).port}`;

const bench = await startBench({ port: 4771, numbers: {} });
try {
  const server = await bench.startServer({ OUTSIDE_ALLOWED_HOSTS: host });
  const imported = await importFile(await makeAccount('bench-file'));
  // The index of the file's contacts is built by a job, which would run beside the sync.
  await untilIndexed();
  const account = await makeAccount('bench-sheet');
  const first = await connect(account);
  published = sheet(100);
  const again = await syncAgain(account);
  console.log(`${count.toLocaleString('en-US')} people; ${JSON.stringify(again.sync)}`);
  const holds = [
    report('an import of the same file', imported, { most: Number.POSITIVE_INFINITY }, 's'),
    report('the first sync, of the import', first / imported, { most: 2 }, 'times'),
    report('a sync with 1% changed, of the import', again.seconds / imported, { most: 2 }, 'times'),
    report('changed', again.sync.ChangedCount, { least: Math.ceil(count / 100) }, 'people'),
    report('server memory at its highest', server.peakMb(), { most: 700 }, 'MB'),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
  await server.kill('SIGTERM');
} finally {
  await bench.close();
  source.close();
}

async function makeAccount(name: string): Promise<string> {
  const { rows } = await bench.db.query<{ account_id: string }>(
    'insert into accounts (company_name) values ($1) returning account_id',
    [name],
  );
  await bench.db.query(
    `insert into users (account_id, user_name, password_hash, first_name, last_name, email, role)
     values ($1, $2, $3, 'Bench', 'Owner', $2 || '@example.org', 'owner')`,
    [rows[0]?.account_id, name, await hashPassword(password)],
  );
  const answer = await fetch(`${bench.serverUrl}/proxy/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName: name, Password: password }),
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function call<Reply>(cookie: string, method: string, path: string, body?: object): Promise<Reply> {
  const answer = await fetch(`${bench.serverUrl}/proxy/api${path}`, {
    method,
    headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Reply;
}

async function importFile(cookie: string): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`${bench.serverUrl}/proxy/api/fileuploads/people.csv`, {
    method: 'POST',
    headers: { cookie, 'content-length': String(published.length) },
    body: new Uint8Array(published),
  });
  if (!answer.ok) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
  const { FileID, FileStructure } = (await answer.json()) as FileUpload;
  const until = async (stage: string) => {
    for (;;) {
      const file = await call<FileUpload>(cookie, 'GET', `/fileuploads/${FileID}`);
      if (file.Stage === stage) return;
      if (file.Stage === 'failed') throw new Error(file.ErrorMessage);
      await delay(50);
    }
  };
  const [Columns] = FileStructure.Tabs;
  await call(cookie, 'PUT', `/fileuploads/${FileID}`, { TabNumber: 1, HasHeader: true, Columns });
  await until('review');
  await call(cookie, 'POST', '/lists/0/fileUploads', { FileID, UserIndicatedConsentDeclared: true });
  await until('imported');
  return (performance.now() - start) / 1000;
}

async function untilIndexed(): Promise<void> {
  for (;;) {
    const { rows } = await bench.db.query('select 1 from search_backlog limit 1');
    if (rows.length === 0) return;
    await delay(100);
  }
}

/** From the choice of the group to the end of its first sync, as an import counts from the upload. */
async function connect(cookie: string): Promise<number> {
  const body = { SheetUrl: `http://${host}/people.csv` };
  await call<Integration>(cookie, 'POST', `/integrations/${IntegrationID}/login`, body);
  const { Items } = await call<{ Items: IntegrationGroup[] }>(
    cookie,
    'GET',
    `/integrations/${IntegrationID}/groups`,
  );
  const start = performance.now();
  const Groups = [{ GroupID: Items[0]?.GroupID }];
  await call(cookie, 'PUT', `/integrations/${IntegrationID}/groups`, { Groups });
  await untilDone(cookie, 1);
  return (performance.now() - start) / 1000;
}

async function syncAgain(cookie: string): Promise<{ seconds: number; sync: IntegrationSync }> {
  const start = performance.now();
  await call(cookie, 'POST', `/integrations/${IntegrationID}/sync`, {});
  const sync = await untilDone(cookie, 2);
  return { seconds: (performance.now() - start) / 1000, sync };
}

async function untilDone(cookie: string, many: number): Promise<IntegrationSync> {
  for (;;) {
    const { Items } = await call<{ Items: IntegrationSync[] }>(
      cookie,
      'GET',
      `/integrations/${IntegrationID}/syncs`,
    );
    const [last] = Items;
    if (Items.length === many && last?.State === 'done') return last;
    if (last?.State === 'failed' || last?.State === 'held') throw new Error(JSON.stringify(last));
    await delay(50);
  }
}
