import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';

/**
 * Sets how many characters the texts of an account’s users may have, or of one of them. Only the operator does. Returns how
 * many users it changed.
 */
export async function setTextLimit(
  trx: Trx,
  { accountId, userId }: { accountId: number; userId?: number | undefined },
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ userId: number; before: number }>`
    update users set text_character_limit = ${limit}, version = version + 1
    where account_id = ${accountId} and text_character_limit <> ${limit}
      and ${userId === undefined ? sql`true` : sql`user_id = ${userId}`}
    returning user_id as "userId", old.text_character_limit as before`.execute(trx);
  const byLimit = Map.groupBy(rows, ({ before }) => before);
  await recordEvents(
    trx,
    { accountId, isOperator: true },
    [...byLimit].map(([before, users]) => ({
      kind: 'users.changed' as const,
      ids: users.map((user) => user.userId),
      changes: { TextMessageCharacterLimit: [before, limit] },
    })),
  );
  await notify(trx, accountId, [{ type: 'users.changed' }, { type: 'settings.changed' }]);
  return rows.length;
}
