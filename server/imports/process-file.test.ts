import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import * as calls from '../../contract/imports.ts';
import { addList } from '../../contract/lists.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { bus, createFileSteps, people } from './testing/file-steps.ts';

let app: TestApp;
let account: BuiltAccount;
let steps: ReturnType<typeof createFileSteps>;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  steps = createFileSteps(app, account);
});

describe('processFile', () => {
  it('reads, repairs, finds duplicates and says why rows are rejected', async () => {
    const file = await steps.readFile(people, { columns: bus });
    expect(file).toMatchObject({
      Stage: 'review',
      Status: 'Complete',
      Summary: {
        RowCount: 7,
        GoodRecordCount: 3,
        RepairedCount: 1,
        DuplicateCount: 1,
        ExistingCount: 0,
        RejectedCount: 3,
        Reasons: expect.arrayContaining([
          { Problem: 'Please add a phone number', Count: 1 },
          { Problem: 'Must be 10 digits; use only numbers', Count: 1 },
          { Problem: 'This is a date, not a phone number', Count: 1 },
        ]),
      },
      Progress: { Done: 7, Total: 7 },
    });
    const rows = await app.call(calls.listFileRows, { params: { FileID: file.FileID } }, account.owner);
    expect(rows.body).toMatchObject({
      Next: null,
      Items: [
        {
          RowNumber: 2,
          Kind: 'good',
          FirstName: 'Jane',
          PrimaryPhone: '4235550143',
          SecondaryPhone: '4235550144',
          Groups: ['Choir', 'Parents'],
          CustomData: { Bus: 'Bus 4' },
          Cells: [],
        },
        { RowNumber: 3, Kind: 'repaired', Problem: 'The phone number was repaired', Groups: ['Choir'] },
        { RowNumber: 4, Kind: 'good' },
        { RowNumber: 5, Kind: 'duplicate', FirstRow: 4 },
        { RowNumber: 6, Kind: 'rejected', Problem: 'Please add a phone number' },
        { RowNumber: 7, Kind: 'rejected', PrimaryPhone: '555-0147' },
        { RowNumber: 8, Kind: 'rejected', Cells: ['Ivo', 'Date', '2024-01-15', '', '', '', ''] },
      ],
    });
  });

  it('pages by kind', async () => {
    const file = await steps.readFile(people);
    const page = (next?: string) =>
      app.call(
        calls.listFileRows,
        {
          params: { FileID: file.FileID },
          query: { kind: 'rejected', pagesize: 2, ...(next ? { next } : {}) },
        },
        account.owner,
      );
    const first = await page();
    expect(first.body.Items.map(({ RowNumber }) => RowNumber)).toEqual([6, 7]);
    const second = await page(first.body.Next ?? '');
    expect(second.body).toMatchObject({ Items: [{ RowNumber: 8 }], Next: null });
  });

  it('returns the rejected rows as a file', async () => {
    const file = await steps.readFile(people);
    const answer = await fetch(`${app.url}/proxy/api/fileuploads/${file.FileID}/rejected.csv`, {
      headers: { cookie: account.owner.cookie },
    });
    expect((await answer.text()).split('\r\n')).toEqual([
      'First name,Last name,Cell,Home phone,Notes,Groups,Bus,Row,Reason',
      'Bob,Nobody,,,,,,6,Please add a phone number',
      'Kim,Short,555-0147,,,,,7,Must be 10 digits; use only numbers',
      'Ivo,Date,2024-01-15,,,,,8,"This is a date, not a phone number"',
      '',
    ]);
  });

  it('remembers how the columns of such a file were assigned', async () => {
    await steps.readFile(['Alpha,Beta,Mobile', 'x,y,4235550101'], { columns: { Notes: 1, FirstName: 2 } });
    const answer = await fetch(`${app.url}/proxy/api/fileuploads/again.csv`, {
      method: 'POST',
      headers: { cookie: account.owner.cookie },
      body: 'alpha;BETA;Mobile\n1;2;4235550102\n',
    });
    const { FileStructure } = (await answer.json()) as calls.FileUpload;
    expect(FileStructure.Tabs[0]).toMatchObject({ IsRemembered: true, Notes: 1, FirstName: 2, Phone1: 3 });
  });

  it.each([
    [{ Phone1: null }, 'Columns.Phone1', 'Choose the column with the phone numbers.'],
    [{ Phone1: 3, Notes: 3 }, 'Columns.Notes', 'A column can be used only once.'],
    [{ Phone1: 99 }, 'Columns.Phone1', 'The file has no such column.'],
    [
      { Phone1: 3, CustomData: [{ ColumnNumber: 7, Name: 'first_name' }] },
      'Columns.CustomData.first_name',
      'first_name is a field of every contact already.',
    ],
    [
      { Phone1: 3, CustomData: [{ ColumnNumber: 7, Name: '__proto__' }] },
      'Columns.CustomData.__proto__',
      'A custom field can’t be called __proto__.',
    ],
    [
      { Phone1: 3, CustomData: [{ ColumnNumber: 7, Name: 'Bus {4}' }] },
      'Columns.CustomData.Bus {4}',
      'A name can’t hold {, } or |: they mark merge fields in a message.',
    ],
  ])('refuses columns %j', async (Columns, Field, Message) => {
    const { FileID } = await steps.readFile(people);
    const reply = await app.call(
      calls.processFile,
      { params: { FileID }, body: { TabNumber: 1, HasHeader: true, Columns } },
      account.owner,
    );
    expect(refusalOf(reply)).toMatchObject({ status: 400, Message, Errors: [{ Field, Message }] });
  });

  it('warns when another column has the groups', async () => {
    const lines = Array.from({ length: 600 }, (_, at) => `4235${String(at).padStart(6, '2')},Group ${at}`);
    const file = await steps.readFile(['Phone,Groups', ...lines]);
    expect(file).toMatchObject({
      Stage: 'failed',
      Status: 'Error',
      ErrorMessage: 'The column of groups has more than 500 different names. Is it the right column?',
    });
    // Choosing another column fixes it.
    const again = await app.call(
      calls.processFile,
      {
        params: { FileID: file.FileID },
        body: { TabNumber: 1, HasHeader: true, Columns: { Phone1: 1, Notes: 2 } },
      },
      account.owner,
    );
    expect(again.body).toMatchObject({ Stage: 'processing', ErrorMessage: '' });
  });
});

