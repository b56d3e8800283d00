import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { listConsentEvents } from '../../contract/consents.ts';
import * as calls from '../../contract/imports.ts';
import { mendConsentCounts } from '../consents/count-moved.ts';
import { recordConsents } from '../consents/record-consents.ts';
import { lockContacts } from '../contacts/lock-contacts.ts';
import { asSystem } from '../db.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { checkKeptContacts } from '../testing/check-kept-contacts.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { wrongConsentCounts } from '../testing/wrong-consent-counts.ts';
import { bus, createFileSteps, people } from './testing/file-steps.ts';

let app: TestApp;
let account: BuiltAccount;
let steps: ReturnType<typeof createFileSteps>;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  steps = createFileSteps(app, account);
});

describe('importFile', () => {
  it('requires the declaration of consent', async () => {
    const { FileID } = await steps.readFile(people);
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

  it('creates contacts, groups, fields and consents, with correct counts and indexes', async () => {
    const own = await buildAccount(app);
    const { group_id } = await app.database.system
      .insertInto('groups')
      .values({ account_id: own.accountId, name: 'Everybody of 2024' })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    const file = await steps.importFile(people, { as: own.owner, columns: bus, listId: group_id });
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
    expect(await steps.contactsOf(own.accountId)).toEqual([
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
    const { consents, events } = await steps.everything(own.accountId);
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
    });
    const { rows: declared } = await sql<{ who: string }>`
      select u.first_name || ' ' || u.last_name as who from file_uploads f join users u on u.user_id = f.user_id
      where f.file_id = ${file.FileID} and f.user_id = ${own.owner.userId}`.execute(app.database.system);
    const evidence = await app.call(listConsentEvents, { params: { Number: '4235550143' } }, own.owner);
    expect(evidence.body.Items).toMatchObject([
      {
        Channel: 'both',
        State: 'in',
        Source: 'import',
        UserName: declared[0]?.who,
        Wording: 'Please confirm you have collected proper consent.',
        Address: '127.0.0.1',
        FileName: file.FileName,
      },
    ]);
    await checkKeptContacts(app, own.accountId);
  });

  it('of phones that were known lets somebody join meanwhile', async () => {
    const own = await buildAccount(app);
    await sql`insert into phone_consents (account_id, phone) values (${own.accountId}, '14235550143')`.execute(
      app.database.system,
    );
    const { FileID } = await steps.readFile(people, { as: own.owner, columns: bus });
    await steps.startImport(FileID, 0, own.owner);
    // As a text does that says JOIN: the contacts first, then the opt-in and its count.
    const imported = await asSystem(app.database, async (trx) => {
      await lockContacts(trx, own.accountId);
      const importing = app.drain();
      await waitUntil(async () => {
        const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(
          app.database.system,
        );
        return rows.length > 0;
      });
      await sql`set local lock_timeout = '500ms'`.execute(trx);
      await recordConsents(trx, [
        { accountId: own.accountId, phone: '14235550199', state: 'in', at: new Date(), source: 'inbound' },
      ]);
      return { importing };
    });
    await imported.importing;
    expect(await steps.getFile(FileID, own.owner)).toMatchObject({ Stage: 'imported' });
    expect(await wrongConsentCounts(app.database, own.accountId)).toEqual([]);
  });

  it.each(['update', 'skip', 'add'] as const)(
    'twice changes nothing the second time: %s',
    async (duplicates) => {
      const own = await buildAccount(app);
      await steps.importFile(people, { as: own.owner, columns: bus, duplicates });
      const before = await steps.everything(own.accountId);
      expect(before.contacts).toHaveLength(duplicates === 'add' ? 4 : 3);
      await checkKeptContacts(app, own.accountId);
      const second = await steps.importFile(people, { as: own.owner, columns: bus, duplicates });
      expect(second.Summary).toMatchObject({
        ExistingCount: 3,
        CreatedCount: 0,
        UpdatedCount: 0,
        SkippedCount: duplicates === 'add' ? 4 : 3,
      });
      expect(await steps.everything(own.accountId)).toEqual(before);
    },
  );

  describe('with people who are already contacts', () => {
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
      await asSystem(app.database, mendConsentCounts);
      const file = await steps.importFile(options.lines ?? people, {
        as: own.owner,
        columns: bus,
        ...options,
      });
      return { own, file };
    }

    it('update changes the values in the file, and a match by second phone only joins groups', async () => {
      const { own, file } = await withJane({ duplicates: 'update' });
      expect(file.Summary).toMatchObject({
        ExistingCount: 2,
        CreatedCount: 1,
        UpdatedCount: 1,
        SkippedCount: 1,
      });
      expect(await steps.contactsOf(own.accountId)).toMatchObject([
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
      await checkKeptContacts(app, own.accountId);
    });

    it('never turns an opt-out into an opt-in', async () => {
      const { own } = await withJane({ duplicates: 'update' });
      const { consents, events } = await steps.everything(own.accountId);
      expect(consents).toMatchObject([
        { phone: '14235550143', text_state: 'out', voice_state: null },
        { phone: '14235550144', text_state: 'in', voice_state: 'in' },
        { phone: '14235550145', text_state: 'in', voice_state: 'out' },
        { phone: '14235550146', text_state: 'in', voice_state: 'in' },
      ]);
      expect(events).toMatchObject([
        { phone: '14235550144', channel: 'both' },
        { phone: '14235550145', channel: 'text' },
        { phone: '14235550146', channel: 'both' },
      ]);
      expect(await wrongConsentCounts(app.database, own.accountId)).toEqual([]);
    });

    it('skip leaves the contact unchanged, but it joins the groups', async () => {
      const { own, file } = await withJane({ duplicates: 'skip' });
      expect(file.Summary).toMatchObject({ CreatedCount: 1, UpdatedCount: 0, SkippedCount: 2 });
      expect(await steps.contactsOf(own.accountId)).toMatchObject([
        { first_name: 'Janet', notes: 'Old', secondary_phone: null, custom_data: {} },
        { first_name: 'José' },
      ]);
      const { rows } = await sql<{ name: string }>`
        select g.name from group_members m join groups g using (account_id, group_id) join contacts c using (account_id, person_id)
        where m.account_id = ${own.accountId} and c.first_name = 'Janet' order by 1`.execute(
        app.database.system,
      );
      expect(rows.map(({ name }) => name)).toEqual(['Band', 'Choir', 'Parents']);
      await checkKeptContacts(app, own.accountId);
    });

    it('add creates a second one unless phone and name are the same', async () => {
      const lines = [...people, 'Janet,Doe,4235550143,,,,'];
      const { own, file } = await withJane({ duplicates: 'add', lines });
      expect(file.Summary).toMatchObject({ CreatedCount: 4, SkippedCount: 1 });
      expect((await steps.contactsOf(own.accountId)).map(({ first_name }) => first_name).sort()).toEqual([
        'Ann',
        'Anna',
        'Jane',
        'Janet',
        'José',
      ]);
      await checkKeptContacts(app, own.accountId);
    });
  });

  it('is refused while it runs, for a segment, and with nothing to import', async () => {
    const { FileID } = await steps.readFile(people);
    const { group_id } = await app.database.system
      .insertInto('groups')
      .values({ account_id: account.accountId, name: 'A segment', segment: '{}' })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    expect(refusalOf(await steps.startImport(FileID, group_id))).toMatchObject({ status: 422 });
    expect(refusalOf(await steps.startImport(FileID, -1))).toMatchObject({ status: 422 });
    const empty = await steps.readFile(['Name,Phone', 'Jane,none', 'Joe,12']);
    expect(refusalOf(await steps.startImport(empty.FileID))).toMatchObject({
      status: 422,
      Message: 'There is nothing in the file that can be imported.',
    });
    expect((await steps.startImport(FileID)).status).toBe(200);
    expect(refusalOf(await steps.startImport(FileID))).toMatchObject({
      status: 409,
      Message: 'The file is being imported.',
    });
    await app.drain();
  });

  it('matches only the user’s own contacts if they can’t see others', async () => {
    const own = await buildAccount(app);
    const user = await buildUser(app, own.accountId, 'user', { canSeeAllRoster: false });
    await steps.importFile(['Name,Phone', 'Jane Doe,4235550143'], { as: own.owner });
    const mine = await steps.importFile(['Name,Phone', 'Jane Roe,4235550143'], { as: user });
    expect(mine.Summary).toMatchObject({ ExistingCount: 0, CreatedCount: 1, UpdatedCount: 0 });
    const again = await steps.importFile(['Name,Phone', 'Jane Poe,4235550143'], { as: user });
    expect(again.Summary).toMatchObject({ ExistingCount: 1, CreatedCount: 0, UpdatedCount: 1 });
    expect((await steps.contactsOf(own.accountId)).map(({ last_name }) => last_name)).toEqual(['Doe', 'Poe']);
  });
});
