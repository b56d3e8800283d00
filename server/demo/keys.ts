import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/** Example keys. Nobody has their secrets: the stored hash is of something that can't be a key. */
export async function createDemoKeys(
  trx: Trx,
  { accountId, ownerId, adminId }: { accountId: number; ownerId: number; adminId: number },
): Promise<void> {
  const hashOf = (text: string) => createHash('sha256').update(`demo: ${text}`).digest();
  const keys = [
    {
      ...{ user_id: adminId, name: 'Student information system', public_id: '9f3c51d0a7b2e21a' },
      scopes: ['contacts:write', 'consent:read'],
      addresses: ['203.0.113.0/24'],
      ...{ days: 57, usedMinutesAgo: 4 },
    },
    {
      ...{ user_id: ownerId, name: 'Bus tracker', public_id: '40b7e96c12fa77d0' },
      ...{ scopes: ['contacts:read', 'broadcasts:send', 'library:read'], addresses: [] },
      ...{ days: 35, usedMinutesAgo: 190 },
    },
    {
      ...{ user_id: ownerId, name: 'Board dashboard', public_id: 'c1e8043db5560b94' },
      ...{ scopes: ['reports:read'], addresses: [], days: 1, usedMinutesAgo: null },
    },
  ];
  for (const { days, usedMinutesAgo, ...key } of keys) {
    await trx
      .insertInto('api_keys')
      .values({
        ...key,
        account_id: accountId,
        secret_hash: hashOf(key.name),
        created_at: sql`now() - ${days} * interval '1 day'`,
        last_used_at:
          usedMinutesAgo === null ? null : sql<Date>`now() - ${usedMinutesAgo} * interval '1 minute'`,
        last_used_address: usedMinutesAgo === null ? '' : '203.0.113.20',
      })
      .execute();
  }
}
