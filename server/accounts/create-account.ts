import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { keepTakenName } from './users/keep-taken-name.ts';

export interface NewAccount {
  companyName: string;
  timeZone: string;
  /** The United States when missing. */
  countryId?: number;
  /** The terms that the owner agrees to by creating the account; a trial's owner agrees later. */
  termsVersion?: string;
  /**
   * A free trial that has just signed up: its owner still has to agree to the terms and to verify the email.
   */
  trial?: { collects: string[] };
  owner: { firstName: string; lastName: string; email: string; userName: string; passwordHash: string };
  /** The language of the sign-up page; English when missing. */
  languageId?: number;
}

/** Creates an organization with its owner. Runs across accounts because the account doesn't exist yet. */
export async function createAccount(
  trx: Trx,
  account: NewAccount,
): Promise<{ account_id: number; user_id: number }> {
  const { account_id } = await trx
    .insertInto('accounts')
    .values({
      company_name: account.companyName,
      time_zone: account.timeZone,
      ...(account.countryId !== undefined && { country_id: account.countryId }),
      ...(account.trial && { is_free_trial: true, onboarding_collects: account.trial.collects }),
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
      language_id: account.languageId ?? 1,
      // The owner has these three automatically.
      can_see_all_broadcasts: true,
      can_see_all_roster: true,
      can_see_group_audio: true,
      ...(account.trial
        ? { needs_email_verification: true, onboarding: 'open' as const }
        : { agreed_to_terms_at: sql`now()`, terms_version: account.termsVersion ?? 'built-in' }),
    })
    .returning('user_id')
    .executeTakeFirstOrThrow();
  await keepTakenName(trx, account_id, user_id);
  return { account_id, user_id };
}
