import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as calls from '../../contract/imports.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
});

/** A file that has been read, waiting for its review. */
async function readFile(
  lines: string[],
  options: { as?: BuiltUser; duplicates?: 'update' | 'skip' | 'add'; columns?: object } = {},
): Promise<calls.FileUpload> {
  const as = options.as ?? account.owner;
  const answer = await fetch(`${app.url}/proxy/api/fileuploads/people.csv`, {
    method: 'POST',
    headers: { cookie: as.cookie, 'content-type': 'text/csv' },
    body: lines.join('\r\n'),
  });
  const file = (await answer.json()) as calls.FileUpload;
  expect([answer.status, file]).toEqual([200, expect.objectContaining({ Stage: 'mapping' })]);
  const tab = file.FileStructure.Tabs[0];
  const { status } = await app.call(
    calls.processFile,
    {
      params: { FileID: file.FileID },
      body: {
        TabNumber: 1,
        HasHeader: tab?.HasHeader ?? false,
        Columns: { ...calls.fileColumns.parse(tab), ...options.columns },
        Duplicates: options.duplicates ?? 'update',
      },
    },
    as,
  );
  expect(status).toBe(200);
  await app.drain();
  return getFile(file.FileID, as);
}

async function getFile(FileID: number, as = account.owner): Promise<calls.FileUpload> {
  return (await app.call(calls.getFile, { params: { FileID } }, as)).body;
}

async function startImport(FileID: number, ListID = 0, as = account.owner) {
  return app.call(
    calls.importFile,
    { params: { ListID }, body: { FileID, UserIndicatedConsentDeclared: true } },
    as,
  );
}

async function importFile(
  lines: string[],
  options: { as?: BuiltUser; listId?: number; duplicates?: 'update' | 'skip' | 'add'; columns?: object } = {},
): Promise<calls.FileUpload> {
  const file = await readFile(lines, options);
  const as = options.as ?? account.owner;
  const reply = await startImport(file.FileID, options.listId, as);
  expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ Stage: 'importing' })]);
  await app.drain();
  return getFile(file.FileID, as);
}

/** All that an import could touch, without the files themselves. */
async function everything(accountId: number) {
  const read = (table: string, order: string) =>
    sql`select * from ${sql.table(table)} where account_id = ${accountId} order by ${sql.raw(order)}`
      .execute(app.database.system)
      .then(({ rows }) => rows);
  return {
    contacts: await read('contacts', 'person_id'),
    members: await read('group_members', 'group_id, person_id'),
    counts: await read('list_counts', 'list_id'),
    search: await read('contact_search', 'person_id'),
    consents: await read('phone_consents', 'phone'),
    events: await read('consent_events', 'consent_event_id'),
    groups: await read('groups', 'group_id'),
    fields: await read('custom_fields', 'field_id'),
  };
}

/** What is kept has to be what a count says. */
async function expectKept(accountId: number): Promise<void> {
  const { rows: counts } = await sql`
    select list_id, roster_count from list_counts where account_id = ${accountId} and roster_count <> 0 order by 1`.execute(
    app.database.system,
  );
  const { rows: counted } = await sql`
    select 0 as list_id, count(*) as roster_count from contacts where account_id = ${accountId} and deleted_at is null having count(*) > 0
    union all select -2, count(*) from contacts where account_id = ${accountId} and deleted_at is not null having count(*) > 0
    union all select group_id, count(*) from group_members where account_id = ${accountId} group by group_id
    order by 1`.execute(app.database.system);
  expect(counts).toEqual(counted);
  const { rows: wrong } = await sql`
    select c.person_id from contacts c
    left join contact_search s on s.account_id = c.account_id and s.person_id = c.person_id
    where c.account_id = ${accountId} and c.deleted_at is null and (
      s.search_text is distinct from contact_search_text(c.first_name, c.last_name, c.notes, c.primary_phone, c.secondary_phone, c.tertiary_phone, c.custom_data)
      or exists (select from group_members m where m.account_id = c.account_id and m.person_id = c.person_id and m.sort_name <> c.sort_name)
      or exists (select from group_members m where m.account_id = c.account_id and m.person_id = c.person_id and m.group_id = -1)
        = exists (select from group_members m where m.account_id = c.account_id and m.person_id = c.person_id and m.group_id > 0))`.execute(
    app.database.system,
  );
  expect(wrong).toEqual([]);
}

