import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPromise as openZip } from 'yauzl';
import { sealEvents } from '../audit/seal-events.ts';
import { describeVerdict, verifySeals } from '../audit/verify-seals.ts';
import { readBucketConfig } from '../config.ts';
import { recordConsents } from '../consents/record-consents.ts';
import { asSystem } from '../db.ts';
import { runOperator } from '../operator.ts';
import { bucketSettings } from '../outside/file-store.ts';
import { openBucket } from '../outside/s3-bucket.ts';
import { readEvents } from '../read-events.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { checkKeptContacts } from '../testing/check-kept-contacts.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { wrongConsentCounts } from '../testing/wrong-consent-counts.ts';
import { readCatalog } from './read-catalog.ts';
import { openColumns, ownTables, phoneFates, secretColumns, tracesOf } from './rules.ts';
import { searchTraces } from './search-traces.ts';

const number = '14235550100';
const phone = '14235557788';
const dana = { first: 'Dana', last: 'Westbrook' };
const traces = tracesOf({ phones: [phone], names: [dana] });

let app: TestApp;
let account: BuiltAccount;
let danaId = 0;

const run = (words: string) => {
  process.env.DATA_DIR = app.dataDir;
  return runOperator(app.database, words.split(' '));
};
/** The same on an installation that keeps its pictures in a bucket. */
const runWithBucket = async (words: string, name = 'pictures') => {
  Object.assign(process.env, bucketEnv(), { S3_BUCKET: name });
  try {
    return await run(words);
  } finally {
    for (const setting of Object.keys(bucketEnv())) delete process.env[setting];
  }
};
const bucketEnv = () => ({
  S3_URL: `${app.sandbox.url}/s3`,
  S3_BUCKET: 'pictures',
  S3_ACCESS_KEY: 'sandbox-s3-key',
  S3_SECRET_KEY: 'sandbox-s3-secret',
  S3_PATH_STYLE: '1',
});
const openPictures = () => {
  const settings = bucketSettings(readBucketConfig(bucketEnv()));
  if (settings === undefined) throw new Error('no bucket');
  return openBucket(settings);
};
const found = () =>
  asSystem(app.database, (trx) => searchTraces(trx, account.accountId, traces, { not: ownTables }));
