import type pg from 'pg';
import { hashPassword } from '../server/auth/sign-in.ts';
import { addPeople } from './people.ts';

const password = 'bench-horse-7';

interface Sizes {
  many: number;
  few: number;
  /** So many other organizations, each with `otherSize` people. */
  others: number;
  otherSize: number;
}

/** An account with many people beside others, and one with few; or those that BENCH_DATA holds from an earlier run. */
export async function fillPeople(db: pg.Pool, sizes: Sizes): Promise<{ many: number; few: number }> {
  return (await findFilled(db)) ?? (await fill(db, sizes));
}

/** Those of an earlier run, where it was filled to the end: the index of words comes last. */
async function findFilled(db: pg.Pool): Promise<{ many: number; few: number } | undefined> {
  const { rows } = await db.query<{ many: string; few: string }>(
    `select m.account_id as many, f.account_id as few from accounts m, accounts f
     where m.company_name = 'many' and f.company_name = 'few' and to_regclass('contact_search_words') is not null`,
  );
  return rows[0] && { many: Number(rows[0].many), few: Number(rows[0].few) };
}

/** The index of words is built at the end, which is faster; only the finished state is measured. */
async function fill(db: pg.Pool, { many, few, others, otherSize }: Sizes) {
  const start = performance.now();
  const words = await db.query<{ indexdef: string }>(
    "select indexdef from pg_indexes where indexname = 'contact_search_words'",
  );
  await db.query('drop index contact_search_words');
  const large = await createAccount(db, 'many');
  await addPeople(db, large, many);
  for (let i = 0; i < others; i += 1) {
    await addPeople(db, await createAccount(db, `other-${i}`), otherSize);
  }
  const small = await createAccount(db, 'few');
  await addPeople(db, small, few);
  await db.query(words.rows[0]?.indexdef ?? '');
  await db.query('vacuum analyze');
  console.log(`filled in ${Math.round((performance.now() - start) / 1000)} s`);
  return { many: large, few: small };
}

async function createAccount(db: pg.Pool, name: string): Promise<number> {
  const { rows } = await db.query<{ account_id: string }>(
    'insert into accounts (company_name) values ($1) returning account_id',
    [name],
  );
  const accountId = Number(rows[0]?.account_id);
  await db.query(
    `insert into users (account_id, user_name, password_hash, first_name, last_name, email, role, can_see_all_roster)
     values ($1, $2, $3, 'Bench', 'Owner', 'bench@example.org', 'owner', true)`,
    [accountId, `bench-${accountId}`, await hashPassword(password)],
  );
  return accountId;
}

/** The cookie of the account's owner. */
export async function signInOwner(serverUrl: string, accountId: number): Promise<string> {
  const answer = await fetch(`${serverUrl}/proxy/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName: `bench-${accountId}`, Password: password }),
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

export interface SamplePerson {
  first_name: string;
  last_name: string;
  notes: string;
  primary_phone: string;
}

/** People who are in it: what somebody would look for. */
export async function samplePeople(db: pg.Pool, accountId: number, count: number): Promise<SamplePerson[]> {
  const { rows } = await db.query<SamplePerson>(
    `select first_name, last_name, notes, primary_phone from contacts
     where account_id = $1 order by hashint8(person_id) limit $2`,
    [accountId, count],
  );
  return rows;
}
