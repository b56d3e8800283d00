import type { updateUser as definition } from '../../contract/accounts.ts';
import type { Input } from '../../contract/call.ts';
import { refuseField } from '../../contract/errors.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';

/** The signed-in user's own settings; what isn't given stays as it is. */
export async function updateUser(trx: Trx, actor: Actor, { body }: Input<typeof definition>): Promise<void> {
  const { Signature, BrowserNotificationsDoNotDisturb, NotificationPhone } = body;
  const changes = {
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
    .set(changes)
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .execute();
  await notify(trx, actor.accountId, [{ type: 'settings.changed' }]);
}

/** As it is written down: all digits; '' for none. */
async function readNotificationPhone(trx: Trx, actor: Actor, text: string): Promise<string> {
  if (text === '') return '';
  const { country_id } = await trx
    .selectFrom('accounts')
    .select('country_id')
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
  const { phone, error } = validatePhone(text, country_id);
  if (phone === undefined) throw refuseField('NotificationPhone', error);
  const own = await trx
    .selectFrom('text_numbers')
    .select('text_number_id')
    .where('account_id', '=', actor.accountId)
    .where('phone', '=', phone)
    .where('released_at', 'is', null)
    .executeTakeFirst();
  // A notice there would be an unread text, of which a notice tells.
  if (own !== undefined)
    throw refuseField('NotificationPhone', 'This is a text number of your organization: use your own phone.');
  return phone;
}
