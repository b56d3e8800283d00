import { sql } from 'kysely';
import type { updateUser as definition } from '../../contract/accounts.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import { may, refuseUnless, refuseUnlessConfirmed } from '../access/refuse-unless.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';
import { followNewEmail, isOtherEmail } from './follow-email.ts';
import { judgeSettings } from './judge-settings.ts';
import type { UserRow } from './queries.ts';
import { changesOf } from './rules.ts';
import { holdAccount } from './users/hold-account.ts';
import { keepTakenName } from './users/keep-taken-name.ts';
import { refuseTakenEmail, refusingTakenUserName } from './users/refuse-taken.ts';

type Body = Input<typeof definition>['body'];

/** Settings of calls: for users who may call, and those who set how others do. */
const voiceSettings = [
  'CallerID',
  'CallThrottle',
  'Retries',
  'MaxMessageLength',
  'CallingWindowDays',
  'StartTimeOfDay',
  'StopTimeOfDay',
  'ContinueOnNextDay',
] as const satisfies (keyof Body)[];

/** The signed-in user's own settings; missing fields stay as they are. */
export async function updateUser(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof definition>,
  config: Config,
): Promise<void> {
  if (body.UserID !== undefined && body.UserID !== actor.userId) {
    throw new Refusal('forbidden', 'Other users are changed under Users.');
  }
  if (voiceSettings.some((name) => body[name] !== undefined) && !may(actor, 'editVoiceSettings')) {
    refuseUnless(actor, 'createVoiceBroadcast');
  }
  // Two who take the same address at once: the second waits here, and is refused. Before the user's own row, as
  // where users are managed, to avoid deadlocks.
  if (body.Email !== undefined) await holdAccount(trx, actor.accountId);
  const before = await trx
    .selectFrom('users')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const countryId = body.CountryID ?? actor.account.CountryID;
  const { Signature, BrowserNotificationsDoNotDisturb, NotificationPhone, UserID: _, ...settings } = body;
  const columns = judgeSettings(settings, { countryId, before, timeZone: actor.timeZone, isOwn: true });
  const changes = {
    ...columns,
    ...(isOtherEmail(before.email, columns.email) &&
      (await changeEmail({ trx, actor, config }, before, columns.email))),
    ...(Signature && {
      signature_enabled: Signature.IsEnabled,
      signature_text: Signature.SignatureText,
    }),
    ...(BrowserNotificationsDoNotDisturb !== undefined && {
      browser_notifications_do_not_disturb: BrowserNotificationsDoNotDisturb,
    }),
    ...(NotificationPhone !== undefined && {
      notification_phone: await readNotificationPhone(trx, actor, NotificationPhone),
    }),
  };
  if (Object.keys(changes).length === 0) return;
  await trx
    .updateTable('users')
    .set({ ...changes, version: sql`version + 1` })
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .execute()
    .catch(refusingTakenUserName);
  if (columns.user_name !== undefined)
    await keepTakenName(trx, actor.accountId, actor.userId).catch(refusingTakenUserName);
  await recordEvents(trx, actor, [
    { kind: 'user.updated', id: actor.userId, changes: changesOf(before, changes) },
  ]);
  await notify(trx, actor.accountId, [{ type: 'settings.changed' }, { type: 'users.changed' }]);
}

/** The address that receives password links. */
async function changeEmail(
  { trx, actor, config }: { trx: Trx; actor: Actor; config: Config },
  before: UserRow,
  email: string,
) {
  refuseUnlessConfirmed(actor);
  const { accountId, userId } = actor;
  await refuseTakenEmail(trx, accountId, { email, userId, knowsColleagues: may(actor, 'manageUsers') });
  return followNewEmail(trx, config, before, { email, isOwn: true });
}

/** As stored: all digits; '' for none. */
async function readNotificationPhone(trx: Trx, actor: Actor, text: string): Promise<string> {
  if (text === '') return '';
  const { phone, error } = validatePhone(text, actor.account.CountryID);
  if (phone === undefined) throw refuseField('NotificationPhone', error);
  const own = await trx
    .selectFrom('text_numbers')
    .select('text_number_id')
    .where('account_id', '=', actor.accountId)
    .where('phone', '=', phone)
    .where('released_at', 'is', null)
    .executeTakeFirst();
  // A notification to that number would itself be an unread text and cause the next notification.
  if (own !== undefined)
    throw refuseField('NotificationPhone', 'This is a text number of your organization: use your own phone.');
  return phone;
}
