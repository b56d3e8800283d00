import type { validateBroadcast as definition } from '../../../contract/broadcasts.ts';
import type { Input } from '../../../contract/call.ts';
import { refuseField } from '../../../contract/errors.ts';
import { startDateMessages, validateStartDate } from '../../../contract/time/start-date.ts';
import { timeOfDay } from '../../accounts/rules.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';

/**
 * Checks a start on the user's own clock, and for calls also in the calling window of the broadcast or the
 * user.
 */
export async function validateStart(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  const window = body.CheckCallingWindow
    ? { ...(await getWindow(trx, actor)), ...ownWindow(body) }
    : undefined;
  const StartDateValidation = validateStartDate({
    startDate: body.StartDate,
    zone: actor.timeZone,
    nowMs: nowMs(),
    ...(window === undefined ? {} : { window }),
  });
  if (StartDateValidation === undefined) throw refuseField('StartDate', startDateMessages.failed);
  return { StartDateValidation };
}

/** The calling window in the form. */
function ownWindow({ CallingWindowDays, StartTimeOfDay, StopTimeOfDay }: Input<typeof definition>['body']) {
  return {
    ...(CallingWindowDays === undefined ? {} : { CallingWindowDays }),
    ...(StartTimeOfDay === undefined ? {} : { StartTimeOfDay }),
    ...(StopTimeOfDay === undefined ? {} : { StopTimeOfDay }),
  };
}

async function getWindow(trx: Trx, actor: Actor) {
  const user = await trx
    .selectFrom('users')
    .select(['calling_days', 'calling_start', 'calling_stop'])
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  return {
    CallingWindowDays: user.calling_days,
    StartTimeOfDay: timeOfDay(user.calling_start),
    StopTimeOfDay: timeOfDay(user.calling_stop),
  };
}