async function contactsOf(accountId: number) {
  return app.database.system
    .selectFrom('contacts')
    .select([
      'first_name',
      'last_name',
      'notes',
      'primary_phone',
      'secondary_phone',
      'custom_data',
      'created_by_user_id',
      'file_id',
    ])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('person_id')
    .execute();
}

const people = [
  'First name,Last name,Cell,Home phone,Notes,Groups,Bus',
  'Jane,Doe,(423) 555-0143,423-555-0144,Reads,Choir; Parents,Bus 4',
  "José,Muñoz,'4.235550145E9,,,choir,",
  'Ann,Lee,423-555-0146,,,,Bus 5',
  'Anna,Lee,423.555.0146,,,Band,',
  'Bob,Nobody,,,,,',
  'Kim,Short,555-0147,,,,',
  'Ivo,Date,2024-01-15,,,,',
];

const bus = { CustomData: [{ ColumnNumber: 7, Name: 'Bus' }] };

describe('processFile', () => {
  it('reads, repairs, finds doubles and says why rows are left out', async () => {
    const file = await readFile(people, { columns: bus });
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
    const file = await readFile(people);
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

  it('gives what was left out as a file', async () => {
    const file = await readFile(people);
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

  it('remembers how the columns of such a file were named', async () => {
    await readFile(['Alpha,Beta,Mobile', 'x,y,4235550101'], { columns: { Notes: 1, FirstName: 2 } });
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
  ])('refuses columns %j', async (Columns, Field, Message) => {
    const { FileID } = await readFile(people);
    const reply = await app.call(
      calls.processFile,
      { params: { FileID }, body: { TabNumber: 1, HasHeader: true, Columns } },
      account.owner,
    );
    expect(refusalOf(reply)).toMatchObject({ status: 400, Message, Errors: [{ Field, Message }] });
  });

  it('says when the column of groups is another one', async () => {
    const lines = Array.from({ length: 600 }, (_, at) => `4235${String(at).padStart(6, '2')},Group ${at}`);
    const file = await readFile(['Phone,Groups', ...lines]);
    expect(file).toMatchObject({
      Stage: 'failed',
      Status: 'Error',
      ErrorMessage: 'The column of groups has more than 500 different names. Is it the right column?',
    });
    // Another column puts it right.
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

describe('mendFileRows', () => {
  it('reads what was typed by the same rules and keeps the summary right', async () => {
    const { FileID } = await readFile(people);
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

  it('makes a phone that another row has a double, and lets doubles move up', async () => {
    const { FileID } = await readFile(people);
    const mend = (items: object[]) =>
      app.call(calls.mendFileRows, { params: { FileID }, body: { Items: items as never } }, account.owner);
    const doubled = await mend([{ RowNumber: 6, PrimaryPhone: '4235550143' }]);
    expect(doubled.body).toMatchObject({
      Items: [{ RowNumber: 6, Kind: 'duplicate', FirstRow: 2 }],
      File: { Summary: { GoodRecordCount: 3, DuplicateCount: 2, RejectedCount: 2 } },
    });
    // Row 4 gets another phone: row 5, its double, stands for itself.
    await mend([{ RowNumber: 4, FirstName: 'Ann', PrimaryPhone: '4235550149' }]);
    const rows = await app.call(calls.listFileRows, { params: { FileID } }, account.owner);
    expect(rows.body.Items.slice(2, 4)).toMatchObject([
      { RowNumber: 4, Kind: 'good', PrimaryPhone: '4235550149' },
      { RowNumber: 5, Kind: 'good', FirstRow: null },
    ]);
    expect((await getFile(FileID)).Summary).toMatchObject({ GoodRecordCount: 4, DuplicateCount: 1 });
  });
});

describe('importFile', () => {
  it('needs the declaration of consent', async () => {
    const { FileID } = await readFile(people);
    const reply = await app.call(
      calls.importFile,
      { params: { ListID: 0 }, body: { FileID } },
      account.owner,
    );
    expect(refusalOf(reply)).toMatchObject({
      status: 400,
      Message: 'Please confirm you have collected proper consent.',
    });
  });

  it('makes contacts, groups, fields and consents, all kept right', async () => {
    const own = await buildAccount(app);
    const { group_id } = await app.database.system
      .insertInto('groups')
      .values({ account_id: own.accountId, name: 'Everybody of 2024' })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    const file = await importFile(people, { as: own.owner, columns: bus, listId: group_id });
    expect(file).toMatchObject({
      Stage: 'imported',
      ListID: group_id,
      UndoID: expect.any(Number),
      UserIndicatedConsentDeclared: true,
      Summary: { CreatedCount: 3, UpdatedCount: 0, SkippedCount: 0 },
    });
    const field = await app.database.system
      .selectFrom('custom_fields')
      .select(['field_id', 'name'])
      .where('account_id', '=', own.accountId)
      .executeTakeFirstOrThrow();
    expect(field.name).toBe('Bus');
    expect(await contactsOf(own.accountId)).toEqual([
      {
        first_name: 'Jane',
        last_name: 'Doe',
        notes: 'Reads',
        primary_phone: '14235550143',
        secondary_phone: '14235550144',
        custom_data: { [field.field_id]: 'Bus 4' },
        created_by_user_id: own.owner.userId,
        file_id: file.FileID,
      },
      expect.objectContaining({ first_name: 'José', primary_phone: '14235550145' }),
      expect.objectContaining({ first_name: 'Ann', primary_phone: '14235550146' }),
    ]);
    const { rows: members } = await sql`
      select g.name, array_agg(c.first_name order by c.first_name) as who
      from group_members m join groups g on g.group_id = m.group_id join contacts c on c.person_id = m.person_id
      where m.account_id = ${own.accountId} group by g.name order by g.name`.execute(app.database.system);
    expect(members).toEqual([
      { name: 'Band', who: ['Ann'] },
      { name: 'Choir', who: ['Jane', 'José'] },
      { name: 'Everybody of 2024', who: ['Ann', 'Jane', 'José'] },
      { name: 'Parents', who: ['Jane'] },
    ]);
    const { consents, events } = await everything(own.accountId);
    expect(consents).toMatchObject(
      ['14235550143', '14235550144', '14235550145', '14235550146'].map((phone) => ({
        phone,
        text_state: 'in',
        voice_state: 'in',
      })),
    );
    expect(events).toHaveLength(4);
    expect(events[0]).toMatchObject({
      channel: 'both',
      state: 'in',
      source: 'import',
      file_id: file.FileID,
      user_id: own.owner.userId,
      wording: 'Please confirm you have collected proper consent.',
      address: '127.0.0.1',
    });
    await expectKept(own.accountId);
  });

  it.each(['update', 'skip', 'add'] as const)(
    'twice changes nothing the second time: %s',
    async (duplicates) => {
      const own = await buildAccount(app);
      await importFile(people, { as: own.owner, columns: bus, duplicates });
      const before = await everything(own.accountId);
      expect(before.contacts).toHaveLength(duplicates === 'add' ? 4 : 3);
      await expectKept(own.accountId);
      const second = await importFile(people, { as: own.owner, columns: bus, duplicates });
      expect(second.Summary).toMatchObject({
        ExistingCount: 3,
        CreatedCount: 0,
        UpdatedCount: 0,
        SkippedCount: duplicates === 'add' ? 4 : 3,
      });
      expect(await everything(own.accountId)).toEqual(before);
    },
  );

  describe('with somebody who is in the book already', () => {
    async function withJane(options: { duplicates: 'update' | 'skip' | 'add'; lines?: string[] }) {
      const own = await buildAccount(app);
      await app.database.system
        .insertInto('contacts')
        .values([
          {
            account_id: own.accountId,
            first_name: 'Janet',
            last_name: 'Doe',
            notes: 'Old',
            primary_phone: '14235550143',
            tertiary_phone: '14235550146',
          },
        ])
        .execute();
      await sql`
        insert into phone_consents (account_id, phone, text_state, text_changed_at, voice_state, voice_changed_at)
        values (${own.accountId}, '14235550143', 'out', now(), null, null), (${own.accountId}, '14235550145', null, null, 'out', now())`.execute(
        app.database.system,
      );
      const file = await importFile(options.lines ?? people, { as: own.owner, columns: bus, ...options });
      return { own, file };
    }

    it('update changes what the file has, and only joins groups by a second phone', async () => {
      const { own, file } = await withJane({ duplicates: 'update' });
      expect(file.Summary).toMatchObject({
        ExistingCount: 2,
        CreatedCount: 1,
        UpdatedCount: 1,
        SkippedCount: 1,
      });
      expect(await contactsOf(own.accountId)).toMatchObject([
        { first_name: 'Jane', notes: 'Reads', secondary_phone: '14235550144', file_id: null },
        { first_name: 'José' },
      ]);
      const existing = await app.call(
        calls.listFileRows,
        { params: { FileID: file.FileID }, query: { kind: 'existing' } },
        own.owner,
      );
      expect(existing.body.Items).toMatchObject([
        { RowNumber: 2, Kind: 'existing', PersonID: expect.any(Number) },
        { RowNumber: 4, Kind: 'existing' },
      ]);
      await expectKept(own.accountId);
    });

    it('never turns an opt-out into an opt-in', async () => {
      const { own } = await withJane({ duplicates: 'update' });
      const { consents, events } = await everything(own.accountId);
      expect(consents).toMatchObject([
        { phone: '14235550143', text_state: 'out', voice_state: null },
        { phone: '14235550144', text_state: 'in', voice_state: 'in' },
        { phone: '14235550145', text_state: 'in', voice_state: 'out' },
        { phone: '14235550146', text_state: 'in', voice_state: 'in' },
      ]);
      expect(events).toMatchObject([{ channel: 'both' }, { channel: 'text' }, { channel: 'both' }]);
    });

    it('skip leaves the contact as it is, but it joins the groups', async () => {
      const { own, file } = await withJane({ duplicates: 'skip' });
      expect(file.Summary).toMatchObject({ CreatedCount: 1, UpdatedCount: 0, SkippedCount: 2 });
      expect(await contactsOf(own.accountId)).toMatchObject([
        { first_name: 'Janet', notes: 'Old', secondary_phone: null, custom_data: {} },
        { first_name: 'José' },
      ]);
      const { rows } = await sql<{ name: string }>`
        select g.name from group_members m join groups g using (account_id, group_id) join contacts c using (account_id, person_id)
        where m.account_id = ${own.accountId} and c.first_name = 'Janet' order by 1`.execute(
        app.database.system,
      );
      expect(rows.map(({ name }) => name)).toEqual(['Band', 'Choir', 'Parents']);
      await expectKept(own.accountId);
    });

    it('add makes a second one unless phone and name are the same', async () => {
      const lines = [...people, 'Janet,Doe,4235550143,,,,'];
      const { own, file } = await withJane({ duplicates: 'add', lines });
      expect(file.Summary).toMatchObject({ CreatedCount: 4, SkippedCount: 1 });
      expect((await contactsOf(own.accountId)).map(({ first_name }) => first_name).sort()).toEqual([
        'Ann',
        'Anna',
        'Jane',
        'Janet',
        'José',
      ]);
      await expectKept(own.accountId);
    });
  });

  it('is refused while it runs, for a segment, and for nothing to import', async () => {
    const { FileID } = await readFile(people);
    const { group_id } = await app.database.system
      .insertInto('groups')
      .values({ account_id: account.accountId, name: 'A segment', segment: '{}' })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    expect(refusalOf(await startImport(FileID, group_id))).toMatchObject({ status: 422 });
    expect(refusalOf(await startImport(FileID, -1))).toMatchObject({ status: 422 });
    const empty = await readFile(['Name,Phone', 'Jane,none', 'Joe,12']);
    expect(refusalOf(await startImport(empty.FileID))).toMatchObject({
      status: 422,
      Message: 'There is nothing in the file that can be imported.',
    });
    expect((await startImport(FileID)).status).toBe(200);
    expect(refusalOf(await startImport(FileID))).toMatchObject({
      status: 409,
      Message: 'The file is being imported.',
    });
    await app.drain();
  });

  it('knows only one’s own contacts where one doesn’t see the others’', async () => {
    const own = await buildAccount(app);
    const user = await buildUser(app, own.accountId, 'user', { canSeeAllRoster: false });
    await importFile(['Name,Phone', 'Jane Doe,4235550143'], { as: own.owner });
    const mine = await importFile(['Name,Phone', 'Jane Roe,4235550143'], { as: user });
    expect(mine.Summary).toMatchObject({ ExistingCount: 0, CreatedCount: 1, UpdatedCount: 0 });
    const again = await importFile(['Name,Phone', 'Jane Poe,4235550143'], { as: user });
    expect(again.Summary).toMatchObject({ ExistingCount: 1, CreatedCount: 0, UpdatedCount: 1 });
    expect((await contactsOf(own.accountId)).map(({ last_name }) => last_name)).toEqual(['Doe', 'Poe']);
  });
});

describe('undoFile', () => {
  it('takes a whole import back, also what it changed', async () => {
    const own = await buildAccount(app);
    await importFile(['First name,Phone,Groups', 'Janet,4235550143,Choir', 'Joe,4235550150,'], {
      as: own.owner,
    });
    const before = await everything(own.accountId);
    const file = await importFile(people, { as: own.owner, columns: bus });
    expect(file.Summary).toMatchObject({ CreatedCount: 2, UpdatedCount: 1 });
    const undo = () => app.call(calls.undoFile, { params: { UndoID: file.UndoID ?? 0 } }, own.owner);
    expect((await undo()).body).toEqual({ UndoExecuted: true, UndoID: null });
    await app.drain();
    expect(await getFile(file.FileID, own.owner)).toMatchObject({
      Stage: 'undone',
      UndoID: null,
      ErrorMessage: '',
    });
    const { groups: _, fields: __, consents, events, counts: ___, ...rest } = await everything(own.accountId);
    expect(rest).toEqual({ contacts: before.contacts, members: before.members, search: before.search });
    expect(consents.filter((row) => (row as { text_state: string }).text_state !== null)).toEqual(
      before.consents,
    );
    expect(
      events
        .slice(before.events.length)
        .map((row) => (row as { state: string }).state)
        .sort(),
    ).toEqual(['in', 'in', 'in', 'none', 'none', 'none']);
    await expectKept(own.accountId);
    // A second click does nothing.
    expect((await undo()).body).toEqual({ UndoExecuted: false, UndoID: null });
  });

  it('leaves those that somebody has changed since', async () => {
    const own = await buildAccount(app);
    const file = await importFile(people, { as: own.owner });
    await sql`update contacts set notes = 'Called', updated_at = now()
      where account_id = ${own.accountId} and first_name = 'Jane'`.execute(app.database.system);
    await app.call(calls.undoFile, { params: { UndoID: file.UndoID ?? 0 } }, own.owner);
    await app.drain();
    expect(await getFile(file.FileID, own.owner)).toMatchObject({
      Stage: 'undone',
      ErrorMessage: '1 contact stays: it was changed since the import.',
    });
    expect(await contactsOf(own.accountId)).toMatchObject([{ first_name: 'Jane', notes: 'Called' }]);
    await expectKept(own.accountId);
  });
});

describe('cancelFile', () => {
  it('cancels before, and takes an import under way back', async () => {
    const own = await buildAccount(app);
    const read = await readFile(people, { as: own.owner });
    const cancel = (FileID: number) => app.call(calls.cancelFile, { params: { FileID } }, own.owner);
    expect((await cancel(read.FileID)).body).toMatchObject({ Stage: 'canceled', Status: 'Complete' });
    await app.drain();
    const { rows } = await sql`select from file_rows where file_id = ${read.FileID}`.execute(
      app.database.system,
    );
    expect(rows).toEqual([]);
    expect(refusalOf(await startImport(read.FileID, 0, own.owner))).toMatchObject({
      status: 409,
      Message: 'The file was canceled.',
    });

    const file = await readFile(people, { as: own.owner });
    await startImport(file.FileID, 0, own.owner);
    expect((await cancel(file.FileID)).body).toMatchObject({ Stage: 'undoing', Status: 'InProgress' });
    await app.drain();
    expect(await getFile(file.FileID, own.owner)).toMatchObject({ Stage: 'canceled' });
    expect(await contactsOf(own.accountId)).toEqual([]);

    const imported = await importFile(people, { as: own.owner });
    expect(refusalOf(await cancel(imported.FileID))).toMatchObject({ status: 409 });
  });
});

it('finds files of one’s own only', async () => {
  const { FileID } = await readFile(people);
  const colleague = await buildUser(app, account.accountId, 'admin');
  for (const reply of [
    await app.call(calls.getFile, { params: { FileID } }, colleague),
    await app.call(calls.listFileRows, { params: { FileID } }, colleague),
    await app.call(calls.cancelFile, { params: { FileID } }, colleague),
    await startImport(FileID, 0, colleague),
  ]) {
    expect(refusalOf(reply)).toMatchObject({ status: 404 });
  }
  expect((await app.call(calls.listFiles, {}, colleague)).body.Items).toEqual([]);
  const mine = await app.call(calls.listFiles, {}, account.owner);
  expect(mine.body.Items[0]).toMatchObject({ FileID, FileName: 'people.csv' });
});

describe('pasteContacts', () => {
  it('adds, joins who is there, separates what is no number, and can be undone', async () => {
    const own = await buildAccount(app);
    await importFile(['Name,Phone', 'Jane Doe,4235550143'], { as: own.owner });
    const { group_id: ListID } = await app.database.system
      .insertInto('groups')
      .values({ account_id: own.accountId, name: 'Pasted' })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    const before = await everything(own.accountId);
    const paste = (UserIndicatedConsentDeclared: boolean) =>
      app.call(
        calls.pasteContacts,
        {
          params: { ListID },
          body: {
            UserIndicatedConsentDeclared,
            Items: [
              { Name: 'Jane X', PrimaryPhone: '423-555-0143' },
              { Name: 'Mary Ann Lee', PrimaryPhone: '4235550160' },
              { Name: 'Mary again', PrimaryPhone: '1 423 555 0160' },
              { PrimaryPhone: '911' },
            ],
          },
        },
        own.owner,
      );
    expect(refusalOf(await paste(false))).toMatchObject({ status: 400 });
    const { body } = await paste(true);
    expect(body).toEqual({
      CreatedCount: 1,
      ExistingCount: 1,
      Invalid: [{ Position: 4, Message: 'Must be 10 digits; use only numbers' }],
      UndoID: expect.any(Number),
    });
    expect(await contactsOf(own.accountId)).toMatchObject([
      { first_name: 'Jane', last_name: 'Doe' },
      { first_name: 'Mary Ann', last_name: 'Lee' },
    ]);
    await expectKept(own.accountId);
    expect((await app.call(calls.listFiles, {}, own.owner)).body.Items).toHaveLength(1);

    await app.call(calls.undoFile, { params: { UndoID: body.UndoID ?? 0 } }, own.owner);
    await app.drain();
    const after = await everything(own.accountId);
    expect([after.contacts, after.members]).toEqual([before.contacts, before.members]);
  });
});
