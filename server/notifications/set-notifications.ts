import { sql } from 'kysely';
import type { z } from 'zod';
import type { updateTextNumbers } from '../../contract/numbers.ts';
import type { TimeOfDay } from '../../contract/time/wall-clock.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';

export type PersonalSettings = z.output<typeof updateTextNumbers.body>['Update'];

/**
 * Sets how this user is notified about texts to these numbers, which the user may use. Missing fields stay as they
 * are. Two statements for any number of them.
 */
export async function setNotifications(
  trx: Trx,
  actor: Actor,
  textNumberIds: number[],
  settings: PersonalSettings,
): Promise<void> {
  const changes = changedColumns(settings);
  if (textNumberIds.length === 0 || Object.keys(changes).length === 0) return;
  await sql`
    insert into notification_settings
      (account_id, user_id, text_number_id, browser_notifications_enabled, audio_notifications_enabled)
    select account_id, ${actor.userId}, text_number_id, browser_notifications_enabled, audio_notifications_enabled
    from text_numbers
    where account_id = ${actor.accountId} and text_number_id = any(${textNumberIds}::bigint[])
    order by text_number_id
    on conflict do nothing`.execute(trx);
  await trx
    .updateTable('notification_settings')
    .set({ ...changes, ...(settings.Notifications && nextLook(settings.Notifications.IsActive)) })
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .where('text_number_id', 'in', textNumberIds)
    .execute();
  await notify(trx, actor.accountId, [{ type: 'settings.changed' }]);
}

function changedColumns(settings: PersonalSettings) {
  const { Notifications: notices, BrowserNotificationsEnabled, AudioNotificationsEnabled } = settings;
  return {
    ...(notices && {
      is_active: notices.IsActive,
      method: notices.Method,
      period_minutes: notices.PeriodMinutes,
      days: [...new Set(notices.NotificationWindow.Days)],
      start_time: timeText(notices.NotificationWindow.StartTimeOfDay),
      stop_time: timeText(notices.NotificationWindow.StopTimeOfDay),
    }),
    ...(BrowserNotificationsEnabled !== undefined && {
      browser_notifications_enabled: BrowserNotificationsEnabled,
    }),
    ...(AudioNotificationsEnabled !== undefined && {
      audio_notifications_enabled: AudioNotificationsEnabled,
    }),
  };
}

/**
 * Time of the next check of the user's texts. If notices are off, never. If they were just turned on, soon, because
 * unread texts count. If a look was due already, again, because the window may have changed. send-notices.ts has the
 * states.
 */
function nextLook(isActive: boolean) {
  if (!isActive) return { due_at: null, is_last_look: false };
  return {
    due_at: sql<Date | null>`case when not is_active or (due_at is not null and not is_last_look) then now() else due_at end`,
    is_last_look: sql<boolean>`is_active and is_last_look`,
  };
}

function timeText({ Hour, Minute }: TimeOfDay): string {
  return `${String(Hour).padStart(2, '0')}:${String(Minute).padStart(2, '0')}`;
}
