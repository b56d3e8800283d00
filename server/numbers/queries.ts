import { sql } from 'kysely';
import type { z } from 'zod';
import { Refusal } from '../../contract/errors.ts';
import type { notificationSetting, TextNumber } from '../../contract/numbers.ts';
import { defaultNotificationSetting } from '../../contract/time/notification-window.ts';
import { usableTextNumbers } from '../access/queries.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { digitsToFind } from '../search-text.ts';
import type { Actor } from '../serve.ts';
import { wirePhone } from '../wire-phone.ts';
import { findTextingProblem } from './rules.ts';

/** The user's own row of a number, if there is one; `s`. */
const ofUser = (actor: Actor) => sql`
  s.account_id = text_numbers.account_id and s.text_number_id = text_numbers.text_number_id and s.user_id = ${actor.userId}`;

/** The user's settings for notices of unread texts to a number: as set, or the specification's default. */
function ownSettings(actor: Actor) {
  return sql<z.output<typeof notificationSetting>>`coalesce((
    select json_build_object('IsActive', s.is_active, 'Type', 'TextUnread', 'PeriodMinutes', s.period_minutes, 'Method', s.method,
      'NotificationWindow', json_build_object('Days', s.days,
        'StartTimeOfDay', json_build_object('Hour', extract(hour from s.start_time), 'Minute', extract(minute from s.start_time)),
        'StopTimeOfDay', json_build_object('Hour', extract(hour from s.stop_time), 'Minute', extract(minute from s.stop_time))))
    from notification_settings s where ${ofUser(actor)}
  ), ${JSON.stringify(defaultNotificationSetting)}::json)`;
}

/** The user's own setting, or the number's. */
function ownFlag(actor: Actor, column: 'browser_notifications_enabled' | 'audio_notifications_enabled') {
  return sql<boolean>`coalesce(
    (select s.${sql.ref(column)} from notification_settings s where ${ofUser(actor)}), text_numbers.${sql.ref(column)})`;
}

/** True if the account of a row of `text_numbers` is a free trial. */
export const ofFreeTrial = sql<boolean>`(
  select a.is_free_trial from accounts a where a.account_id = text_numbers.account_id)`.as('is_free_trial');

/** The row almost in the API's format: toTextNumber does the rest. */
export function selectTextNumber(trx: Trx, actor: Actor) {
  return usableTextNumbers(trx, actor).select([
    'text_number_id as TextNumberID',
    'name as Name',
    wirePhone(actor, sql`phone`).as('TextPhoneNumber'),
    'description as Description',
    'registration_status as RegistrationStatus',
    'is_default as IsDefault',
    'is_blocked as IsBlocked',
    'can_create_broadcast as CanCreateBroadcast',
    'can_text',
    ofFreeTrial,
    'phone',
    sql<boolean>`flat_rate_status is not null`.as('FlatRateConversation'),
    'flat_rate_status as FlatRateConversationStatus',
    'flat_rate_end_at as FlatRateSubscriptionEndDate',
    sql<2 | 5 | 6>`aggregator_id`.as('AggregatorID'),
    'rcs_agent as RcsAgent',
    'release_at as ReleaseDate',
    ownSettings(actor).as('Notifications'),
    ownFlag(actor, 'browser_notifications_enabled').as('BrowserNotificationsEnabled'),
    ownFlag(actor, 'audio_notifications_enabled').as('AudioNotificationsEnabled'),
  ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectTextNumber>['executeTakeFirstOrThrow']>>;

/**
 * CanText is the field that sending checks: a blocked or unregistered number can't text, whatever else it
 * may.
 */
export function toTextNumber({ can_text, is_free_trial, phone, ...row }: Row): TextNumber {
  const endAt = row.FlatRateSubscriptionEndDate;
  const problem = findTextingProblem(
    {
      phone,
      can_text,
      is_free_trial,
      registration_status: row.RegistrationStatus,
      is_blocked: row.IsBlocked,
      flat_rate_status: row.FlatRateConversationStatus,
      flat_rate_end_at: endAt,
    },
    now(),
  );
  return {
    ...row,
    CanText: problem === undefined,
    FlatRateSubscriptionEndDate: endAt?.toISOString() ?? null,
    ReleaseDate: row.ReleaseDate?.toISOString() ?? null,
  };
}

export async function getTextNumber(trx: Trx, actor: Actor, textNumberId: number): Promise<TextNumber> {
  const row = await selectTextNumber(trx, actor)
    .where('text_number_id', '=', textNumberId)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound');
  return toTextNumber(row);
}

/** The matches of a search: by name or by digits. */
export function textNumberMatches(q: string) {
  const digits = digitsToFind(q);
  return sql<boolean>`(${q} = '' or strpos(lower(name), ${q.toLowerCase()}) > 0
    or (${digits} <> '' and strpos(phone, ${digits}) > 0))`;
}

/** The columns that sending needs of a number that this actor may use. */
export async function requireTextNumber(trx: Trx, actor: Actor, textNumberId: number) {
  const row = await usableTextNumbers(trx, actor)
    .select([
      'text_number_id',
      'phone',
      'aggregator_id',
      'registration_status',
      'is_blocked',
      'can_text',
      ofFreeTrial,
      'can_create_broadcast',
      'per_minute',
      'flat_rate_status',
      'flat_rate_end_at',
    ])
    .where('text_number_id', '=', textNumberId)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That text number is not yours to use.');
  return row;
}
