import { sql } from 'kysely';
import type { Trx } from '../db.ts';

export interface NewAccount {
  companyName: string;
  timeZone: string;
  owner: { firstName: string; lastName: string; email: string; userName: string; passwordHash: string };
}

/** An organization with its owner. Runs across accounts: the account doesn't exist before. */
export async function createAccount(
  trx: Trx,
  account: NewAccount,
): Promise<{ account_id: number; user_id: number }> {
  const { account_id } = await trx
    .insertInto('accounts')
    .values({
      company_name: account.companyName,
      time_zone: account.timeZone,
      sender_name: account.companyName,
    })
    .returning('account_id')
    .executeTakeFirstOrThrow();
  const { user_id } = await trx
    .insertInto('users')
    .values({
      account_id,
      user_name: account.owner.userName,
      password_hash: account.owner.passwordHash,
      first_name: account.owner.firstName,
      last_name: account.owner.lastName,
      email: account.owner.email,
      role: 'owner',
      time_zone: account.timeZone,
      // The owner automatically has these three.
      can_see_all_broadcasts: true,
      can_see_all_roster: true,
      can_see_group_audio: true,
      agreed_to_terms_at: sql`now()`,
    })
    .returning('user_id')
    .executeTakeFirstOrThrow();
  return { account_id, user_id };
}
