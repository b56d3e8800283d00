import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Actor, findUserActor } from '../access/load-actor.ts';
import { tokenHash } from '../auth/rules.ts';
import { hashPassword } from '../auth/sign-in.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { asSystem } from '../db.ts';
import { carrierNames } from '../outside/carrier.ts';
import type { TestApp } from './test-app.ts';

export const password = 'correct-horse-7';
const passwordHash = hashPassword(password);
let serial = 0;

export interface BuiltUser {
  userId: number;
  userName: string;
  cookie: string;
}

export interface BuiltAccount {
  accountId: number;
  owner: BuiltUser;
  /** Text numbers, by the phone they were requested with. */
  numbers: Record<string, number>;
}

/** An organization with a signed-in owner, credits, and registered text numbers. */
export async function buildAccount(
  app: TestApp,
  options: {
    numbers?: Record<string, 'infobip' | 'smpp' | 'twilio'>;
    credits?: number;
    timeZone?: string;
  } = {},
): Promise<BuiltAccount> {
  serial += 1;
  const { accountId, numbers } = await asSystem(app.database, async (trx) => {
    const { account_id: accountId } = await trx
      .insertInto('accounts')
      .values({
        company_name: `Organization ${serial}`,
        time_zone: options.timeZone ?? 'America/New_York',
      })
      .returning('account_id')
      .executeTakeFirstOrThrow();
    await moveCredits(trx, [{ accountId, kind: 'grant', credits: options.credits ?? 1000 }]);
    const numbers: Record<string, number> = {};
    for (const [index, [phone, provider]] of Object.entries(options.numbers ?? {}).entries()) {
      const row = await trx
        .insertInto('text_numbers')
        .values({
          account_id: accountId,
          phone,
          name: `Number ${index + 1}`,
          registration_status: 'Registered',
          aggregator_id: carrierNames[provider],
          is_default: index === 0,
        })
        .returning('text_number_id')
        .executeTakeFirstOrThrow();
      numbers[phone] = row.text_number_id;
    }
    return { accountId, numbers };
  });
  const owner = await buildUser(app, accountId, 'owner');
  return { accountId, owner, numbers };
}

/** A user of an account, signed in. */
export async function buildUser(
  app: TestApp,
  accountId: number,
  role: 'owner' | 'admin' | 'user',
  options: { textNumberIds?: number[]; isActive?: boolean; canSeeAllRoster?: boolean } = {},
): Promise<BuiltUser> {
  serial += 1;
  const userName = `${role}-${serial}`;
  const hash = await passwordHash;
  const userId = await asSystem(app.database, async (trx) => {
    const { user_id } = await trx
      .insertInto('users')
      .values({
        account_id: accountId,
        user_name: userName,
        password_hash: hash,
        first_name: 'Pat',
        last_name: `Number ${serial}`,
        email: `${userName}@example.org`,
        role,
        is_active: options.isActive ?? true,
        can_see_all_roster: options.canSeeAllRoster ?? role === 'owner',
      })
      .returning('user_id')
      .executeTakeFirstOrThrow();
    for (const text_number_id of options.textNumberIds ?? []) {
      await trx
        .insertInto('user_text_numbers')
        .values({ account_id: accountId, user_id, text_number_id })
        .execute();
    }
    return user_id;
  });
  return {
    userId,
    userName,
    cookie: options.isActive === false ? '' : await openSession(app, accountId, userId),
  };
}

/** The user as verbs get them, with the current data. */
export async function actorOf(app: TestApp, accountId: number, userId: number): Promise<Actor> {
  const actor = await asSystem(app.database, (trx) => findUserActor(trx, accountId, userId));
  if (actor === undefined) throw new Error(`there is no user ${userId}`);
  return actor;
}

/** The state after signing in, without hashing a password, which would slow down every test. */
async function openSession(app: TestApp, accountId: number, userId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await app.database.system
    .insertInto('sessions')
    .values({
      account_id: accountId,
      user_id: userId,
      token_hash: tokenHash(token),
      expires_at: sql`now() + interval '1 day'`,
    })
    .execute();
  return `muster-session=${token}`;
}