const placesOf = async () => (await found()).places.map(({ table, column }) => `${table}.${column}`).sort();
const count = async (table: string, where: string) => {
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from ${sql.table(table)} where ${sql.raw(where)}`.execute(
    app.database.system,
  );
  return rows[0]?.many;
};

/** Rights of the program on each column. */
const rights = () =>
  asSystem(app.database, async (trx) => {
    const { rows } = await sql`
      select a.attrelid::regclass::text || '.' || a.attname as "column", who, "right"
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      cross join (values ('muster_system'), ('muster_app')) w(who) cross join (values ('select'), ('update')) r("right")
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
        and not a.attisdropped and has_column_privilege(who, c.oid, a.attnum, "right")
      order by 1, 2, 3`.execute(trx);
    return rows;
  });
let rightsBefore: unknown[] = [];

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  await leaveTraces();
  rightsBefore = await rights();
});

/** A row in every kind of place where a person leaves a trace, inserted directly. */
async function leaveTraces(): Promise<void> {
  const { accountId: a, owner, numbers } = account;
  const id = numbers[number];
  await asOwner(app.databaseUrl, async (client) => {
    const one = async (text: string, values: unknown[] = []) =>
      Number(Object.values((await client.query(text, values)).rows[0] ?? {})[0]);
    await client.query('begin; set local role muster_system');
    danaId = await one(
      `insert into contacts (account_id, first_name, last_name, primary_phone, secondary_phone, notes, custom_data)
       values ($1, 'Dana', 'Westbrook', '14235557788', '14235550999', 'calls herself DW', '{"1": "Room 7"}') returning person_id`,
      [a],
    );
    const other = await one(
      `insert into contacts (account_id, first_name, last_name, primary_phone, secondary_phone, notes)
       values ($1, 'Lee', 'Moss', '14235551111', '14235550999', 'friend of Dana  Westbrook, (423) 555-7788') returning person_id`,
      [a],
    );
    const thread = await one(
      `insert into conversations (account_id, text_number_id, phone) values ($1, $2, '14235557788') returning conversation_id`,
      [a, id],
    );
    const others = await one(
      `insert into conversations (account_id, text_number_id, phone) values ($1, $2, '14235551111') returning conversation_id`,
      [a, id],
    );
    const textId = await one(
      `insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body)
       values ($1, $2, '14235557788', true, 'received', 'inbound', 'my secret') returning message_id`,
      [a, id],
    );
    await one(
      `insert into messages (account_id, text_number_id, phone, is_inbound, status, body)
       values ($1, $2, '14235551111', false, 'delivered', 'Ask Dana Westbrook at 423-555-7788.') returning message_id`,
      [a, id],
    );
    for (const statement of [
      `insert into conversation_notes (account_id, conversation_id, user_id, body) values (${a}, ${thread}, ${owner.userId}, 'angry')`,
      `insert into conversation_notes (account_id, conversation_id, user_id, body) values (${a}, ${others}, ${owner.userId}, 'knows westbrook, dana')`,
      `insert into media (account_id, public_key, content_type, file_name, byte_size, width, height, content_hash, message_id)
       values (${a}, 'k1', 'image/png', 'x.png', 3, 1, 1, 'ab12', ${textId})`,
      `insert into phone_lookups (account_id, phone, line_type, carrier_name, is_valid) values (${a}, '14235557788', 'mobile', 'x', true)`,
      `insert into broadcasts (account_id, user_id, name, broadcast_type) values (${a}, ${owner.userId}, 'For Dana Westbrook', 'SMS')`,
      `insert into broadcast_recipients (account_id, broadcast_id, person_id, phone, first_name, last_name, typed_phone, own_body)
       select ${a}, broadcast_id, ${danaId}, '14235557788', 'Dana', 'Westbrook', '423 555 7788', 'Dear Dana' from broadcasts where account_id = ${a}`,
      `insert into broadcast_sources (account_id, broadcast_id, kind, input)
       select ${a}, broadcast_id, 'typed', '{"Numbers": ["14235557788", "14235551111"], "People": [{"FirstName": "Dana", "LastName": "Westbrook"}]}'
       from broadcasts where account_id = ${a}`,
      `insert into file_uploads (account_id, user_id, file_key, file_name, stage, byte_size, structure) values (${a}, ${owner.userId}, 'sheet-1', 'team.csv', 'imported', 9, '{}')`,
      `insert into file_rows (account_id, file_id, row_number, state, first_name, last_name, phone1, cells)
       select ${a}, file_id, 1, 'good', 'Dana', 'Westbrook', '4235557788', array['Dana', 'Westbrook', '(423) 555-7788'] from file_uploads where account_id = ${a}`,
      `insert into file_rows (account_id, file_id, row_number, state, first_name, last_name, phone1)
       select ${a}, file_id, 2, 'good', 'Lee', 'Moss', '14235551111' from file_uploads where account_id = ${a}`,
      `insert into consent_ledger (account_id, phone, channel, state, source, wording, address) values (${a}, '14235557788', 'text', 'in', 'web', 'I agree', '10.0.0.1')`,
      `insert into mails (account_id, kind, to_address, subject, body_text) values (${a}, 'unread', 'o@example.org', 'New text', '+1 423 555 7788 wrote: my secret')`,
      `insert into carrier_inbound (inbound_key, aggregator_id, from_phone, to_phone, body, occurred_at, problem)
       values ('i1', 5, '14235557788', '${number}', 'my secret', now(), 'held')`,
      `insert into idempotency_keys (account_id, user_id, idempotency_key, call, request_hash, reply)
       values (${a}, ${owner.userId}, 'k', 'addContact', '', '{"PersonID": ${danaId}, "FirstName": "Dana"}')`,
      `insert into webhook_endpoints (account_id, url, event_types, secret) values (${a}, 'https://example.org', '{contact.created}', '')`,
      `insert into webhook_deliveries (account_id, endpoint_id, message_key, event_type, body)
       select ${a}, endpoint_id, 'm1', 'contact.created', '{"data":{"PersonID":${danaId},"Notes":"hers"}}' from webhook_endpoints where account_id = ${a}`,
      `insert into work (account_id, user_id, kind, input, last_id, total, status) values (${a}, ${owner.userId}, 'x', '{"Phone": "+14235557788"}', 0, 0, 'Complete')`,
      `insert into templates (account_id, user_id, name, body) values (${a}, ${owner.userId}, 'Call', 'Call Dana Westbrook, +1 (423) 555-7788')`,
      `insert into undos (account_id, user_id, kind, data) values (${a}, ${owner.userId}, 'contacts', '{}')`,
      `insert into undo_rows (account_id, undo_id, row_id, before) select ${a}, undo_id, ${danaId}, '{"first_name": "Dana"}' from undos where account_id = ${a}`,
      `insert into events (account_id, kind, actor_kind, subject_id, changes)
       values (${a}, 'contact.updated', 'user', ${danaId}, '{"FirstName": ["D", "Dana"], "LastName": ["W", "Westbrook"]}')`,
      `insert into events (account_id, kind, actor_kind, changes) values (${a}, 'consent.recorded', 'system', '{"consents": [{"phone": "14235557788"}]}')`,
      `insert into events (account_id, kind, actor_kind, subject_id, changes) values (${a}, 'contact.updated', 'user', ${other}, '{"FirstName": ["L", "Lee"]}')`,
      `insert into credit_entries (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after, note)
       values (${a}, 'grant', 0, 0, 1000, 0, 'for 423.555.7788')`,
    ])
      await client.query(statement).catch((error) => {
        throw new Error(`${statement}: ${error.message}`);
      });
    await client.query('commit');
    // A table that was added later.
    await client.query(
      `create table visitors (account_id bigint not null, phone phone, remark text, more jsonb)`,
    );
    await client.query(`call make_tenant_table('visitors')`);
    await client.query('begin; set local role muster_system');
    await client.query(
      `insert into visitors values ($1, '14235557788', 'Dana Westbrook came', '{"Who": "DANA WESTBROOK"}')`,
      [a],
    );
    await client.query('commit');
  });
  await mkdir(join(app.dataDir, 'media/ab'), { recursive: true });
  await mkdir(join(app.dataDir, 'uploads'), { recursive: true });
  await writeFile(join(app.dataDir, 'media/ab/ab12'), 'x');
  await writeFile(join(app.dataDir, 'uploads/sheet-1'), 'x');
  const bucket = openPictures();
  await bucket.write('ab/ab12', Buffer.from('in the bucket'));
  await bucket.write('ab/ab12-preview', Buffer.from('small'));
  await bucket.write('uploads/sheet-1', Buffer.from('a sheet in the bucket'));
  await bucket.close();
}

describe('the lists cover the catalog', () => {
  const phoneLike = /phone|caller_id$/;

  it('have a rule for every column with a phone, and a new one fails', async () => {
    const catalog = await asSystem(app.database, readCatalog);
    const phones = catalog.flatMap(({ name: table, columns }) =>
      columns
        .filter(({ name, type }) => type === 'phone' || (type === 'text' && phoneLike.test(name)))
        .map(({ name }) => `${table}.${name}`),
    );
    expect(phones.filter((column) => !(column in phoneFates))).toEqual(['visitors.phone']);
    expect(Object.keys(phoneFates).filter((column) => !phones.includes(column))).toEqual([]);
    expect(ownTables.filter((table) => !catalog.some(({ name }) => name === table))).toEqual([]);
  });

  it('classify every column with a secret-sounding name', async () => {
    const catalog = await asSystem(app.database, readCatalog);
    const secretLike = /secret|hash|token|password|pin|sealed|(^|_)(code|key)s?$|signature$|saml|private/;
    const like = catalog
      .filter(({ hasAccount }) => hasAccount)
      .flatMap(({ name: table, columns }) =>
        columns
          .filter(({ name, type }) => /^(text|jsonb)$/.test(type) && secretLike.test(name))
          .map(({ name }) => `${table}.${name}`),
      );
    const said = [...secretColumns, ...openColumns];
    expect(like.filter((column) => !said.includes(column))).toEqual([]);
    const all = catalog.flatMap(({ name: table, columns }) => columns.map(({ name }) => `${table}.${name}`));
    expect(said.filter((column) => !all.includes(column))).toEqual([]);
  });
});

/** The entries of an archive, by name. */
async function readArchive(path: string): Promise<Map<string, string>> {
  const zip = await openZip(path);
  const entries = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return entries;
}

describe('exporting an account', () => {
  it('writes every table, file and checksum, but no credentials and nothing of another account', async () => {
    const other = await buildAccount(app);
    const path = join(app.dataDir, 'all.zip');
    const [line] = await run(`export ${account.accountId} ${path}`);
    expect(line).toMatch(/^Organization \d+: \d+ rows of \d+ tables and 2 files are in /);
    const entries = await readArchive(path);
    const catalog = await asSystem(app.database, readCatalog);
    const tables = catalog.filter(({ hasAccount }) => hasAccount).map(({ name }) => `tables/${name}.jsonl`);
    expect([...entries.keys()].sort()).toEqual(
      [...tables, 'contents.json', 'files/ab12', 'uploads/sheet-1'].sort(),
    );
    const contents = JSON.parse(entries.get('contents.json') ?? '');
    for (const { name, rows, sha256 } of contents.tables) {
      const lines = entries.get(`tables/${name}.jsonl`) ?? '';
      const parsed = lines.split('\n').filter((each) => each !== '');
      expect([name, parsed.length]).toEqual([name, rows]);
      expect(createHash('sha256').update(lines).digest('hex')).toBe(sha256);
      for (const each of parsed) expect(JSON.parse(each).account_id).toBe(account.accountId);
    }
    expect(entries.get('tables/contacts.jsonl')).toContain('"notes":"calls herself DW"');
    const whole = [...entries.values()].join();
    const { rows } = await sql<{ hash: string }>`
      select password_hash as hash from users where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect(whole).toContain(account.owner.userName);
    expect(whole).not.toContain(rows[0]?.hash);
    expect(whole).not.toContain(other.owner.userName);
  });

  it('reads pictures and spreadsheets from the bucket, and reports a problem with it', async () => {
    const path = join(app.dataDir, 'bucket.zip');
    await runWithBucket(`export ${account.accountId} ${path}`);
    const entries = await readArchive(path);
    expect(entries.get('files/ab12')).toBe('in the bucket');
    expect(entries.get('uploads/sheet-1')).toBe('a sheet in the bucket');
    await expect(runWithBucket(`export ${account.accountId} ${path}`, 'no-rights')).rejects.toThrow(
      'The bucket no-rights can’t be read from: the keys have no right to.',
    );
  });

  it('leaves no partial archive behind', async () => {
    await expect(run(`export ${account.accountId} ${app.dataDir}/no/such/folder.zip`)).rejects.toThrow(
      'can’t be written (ENOENT)',
    );
    expect(await readdir(app.dataDir)).not.toContain('folder.zip.part');
  });
});

