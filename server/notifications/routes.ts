import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import * as calls from '../../contract/notifications.ts';
import { updateTextNumber as updateNumberCall, updateTextNumbers } from '../../contract/numbers.ts';
import { usableTextNumbers } from '../access/queries.ts';
import type { Config } from '../config.ts';
import type { Database, Trx } from '../db.ts';
import { getTextNumber, selectTextNumber, textNumberMatches } from '../numbers/queries.ts';
import { updateTextNumber } from '../numbers/update-text-number.ts';
import { selectedRows } from '../selection.ts';
import { type Actor, type App, serve } from '../serve.ts';
import { addPushToken } from './add-push-token.ts';
import { getVapidKeys } from './queries.ts';
import { setNotifications } from './set-notifications.ts';

export function notificationRoutes(app: App): void {
  const { config, database } = app;

  // The call changes both: the number's own fields, and how this user is notified about texts to it.
  serve(app, updateNumberCall, async (trx, actor, input) => {
    const { Name, Description, IsDefault, ...personal } = input.body;
    await updateTextNumber(trx, actor, input);
    await setNotifications(trx, actor, [input.params.TextNumberID], personal);
    return getTextNumber(trx, actor, input.params.TextNumberID);
  });

  serve(app, updateTextNumbers, async (trx, actor, { query, body }) => {
    const isChosen = selectedRows(sql`text_number_id`, body.Selection, textNumberMatches(query.q));
    const rows = await usableTextNumbers(trx, actor)
      .where(sql<boolean>`${isChosen}`)
      .select('text_number_id')
      .execute();
    await setNotifications(
      trx,
      actor,
      rows.map((row) => row.text_number_id),
      body.Update,
    );
    return { Size: rows.length };
  });

  serve(app, calls.listNotifications, async (trx, actor, { query }) => {
    const { Items, Size } = await listNumbers(trx, actor, query);
    const user = await trx
      .selectFrom('users')
      .select('browser_notifications_do_not_disturb as DoNotDisturb')
      .where('account_id', '=', actor.accountId)
      .where('user_id', '=', actor.userId)
      .executeTakeFirstOrThrow();
    const tokens = await trx
      .selectFrom('push_tokens')
      .select('push_token_id')
      .where('account_id', '=', actor.accountId)
      .where('session_id', '=', actor.sessionId)
      .execute();
    const PushTokenIDs = tokens.map(({ push_token_id }) => push_token_id);
    return { Items, Size, ...user, Push: { ...(await describePush(database, config)), PushTokenIDs } };
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

/** The user's numbers with their unread counts: the sums so far and the changes since. */
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

/** The settings with which a browser subscribes here. */
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