it('says that a file is gone, instead of trying for ever', async () => {
  const file = await steps.readFile(['Name,Phone,Shoe', 'Ana Diaz,4235550143,7']);
  await rm(join(app.dataDir, 'uploads'), { recursive: true });
  const Columns = { ...calls.fileColumns.parse(file.Choice?.Columns), Notes: 3 };
  const params = { FileID: file.FileID };
  const body = { ...(file.Choice ?? expect.fail()), Columns };
  await app.call(calls.processFile, { params, body }, account.owner);
  await app.drain();
  expect(await steps.getFile(file.FileID)).toMatchObject({
    Stage: 'failed',
    ErrorMessage: 'The file is no longer here. Upload it again.',
  });
});

it('reads a file again only for other columns: fixed rows stay', async () => {
  const file = await steps.readFile(people);
  const { FileID } = file;
  const Items = [{ RowNumber: 6, FirstName: 'Bob', PrimaryPhone: '423-555-0149' }];
  await app.call(calls.mendFileRows, { params: { FileID }, body: { Items } }, account.owner);
  const mended = await steps.getFile(FileID);
  expect(mended.Summary?.GoodRecordCount).toBe((file.Summary?.GoodRecordCount ?? 0) + 1);
  const again = (by: object) =>
    app.call(
      calls.processFile,
      { params: { FileID }, body: { ...(file.Choice ?? expect.fail()), ...by } },
      account.owner,
    );
  expect((await again({ Duplicates: 'skip' })).body).toMatchObject({
    Stage: 'review',
    Choice: { Duplicates: 'skip' },
    Summary: mended.Summary,
  });
  const Columns = { ...calls.fileColumns.parse(file.Choice?.Columns), Notes: null };
  expect((await again({ Columns })).body).toMatchObject({ Stage: 'processing', Summary: null });
  await app.drain();
  expect((await steps.getFile(FileID)).Summary).toEqual(file.Summary);
});

it('leaves out rows above the headings, and the row with a missing quotation mark', async () => {
  const file = await steps.readFile([
    'Fall roster,,',
    'First,Last,Cell',
    'Jane,Doe,4235550143',
    'Bob,"Roe,4235550144',
    'Ann,Lee,4235550145',
    'Kim,"Lee, the 2nd",4235550146',
  ]);
  expect(file.Summary).toMatchObject({
    RowCount: 4,
    GoodRecordCount: 3,
    RejectedCount: 1,
    Reasons: [{ Problem: 'A quotation mark is missing in this row', Count: 1 }],
  });
  const params = { FileID: file.FileID };
  const { body } = await app.call(calls.listFileRows, { params }, account.owner);
  expect(body.Items.map(({ RowNumber, FirstName, LastName }) => [RowNumber, FirstName, LastName])).toEqual([
    [3, 'Jane', 'Doe'],
    [4, 'Bob', 'Roe'],
    [5, 'Ann', 'Lee'],
    [6, 'Kim', 'Lee, the 2nd'],
  ]);
});

