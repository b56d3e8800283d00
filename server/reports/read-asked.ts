import { Refusal } from '../../contract/errors.ts';
import { localDay } from '../../contract/time/local-day.ts';
import { listReportNumbers } from '../access/queries.ts';
import { nowMs } from '../clock.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { type Asked, type Range, readRange } from './rules.ts';

/** The requested days (on the account's calendar) and text numbers (that the user may use, or that were released). */
export async function readAsked(
  trx: Trx,
  actor: Actor,
  query: Asked & { textNumberID?: number | undefined },
  days: number,
): Promise<{ range: Range; numbers: number[] }> {
  const { textNumberID } = query;
  const usable = await listReportNumbers(trx, actor);
  if (textNumberID !== undefined && !usable.includes(textNumberID)) {
    throw new Refusal('notFound', 'That text number is no longer here.');
  }
  return {
    range: readRange(query, await getToday(trx, actor.accountId), days),
    numbers: textNumberID === undefined ? [...usable] : [textNumberID],
  };
}

/** On the account's calendar. */
export async function getToday(trx: Trx, accountId: number): Promise<string> {
  const { time_zone } = await trx
    .selectFrom('accounts')
    .select('time_zone')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return localDay(nowMs(), time_zone);
}
