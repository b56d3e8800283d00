import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromBuffer } from 'yauzl';
import * as calls from '../../../contract/contacts.ts';
import * as listCalls from '../../../contract/lists.ts';
import type { SelectionOfIds } from '../../../contract/selection.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { xlsxDownload } from './write-xlsx.ts';

const all: SelectionOfIds = { Type: 'SelectedAll', Items: [] };
let app: TestApp;
let account: BuiltAccount;
let owner: BuiltUser;
let choir: number;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  owner = account.owner;
  await app.call(calls.addCustomField, { body: { Name: 'Bus, morning' } }, owner);
  choir = (await app.call(listCalls.addList, { body: { ListName: 'Choir' } }, owner)).body.ListID;
  const band = (await app.call(listCalls.addList, { body: { ListName: 'Band' } }, owner)).body.ListID;
  const people = [
    {
      FirstName: '=HYPERLINK("http://x")',
      LastName: 'Zed "the" third',
      PrimaryPhone: '4235550400',
      SecondaryPhone: '4235550401',
      Notes: 'a\nb',
      CustomData: { 'Bus, morning': '7' },
      ListIDs: [choir, band],
    },
    { FirstName: 'José', LastName: 'Alvarez <&>', PrimaryPhone: '4235550402', ListIDs: [choir] },
    { FirstName: 'Nobody', LastName: 'Else', PrimaryPhone: '4235550403' },
  ];
  for (const body of people) expect((await app.call(calls.addContact, { body }, owner)).status).toBe(200);
  await sql`insert into phone_consents (account_id, phone, text_state, text_changed_at) values
    (${account.accountId}, '14235550402', 'out', now()), (${account.accountId}, '14235550403', 'in', now())`.execute(
    app.database.system,
  );
});

const header = [
  'First Name',
  'Last Name',
  'Primary Phone',
  'Secondary Phone',
  'Tertiary Phone',
  'Notes',
  'Groups',
  'Bus, morning',
  'Text Consent',
];
const jose = ['José', 'Alvarez <&>', '(423) 555-0402', '', '', '', 'Choir', '', 'Opted out'];
const nobody = ['Nobody', 'Else', '(423) 555-0403', '', '', '', '', '', 'Opted in'];
const zed = [
  `'=HYPERLINK("http://x")`,
  'Zed "the" third',
  '(423) 555-0400',
  '(423) 555-0401',
  '',
  'a\nb',
  'Band; Choir',
  '7',
  '',
];

async function exported(ListID: number, body: object, query: object = {}, as = owner) {
  const reply = await app.call(calls.exportContacts, { params: { ListID }, query, body } as never, as);
  expect(reply.status).toBe(200);
  return (reply.body as { Uri: string }).Uri;
}

function fetchAs(uri: string, as: { cookie: string }) {
  return fetch(app.url + uri, { headers: { cookie: as.cookie } });
}

/** The files of an archive by name. */
async function unzip(bytes: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.on('entry', (entry) => {
        zip.openReadStream(entry, async (failed, stream) => {
          if (failed) return reject(failed);
          files.set(entry.fileName, (await buffer(stream)).toString('utf8'));
          zip.readEntry();
        });
      });
      zip.on('end', () => resolve());
      zip.on('error', reject);
      zip.readEntry();
    });
  });
  return files;
}

/** The cells of a sheet, by their positions. */
function readSheet(xml: string, width: number): string[][] {
  return [...xml.matchAll(/<row r="\d+">(.*?)<\/row>/gs)].map(([, row = '']) => {
    const cells = Array<string>(width).fill('');
    for (const [, column = '', text = ''] of row.matchAll(/<c r="([A-Z]+)\d+".*?<t[^>]*>(.*?)<\/t>/gs)) {
      const words = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
      cells[column.charCodeAt(0) - 65] = words;
    }
    return cells;
  });
}

