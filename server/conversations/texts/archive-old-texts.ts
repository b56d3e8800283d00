import { sql } from 'kysely';
import { asSystem } from '../../db.ts';
import type { JobContext } from '../../jobs.ts';
import { archiveTexts, dropArchivedMonths } from '../../texts/archive-texts.ts';

/**
 * Once a night, if the operator has configured it: archives old texts, and deletes them from the archive
 * after the retention period. Conversations show both alike; a search for words no longer finds archived
 * ones.
 */
export async function archiveOldTexts({
  config,
  database,
  log,
}: Pick<JobContext, 'config' | 'database' | 'log'>): Promise<void> {
  const { ARCHIVE_AFTER_MONTHS: afterMonths, ARCHIVE_MONTHS: keptMonths } = config;
  if (afterMonths === undefined) return;
  const accounts = await database.system.selectFrom('accounts').select('account_id').execute();
  let texts = 0;
  for (const { account_id: accountId } of accounts) {
    for (let isMore = true; isMore; ) {
      const step = await asSystem(database, async (trx) => {
        const { moved, isMore } = await archiveTexts(trx, accountId, afterMonths);
        await sql`delete from message_search
          where account_id = ${accountId} and message_id = any(${moved}::bigint[])`.execute(trx);
        return { moved, isMore };
      });
      texts += step.moved.length;
      isMore = step.isMore;
    }
  }
  if (texts > 0) log.info({ texts }, 'old texts archived');
  const months = keptMonths === undefined ? [] : await dropArchivedMonths(database, keptMonths);
  if (months.length > 0) log.info({ months }, 'archived texts deleted');
}