describe('erasing a person', () => {
  it('reports what would be erased, and rolls it back', async () => {
    await asSystem(app.database, (trx) => sealEvents(trx, 1000));
    const before = await placesOf();
    expect(before.length).toBeGreaterThan(25);
    const lines = await run(`erase ${account.accountId} person ${danaId}`);
    expect(lines[0]).toBe('This would be erased (say "really" to do it):');
    expect(lines).toContain('  contacts: 1 row deleted');
    expect(lines).toContain(
      `+14235550999 is Lee Moss (PersonID ${danaId + 1})'s too: its texts and calls stay.`,
    );
    expect(lines.at(-1)).toMatch(/^Searched \d+ columns of \d+ tables .*: nothing was found\.$/);
    expect(await placesOf()).toEqual(before);
  });

  it('erases every trace, keeps the do-not-text entry and shared data, and verifies it', async () => {
    const lines = await runWithBucket(`erase ${account.accountId} phone (423)555-7788 really`);
    expect(lines[0]).toBe('Erased:');
    expect(lines).toContain('  files: 4 removed');
    expect(lines.at(-1)).toMatch(/nothing was found\.$/);
    expect(await placesOf()).toEqual(['consent_ledger.phone', 'phone_consents.phone']);
    const a = account.accountId;
    expect(
      await count(
        'consent_ledger',
        `account_id = ${a} and phone = '${phone}' and (state <> 'out' or wording <> '')`,
      ),
    ).toBe(0);
    expect(
      await count(
        'phone_consents',
        `account_id = ${a} and phone = '${phone}' and text_state = 'out' and voice_state = 'out'`,
      ),
    ).toBe(1);
    expect(await wrongConsentCounts(app.database, a)).toEqual([]);
    // Their texts still count, without the words. Texts to others stay, without the name.
    expect(await count('messages', `account_id = ${a} and phone like '1000%' and body = ''`)).toBe(1);
    expect(await count('messages', `account_id = ${a} and body = 'Ask [erased] at [erased].'`)).toBe(1);
    expect(await count('contacts', `account_id = ${a} and notes = 'friend of [erased], [erased]'`)).toBe(1);
    expect(await count('visitors', `phone like '1000%' and remark = '[erased] came'`)).toBe(1);
    expect(await count('file_rows', `account_id = ${a} and first_name = 'Lee'`)).toBe(1);
    expect(
      await count(
        'broadcast_recipients',
        `account_id = ${a} and phone like '1000%' and problem = 'opted_out'`,
      ),
    ).toBe(1);
    await checkKeptContacts(app, a);
    await expect(readFile(join(app.dataDir, 'uploads/sheet-1'))).rejects.toThrow('ENOENT');
    await expect(readFile(join(app.dataDir, 'media/ab/ab12'))).rejects.toThrow('ENOENT');
    const bucket = openPictures();
    expect(await Array.fromAsync(bucket.list(''))).toEqual([]);
    await bucket.close();
  });

  it('waits for a webhook that is being written, and erases that too', async () => {
    const a = account.accountId;
    const other = '14235556611';
    const isWritten = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const writing = asSystem(app.database, async (trx) => {
      await readEvents(trx, 'webhooks', 1);
      await sql`
        insert into webhook_deliveries (account_id, endpoint_id, message_key, event_type, body)
        select ${a}, endpoint_id, 'm2', 'contact.created', jsonb_build_object('PhoneNumber', ${other}::text)::text
        from webhook_endpoints where account_id = ${a}`.execute(trx);
      isWritten.resolve();
      await mayEnd.promise;
    });
    await isWritten.promise;
    const erasing = run(`erase ${a} phone ${other} really`);
    try {
      await waitUntil(
        async () => (await count('pg_locks', `not granted and locktype = 'transactionid'`)) === 1,
      );
    } finally {
      mayEnd.resolve();
    }
    await writing;
    const lines = await erasing;
    expect(lines).toContain('  webhook_deliveries: 1 row deleted');
    expect(lines.at(-1)).toMatch(/nothing was found\.$/);
    expect(await count('webhook_deliveries', `account_id = ${a} and message_key = 'm2'`)).toBe(0);
  });

  it('leaves the privileges of the program and the seals of the audit log unchanged', async () => {
    const { rows } = await sql<{ may: boolean }>`
      select has_table_privilege('muster_system', 'events', 'update')
        or has_table_privilege('muster_system', 'consent_ledger', 'delete') as may`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ may: false }]);
    expect(await rights()).toEqual(rightsBefore);
    const verdict = await verifySeals(app.database);
    expect(verdict).toMatchObject({ isIntact: true, erased: 1 });
    expect(describeVerdict(verdict)).toContain('A person was erased from events of 1 seals');
    await asOwner(app.databaseUrl, (client) =>
      client.query(`grant update on events to muster_system; begin; set local role muster_system;
        update events set changes = '{"FirstName": ["L", "Leo"]}' where changes ->> 'FirstName' = '["L", "Lee"]'; commit;
        revoke update on events from muster_system`),
    );
    expect(await verifySeals(app.database)).toMatchObject({ isIntact: false });
  });

  it.each(['', ' really'])('lets others opt out while it searches%s', async (really) => {
    const a = account.accountId;
    const theirs = really === '' ? '14235553301' : '14235553302';
    const optOut = () =>
      asSystem(app.database, async (trx) => {
        await sql`set local lock_timeout = '2s'`.execute(trx);
        await recordConsents(trx, [
          {
            accountId: a,
            phone: `1423555${3303 + really.length}`,
            state: 'out',
            at: new Date(),
            source: 'inbound',
          },
        ]);
      });
    await app.database.system
      .insertInto('contacts')
      .values({ account_id: a, first_name: 'Robin', last_name: 'Vale', primary_phone: theirs })
      .execute();
    await asOwner(app.databaseUrl, async (client) => {
      // It waits where it looks for their words in mails: its consents are written by then.
      await client.query('begin; lock table mails in access exclusive mode');
      const erasing = run(`erase ${a} phone ${theirs}${really}`);
      await waitUntil(async () => {
        const { rows } = await sql`select from pg_locks
          where relation = 'mails'::regclass and not granted`.execute(app.database.system);
        return rows.length > 0;
      });
      await optOut();
      await client.query('rollback');
      expect((await erasing).at(-1)).toMatch(/nothing was found\.$/);
    });
    expect(await wrongConsentCounts(app.database, a)).toEqual([]);
  });

  it('erases nobody else if there is neither a phone nor a full name to search for', async () => {
    const a = account.accountId;
    const { person_id } = await app.database.system
      .insertInto('contacts')
      .values({ account_id: a, first_name: 'Cher' })
      .returning('person_id')
      .executeTakeFirstOrThrow();
    const before = await count('contacts', `account_id = ${a}`);
    expect(await run(`erase ${a} person ${person_id} really`)).toContain('  contacts: 1 row deleted');
    expect(await count('contacts', `account_id = ${a}`)).toBe(Number(before) - 1);
    expect(await count('file_rows', `account_id = ${a} and first_name = 'Lee'`)).toBe(1);
  });

  it('refuses the organization’s own phones, and unknown people', async () => {
    const a = account.accountId;
    await expect(run(`erase ${a} phone +${number} really`)).rejects.toThrow(
      'one of the organization’s own (text_numbers.phone)',
    );
    await expect(run(`erase ${a} person ${danaId} really`)).rejects.toThrow(
      'There is no contact with the PersonID',
    );
    await expect(run(`erase ${a} phone 123 really`)).rejects.toThrow('"123" is not a phone');
  });
});
