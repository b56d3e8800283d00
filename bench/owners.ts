import { createAccount } from '../server/accounts/create-account.ts';
import { hashPassword } from '../server/auth/sign-in.ts';
import { asSystem, openDatabase } from '../server/db.ts';
import type { Bench } from './harness.ts';

const password = 'bench-password-1';

/** An organization whose owner can sign in; answers with its id. */
export async function buildOwner({ databaseUrl, db }: Bench, userName: string): Promise<number> {
  const database = openDatabase(databaseUrl, { connections: 4 });
  const passwordHash = await hashPassword(password);
  const { account_id } = await asSystem(database, (trx) =>
    createAccount(trx, {
      companyName: userName,
      timeZone: 'America/New_York',
      owner: { firstName: 'Own', lastName: 'Er', email: 'owner@example.org', userName, passwordHash },
    }),
  );
  await database.close();
  await db.query('update users set agreed_to_terms_at = now() where account_id = $1', [account_id]);
  return account_id;
}

/** The session's cookie. */
export async function signInOwner({ serverUrl }: Bench, userName: string): Promise<string> {
  const reply = await fetch(`${serverUrl}/proxy/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: serverUrl },
    body: JSON.stringify({ UserName: userName, Password: password }),
  });
  if (!reply.ok) throw new Error(`sign-in: ${reply.status} ${await reply.text()}`);
  return reply.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Measures a call, and returns its answer. */
export async function timedGet<Reply>(url: string, cookie: string): Promise<{ ms: number; body: Reply }> {
  const start = performance.now();
  const answer = await fetch(url, { headers: { cookie } });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text}`);
  return { ms: performance.now() - start, body: JSON.parse(text) as Reply };
}

/** An organization with an owner who can sign in, and a text number at Infobip: the rows that broadcasts need. */
export async function buildTexter(bench: Bench, userName: string, phone: string) {
  const account = await buildOwner(bench, userName);
  const { rows } = await bench.db.query<{ user: string; number: string }>(
    `with made as (
       insert into text_numbers (account_id, phone, registration_status, aggregator_id)
       values ($1, $2, 'Registered', 5) returning text_number_id)
     select u.user_id as user, made.text_number_id as number from users u, made where u.account_id = $1`,
    [account, phone],
  );
  return { account, user: Number(rows[0]?.user), textNumber: Number(rows[0]?.number) };
}
