import { listContacts } from '../../../contract/contacts.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import type { TestApp } from '../../testing/test-app.ts';

export const everyone = 0;
export const unfiled = -1;
export const deleted = -2;

export interface ListQuery {
  q?: string;
  page?: number;
  pagesize?: number;
  sortby?: 'name' | '-name' | 'newest' | 'oldest';
  consent?: 'optedin' | 'optedout' | 'notasked' | 'donotcall';
  problem?: 'true' | 'false';
  next?: string;
}

export interface Roster {
  /** With the number 1 423 555 0100 if the application has it. */
  account: BuiltAccount;
  /** Sees only Cy, whom they added. */
  teacher: BuiltUser;
  /** Ana and Cy. */
  group: number;
  /** Those whose last name is Adams. */
  segment: number;
  foreignGroup: number;
  /** PersonIDs by first name. */
  people: Map<string, number>;
  createGroup(accountId: number, name: string, segment?: object): Promise<number>;
  /** A page as a user sees it, with the first names separately. */
  list(
    query?: ListQuery,
    as?: BuiltUser,
    ListID?: number,
  ): Promise<Awaited<ReturnType<typeof page>> & { names: string[] }>;
}

async function page(app: TestApp, query: ListQuery, as: BuiltUser, ListID: number) {
  return (await app.call(listContacts, { params: { ListID }, query }, as)).body;
}

/** Five contacts and a deleted one, with every property that lists are searched, filtered and sorted by. */
export async function buildRoster(app: TestApp, numbers: Record<string, 'infobip'> = {}): Promise<Roster> {
  const account = await buildAccount(app, { numbers });
  const teacher = await buildUser(app, account.accountId, 'user');
  const other = await buildAccount(app);
  const createGroup: Roster['createGroup'] = async (account_id, name, asked) => {
    const row = await app.database.system
      .insertInto('groups')
      .values({ account_id, name, color: 3, segment: asked === undefined ? null : JSON.stringify(asked) })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    return row.group_id;
  };
  const field = await app.database.system
    .insertInto('custom_fields')
    .values({ account_id: account.accountId, name: 'Homeroom' })
    .returning('field_id')
    .executeTakeFirstOrThrow();
  const contact = (first_name: string, last_name: string, more: object = {}) => ({
    account_id: account.accountId,
    first_name,
    last_name,
    ...more,
  });
  const rows = await app.database.system
    .insertInto('contacts')
    .values([
      contact('Ana', 'de Souza', { primary_phone: '14235550101', notes: 'Bus 4' }),
      contact('ben', 'Adams', { primary_phone: '14235550102', secondary_phone: '18655550102' }),
      contact('Cy', 'adams', { primary_phone: '447700900123', created_by_user_id: teacher.userId }),
      contact('Dee', 'Zed_100%', {}),
      contact('Éva', 'Núñez', {
        primary_phone: '14235550105',
        custom_data: JSON.stringify({ [field.field_id]: 'Room Ümlaut' }),
      }),
      contact('Gone', 'Long Ago', { primary_phone: '14235550104', deleted_at: new Date() }),
      { account_id: other.accountId, first_name: 'Foreign', last_name: 'Person' },
    ])
    .returning(['person_id', 'first_name', 'sort_name'])
    .execute();
  const people = new Map(rows.map((row) => [row.first_name, row.person_id]));
  const group = await createGroup(account.accountId, 'Bus riders');
  const foreignGroup = await createGroup(other.accountId, 'Theirs');
  const segment = await createGroup(account.accountId, 'Adamses', {
    Match: 'all',
    Rules: [{ Kind: 'field', Field: 'lastname', Is: 'equals', Value: 'Adams' }],
  });
  await app.database.system
    .insertInto('group_members')
    .values(
      [0, 2].map((index) => ({
        account_id: account.accountId,
        group_id: group,
        person_id: rows[index]?.person_id ?? 0,
        sort_name: rows[index]?.sort_name ?? '',
      })),
    )
    .execute();
  await app.database.system
    .insertInto('phone_consents')
    .values([
      { account_id: account.accountId, phone: '14235550101', text_state: 'out' },
      { account_id: account.accountId, phone: '14235550102', text_state: 'in', voice_state: 'out' },
    ])
    .execute();
  await app.database.system
    .insertInto('phone_lookups')
    .values({
      account_id: account.accountId,
      phone: '14235550105',
      is_valid: true,
      line_type: 'landline',
      carrier_name: 'Bell',
    })
    .execute();
  return {
    account,
    teacher,
    group,
    segment,
    foreignGroup,
    people,
    createGroup,
    async list(query = {}, as = account.owner, ListID = everyone) {
      const body = await page(app, query, as, ListID);
      return { ...body, names: body.Items.map(({ FirstName }) => FirstName) };
    },
  };
}
