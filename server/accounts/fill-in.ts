import { sql } from 'kysely';
import type { Trx } from '../db.ts';

interface UserKey {
  accountId: number;
  userId: number;
}

/** Saves what the owner entered about the organization at sign-up. Missing values stay as they are. */
export async function fillInAccount(
  trx: Trx,
  accountId: number,
  given: { companyName?: string; state?: string; countryId?: number; timeZone?: string; industryId?: number },
): Promise<void> {
  const columns = {
    ...(given.companyName !== undefined && { company_name: given.companyName }),
    ...(given.state !== undefined && { state: given.state }),
    ...(given.countryId !== undefined && { country_id: given.countryId }),
    ...(given.timeZone !== undefined && { time_zone: given.timeZone }),
    ...(given.industryId !== undefined && { industry_id: given.industryId }),
  };
  if (Object.keys(columns).length === 0) return;
  await trx.updateTable('accounts').set(columns).where('account_id', '=', accountId).execute();
}

/** Saves what users entered about themselves at sign-up. Missing values stay as they are. */
export async function fillInUser(
  trx: Trx,
  { accountId, userId }: UserKey,
  given: {
    phone?: string;
    timeZone?: string;
    languageId?: number;
    email?: string;
    isEmailVerified?: boolean;
    isOnboarded?: boolean;
  },
): Promise<void> {
  const columns = {
    ...(given.phone !== undefined && { phone: given.phone }),
    ...(given.timeZone !== undefined && { time_zone: given.timeZone }),
    ...(given.languageId !== undefined && { language_id: given.languageId }),
    ...(given.email !== undefined && { email: given.email }),
    ...(given.isEmailVerified !== undefined && { needs_email_verification: !given.isEmailVerified }),
    ...(given.isOnboarded === true && { onboarding: 'done' as const }),
  };
  if (Object.keys(columns).length === 0) return;
  await trx
    .updateTable('users')
    .set({ ...columns, version: sql`version + 1` })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
}

export async function agreeToTerms(trx: Trx, { accountId, userId }: UserKey, version: string): Promise<void> {
  await trx
    .updateTable('users')
    .set({ agreed_to_terms_at: sql`now()`, terms_version: version })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
}

/** A phone that a user of the account has verified. A free trial can text or call only these. */
export async function addVerifiedPhone(trx: Trx, accountId: number, phone: string): Promise<void> {
  await trx
    .insertInto('verified_phones')
    .values({ account_id: accountId, phone })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'phone']).doUpdateSet({ verified_at: sql`now()` }),
    )
    .execute();
}

export async function listVerifiedPhones(trx: Trx, accountId: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('verified_phones')
    .select('phone')
    .where('account_id', '=', accountId)
    .orderBy('verified_at')
    .execute();
  return rows.map(({ phone }) => phone);
}
