import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { addContact, addCustomField, exportContacts } from '../../contract/contacts.ts';
import * as calls from '../../contract/imports.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

/** The variety of real names, and text that files, formulas and our own escaping might change. */
const unit = fc.oneof(
  fc.constantFrom(...'=+-@\'"`,;|:^~<>&%$#!?*()[]/\\_.0123456789'),
  fc.constantFrom(...'aeimnorstxzÉñüßŁøçіЖαאبन漢字ㅎ'),
  fc.constantFrom('_x000D_', '_x005F_', '_x', '👩‍👩‍👧', '🇺🇸', 'می‌خ', '’', '…', 'sep=;', '=1+1', "'=", 'NULL'),
);
/** Without half an emoji at its end. */
const cut = (text: string, most: number) =>
  text.slice(0, most).toWellFormed().replaceAll('\ufffd', '').trim();
const words = (most: number) =>
  fc
    .array(
      fc.array(unit, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
      { maxLength: 4 },
    )
    .map((parts) => cut(parts.join(' '), most));
const lines = fc.array(words(20), { maxLength: 3 }).map((parts) => cut(parts.join('\n'), 50));
const phone = (exchange: number, index: number) => `1423${exchange}${String(index).padStart(4, '0')}`;

const groupNames = ['Choir', '=Band', "'-5B", 'Mon; Wed', 'A|B', '"Eagles"', '@home', '+1', '_x000D_'];
const fieldNames = ['Class', '=Sum', "'Bus", 'Cell phone type', 'Home', 'Ünïcode 漢'];
const person = fc.record({
  first_name: words(50),
  last_name: words(50),
  notes: lines,
  has: fc.tuple(fc.boolean(), fc.boolean()),
  groups: fc.subarray(groupNames),
  values: fc.tuple(...fieldNames.map(() => fc.oneof(fc.constant(''), lines))),
});

let app: TestApp;
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-round-'));
  app = await testApp({}, { DATA_DIR: dataDir });
  return () => rm(dataDir, { recursive: true, force: true });
});

/** A thousand contacts as a real account may have them. */
async function fill(account: BuiltAccount): Promise<void> {
  const { accountId, owner } = account;
  for (const Name of fieldNames)
    expect((await app.call(addCustomField, { body: { Name } }, owner)).status).toBe(200);
  const fields = await app.database.system
    .selectFrom('custom_fields')
    .select(['field_id', 'name'])
    .where('account_id', '=', accountId)
    .execute();
  const fieldIds = new Map(fields.map(({ field_id, name }) => [name, field_id]));
  const groups = await app.database.system
    .insertInto('groups')
    .values(groupNames.map((name) => ({ account_id: accountId, name, color: 1 })))
    .returning(['group_id', 'name'])
    .execute();
  const people = fc.sample(person, 1_000);
  const made = await app.database.system
    .insertInto('contacts')
    .values(
      people.map(({ first_name, last_name, notes, has, values }, at) => ({
        account_id: accountId,
        first_name,
        last_name,
        notes,
        primary_phone: phone(555, at),
        secondary_phone: has[0] ? phone(556, at) : null,
        tertiary_phone: has[0] && has[1] ? phone(557, at) : null,
        custom_data: JSON.stringify(
          Object.fromEntries(
            values.flatMap((value, index) =>
              value === '' ? [] : [[fieldIds.get(fieldNames[index] ?? ''), value]],
            ),
          ),
        ),
      })),
    )
    .returning(['person_id', 'primary_phone', 'sort_name'])
    .execute();
  await app.database.system
    .insertInto('group_members')
    .values(
      made.flatMap(({ person_id, primary_phone, sort_name }) =>
        groups
          .filter(({ name }) => people[Number(primary_phone?.slice(7))]?.groups.includes(name))
          .map(({ group_id }) => ({ account_id: accountId, group_id, person_id, sort_name })),
      ),
    )
    .execute();
}

/** Everybody with all exported values, by phone. */
async function contentsOf({ accountId }: BuiltAccount) {
  const { rows } = await sql<{ primary_phone: string }>`
    select c.primary_phone, c.secondary_phone, c.tertiary_phone, c.first_name, c.last_name, c.notes,
      (select coalesce(jsonb_object_agg(f.name, v.value), '{}') from jsonb_each_text(c.custom_data) v
        join custom_fields f on f.account_id = c.account_id and f.field_id::text = v.key) as fields,
      array(select g.name from group_members m join groups g using (account_id, group_id)
        where m.account_id = c.account_id and m.person_id = c.person_id order by g.name) as groups
    from contacts c where c.account_id = ${accountId} and c.deleted_at is null
    order by c.primary_phone`.execute(app.database.system);
  return rows;
}

it.each(['csv', 'xlsx'] as const)(
  'a thousand contacts are the same after a round trip through a file (%s)',
  async (Format) => {
    const from = await buildAccount(app);
    await fill(from);
    const before = await contentsOf(from);
    const { body } = await app.call(
      exportContacts,
      { params: { ListID: 0 }, query: {}, body: { Selection: { Type: 'SelectedAll', Items: [] }, Format } },
      from.owner,
    );
    const download = await fetch(app.url + body.Uri, { headers: { cookie: from.owner.cookie } });
    const bytes = await download.arrayBuffer();

    const to = await buildAccount(app);
    for (const Name of fieldNames) await app.call(addCustomField, { body: { Name } }, to.owner);
    const answer = await fetch(`${app.url}/proxy/api/fileuploads/contacts.${Format}`, {
      method: 'POST',
      headers: { cookie: to.owner.cookie },
      body: bytes,
    });
    const { FileID, FileStructure } = (await answer.json()) as calls.FileUpload;
    const [tab] = FileStructure.Tabs;
    expect(tab).toMatchObject({
      HasHeader: true,
      TitleRows: 0,
      FirstName: 1,
      LastName: 2,
      Phone1: 3,
      Groups: 7,
    });
    expect(tab?.CustomData.map(({ Name }) => Name)).toEqual(fieldNames);
    const choice = { TabNumber: 1, HasHeader: true, Columns: calls.fileColumns.parse(tab) };
    await app.call(calls.processFile, { params: { FileID }, body: choice }, to.owner);
    await app.drain();
    const read = await app.call(calls.getFile, { params: { FileID } }, to.owner);
    expect(read.body.Summary).toMatchObject({ GoodRecordCount: 1_000, RepairedCount: 0, RejectedCount: 0 });
    const consent = { FileID, UserIndicatedConsentDeclared: true };
    await app.call(calls.importFile, { params: { ListID: 0 }, body: consent }, to.owner);
    await app.drain();
    expect(await contentsOf(to)).toEqual(before);
  },
);

it('saves a name as a file would return it: without tabs and repeated spaces', async () => {
  const account = await buildAccount(app);
  const name = { FirstName: ' Mary\tAnn  Lou ', LastName: 'van\n der  Berg' };
  const { body } = await app.call(
    addContact,
    { body: { ...name, PrimaryPhone: '(423) 555-0177', Notes: 'two\nlines' } },
    account.owner,
  );
  expect(body).toMatchObject({ FirstName: 'Mary Ann Lou', LastName: 'van der Berg', Notes: 'two\nlines' });
});
