import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorBody } from '../../contract/error-body.ts';
import { type FileUpload, importLimits, listFiles } from '../../contract/imports.ts';
import { readConfig } from '../config.ts';
import { createFileStore } from '../files.ts';
import { createLog } from '../log.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { sweepOldFiles } from './clear-files.ts';
import * as sentences from './rules.ts';
import { makeXlsx } from './testing/make-xlsx.ts';

let app: TestApp;
let account: BuiltAccount;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-upload-'));
  app = await testApp({}, { DATA_DIR: dataDir });
  account = await buildAccount(app);
  return () => rm(dataDir, { recursive: true, force: true });
});

const kept = () => readdir(join(dataDir, 'uploads')).catch(() => [] as string[]);

async function upload(bytes: Buffer | string, name = 'people.csv') {
  const answer = await fetch(`${app.url}/proxy/api/fileuploads/${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { cookie: account.owner.cookie, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(Buffer.from(bytes as string)),
  });
  return { status: answer.status, body: (await answer.json()) as unknown };
}

async function accepted(bytes: Buffer | string, name?: string): Promise<FileUpload> {
  const { status, body } = await upload(bytes, name);
  expect([status, body]).toEqual([200, expect.objectContaining({ Stage: 'mapping', Status: 'Complete' })]);
  return body as FileUpload;
}

const countFiles = async () => {
  const { rows } = await sql<{ count: number }>`select count(*) from file_uploads`.execute(
    app.database.system,
  );
  return Number(rows[0]?.count);
};

describe('uploadFile', () => {
  it('returns the structure of a CSV file, and guesses its columns', async () => {
    const file = await accepted(
      'First;Last;Mobile\r\nJane;Doe;4235550143\r\nJoe;Roe;4235550144\r\n',
      'C:\\lists\\people.csv',
    );
    expect(file).toMatchObject({
      FileName: 'people.csv',
      FileSize: 60,
      Choice: null,
      Summary: null,
      UndoID: null,
    });
    expect(file.FileStructure.Tabs).toEqual([
      expect.objectContaining({
        TabNumber: 1,
        HasHeader: true,
        RowCount: 2,
        FirstName: 1,
        LastName: 2,
        Phone1: 3,
        Phone2: null,
        IsRemembered: false,
        Columns: [
          { ColumnNumber: 1, Header: 'First' },
          { ColumnNumber: 2, Header: 'Last' },
          { ColumnNumber: 3, Header: 'Mobile' },
        ],
        Rows: [
          { RowNumber: 2, Cells: ['Jane', 'Doe', '4235550143'] },
          { RowNumber: 3, Cells: ['Joe', 'Roe', '4235550144'] },
        ],
      }),
    ]);
  });

  it('shows the first rows of a long file, and doesn’t count it', async () => {
    const { FileStructure } = await accepted(`Phone\n${'4235550143\n'.repeat(1000)}`);
    expect(FileStructure.Tabs[0]).toMatchObject({ RowCount: null });
    expect(FileStructure.Tabs[0]?.Rows).toHaveLength(importLimits.previewRows);
  });

  it('returns the structure of a workbook, by its bytes and not its name', async () => {
    const bytes = await makeXlsx([
      {
        name: 'Staff',
        rows: [
          ['Name', 'Phone'],
          ['Jane Doe', 4_235_550_143],
        ],
      },
      { name: 'Parents', rows: [[4_235_550_144, 'Joe']] },
    ]);
    const { FileStructure } = await accepted(bytes, 'people.csv');
    expect(FileStructure.Tabs).toMatchObject([
      {
        TabNumber: 1,
        TabName: 'Staff',
        HasHeader: true,
        FirstName: 1,
        Phone1: 2,
        Rows: [{ Cells: ['Jane Doe', '4235550143'] }],
      },
      { TabNumber: 2, TabName: 'Parents', HasHeader: false, FirstName: 2, Phone1: 1 },
    ]);
  });

  it('recognizes a title above the headings, and leaves it out of the contacts', async () => {
    const file = await accepted('Fall roster,,\nFirst,Last,Cell\nJane,Doe,4235550143\nJoe,Roe,4235550144\n');
    expect(file.FileStructure.Tabs[0]).toMatchObject({
      HasHeader: true,
      TitleRows: 1,
      RowCount: 2,
      Columns: [{ Header: 'First' }, { Header: 'Last' }, { Header: 'Cell' }],
      Rows: [{ RowNumber: 3 }, { RowNumber: 4 }],
      Phone1: 3,
    });
  });

  it('removes text that can’t be stored from a file, and shows it in the list', async () => {
    const csv = await accepted(
      `Na\u0000me,Phone\n${'Ja\u0000ne,4235550143,\n'.repeat(3)}${'x,1\n'.repeat(99)}`,
    );
    expect(csv.FileStructure.Tabs[0]).toMatchObject({
      Columns: [{ Header: 'Name' }, { Header: 'Phone' }, { Header: '' }],
      Rows: expect.arrayContaining([{ RowNumber: 2, Cells: ['Jane', '4235550143', ''] }]),
    });
    const long = `${'x'.repeat(99)}😀`;
    const book = await makeXlsx([
      {
        name: long,
        rows: [
          [`${long}_xD800_`, 'Phone'],
          ['_x0000_Jane_xDC00_', 4_235_550_143],
        ],
      },
    ]);
    const xlsx = await accepted(book, 'names.xlsx');
    expect(xlsx.FileStructure.Tabs[0]).toMatchObject({
      TabName: `${'x'.repeat(99)}\ufffd`,
      Rows: [{ RowNumber: 2, Cells: ['Jane\ufffd', '4235550143'] }],
    });
    const { status, body } = await app.call(listFiles, {}, account.owner);
    expect([status, body.Items.slice(0, 2).map(({ FileID }) => FileID)]).toEqual([
      200,
      [xlsx.FileID, csv.FileID],
    ]);
  });

  it.each([
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), sentences.notASpreadsheet],
    ['blank lines', '\r\n \r\n,,\r\n', sentences.emptyFile],
    ['only headings', 'First name,Phone\r\n', sentences.onlyHeadings],
    ['only headings below a title', 'Roster\r\nFirst name,Phone\r\n', sentences.onlyHeadings],
    ['more empty rows than are looked at', ',,,,,,,\n'.repeat(700_000), sentences.startsEmpty],
    ['a zip cut off', Buffer.from('504b03040a0000000000', 'hex'), sentences.damagedFile],
    [
      'an old workbook',
      Buffer.concat([Buffer.from('d0cf11e0', 'hex'), Buffer.alloc(600)]),
      sentences.oldExcel,
    ],
    ['too many columns', `${'x,'.repeat(300)}x\n1\n`, sentences.tooManyColumns],
  ])('refuses %s with a plain message and keeps nothing', async (_name, bytes, sentence) => {
    const before = await kept();
    const { status, body } = await upload(bytes);
    expect([status, errorBody.parse(body).Message]).toEqual([422, sentence]);
    expect(await kept()).toEqual(before);
  });

  it('refuses a missing file, and one that is too large before it is read', async () => {
    expect((await upload('')).body).toMatchObject({ Message: 'No file provided.' });
    const going = request(`${app.url}/proxy/api/fileuploads/large.csv`, {
      method: 'POST',
      headers: { cookie: account.owner.cookie, 'content-length': importLimits.fileBytes + 1 },
    });
    going.on('error', () => undefined);
    going.flushHeaders();
    const [answer] = (await once(going, 'response')) as [import('node:http').IncomingMessage];
    expect(answer.statusCode).toBe(413);
    going.destroy();
  });

  it('keeps nothing of a file whose sender disconnected', async () => {
    const before = await kept();
    const going = request(`${app.url}/proxy/api/fileuploads/half.csv`, {
      method: 'POST',
      headers: { cookie: account.owner.cookie, 'content-length': 10_000_000 },
    });
    going.on('error', () => undefined);
    going.write(Buffer.alloc(1_000_000, 'a,b\n'));
    await waitUntil(async () => (await kept()).some((name) => name.endsWith('.part')));
    going.destroy();
    await waitUntil(async () => (await kept()).length === before.length);
    expect(await kept()).toEqual(before);
  });
});

it('keeps nothing of a file whose sender disconnected while it was examined', async () => {
  const before = await kept();
  const files = await countFiles();
  // Three uploads at once: two are previewed, the third waits.
  const going = Array.from({ length: 3 }, () =>
    request(`${app.url}/proxy/api/fileuploads/empty.csv`, {
      method: 'POST',
      headers: { cookie: account.owner.cookie },
    }),
  );
  for (const each of going) {
    each.on('error', () => undefined);
    each.end(Buffer.alloc(15_000_000, ',,,,,,,\n'));
  }
  // Stored under its final name: the upload is complete.
  await waitUntil(async () => {
    const names = await kept();
    return names.length === before.length + 3 && names.every((name) => !name.endsWith('.part'));
  });
  for (const each of going) each.destroy();
  await waitUntil(async () => (await kept()).length === before.length);
  expect([await kept(), await countFiles()]).toEqual([before, files]);
  await accepted('Phone\n4235550143\n');
});

it('keeps files where other users of the machine can’t read them', async () => {
  const { FileID } = await accepted('Phone\n4235550145\n');
  const { rows } = await sql<{ file_key: string }>`
    select file_key from file_uploads where file_id = ${FileID}`.execute(app.database.system);
  const modeOf = async (name: string) =>
    ((await stat(join(dataDir, 'uploads', name))).mode & 0o777).toString(8);
  expect([await modeOf(''), await modeOf(rows[0]?.file_key ?? '?')]).toEqual(['700', '600']);
});

it('removes abandoned files after a month, and bytes without a file', async () => {
  const old = await accepted('Phone\n4235550143\n');
  const young = await accepted('Phone\n4235550144\n');
  await sql`update file_uploads set created_at = now() - interval '31 days' where file_id = ${old.FileID}`.execute(
    app.database.system,
  );
  const stray = join(dataDir, 'uploads', 'a-stray.part');
  await writeFile(stray, 'x');
  const longAgo = new Date(Date.now() - 2 * 86_400_000);
  await utimes(stray, longAgo, longAgo);
  const config = readConfig({ DATABASE_URL: app.databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const files = createFileStore(join(dataDir, 'media'));
  await sweepOldFiles({ database: app.database, files, log: createLog(config) });
  const { rows } = await sql<{ file_id: number; stage: string; file_key: string }>`
    select file_id, stage, file_key from file_uploads where file_id in (${old.FileID}, ${young.FileID}) order by 1`.execute(
    app.database.system,
  );
  expect(rows.map(({ stage }) => stage)).toEqual(['canceled', 'mapping']);
  const names = await kept();
  expect(rows.map(({ file_key }) => names.includes(file_key))).toEqual([false, true]);
  expect(names).not.toContain('a-stray.part');
});
