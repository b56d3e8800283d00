import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { Trx } from '../db.ts';
import { tokenHash } from './rules.ts';

export type TokenKind = 'verify_email' | 'reset_password' | 'reset_session';

/** Lifetimes of tokens. */
const livesMinutes: Record<TokenKind, number> = {
  verify_email: 7 * 24 * 60,
  reset_password: 60,
  reset_session: 5,
};

/** A token that works once. It is only in the reply or mail that carries it; we keep its hash. */
export async function createToken(
  trx: Trx,
  of: { accountId: number; userId: number; kind: TokenKind; email?: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await trx
    .insertInto('user_tokens')
    .values({
      account_id: of.accountId,
      user_id: of.userId,
      kind: of.kind,
      token_hash: tokenHash(token),
      email: of.email ?? '',
      expires_at: sql`now() + ${livesMinutes[of.kind]} * interval '1 minute'`,
    })
    .execute();
  return token;
}

export interface UsedToken {
  accountId: number;
  userId: number;
  email: string;
}

/** Spends a token, or refuses with what to do instead. If two requests bring one token, only one succeeds. */
export async function useToken(
  trx: Trx,
  kind: TokenKind,
  token: string,
  sentences: { used: string; expired: string },
): Promise<UsedToken> {
  const hash = tokenHash(token);
  const used = await trx
    .updateTable('user_tokens')
    .set({ used_at: sql`now()` })
    .where('token_hash', '=', hash)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['account_id as accountId', 'user_id as userId', 'email'])
    .executeTakeFirst();
  if (used !== undefined) return used;
  const known = await trx
    .selectFrom('user_tokens')
    .select('used_at')
    .where('token_hash', '=', hash)
    .where('kind', '=', kind)
    .executeTakeFirst();
  throw new Refusal('refused', known?.used_at ? sentences.used : sentences.expired);
}

/**
 * The user's tokens of a kind stop working: a newer one takes their place, or what they give access to is
 * closed.
 */
export async function voidTokens(
  trx: Trx,
  { accountId, userId }: { accountId: number; userId: number },
  kinds: TokenKind[],
): Promise<void> {
  await trx
    .updateTable('user_tokens')
    .set({ expires_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('kind', 'in', kinds)
    .where('used_at', 'is', null)
    .execute();
}
