import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addAccountUser, updateAccountUser, withdrawInvitation } from '../contract/account-users.ts';
import { updateUser } from '../contract/accounts.ts';
import { login } from '../contract/auth.ts';
import { userNameTaken } from '../contract/forms/user-dialog.ts';
import { signUp } from '../contract/onboarding.ts';
import { admitUser } from './accounts/users/admit-user.ts';
import { againWhenNameTaken } from './accounts/users/refuse-taken.ts';
import { asSystem, openDatabase } from './db.ts';
import { migrate, migrationNames } from './migrate.ts';
import { addTextNumber } from './numbers/add-text-number.ts';
import { keepCodeNumber } from './numbers/keep-code-number.ts';
import { recordReleased } from './numbers/release-text-number.ts';
import { runOperator } from './operator.ts';
import { type BuiltAccount, buildAccount, password } from './testing/builders.ts';
import { listKeysWithoutAccount, listTriggers } from './testing/spread-obstacles.ts';
import { refusalOf, type TestApp, testApp } from './testing/test-app.ts';
import { asOwner, cloneDatabase } from './testing/test-db.ts';

const warning = expect.stringMatching(/^Every process has to be of this version or a later one\. /);

/** Users and numbers without their entry in a directory, and entries without their row. */
async function directoryFaults(database: TestApp['database']): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    with said as (
      select name as value, of_account as account, of_user as id from taken_names
      union all select phone, of_account, of_number from live_phones
    ), rows as (
      select lower(user_name) as value, account_id as account, user_id as id from users
      union all select phone, account_id, text_number_id from text_numbers where released_at is null
    )
    (select 'missing ' || missing::text as fault from (select * from rows except select * from said) missing)
    union all
    (select 'left over ' || extra::text from (select * from said except select * from rows) extra)`.execute(
    database.system,
  );
  return rows.map(({ fault }) => fault);
}

describe('npx muster spread', () => {
  it('drops every key and trigger in the way, keeps names and phones taken, and can be repeated', async () => {
    const { url, drop } = await cloneDatabase();
    const database = openDatabase(url, { connections: 4 });
    onTestFinished(async () => {
      await database.close();
      await drop();
    });
    const run = async () => {
      const said: string[] = [];
      const lines = await runOperator(database, ['spread'], (sentence) => said.push(sentence));
      return { said, lines };
    };
    const addUser = (account_id: number, user_name: string) =>
      sql`insert into users (account_id, user_name, password_hash, first_name, last_name, email, role)
        values (${account_id}, ${user_name}, 'x', 'Old', 'Hand', 'old@example.org', 'owner')`.execute(
        database.system,
      );
    const { account_id: one } = await database.system
      .insertInto('accounts')
      .values({ company_name: 'One' })
      .returning('account_id')
      .executeTakeFirstOrThrow();
    // Processes of the version before leave rows without an entry, and entries without a row.
    await addUser(one, 'Old.Hand');
    await sql`insert into text_numbers (account_id, phone, aggregator_id) values (${one}, '14235550177', 5)`.execute(
      database.system,
    );
    await sql`insert into taken_names values ('gone.hand', ${one}, 9876)`.execute(database.system);
    await sql`insert into live_phones values ('14235550178', ${one}, 9876)`.execute(database.system);

    expect(await run()).toEqual({
      said: [warning],
      lines: [
        'The directories of user names and phones are complete: 4 entries changed.',
        'users_name and text_numbers_phone are gone: the directories refuse names and phones that others have.',
        expect.stringMatching(/^\d+ triggers dropped: /),
        'Processes that don’t know 0392_directories.sql can no longer use this database.',
        'The database is prepared for Citus.',
      ],
    });
    expect(await listKeysWithoutAccount(database)).toEqual([]);
    expect(await listTriggers(database)).toEqual([]);
    expect(await directoryFaults(database)).toEqual([]);
    await expect(addUser(one, 'OLD.hand')).rejects.toThrow('users_name_in_account');

    const nothing = { said: [], lines: ['Nothing is left to do: the database is prepared for Citus.'] };
    expect(await run()).toEqual(nothing);
    expect(await migrate(url)).toEqual({ applied: 0 });
    expect(await run()).toEqual(nothing);
    expect([await listKeysWithoutAccount(database), await listTriggers(database)]).toEqual([[], []]);
    // One that was written by hand is found the next time.
    await addUser(one, 'new.hand');
    expect(await run()).toEqual({
      said: [],
      lines: [
        'The directories of user names and phones are complete: 1 entry changed.',
        'The database is prepared for Citus.',
      ],
    });

    // A process of the version before.
    const names = (await migrationNames()).filter((name) => name < '0392');
    const folder = await mkdtemp(join(tmpdir(), 'muster-before-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const name of names)
      await copyFile(join(import.meta.dirname, 'migrations', name), join(folder, name));
    await expect(migrate(url, folder)).rejects.toThrow('The database is newer than this program');
  });

  it('waits in short turns for tables in use, and refuses a database that isn’t migrated', async () => {
    const { url, drop } = await cloneDatabase();
    const database = openDatabase(url, { connections: 4 });
    onTestFinished(async () => {
      await database.close();
      await drop();
    });
    await asOwner(url, async (holder) => {
      await holder.query(
        "begin; insert into accounts (company_name) values ('x'); lock table messages in share mode",
      );
      const said: string[] = [];
      const spreading = runOperator(database, ['spread'], (sentence) => {
        said.push(sentence);
        if (said.length === 2) holder.query('commit').catch(() => undefined);
      });
      await spreading;
      expect(said).toEqual([
        warning,
        'npx muster spread waits for tables that other work holds, and tries again.',
      ]);
      await holder.query("delete from migrations where name = '0392_directories.sql'");
    });
    await expect(runOperator(database, ['spread'])).rejects.toThrow(
      'The database lacks 0392_directories.sql: start a process of this version',
    );
  }, 20_000);
});

describe.each([
  ['while the indexes stand', false],
  ['after npx muster spread', true],
])('%s', (_when, isSpread) => {
  let app: TestApp;
  let one: BuiltAccount;
  let two: BuiltAccount;
  let serial = 0;

  beforeAll(async () => {
    app = await testApp();
    [one, two] = [await buildAccount(app), await buildAccount(app)];
    if (isSpread) await runOperator(app.database, ['spread']);
    // The builders write users as processes of the version before do.
    else await asOwner(app.databaseUrl, (client) => client.query('select complete_directories()'));
  });

  const nextName = () => {
    serial += 1;
    return `nate.kowalski.${serial}`;
  };
  const add = (as: BuiltAccount, UserName: string, more: object = {}) =>
    app.call(
      addAccountUser,
      {
        body: {
          ...{ FirstName: 'Nate', LastName: 'Kowalski', Phone: '(423) 555-0142', CallerID: '423-555-0142' },
          ...{ Email: `nate-${++serial}@example.org`, UserName, PinCode: 'blue-horse-77', ...more },
        },
      },
      as.owner,
    );
  const rename = (as: BuiltAccount, UserID: number, UserName: string) =>
    app.call(updateAccountUser, { params: { UserID }, body: { UserName } }, as.owner);
  const taken = { status: 400, Errors: [{ Field: 'UserName', Message: userNameTaken }] };
  /** One has it, and the others are told so. */
  const expectOne = (replies: { status: number; body: unknown; headers: Headers }[]) => {
    const sorted = replies.toSorted((a, b) => a.status - b.status);
    expect(sorted[0]?.status).toBe(200);
    for (const reply of sorted.slice(1)) expect(refusalOf(reply)).toMatchObject(taken);
  };

  it('a name that somebody has is refused to everybody else, and free again afterwards', async () => {
    const name = nextName();
    const first = (await add(one, name)).body;
    expect(refusalOf(await add(two, name.toUpperCase()))).toMatchObject(taken);
    expect(refusalOf(await add(one, name))).toMatchObject(taken);
    expect((await app.call(login, { body: { UserName: name, Password: 'blue-horse-77' } })).status).toBe(200);
    const second = (await add(two, nextName())).body;
    expect(refusalOf(await rename(two, second.UserID, name))).toMatchObject(taken);
    expect(refusalOf(await app.call(updateUser, { body: { UserName: name } }, two.owner))).toMatchObject(
      taken,
    );
    // The user’s own name, in capitals.
    expect((await rename(one, first.UserID, name.toUpperCase())).status).toBe(200);
    expect((await rename(one, first.UserID, nextName())).status).toBe(200);
    expect((await rename(two, second.UserID, name)).status).toBe(200);
    expect((await app.call(updateUser, { body: { UserName: `own.${name}` } }, two.owner)).status).toBe(200);
    const invited = (await add(one, `invited.${name}`, { PinCode: undefined, Invite: true })).body;
    expect(refusalOf(await add(two, `invited.${name}`))).toMatchObject(taken);
    const withdrawn = await app.call(withdrawInvitation, { params: { UserID: invited.UserID } }, one.owner);
    expect(withdrawn.status).toBe(200);
    expect((await add(two, `invited.${name}`)).status).toBe(200);
  });

  it('of several who take a name at once, one gets it and the others a sentence', async () => {
    for (let round = 0; round < 6; round += 1) {
      const name = nextName();
      const [mine, theirs] = [
        (await add(one, nextName())).body.UserID,
        (await add(two, nextName())).body.UserID,
      ];
      expectOne(
        await Promise.all([
          ...[add(one, name), add(two, name), add(two, name.toUpperCase())],
          ...[rename(one, mine, name), rename(two, theirs, name)],
        ]),
      );
    }
  });

  it('of several who sign up with a name at once, each gets a name', async () => {
    const UserName = nextName();
    const replies = await Promise.all(
      [1, 2, 3, 4].map((each) =>
        app.call(signUp, {
          body: {
            ...{
              CompanyName: 'Club',
              FirstName: 'Ana',
              LastName: 'Ruiz',
              UserName,
              Password: 'a-good-horse-7',
            },
            Email: `${UserName}.${each}@example.org`,
          },
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { rows } = await sql`select from users where strpos(user_name, ${UserName}) = 1`.execute(
      app.database.system,
    );
    expect(rows).toHaveLength(4);
  });

  it('of several whom directories admit at once, each gets a name', async () => {
    const local = nextName();
    const admit = ({ accountId }: BuiltAccount) =>
      againWhenNameTaken(() =>
        asSystem(app.database, (trx) =>
          admitUser(trx, {
            ...{ accountId, email: `${local}@${accountId}.example`, firstName: 'Ann', lastName: 'Lee' },
            ...{ role: 'user', address: '', agent: '' },
          }),
        ),
      );
    await Promise.all([admit(one), admit(two)]);
    const { rows } = await sql<{ name: string }>`
      select user_name as name from users where strpos(user_name, ${local}) = 1 order by 1`.execute(
      app.database.system,
    );
    expect(rows.map(({ name }) => name)).toEqual([local, `${local}2`]);
  });

  it('a phone is live in one account at a time, until it is released', async () => {
    const phone = `1423555${String(7100 + ++serial)}`;
    const take = ({ accountId }: BuiltAccount) =>
      asSystem(app.database, (trx) =>
        addTextNumber(trx, {
          ...{ accountId, userId: null, phone, aggregatorId: 5, providerKey: '', name: '', userIds: [] },
        }),
      );
    const results = await Promise.allSettled([take(one), take(two)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: '23505', constraint: isSpread ? 'live_phones_pkey' : 'text_numbers_phone' },
    });
    const [holder, other] = results[0]?.status === 'fulfilled' ? [one, two] : [two, one];
    const id = await take(holder);
    await asSystem(app.database, (trx) =>
      recordReleased(trx, {
        ...{ account_id: holder.accountId, text_number_id: id, aggregator_id: 5, provider_key: '', phone },
      }),
    );
    await take(other);
    const codes = (number: string) =>
      asSystem(app.database, (trx) => keepCodeNumber(trx, one.accountId, { phone: number, aggregatorId: 2 }));
    await codes('14235557001');
    await codes('14235557002');
  });

  it('the directories say what the tables say', async () => {
    expect(await directoryFaults(app.database)).toEqual([]);
  });

  if (!isSpread)
    it('rows of processes that write no directory are in nobody’s way', async () => {
      const [name, other] = [nextName(), nextName()];
      const system = app.database.system;
      const { UserID } = (await add(one, name)).body;
      // They renamed the user, and deleted another.
      await sql`update users set user_name = ${other} where user_id = ${UserID}`.execute(system);
      expect((await add(two, name)).status).toBe(200);
      expect(refusalOf(await add(two, other))).toMatchObject(taken);
      expect((await rename(one, UserID, nextName())).status).toBe(200);
      expect((await add(two, other)).status).toBe(200);
      expect(
        (await app.call(login, { body: { UserName: one.owner.userName, Password: password } })).status,
      ).toBe(200);
    });
});

/** Files that write other columns of users. */
const noName = [
  'accounts/fill-in.ts',
  'accounts/set-picture.ts',
  'accounts/set-text-limit.ts',
  'accounts/users/accept-invitation.ts',
  'accounts/users/switch-users.ts',
  'auth/expire-passwords.ts',
  'auth/open-session.ts',
  'auth/queries.ts',
  'auth/reset-password.ts',
  'auth/set-password.ts',
  'demo/calls.ts',
  'demo/registration.ts',
];

/** Files that write other columns of text numbers. */
const noPhone = [
  'numbers/change-rcs-agent.ts',
  'numbers/register-numbers.ts',
  'numbers/set-carrier.ts',
  'numbers/set-flat-rate.ts',
  'numbers/switch-number.ts',
  'numbers/update-text-number.ts',
];

it.each([
  { table: 'users', keeps: 'keepTakenName', columns: 'user_name', silent: noName },
  { table: 'text_numbers', keeps: 'keepLivePhone', columns: 'phone|released_at', silent: noPhone },
])(
  'code that writes $table calls $keeps, or writes no $columns',
  async ({ table, keeps, columns, silent }) => {
    const all = await readdir(import.meta.dirname, { recursive: true });
    const files = await Promise.all(
      all
        .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$|(^|\/)testing\/|schema\.types/.test(name))
        .sort()
        .map(async (name) => ({ name, text: await readFile(join(import.meta.dirname, name), 'utf8') })),
    );
    const adds = new RegExp(`(insertInto|deleteFrom)\\('${table}'|(insert into|delete from) ${table}\\b`);
    /** From the table to the condition. */
    const sets = new RegExp(`(?:updateTable\\('${table}'|update ${table}\\b).*?\\bwhere\\b`, 'gs');
    const found = files.filter(
      ({ text }) => (adds.test(text) || text.search(sets) >= 0) && !text.includes(`await ${keeps}(`),
    );
    expect(found.map(({ name }) => name)).toEqual(silent);
    const faults = found.filter(
      ({ text }) =>
        adds.test(text) ||
        (text.match(sets) ?? []).some((each) => new RegExp(`\\b(${columns})(:| =)`).test(each)),
    );
    expect(faults.map(({ name }) => name)).toEqual([]);
  },
);
