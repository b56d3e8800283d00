import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db.ts';
import { tokenHash } from './rules.ts';

/** The purposes of a token, each with its lifetime. */
const lifeSeconds = {
  /** Between the password and the second factor. */
  signIn: 600,
  totpSetup: 900,
  passkeySetup: 300,
  confirm: 300,
  /** Signing in elsewhere may include a second factor and a new password. */
  sso: 900,
  labs: 60,
  /** Between a SAML directory's post and the page that it redirects to. */
  samlAnswer: 120,
  /** A postmaster may have the weekend off. */
  ssoDomain: 7 * 24 * 3600,
  /** While a user authorizes Muster to read contacts at another company. */
  integration: 900,
} as const;
export type TokenPurpose = keyof typeof lifeSeconds;

export interface TokenRow {
  accountId: number;
  userId: number | null;
  data: Record<string, unknown>;
}

/**
 * A token for a single use within a short time. It begins with its account, so that it is found by its key.
 */
export async function createToken(
  database: Pick<Database, 'system'>,
  purpose: TokenPurpose,
  { accountId, userId, data = {} }: { accountId: number; userId?: number; data?: Record<string, unknown> },
): Promise<string> {
  const token = `${accountId}.${randomBytes(32).toString('base64url')}`;
  await sql`
    insert into one_time_tokens (account_id, token_hash, purpose, user_id, data, expires_at)
    values (${accountId}, ${tokenHash(token)}, ${purpose}, ${userId ?? null}, ${JSON.stringify(data)}::jsonb,
      now() + ${lifeSeconds[purpose]} * interval '1 second')`.execute(database.system);
  return token;
}

function accountOf(token: string): number {
  return Number(/^(\d{1,15})\.[\w-]{43}$/.exec(token)?.[1] ?? 0);
}

/** The data behind a valid token, without spending it. */
export async function findToken(
  database: Pick<Database, 'system'>,
  purpose: TokenPurpose,
  token: string,
): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`
    select account_id as "accountId", user_id as "userId", data from one_time_tokens
    where account_id = ${accountOf(token)} and token_hash = ${tokenHash(token)} and purpose = ${purpose}
      and expires_at > now()`.execute(database.system);
  return rows[0];
}

/** Spends a token: if two requests bring it at once, only one succeeds. */
export async function takeToken(
  database: Pick<Database, 'system'>,
  purpose: TokenPurpose,
  token: string,
): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`
    delete from one_time_tokens
    where account_id = ${accountOf(token)} and token_hash = ${tokenHash(token)} and purpose = ${purpose}
      and expires_at > now()
    returning account_id as "accountId", user_id as "userId", data`.execute(database.system);
  return rows[0];
}
