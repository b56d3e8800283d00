import { appendFile, cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../db.ts';
import { openBucket } from '../outside/s3-bucket.ts';
import { spreadDatabase } from '../spread-database.ts';
import { buildAccount } from '../testing/builders.ts';
import { oneOfEverything } from '../testing/one-of-everything.ts';
import { listKeysWithoutAccount, listTriggers } from '../testing/spread-obstacles.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner, clusterUrl } from '../testing/test-db.ts';
import { checkBackup } from './check-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const picture = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b';
const sheet = '0f0e1d2c-0000-4000-8000-000000000001';
const earlierSheet = '0f0e1d2c-0000-4000-8000-000000000002';
let app: TestApp;
let folder: string;

beforeAll(async () => {
  app = await testApp();
  const account = await buildAccount(app);
  await oneOfEverything(app, account.accountId);
  await asOwner(app.databaseUrl, (client) =>
    client.query(`create table events_2024_03 partition of events for values from ('2024-03-01') to ('2024-04-01');
      insert into events (account_id, created_at, kind, actor_kind) values (${account.accountId}, '2024-03-05', 'contact.created', 'system');
      insert into contacts (account_id, first_name, notes) values (${account.accountId}, 'Zoë', E'tab\\tline\\nend\\\\')`),
  );
  await mkdir(join(app.dataDir, 'media/6b'), { recursive: true });
  await writeFile(join(app.dataDir, 'media/6b', picture), '1');
  await writeFile(join(app.dataDir, 'media/readiness'), 'Muster can write here.');
  folder = await mkdtemp(join(tmpdir(), 'muster-backup-'));
  return () => rm(folder, { recursive: true });
});

async function emptyDatabase(): Promise<string> {
  const cluster = await clusterUrl();
  const url = new URL(cluster);
  const name = `restored_${Math.random().toString(36).slice(2)}`;
  await asOwner(url.href, (client) => client.query(`create database ${name}`));
  onTestFinished(async () => {
    await asOwner(cluster, (client) => client.query(`drop database ${name} with (force)`));
  });
  url.pathname = `/${name}`;
  return url.href;
}

it('restores every row and file of a backup, proven by counts and sums, and the program works on it', async () => {
  const contents = await writeBackup(app.databaseUrl, { to: join(folder, 'whole'), dataDir: app.dataDir });
  expect(contents.tables.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(50);
  expect(contents.files).toEqual([{ path: `media/6b/${picture}`, bytes: 1 }]);
  const url = await emptyDatabase();
  const dataDir = join(folder, 'data');
  await restoreBackup(url, { from: join(folder, 'whole'), dataDir });
  expect(await readFile(join(dataDir, 'media/6b', picture), 'utf8')).toBe('1');
  const database = openDatabase(url, { connections: 4 });
  onTestFinished(() => database.close());
  expect(await database.app.selectFrom('contacts').selectAll().execute()).toEqual([]);
  const before = await app.database.system.selectFrom('contacts').selectAll().orderBy('person_id').execute();
  expect(await database.system.selectFrom('contacts').selectAll().orderBy('person_id').execute()).toEqual(
    before,
  );
  // Numbers go on where they were, and triggers and the search work again.
  const added = await database.system
    .insertInto('contacts')
    .values({ account_id: before[0]?.account_id ?? 0, first_name: 'After' })
    .returning('person_id')
    .executeTakeFirstOrThrow();
  expect(added.person_id).toBeGreaterThan(before.at(-1)?.person_id ?? 0);
  const found = await database.system
    .selectFrom('contact_search')
    .select('person_id')
    .where('person_id', '=', added.person_id)
    .execute();
  expect(found).toHaveLength(1);
  await expect(restoreBackup(url, { from: join(folder, 'whole') })).rejects.toThrow(
    'The database is not empty',
  );
  await expect(writeBackup(app.databaseUrl, { to: join(folder, 'whole'), dataDir })).rejects.toThrow(
    'holds a backup already',
  );
});

it('reaches into a bucket: backs up what is in it, and restores into another', async () => {
  const bucketAt = (name: string) => {
    const bucket = openBucket({
      ...{ baseUrl: `${app.sandbox.url}/s3`, bucket: name, prefix: 'muster/', isPathStyle: true },
      ...{ accessKey: 'sandbox-s3-key', secretKey: 'sandbox-s3-secret', region: 'us-east-1' },
    });
    onTestFinished(() => bucket.close());
    return bucket;
  };
  await expect(
    writeBackup(app.databaseUrl, {
      to: join(folder, 'no'),
      dataDir: app.dataDir,
      bucket: bucketAt('no-rights'),
    }),
  ).rejects.toThrow('The bucket no-rights can’t be listed: the keys have no right to.');
  // It was started and not finished, and the running processes report that until one is.
  const unfinished = async () =>
    ((await (await fetch(`${app.url}/readyz`)).json()) as { unfinished?: string[] }).unfinished;
  expect(await unfinished()).toEqual([
    expect.stringMatching(
      /^The backup that was begun on \d{4}-\d\d-\d\d at \d\d:\d\d UTC was not finished: begin it again\.$/,
    ),
  ]);
  const from = bucketAt('from');
  await from.write(`6b/${picture}`, Buffer.from('1'));
  await from.write(`6b/${picture}-preview`, Buffer.from('small'));
  await from.write('readiness', Buffer.from('x'));
  await from.write(`uploads/${sheet}`, Buffer.from('a,b'));
  await from.write('uploads/of somebody else', Buffer.from('x'));
  // From before there was a bucket.
  await mkdir(join(app.dataDir, 'uploads'));
  await writeFile(join(app.dataDir, 'uploads', earlierSheet), 'c,d,e');
  await writeFile(join(app.dataDir, 'uploads', `${earlierSheet}.part`), 'c');
  const to = join(folder, 'of-bucket');
  const contents = await writeBackup(app.databaseUrl, { to, dataDir: app.dataDir, bucket: from });
  expect(await unfinished()).toBeUndefined();
  expect(contents.files).toEqual([
    { path: `media/6b/${picture}`, bytes: 1 },
    { path: `media/6b/${picture}-preview`, bytes: 5 },
    { path: `uploads/${sheet}`, bytes: 3 },
    { path: `uploads/${earlierSheet}`, bytes: 5 },
  ]);
  const other = bucketAt('other');
  await restoreBackup(await emptyDatabase(), { from: to, dataDir: join(folder, 'elsewhere'), bucket: other });
  expect(await other.read(`6b/${picture}`)).toEqual(Buffer.from('1'));
  expect(String(await other.read(`uploads/${sheet}`))).toBe('a,b');
  expect(String(await other.read(`uploads/${earlierSheet}`))).toBe('c,d,e');
  expect(await Array.fromAsync(other.list(''), ({ name }) => name)).toHaveLength(4);
  await expect(readFile(join(folder, 'elsewhere/media/6b', picture))).rejects.toThrow('ENOENT');
});

it('restores a database that was prepared for Citus as it was, and nothing counts twice', async () => {
  const url = await emptyDatabase();
  await restoreBackup(url, { from: join(folder, 'whole') });
  await spreadDatabase(url, () => undefined);
  const before = await writeBackup(url, { to: join(folder, 'spread'), dataDir: join(folder, 'none') });
  expect(before.isSpread).toBe(true);
  const other = await emptyDatabase();
  await restoreBackup(other, { from: join(folder, 'spread') });
  const database = openDatabase(other, { connections: 4 });
  onTestFinished(() => database.close());
  expect([await listKeysWithoutAccount(database), await listTriggers(database)]).toEqual([[], []]);
  expect(await spreadDatabase(other, () => undefined)).toEqual([
    'Nothing is left to do: the database is prepared for Citus.',
  ]);
  const after = await writeBackup(other, { to: join(folder, 'again'), dataDir: join(folder, 'none') });
  const sums = ({ tables }: typeof before) => tables.map(({ name, rows, sum }) => [name, rows, sum]);
  // Restoring holds what was due, once: it was held before.
  expect(sums(after)).toEqual(sums(before));
}, 60_000);

it('detects a backup that was truncated, damaged or tampered with', async () => {
  const copy = async (name: string) => {
    await cp(join(folder, 'whole'), join(folder, name), { recursive: true });
    return join(folder, name);
  };
  const short = await copy('short');
  await rm(join(short, 'contents.json'));
  await expect(checkBackup(short)).rejects.toThrow(
    'has no contents.json: there is no backup, or it was cut short.',
  );
  const cut = await copy('cut');
  await truncate(join(cut, 'tables/public.contacts.gz'), 30);
  await expect(checkBackup(cut)).rejects.toThrow('tables/public.contacts.gz is damaged');
  const lost = await copy('lost');
  await rm(join(lost, 'tables/public.events.gz'));
  await expect(checkBackup(lost)).rejects.toThrow('tables/public.events.gz is missing.');
  const spoiled = await copy('spoiled');
  await writeFile(join(spoiled, 'media/6b', picture), '2');
  await expect(checkBackup(spoiled)).rejects.toThrow('is not what its name says');
  await appendFile(join(spoiled, 'media/6b', picture), '2');
  await expect(checkBackup(spoiled)).rejects.toThrow('is not as long as it was');
});

it('detects a missing row, and leaves nothing behind', async () => {
  const wrong = join(folder, 'wrong');
  await cp(join(folder, 'whole'), wrong, { recursive: true });
  const contents = JSON.parse(await readFile(join(wrong, 'contents.json'), 'utf8'));
  const contacts = contents.tables.find(({ name }: { name: string }) => name === 'public.contacts');
  contacts.rows += 1;
  await writeFile(join(wrong, 'contents.json'), JSON.stringify(contents));
  const url = await emptyDatabase();
  await expect(restoreBackup(url, { from: wrong })).rejects.toThrow(
    /public.contacts is not what was backed up/,
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client
    .query('select count(*)::int as many from contacts')
    .finally(() => client.end());
  expect(rows).toEqual([{ many: 0 }]);
});
