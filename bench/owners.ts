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
