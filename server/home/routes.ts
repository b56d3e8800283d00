import { sql } from 'kysely';
import * as calls from '../../contract/home.ts';
import { accountTypes } from '../../contract/states/account-status.ts';
import { localDay } from '../../contract/time/local-day.ts';
import { listSequenceRows } from '../broadcasts/drips/queries.ts';
import { nowMs } from '../clock.ts';
import { listConversationRows } from '../conversations/list/list-conversations.ts';
import { conversationsById } from '../conversations/queries.ts';
import type { Trx } from '../db.ts';
import { ofFreeTrial } from '../numbers/queries.ts';
import { isRegistered } from '../numbers/rules.ts';
import { type Actor, type App, serve } from '../serve.ts';
import { listHomeBroadcasts } from './list-home-broadcasts.ts';

const waitingShown = 5;
const latelyShown = 6;
const pausedShown = 3;

export function homeRoutes(app: App): void {
  serve(app, calls.getHome, async (trx, actor) => {
    const numbers = actor.textNumberIds;
    const { Items: Lately } = await listConversationRows(trx, actor, {
      page: 1,
      pagesize: latelyShown,
      q: '',
      sortby: 'latest',
      isDone: undefined,
      viewing: 'all',
      searchin: 'both',
      notags: true,
    });
    return {
      Waiting: await getWaiting(trx, actor, numbers),
      Lately,
      Broadcasts: await listHomeBroadcasts(trx, actor),
      PausedCampaigns: await listPausedCampaigns(trx, actor),
      ...(await getDays(trx, actor, numbers)),
      Credits: await getCredits(trx, actor),
      FirstSteps: await getFirstSteps(trx, actor, numbers),
    };
  });
}

/** They wait for somebody, and nothing of them goes out meanwhile. */
async function listPausedCampaigns(trx: Trx, actor: Actor) {
  const conditions = [sql`q.status = 'paused' and q.failure_code is not null`];
  const rows = await listSequenceRows(trx, actor, { conditions, most: pausedShown, offset: 0 });
  return rows.map(({ item: { SequenceID, Name, PausedBecause } }) => ({ SequenceID, Name, PausedBecause }));
}

/** The longest wait first. */
async function getWaiting(trx: Trx, actor: Actor, numbers: number[]) {
  const { rows } = await sql<{ conversation_id: number; waiting_since: Date; size: number }>`
    select conversation_id, waiting_since, (count(*) over ())::int as size
    from conversations
    where account_id = ${actor.accountId} and text_number_id = any(${numbers}::bigint[])
      and waiting_since is not null and place = 0
    order by waiting_since
    limit ${waitingShown}`.execute(trx);
  const since = new Map(rows.map((row) => [row.conversation_id, row.waiting_since]));
  const conversations = await conversationsById(trx, actor, [...since.keys()]);
  return {
    Items: conversations.map((row) => ({
      ...row,
      WaitingSince: since.get(row.ConversationID) ?? new Date(0),
    })),
    Size: rows[0]?.size ?? 0,
  };
}

/** Thirty days in the account's zone, including empty ones, and today's figures. */
async function getDays(trx: Trx, actor: Actor, numbers: number[]) {
  const { time_zone } = await trx
    .selectFrom('accounts')
    .select('time_zone')
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
  const today = localDay(nowMs(), time_zone);
  const { rows } = await sql<{
    Date: string;
    Sent: number;
    Delivered: number;
    Failed: number;
    Received: number;
    Credits: number;
    Refused: number;
  }>`
    select to_char(one.day, 'YYYY-MM-DD') as "Date", coalesce(sum(d.sent), 0)::int as "Sent", coalesce(sum(d.refused), 0)::int as "Refused",
      coalesce(sum(d.delivered), 0)::int as "Delivered", coalesce(sum(d.failed), 0)::int as "Failed",
      coalesce(sum(d.received), 0)::int as "Received", coalesce(sum(d.credits), 0)::int as "Credits"
    from generate_series(${today}::date - 29, ${today}::date, interval '1 day') as one(day)
    left join daily_texts d on d.account_id = ${actor.accountId} and d.day = one.day::date
      and d.text_number_id = any(${numbers}::bigint[])
    group by one.day
    order by one.day`.execute(trx);
  const { Sent = 0, Refused = 0, Delivered = 0, Failed = 0, Received = 0 } = rows.at(-1) ?? {};
  return { Days: rows, Today: { Sent, Refused, Delivered, Failed, Received } };
}

async function getCredits(trx: Trx, actor: Actor) {
  const account = await trx
    .selectFrom('accounts')
    .select(['credit_balance as Balance', 'credit_reserved as Reserved'])
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ used: number }>`
    select coalesce(-sum(balance_delta), 0)::bigint as used from credit_entries
    where account_id = ${actor.accountId} and kind = 'settle' and created_at > now() - interval '30 days'`.execute(
    trx,
  );
  return { ...account, UsedInThirtyDays: rows[0]?.used ?? 0 };
}

async function getFirstSteps(trx: Trx, actor: Actor, numbers: number[]) {
  const { rows } = await sql<{
    credits: boolean;
    contacts: boolean;
    firstText: boolean;
    firstReply: boolean;
  }>`
    select exists (
        select from accounts where account_id = ${actor.accountId}
          and (credit_balance > 0 or type_id in (${accountTypes.monthly}, ${accountTypes.invoicedMonthly}))
      ) as "credits",
      exists (select from contacts where account_id = ${actor.accountId} and deleted_at is null) as "contacts",
      exists (select from daily_texts where account_id = ${actor.accountId} and sent > 0) as "firstText",
      exists (select from daily_texts where account_id = ${actor.accountId} and received > 0) as "firstReply"`.execute(
    trx,
  );
  const done = rows[0];
  const own = await trx
    .selectFrom('text_numbers')
    .select(['phone', 'registration_status', ofFreeTrial])
    .where('account_id', '=', actor.accountId)
    .where(sql<boolean>`text_number_id = any(${numbers}::bigint[])`)
    .execute();
  const canText = own.some(isRegistered);
  const step = <Name extends string>(name: Name, isDone: boolean | undefined, isStarted = false) => ({
    Name: name,
    Completed: isDone ?? false,
    Started: isStarted,
  });
  return [
    step('textNumber', canText, own.length > 0 && !canText),
    step('credits', done?.credits || done?.firstText),
    step('contacts', done?.contacts),
    step('firstText', done?.firstText),
    step('firstReply', done?.firstReply),
  ];
}
