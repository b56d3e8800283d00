import type { Trx } from '../db.ts';

export interface ReachableOwner {
  user_id: number;
  email: string;
}

/** The owners who can sign in and have an email, the first one first. An invited one hasn't accepted yet. */
export function listReachableOwners(trx: Trx, accountId: number): Promise<ReachableOwner[]> {
  return trx
    .selectFrom('users')
    .select(['user_id', 'email'])
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('is_active', '=', true)
    .where('email', '<>', '')
    .orderBy('user_id')
    .execute();
}
