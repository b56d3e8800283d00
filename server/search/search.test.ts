import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { addContact } from '../../contract/contacts.ts';
import { addList } from '../../contract/lists.ts';
import { searchEverything } from '../../contract/search.ts';
import { addTemplate } from '../../contract/templates.ts';
import { aBroadcast } from '../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;

async function find(q: string, as: { cookie: string } = account.owner): Promise<string[]> {
  const { status, body } = await app.call(searchEverything, { query: { q } }, as);
  expect(status).toBe(200);
  return body.Items.map(({ Kind, Name, IsSimilar }) => `${IsSimilar ? '~' : ''}${Kind} ${Name}`);
}

async function person(FirstName: string, LastName: string, PrimaryPhone: string, as: { cookie: string }) {
  const body = { FirstName, LastName, PrimaryPhone };
  expect((await app.call(addContact, { body }, as)).status).toBe(200);
}

async function broadcast(
  name: string,
  status: 'completed' | 'draft' | 'model',
  userId = account.owner.userId,
) {
  const { accountId } = account;
  const sender = { accountId, userId, textNumberId: account.numbers[number] ?? 0 };
  const id = await aBroadcast(app.database, sender, { name });
  await sql`update broadcasts set status = ${status} where account_id = ${accountId} and broadcast_id = ${id}`.execute(
    app.database.system,
  );
}

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  const { owner } = account;
  await person('Maria', 'Whitfield', '4235550151', owner);
  await person('Jon', 'Field', '4235550152', owner);
  for (const ListName of ['Grade 5', 'Field trip helpers'])
    expect((await app.call(addList, { body: { ListName } }, owner)).status).toBe(200);
  const template = { TemplateName: 'Field closed', TemplateText: 'The field is closed today.' };
  expect((await app.call(addTemplate, { body: template }, owner)).status).toBe(200);
  await broadcast('Field trip reminder', 'completed');
  await broadcast('Field day', 'draft');
});

it('finds everything with the words in its name, names that begin with them first', async () => {
  expect(await find('field')).toEqual([
    'Person Jon Field',
    'Person Maria Whitfield',
    'Broadcast Field trip reminder',
    'Draft Field day',
    'Group Field trip helpers',
    'Template Field closed',
  ]);
  // In any order, and a person by their phone number.
  expect(await find('trip field')).toEqual(['Broadcast Field trip reminder', 'Group Field trip helpers']);
  expect(await find('423 555-0151')).toEqual(['Person Maria Whitfield']);
});

it('finds people by one or two letters, by two words, and by one word of several', async () => {
  expect(await find('f')).toContain('Person Jon Field');
  expect(await find('wh')).toEqual(['Person Maria Whitfield']);
  expect(await find('mar whit')).toEqual(['Person Maria Whitfield']);
  expect(await find('5550151')).toEqual(['Person Maria Whitfield']);
});

it('finds similar names when nothing matches the words', async () => {
  // An extra letter, a missing one, a wrong one, two swapped, and errors in both words.
  for (const typed of ['marria', 'mria', 'marja', 'amria', 'mraia whitfeild', 'maria whitfeeld'])
    expect(await find(typed)).toEqual(['~Person Maria Whitfield']);
  expect(await find('whitfeild')).toEqual(['~Person Maria Whitfield']);
  expect(await find('grdae 5')).toContain('~Group Grade 5');
  expect(await find('xyzzyq')).toEqual([]);
  // Wildcards of a pattern are ordinary characters.
  expect(await find('100%')).toEqual([]);
});

it('finds names with and without accents, repeating broadcasts, and emergencies of others', async () => {
  await broadcast('Reunión de padres', 'completed');
  expect(await find('reunion')).toEqual(['Broadcast Reunión de padres']);
  expect(await find('PADRES reunión')).toEqual(['Broadcast Reunión de padres']);
  expect(await find('reunoin')).toContain('~Broadcast Reunión de padres');

  await broadcast('Weekly menu', 'model');
  await sql`
    insert into repeating_broadcasts (account_id, broadcast_id, user_id, schedule, description, zone, start_wall)
    select account_id, broadcast_id, user_id, '{}', 'Every Monday', 'America/New_York', '2030-01-07T09:00'
    from broadcasts where account_id = ${account.accountId} and name = 'Weekly menu'`.execute(
    app.database.system,
  );
  expect(await find('menu')).toEqual(['RepeatingBroadcast Weekly menu']);

  await broadcast('Emergency: Lockdown', 'completed');
  await sql`update broadcasts set is_emergency = true where name = 'Emergency: Lockdown'`.execute(
    app.database.system,
  );
  const starter = await buildUser(app, account.accountId, 'admin');
  await sql`update users set can_see_all_broadcasts = false where user_id = ${starter.userId}`.execute(
    app.database.system,
  );
  expect(await find('lockdown', starter)).toEqual(['Broadcast Emergency: Lockdown']);
  expect(await find('padres', starter)).toEqual([]);
});

it('finds only what the user may see, and nothing of another organization', async () => {
  const user = await buildUser(app, account.accountId, 'user');
  await person('Robin', 'Field', '4235550153', user);
  await broadcast('Field notes', 'draft', user.userId);
  expect(await find('field', user)).toEqual([
    'Person Robin Field',
    'Draft Field notes',
    'Group Field trip helpers',
  ]);
  const other = await buildAccount(app);
  expect(await find('field', other.owner)).toEqual([]);
});