describe('an export', () => {
  it('is a CSV file that spreadsheets and imports can read, in the order of the list', async () => {
    const uri = await exported(0, { Selection: all });
    const answer = await fetchAs(uri, owner);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/contacts-\d{4}-\d\d-\d\d\.csv/);
    const text = Buffer.from(await answer.arrayBuffer()).toString('utf8');
    expect(text.codePointAt(0)).toBe(0xfeff);
    expect(parse(text, { bom: true, record_delimiter: '\r\n' })).toEqual([header, jose, nobody, zed]);
  });

  it('contains the selection within the group and the search', async () => {
    const rows = async (uri: string) => {
      const text = await (await fetchAs(uri, owner)).text();
      return (parse(text, { bom: true, record_delimiter: '\r\n' }) as string[][]).slice(1);
    };
    expect(await rows(await exported(choir, { Selection: all }))).toEqual([jose, zed]);
    expect(await rows(await exported(0, { Selection: all }, { q: 'jose' }))).toEqual([jose]);
    const { body } = await app.call(calls.listContacts, { params: { ListID: choir } }, owner);
    const Items = [body.Items[0]?.PersonID ?? 0];
    expect(await rows(await exported(choir, { Selection: { Type: 'Selected', Items } }))).toEqual([jose]);
    expect(await rows(await exported(choir, { Selection: { Type: 'SelectedAllExcept', Items } }))).toEqual([
      zed,
    ]);
  });

  it('is a workbook', async () => {
    const uri = await exported(0, { Selection: all, Format: 'xlsx' });
    const answer = await fetchAs(uri, owner);
    expect(answer.headers.get('content-disposition')).toMatch(/\.xlsx$/);
    const files = await unzip(Buffer.from(await answer.arrayBuffer()));
    expect([...files.keys()].sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ]);
    expect(readSheet(files.get('xl/worksheets/sheet1.xml') ?? '', 9)).toEqual([header, jose, nobody, zed]);
  });

  it('continues in a second sheet when the first is full', async () => {
    async function* rows() {
      for (let index = 1; index <= 5; index += 1) yield [String(index)];
    }
    const { stream } = xlsxDownload('a.xlsx', {
      header: ['Number'],
      rows: rows(),
      rowCount: 5,
      sheetRows: 2,
    });
    const files = await unzip(await buffer(stream));
    const sheets = [1, 2, 3].map((name) => readSheet(files.get(`xl/worksheets/sheet${name}.xml`) ?? '', 1));
    expect(sheets).toEqual([
      [['Number'], ['1'], ['2']],
      [['Number'], ['3'], ['4']],
      [['Number'], ['5']],
    ]);
    expect(files.get('xl/workbook.xml')?.match(/<sheet /g)).toHaveLength(3);
  });

  it('is only for the user who requested it, and for a day', async () => {
    const uri = await exported(0, { Selection: all });
    const colleague = await buildUser(app, account.accountId, 'admin');
    const other = await buildAccount(app);
    expect((await fetchAs(uri, colleague)).status).toBe(404);
    expect((await fetchAs(uri, other.owner)).status).toBe(404);
    const missing = await app.call(
      calls.exportContacts,
      { params: { ListID: choir }, body: { Selection: all } },
      other.owner,
    );
    expect(missing.status).toBe(404);
    await sql`update exports set created_at = now() - interval '25 hours'`.execute(app.database.system);
    await app.sweep();
    expect((await fetchAs(uri, owner)).status).toBe(404);
  });

  it('contains only a user’s own contacts if they can’t see all', async () => {
    const user = await buildUser(app, account.accountId, 'user', { canSeeAllRoster: false });
    await app.call(calls.addContact, { body: { FirstName: 'Own', PrimaryPhone: '4235550410' } }, user);
    const text = await (await fetchAs(await exported(0, { Selection: all }, {}, user), user)).text();
    expect(
      (parse(text, { bom: true, record_delimiter: '\r\n' }) as string[][]).map(([name]) => name),
    ).toEqual(['First Name', 'Own']);
  });

  it('returns its connection after it was read or aborted', async () => {
    const big = await buildAccount(app);
    await sql`
      insert into contacts (account_id, first_name, last_name, primary_phone)
      select ${big.accountId}, repeat('x', 40), to_char(i, 'FM00000'), (14230000000 + i)::text
      from generate_series(1, 20000) i`.execute(app.database.system);
    for (const Format of ['csv', 'xlsx']) {
      // Ten in all: more than the eight connections of the test's server.
      for (let time = 0; time < 5; time += 1) {
        const breakOff = new AbortController();
        const answer = await fetch(app.url + (await exported(0, { Selection: all, Format }, {}, big.owner)), {
          headers: { cookie: big.owner.cookie },
          signal: breakOff.signal,
        });
        await answer.body?.getReader().read();
        breakOff.abort();
      }
    }
    await waitUntil(async () => {
      const { rows } = await sql<{ open: number }>`
        select count(*) as open from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`.execute(
        app.database.system,
      );
      return rows[0]?.open === 0;
    });
    const whole = await fetchAs(await exported(0, { Selection: all }, {}, big.owner), big.owner);
    const lines = (await whole.text()).split('\r\n');
    expect(lines).toHaveLength(20_002);
  });
});
