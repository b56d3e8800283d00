import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import * as calls from '../../contract/notifications.ts';
import type { Config } from '../config.ts';
import type { Database, Trx } from '../db.ts';
import { selectTextNumber } from '../numbers/queries.ts';
import { type Actor, type App, serve } from '../serve.ts';
import { addPushToken } from './add-push-token.ts';
import { getVapidKeys } from './queries.ts';

export function notificationRoutes(app: App): void {
  const { config, database } = app;

  serve(app, calls.listNotifications, async (trx, actor, { query }) => {
    const { Items, Size } = await listNumbers(trx, actor, query);
    const user = await trx
      .selectFrom('users')
      .select('browser_notifications_do_not_disturb as DoNotDisturb')
      .where('account_id', '=', actor.accountId)
      .where('user_id', '=', actor.userId)
      .executeTakeFirstOrThrow();
    return { Items, Size, ...user, Push: await describePush(database, config) };
  });

  serve(app, calls.addPushToken, (trx, actor, { body }) =>
    addPushToken(trx, actor, body, config.FIREBASE_SERVICE_ACCOUNT !== undefined),
  );

  serve(app, calls.deletePushToken, async (trx, actor, { params }) => {
    const gone = await trx
      .deleteFrom('push_tokens')
      .where('account_id', '=', actor.accountId)
      .where('user_id', '=', actor.userId)
      .where('push_token_id', '=', params.PushTokenID)
      .returning('push_token_id')
      .executeTakeFirst();
    if (gone === undefined) throw new Refusal('notFound');
    return {};
  });
}

/** The user's numbers with what is unread there: what was summed up and what has changed since. */
async function listNumbers(
  trx: Trx,
  actor: Actor,
  query: { BrowserNotifications?: boolean | undefined; page: number; pagesize: number },
) {
  const numbers = trx
    .with('number', () => selectTextNumber(trx, actor))
    .with('counted', (from) =>
      from.selectFrom('number').select((number) => [
        'TextNumberID',
        sql<number>`coalesce((
            select sum(part.unread) from (
              select c.unread from conversation_counts c
              where c.account_id = ${actor.accountId} and c.text_number_id = ${number.ref('TextNumberID')}
              union all
              select h.unread from conversation_count_changes h
              where h.account_id = ${actor.accountId} and h.text_number_id = ${number.ref('TextNumberID')}) part
          ), 0)::int`.as('UnreadCount'),
      ]),
    )
    .selectFrom('number')
    .innerJoin('counted', 'counted.TextNumberID', 'number.TextNumberID')
    .where((where) =>
      query.BrowserNotifications === undefined
        ? where.or([
            where('counted.UnreadCount', '>', 0),
            where('number.BrowserNotificationsEnabled', '=', true),
          ])
        : where('number.BrowserNotificationsEnabled', '=', query.BrowserNotifications),
    );
  const Items = await numbers
    .select([
      'number.TextNumberID',
      'Name',
      'TextPhoneNumber',
      'UnreadCount',
      'BrowserNotificationsEnabled',
      'AudioNotificationsEnabled',
      'Notifications',
    ])
    .orderBy(sql`lower("Name")`)
    .orderBy('number.TextNumberID')
    .limit(query.pagesize)
    .offset((query.page - 1) * query.pagesize)
    .execute();
  const { size } = await numbers
    .select((count) => count.fn.countAll<number>().as('size'))
    .executeTakeFirstOrThrow();
  return { Items, Size: size };
}

/** How a browser subscribes here. */
async function describePush(database: Database, config: Config) {
  const { FIREBASE_SERVICE_ACCOUNT, FIREBASE_WEB_CONFIG, FIREBASE_VAPID_KEY } = config;
  if (FIREBASE_SERVICE_ACCOUNT !== undefined)
    return {
      Provider: 'Firebase' as const,
      PublicKey: FIREBASE_VAPID_KEY ?? '',
      FirebaseConfig: FIREBASE_WEB_CONFIG ?? {},
    };
  const { publicKey } = await getVapidKeys(database, config);
  return { Provider: 'WebPush' as const, PublicKey: publicKey, FirebaseConfig: null };
}
