import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as calls from '../../contract/contacts.ts';
import * as importCalls from '../../contract/imports.ts';
import * as listCalls from '../../contract/lists.ts';
import { asSystem } from '../db.ts';
import { createFileSteps, people as fileLines } from '../imports/testing/file-steps.ts';
import { erasePerson } from '../privacy/erase-person.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { checkKeptContacts } from '../testing/check-kept-contacts.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { joinPhones } from './groups/join-phones.ts';
import { indexContacts } from './list/index-contacts.ts';
import { lockContacts } from './lock-contacts.ts';

/** Statements that keep counts by themselves, and don't return what they wrote. */
const inSets = [
  // The triggers would count each person twice: insertImported writes new contacts with their groups.
  'contacts/change/import-contacts.ts: insert into contacts',
  'contacts/change/import-contacts.ts: insert into group_members',
  // joinSlice: who joins a group is no longer unfiled, and the counts are written once.
  'contacts/change/change-selection.ts: insert into group_members',
  'contacts/change/change-selection.ts: delete from group_members',
];

const writing =
  /(?:insert into|update|delete from|merge into) (?:only )?(?:contacts|group_members|contact_search)\b|(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\('(?:contacts|group_members|contact_search)\b[^)]*\)/gi;

/** Statements on tables whose names are made at run time. */
const madeAtRunTime = [
  // Accounts and users.
  'accounts/set-flags.ts',
  // Both go through `write`, which knows the tables here.
  'privacy/change-rows.ts',
  'privacy/erase-person.ts',
  // It disables the triggers itself, and restores what was kept.
  'backups/restore-backup.ts',
];

const returned = `$\{rowsWritten}`;

/** The rest of a part of a statement: to the parenthesis or the backtick that ends it. Values in it are skipped. */
function restOf(text: string): string {
  const opened: string[] = [];
  for (const { index, 0: sign } of text.matchAll(/\$\{|[{}()`]/g)) {
    const isValue = opened.includes('{');
    if (sign === '`' && !isValue) return text.slice(0, index);
    if (sign.startsWith('$')) opened.push('{');
    // Braces of values, and parentheses of the statement. "'{}'" is a text in it.
    else if (/[{}]/.test(sign) !== isValue) continue;
    else if (sign === '{' || sign === '(') opened.push(sign);
    else if (sign !== '`' && opened.pop() === undefined) return text.slice(0, index);
  }
  return text;
}

it('every statement that writes contacts, members or their search says which rows it wrote', () => {
  const root = join(import.meta.dirname, '..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$|(^|\/)testing\//.test(name));
  const found = files.flatMap((name) => {
    const text = readFileSync(join(root, name), 'utf8');
    return [...text.matchAll(writing)].map(({ index, 0: statement }) => {
      const isWritten = /\bwrite(Contacts|Members|Search)\(\s*trx,\s*sql`\s*$/.test(text.slice(0, index));
      const says = isWritten || restOf(text.slice(index)).includes(returned);
      return { says, statement: `${name}: ${statement}` };
    });
  });
  expect(found.length).toBeGreaterThan(30);
  const atRunTime = files.filter((name) =>
    /(insert into|update|delete from|merge into|copy|truncate) \$\{/.test(
      readFileSync(join(root, name), 'utf8').replaceAll('for no key update', ''),
    ),
  );
  expect(atRunTime).toEqual([...madeAtRunTime].sort());
  expect(
    found
      .filter(({ says }) => !says)
      .map(({ statement }) => statement)
      .sort(),
  ).toEqual([...inSets].sort());
});

/** Random calls; contacts and groups are given by number. */
type Step =
  | { do: 'add'; name: string; groups: number[] }
  | { do: 'update'; person: number; name: string; groups: number[] }
  | { do: 'delete' | 'merge'; people: number[] }
  | { do: 'remove' | 'purge' | 'restore'; people: number[] }
  | { do: 'join' | 'move' | 'leave' | 'returnInto'; people: number[]; group: number }
  | { do: 'edit'; people: number[]; bus: string }
  | { do: 'deleteGroup'; group: number }
  | { do: 'undo'; change: number };

const groupCount = 3;
const name = fc.constantFrom('Ana', 'béla', 'Çelik', 'D’Arcy', 'Ana Bus');
const group = fc.nat(groupCount - 1);
const groups = fc.uniqueArray(group, { maxLength: 2 });
const chosen = fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 4 });
const calling = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), name, groups }) },
    fc.record({ do: fc.constant('update' as const), person: fc.nat(7), name, groups }),
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom(...(['delete', 'merge', 'remove', 'purge', 'restore'] as const)),
        people: chosen,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom(...(['join', 'move', 'leave', 'returnInto'] as const)),
        people: chosen,
        group,
      }),
    },
    fc.record({ do: fc.constant('edit' as const), people: chosen, bus: fc.constantFrom('4', '5', '') }),
    fc.record({ do: fc.constant('deleteGroup' as const), group }),
    { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), change: fc.nat(3) }) },
  ),
  { minLength: 3, maxLength: 10 },
);

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

describe.each([
  ['with the triggers of the version before', false],
  ['without triggers', true],
])('%s', (_how, areDropped) => {
  beforeAll(async () => {
    if (areDropped) await dropTriggers();
  });

  it('counts, words, unfiled and the order of members equal a fresh count after each call', async () => {
    await fc.assert(
      fc.asyncProperty(calling, async (steps) => {
        const { account, groupIds } = await makeAccount();
        const undoIds: number[] = [];
        for (const step of steps) {
          const undoId = await take(account, groupIds, undoIds, step);
          if (undoId !== null) undoIds.unshift(undoId);
          await checkKeptContacts(app, account.accountId);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('and after imports that change and are undone, and are indexed later', async () => {
    const account = await buildAccount(app);
    const steps = createFileSteps(app, account);
    const check = () => checkKeptContacts(app, account.accountId);
    await steps.importFile(fileLines);
    await check();
    const update = await steps.importFile([
      'First name,Last name,Cell,Groups',
      'Janet,Doe,(423) 555-0143,Band; Staff',
      'Ned,New,423-555-0190,Band',
    ]);
    await check();
    await app.call(importCalls.undoFile, { params: { UndoID: update.UndoID ?? 0 } }, account.owner);
    await app.drain();
    expect(await steps.contactsOf(account.accountId)).toHaveLength(3);
    await check();
    // As if it had been a large one.
    const { accountId } = account;
    await asSystem(app.database, async (trx) => {
      await sql`delete from contact_words where account_id = ${accountId}`.execute(trx);
      await sql`delete from known_words where account_id = ${accountId}`.execute(trx);
      await sql`select set_config('app.keeps_itself', 'on', true)`.execute(trx);
      await sql`delete from contact_search where account_id = ${accountId}`.execute(trx);
      await sql`insert into search_backlog (account_id, first_person_id, last_person_id)
        select account_id, min(person_id), max(person_id) from contacts where account_id = ${accountId} group by 1`.execute(
        trx,
      );
    });
    expect(await asSystem(app.database, (trx) => indexContacts(trx, 100))).toBe(true);
    await check();
  });

  it('and after phones have joined, and a group was deleted long ago', async () => {
    const { account, groupIds } = await makeAccount();
    const { accountId } = account;
    const join = (phone: string, groupId: number | null) => ({ accountId, phone, groupId });
    await asSystem(app.database, async (trx) => {
      await lockContacts(trx, accountId);
      await joinPhones(trx, [
        join('14235550151', null),
        join('14235550152', groupIds[0] ?? 0),
        join('14235550151', groupIds[1] ?? 0),
      ]);
    });
    await checkKeptContacts(app, accountId);
    await sql`update groups set deleted_at = now() - interval '31 days'
      where account_id = ${accountId} and group_id = ${groupIds[1] ?? 0}`.execute(app.database.system);
    await app.sweep();
    await checkKeptContacts(app, accountId);
    const { rows } = await sql<{ many: number }>`
      select roster_count as many from list_counts where account_id = ${accountId} and list_id = -1`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ many: 1 }]);
  });

  it('and after a person was erased whom others’ notes and fields name', async () => {
    const { account, groupIds } = await makeAccount();
    const add = (LastName: string, more: object) =>
      app.call(calls.addContact, { body: { LastName, ListIDs: groupIds, ...more } }, account.owner);
    const { body } = await add('Westbrook', { FirstName: 'Dana', PrimaryPhone: '4235550161' });
    await add('Ames', { Notes: 'Sister of Dana Westbrook', CustomData: { Bus: 'Dana Westbrook' } });
    await erasePerson(
      app.database,
      account.accountId,
      { personId: body.PersonID },
      { really: true, all: false },
    );
    await checkKeptContacts(app, account.accountId);
    const { rows } = await sql<{ word: string }>`
      select word from contact_words where account_id = ${account.accountId} and word like '%westbrook%'`.execute(
      app.database.system,
    );
    expect(rows).toEqual([]);
  });
});

async function dropTriggers(): Promise<void> {
  await asOwner(app.databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string; on: string }>(`
      select tgname as name, tgrelid::regclass::text as on from pg_trigger
      where tgname like 'keep\\_%' and tgrelid::regclass::text in ('contacts', 'group_members', 'contact_search')`);
    expect(rows).toHaveLength(9);
    for (const trigger of rows) await client.query(`drop trigger "${trigger.name}" on ${trigger.on}`);
  });
}

async function makeAccount(): Promise<{ account: BuiltAccount; groupIds: number[] }> {
  const account = await buildAccount(app);
  const groupIds: number[] = [];
  for (let number = 0; number < groupCount; number++) {
    const { body } = await app.call(
      listCalls.addList,
      { body: { ListName: `Group ${number}` } },
      account.owner,
    );
    groupIds.push(body.ListID);
  }
  await app.call(calls.addCustomField, { body: { Name: 'Bus' } }, account.owner);
  return { account, groupIds };
}

/** Makes the call, and returns how it is undone. Some are refused: a group is deleted, nobody is chosen. */
async function take(
  { accountId, owner }: BuiltAccount,
  groupIds: number[],
  undoIds: number[],
  step: Step,
): Promise<number | null> {
  const { rows } = await sql<{ id: number; isDeleted: boolean }>`
    select person_id as id, deleted_at is not null as "isDeleted" from contacts
    where account_id = ${accountId} order by person_id`.execute(app.database.system);
  const idOf = (person: number) => rows[person]?.id ?? 0;
  const people = 'people' in step ? step.people.filter((person) => person < rows.length).map(idOf) : [];
  const Selection = { Type: 'Selected' as const, Items: people };
  const groupId = 'group' in step ? (groupIds[step.group] ?? 0) : 0;
  const ListIDs = 'groups' in step ? step.groups.map((place) => groupIds[place] ?? 0) : [];
  const { everyone, deleted } = { everyone: 0, deleted: -2 };
  const made = async (): Promise<{ status: number; body: unknown }> => {
    switch (step.do) {
      case 'add':
        return app.call(calls.addContact, { body: { LastName: step.name, ListIDs } }, owner);
      case 'update':
        return app.call(
          calls.updateContact,
          { params: { PersonID: idOf(step.person) || 1 }, body: { LastName: step.name, ListIDs } },
          owner,
        );
      case 'delete':
        return app.call(calls.deleteContact, { params: { PersonID: people[0] ?? 1 } }, owner);
      case 'merge':
        return app.call(calls.mergeContacts, { body: { PersonIDs: people } }, owner);
      case 'remove':
        return app.call(
          calls.removeContacts,
          { params: { ListID: everyone }, query: { removefromeveryone: 'true' }, body: { Selection } },
          owner,
        );
      case 'purge':
        return app.call(calls.removeContacts, { params: { ListID: deleted }, body: { Selection } }, owner);
      case 'restore':
      case 'returnInto':
        return app.call(
          calls.copyContacts,
          {
            params: { ListID: deleted, TargetID: step.do === 'restore' ? everyone : groupId },
            body: { Selection, Move: true },
          },
          owner,
        );
      case 'join':
        return app.call(
          calls.copyContacts,
          { params: { ListID: everyone, TargetID: groupId }, body: { Selection } },
          owner,
        );
      case 'move':
        return app.call(
          calls.copyContacts,
          { params: { ListID: groupIds[0] ?? 0, TargetID: groupId }, body: { Selection, Move: true } },
          owner,
        );
      case 'leave':
        return app.call(calls.removeContacts, { params: { ListID: groupId }, body: { Selection } }, owner);
      case 'edit':
        return app.call(
          calls.updateContacts,
          { params: { ListID: everyone }, body: { Selection, Update: { CustomData: { Bus: step.bus } } } },
          owner,
        );
      case 'deleteGroup':
        return app.call(listCalls.deleteList, { params: { ListID: groupId } }, owner);
      case 'undo':
        return app.call(calls.undoContacts, { params: { UndoID: undoIds[step.change] ?? 1 } }, owner);
    }
  };
  const { status, body } = await made();
  expect(status).toBeLessThan(500);
  const { UndoID = null } = body as { UndoID?: number | null };
  return status === 200 ? UndoID : null;
}