it('lists the groups that people join, and which of them are new', async () => {
  const addGroup = async (ListName: string) =>
    (await app.call(addList, { body: { ListName } }, account.owner)).body.ListID;
  const there = await addGroup('Flute class');
  const target = await addGroup('Everybody at once');
  const file = await steps.readFile([
    'Cell,Groups',
    '4235550143,flute class; Brand new',
    '4235550144,Everyone; Brand New',
  ]);
  expect(file.Groups).toEqual([
    { ListID: null, ListName: 'Brand new', IsNew: true },
    { ListID: there, ListName: 'Flute class', IsNew: false },
  ]);
  await steps.startImport(file.FileID, target);
  await app.drain();
  expect((await steps.getFile(file.FileID)).Groups).toEqual([
    { ListID: expect.any(Number), ListName: 'Brand new', IsNew: true },
    { ListID: target, ListName: 'Everybody at once', IsNew: false },
    { ListID: there, ListName: 'Flute class', IsNew: false },
  ]);
});

describe('mendFileRows', () => {
  it('parses typed values by the same rules and updates the summary', async () => {
    const { FileID } = await steps.readFile(people);
    const reply = await app.call(
      calls.mendFileRows,
      {
        params: { FileID },
        body: {
          Items: [
            { RowNumber: 6, FirstName: 'Bob', PrimaryPhone: '423-555-0148' },
            { RowNumber: 7, FirstName: 'Kim', PrimaryPhone: '555' },
            { RowNumber: 8, IsRemoved: true },
          ],
        },
      },
      account.owner,
    );
    expect(reply.body).toMatchObject({
      Items: [
        { RowNumber: 6, Kind: 'good', PrimaryPhone: '4235550148', Problem: '' },
        {
          RowNumber: 7,
          Kind: 'rejected',
          PrimaryPhone: '555',
          Problem: 'Must be 10 digits; use only numbers',
        },
      ],
      File: {
        Summary: {
          RowCount: 7,
          GoodRecordCount: 4,
          RejectedCount: 1,
          Reasons: [{ Problem: 'Must be 10 digits; use only numbers', Count: 1 }],
        },
      },
    });
  });

  it('makes a row with another row’s phone a duplicate, and promotes duplicates', async () => {
    const { FileID } = await steps.readFile(people);
    const mend = (items: object[]) =>
      app.call(calls.mendFileRows, { params: { FileID }, body: { Items: items as never } }, account.owner);
    const doubled = await mend([{ RowNumber: 6, PrimaryPhone: '4235550143' }]);
    expect(doubled.body).toMatchObject({
      Items: [{ RowNumber: 6, Kind: 'duplicate', FirstRow: 2 }],
      File: { Summary: { GoodRecordCount: 3, DuplicateCount: 2, RejectedCount: 2 } },
    });
    // Row 4 gets another phone: row 5, its duplicate, is now a separate contact.
    await mend([{ RowNumber: 4, FirstName: 'Ann', PrimaryPhone: '4235550149' }]);
    const rows = await app.call(calls.listFileRows, { params: { FileID } }, account.owner);
    expect(rows.body.Items.slice(2, 4)).toMatchObject([
      { RowNumber: 4, Kind: 'good', PrimaryPhone: '4235550149' },
      { RowNumber: 5, Kind: 'good', FirstRow: null },
    ]);
    expect((await steps.getFile(FileID)).Summary).toMatchObject({ GoodRecordCount: 4, DuplicateCount: 1 });
  });
});

it('finds only the user’s own files', async () => {
  const { FileID } = await steps.readFile(people);
  const colleague = await buildUser(app, account.accountId, 'admin');
  for (const reply of [
    await app.call(calls.getFile, { params: { FileID } }, colleague),
    await app.call(calls.listFileRows, { params: { FileID } }, colleague),
    await app.call(calls.cancelFile, { params: { FileID } }, colleague),
    await steps.startImport(FileID, 0, colleague),
  ]) {
    expect(refusalOf(reply)).toMatchObject({ status: 404 });
  }
  expect((await app.call(calls.listFiles, {}, colleague)).body.Items).toEqual([]);
  const mine = await app.call(calls.listFiles, {}, account.owner);
  expect(mine.body.Items[0]).toMatchObject({ FileID, FileName: 'people.csv' });
});
