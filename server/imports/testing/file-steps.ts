import { sql } from 'kysely';
import { expect } from 'vitest';
import * as calls from '../../../contract/imports.ts';
import type { BuiltAccount, BuiltUser } from '../../testing/builders.ts';
import type { TestApp } from '../../testing/test-app.ts';

/** Good, repaired, duplicate, without a phone, too short, and with a date in place of the phone. */
export const people = [
  'First name,Last name,Cell,Home phone,Notes,Groups,Bus',
  'Jane,Doe,(423) 555-0143,423-555-0144,Reads,Choir; Parents,Bus 4',
  "José,Muñoz,'4.235550145E9,,,choir,",
  'Ann,Lee,423-555-0146,,,,Bus 5',
  'Anna,Lee,423.555.0146,,,Band,',
  'Bob,Nobody,,,,,',
  'Kim,Short,555-0147,,,,',
  'Ivo,Date,2024-01-15,,,,',
];

export const bus = { CustomData: [{ ColumnNumber: 7, Name: 'Bus' }] };

/** The steps of a file, as the page performs them, and their results. */
export function createFileSteps(app: TestApp, account: BuiltAccount) {
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
    options: {
      as?: BuiltUser;
      listId?: number;
      duplicates?: 'update' | 'skip' | 'add';
      columns?: object;
    } = {},
  ): Promise<calls.FileUpload> {
    const file = await readFile(lines, options);
    const as = options.as ?? account.owner;
    const reply = await startImport(file.FileID, options.listId, as);
    expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ Stage: 'importing' })]);
    await app.drain();
    return getFile(file.FileID, as);
  }

  /** Everything that an import could change, except the files themselves. */
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
      events: await read('consent_events', 'created_at, phone, consent_event_id'),
      groups: await read('groups', 'group_id'),
      fields: await read('custom_fields', 'field_id'),
    };
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

  return { readFile, getFile, startImport, importFile, everything, contactsOf };
}
