/**
 * Notifications about unread texts by mail or text. A user's setting of a number goes
 *
 *   at rest (due_at null) ──an inbound text──▶ armed (due_at) ──looked at──▶ last look (due_at, is_last_look) ──▶ at rest
 *                                               │     ▲                         │
 *                                               └─────┘ not in the window,      └──▶ armed: a text has come since
 *                                                 or told less than a period ago
 *
 * A check ("look") of an armed one writes the notification, if anything is unread, and moves the setting on
 * in one transaction: one notification, whatever the number of workers. An inbound text doesn't change an
 * armed setting, so that thousands of texts write nothing here. A text whose transaction ends during a look
 * could be missed by both: for that there is the last look a minute later. Inbound texts do lock a setting
 * that waits for it, so those looks take no other lock.
 */
import { sql } from 'kysely';
import { isInternational } from '../../contract/reference/countries.ts';
import { isMonthly } from '../../contract/states/account-status.ts';
import { usesNumber } from '../access/queries.ts';
import { timeOfDay } from '../accounts/rules.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { findTextingProblem } from '../numbers/rules.ts';
import { createTexts, weighText } from '../texts/create-texts.ts';
import { noticeMail, noticeText, noticeTimeMs, type UnreadNumber } from './rules.ts';

interface Armed {
  account_id: number;
  user_id: number;
  text_number_id: number;
  method: 'Email' | 'Text';
  period_minutes: number;
  days: string[];
  start_time: string;
  stop_time: string;
  due_at: Date;
  last_notified_at: Date | null;
  at: Date;
  may_be_told: boolean;
  time_zone: string;
  language_id: number;
  email: string;
  notification_phone: string;
  name: string;
  phone: string;
  company_name: string;
  country_id: number;
  type_id: number;
}

export interface NoticeContext {
  database: Database;
  publicUrl: string;
}

/**
 * Checks up to `size` settings of each kind that are due; returns whether there may be more. `at` is for
 * tests.
 */
export async function sendNotices(
  { database, publicUrl }: NoticeContext,
  size: number,
  at: Date | null = null,
): Promise<boolean> {
  const looked = await lookOnceMore(database, size, at);
  const armed = await asSystem(database, async (trx) => {
    const rows = await takeArmed(trx, size, at);
    if (rows.length === 0) return 0;
    const { open, later } = await sortByTime(trx, rows);
    await writeNotices(trx, open, publicUrl);
    await moveOn(trx, open, later);
    return rows.length;
  });
  return looked === size || armed === size;
}

/** The last look: has a text arrived since the notification, which doesn't include it? */
async function lookOnceMore(database: Database, size: number, at: Date | null): Promise<number> {
  const { rows } = await sql`
    with due as materialized (
      select account_id, user_id, text_number_id from notification_settings
      where due_at <= coalesce(${at}::timestamptz, now()) and is_last_look
      order by due_at limit ${size} for no key update skip locked
    )
    update notification_settings s
    set is_last_look = false, due_at = case when s.is_active and exists (
        select from conversations c
        where c.account_id = s.account_id and c.text_number_id = s.text_number_id and c.unread_count > 0 and c.place = 0
          and c.last_message_id > s.notified_message_id and c.last_message_at > s.due_at - interval '1 day')
      then s.due_at end
    from due d
    where s.account_id = d.account_id and s.user_id = d.user_id and s.text_number_id = d.text_number_id
    returning s.user_id`.execute(database.system);
  return rows.length;
}

async function takeArmed(trx: Trx, size: number, at: Date | null): Promise<Armed[]> {
  const { rows } = await sql<Armed>`
    select s.account_id, s.user_id, s.text_number_id, s.method, s.period_minutes, s.days, s.start_time, s.stop_time, s.due_at,
      s.last_notified_at, coalesce(${at}::timestamptz, now()) as at, u.time_zone, u.language_id, u.email, u.notification_phone,
      n.name, n.phone, a.company_name, a.country_id, a.type_id,
      s.is_active and u.is_active and n.released_at is null and ${usesNumber(sql`s.text_number_id`)}
        as may_be_told
    from notification_settings s
    join users u on u.account_id = s.account_id and u.user_id = s.user_id
    join text_numbers n on n.account_id = s.account_id and n.text_number_id = s.text_number_id
    join accounts a on a.account_id = s.account_id
    where s.due_at <= coalesce(${at}::timestamptz, now()) and not s.is_last_look
    order by s.due_at limit ${size}
    for no key update of s skip locked`.execute(trx);
  return rows;
}

type Open = Armed & { unread: number };

/** The settings that are due, with their unread counts, and when the others are due (null: never). */
async function sortByTime(trx: Trx, rows: Armed[]) {
  const later: { row: Armed; dueAt: Date | null }[] = [];
  const now: Armed[] = [];
  for (const row of rows) {
    const timeMs = row.may_be_told ? timeOf(row) : undefined;
    if (timeMs === undefined) later.push({ row, dueAt: null });
    else if (timeMs > row.at.getTime()) later.push({ row, dueAt: new Date(timeMs) });
    else now.push(row);
  }
  const unread = await countUnread(trx, now);
  const open: Open[] = now.map((row) => ({ ...row, unread: unread.get(row.text_number_id) ?? 0 }));
  return { open, later };
}

function timeOf(row: Armed): number | undefined {
  const setting = {
    PeriodMinutes: row.period_minutes,
    NotificationWindow: {
      Days: row.days,
      StartTimeOfDay: timeOfDay(row.start_time),
      StopTimeOfDay: timeOfDay(row.stop_time),
    },
  };
  const times = {
    dueMs: row.due_at.getTime(),
    atMs: row.at.getTime(),
    lastMs: row.last_notified_at?.getTime(),
  };
  return noticeTimeMs(setting, times, row.time_zone);
}

/** Open conversations with unread texts, by text number: the sums so far and the changes since. */
async function countUnread(trx: Trx, rows: Armed[]): Promise<Map<number, number>> {
  if (rows.length === 0) return new Map();
  const accounts = [...new Set(rows.map((row) => row.account_id))];
  const numbers = [...new Set(rows.map((row) => row.text_number_id))];
  const { rows: counted } = await sql<{ text_number_id: number; unread: number }>`
    select text_number_id, sum(unread)::int as unread
    from (
      select account_id, text_number_id, unread from conversation_counts
      union all
      select account_id, text_number_id, unread from conversation_count_changes) part
    where account_id = any(${accounts}::bigint[]) and text_number_id = any(${numbers}::bigint[])
    group by 1`.execute(trx);
  return new Map(counted.map((row) => [row.text_number_id, row.unread]));
}

/** A text to those who chose it and can be texted, a mail to all others. */
async function writeNotices(trx: Trx, open: Open[], publicUrl: string): Promise<void> {
  const told = open.filter((row) => row.unread > 0);
  const number = (row: Open): UnreadNumber => ({
    company: row.company_name,
    name: row.name,
    phone: row.phone,
    unread: row.unread,
    url: `${publicUrl}/inbox?textNumberId=${row.text_number_id}`,
  });
  const texted = await writeTexts(
    trx,
    told.filter((row) => row.method === 'Text' && row.notification_phone !== ''),
    (row) => noticeText(number(row), row.language_id),
  );
  const mailed = told.filter((row) => !texted.has(row) && row.email !== '');
  await queueMails(
    trx,
    mailed.map((row) => ({
      ...noticeMail(number(row)),
      accountId: row.account_id,
      userId: row.user_id,
      kind: 'unread',
      to: row.email,
    })),
  );
}

/**
 * From the account's default number, if it may text and the credits suffice. Returns the users who get a
 * text.
 */
async function writeTexts(trx: Trx, rows: Open[], bodyOf: (row: Open) => string): Promise<Set<Open>> {
  if (rows.length === 0) return new Set();
  const senders = await listSenders(trx, rows);
  const able = rows.flatMap((row) => {
    const sender = senders.get(`${row.account_id} ${row.notification_phone}`);
    return sender === undefined ? [] : [{ row, sender }];
  });
  const texts = able.map(({ row, sender }) => ({
    row,
    accountId: row.account_id,
    textNumberId: sender.text_number_id,
    aggregatorId: sender.aggregator_id,
    phone: row.notification_phone,
    ...weighText(
      { message: bodyOf(row), hasMedia: false },
      {
        international: isInternational(row.country_id),
        // Monthly accounts pay by the month, not by the text.
        takesCredits: !isMonthly({ AccountTypeID: row.type_id }),
        flatRateStatus: sender.flat_rate_status,
      },
    ),
    origin: 'notification' as const,
    userId: null,
  }));
  const created = await createTexts(trx, texts, { whenShort: 'skip', note: 'Notice of unread texts' });
  return new Set(created.map(({ row }) => row));
}

/**
 * The default number of each account with the phones that it may text: not those that are opted out, and not
 * our own numbers, where a notification would be an unread text that causes another notification.
 */
async function listSenders(trx: Trx, rows: Open[]) {
  const { rows: found } = await sql<{
    account_id: number;
    to_phone: string;
    text_number_id: number;
    aggregator_id: number;
    phone: string;
    registration_status: string;
    is_blocked: boolean;
    can_text: boolean;
    is_free_trial: boolean;
    flat_rate_status: string | null;
    flat_rate_end_at: Date | null;
    at: Date;
  }>`
    select n.account_id, t.phone as to_phone, n.text_number_id, n.aggregator_id, n.phone, n.registration_status, n.is_blocked,
      n.can_text, a.is_free_trial, n.flat_rate_status, n.flat_rate_end_at, now() as at
    from unnest(${rows.map((row) => row.account_id)}::bigint[], ${rows.map((row) => row.notification_phone)}::text[])
      as t(account_id, phone)
    join text_numbers n on n.account_id = t.account_id and n.is_default and n.released_at is null
    join accounts a on a.account_id = t.account_id
    where not exists (select from phone_consents c
        where c.account_id = t.account_id and c.phone = t.phone and c.text_state = 'out')
      and not exists (select from text_numbers own where own.phone = t.phone and own.released_at is null)`.execute(
    trx,
  );
  const able = found.filter((sender) => findTextingProblem(sender, sender.at) === undefined);
  return new Map(able.map((sender) => [`${sender.account_id} ${sender.to_phone}`, sender]));
}

/** The time between a look and the last one: far longer than a transaction with inbound texts takes. */
const lastLookSeconds = 60;

async function moveOn(trx: Trx, open: Open[], later: { row: Armed; dueAt: Date | null }[]): Promise<void> {
  const moves = [
    ...open.map((row) => ({
      row,
      dueAt: new Date(row.at.getTime() + lastLookSeconds * 1000),
      isLastLook: true,
      isTold: row.unread > 0,
    })),
    ...later.map(({ row, dueAt }) => ({ row, dueAt, isLastLook: false, isTold: false })),
  ];
  const column = <T>(pick: (move: (typeof moves)[number]) => T) => moves.map(pick);
  await sql`
    update notification_settings s
    set due_at = m.due_at, is_last_look = m.is_last_look,
      last_notified_at = case when m.is_told then m.at else s.last_notified_at end,
      notified_message_id = case when m.is_told then coalesce(
        (select max(message_id) from messages where account_id = s.account_id), 0) else s.notified_message_id end
    from unnest(
      ${column((m) => m.row.account_id)}::bigint[], ${column((m) => m.row.user_id)}::bigint[],
      ${column((m) => m.row.text_number_id)}::bigint[], ${column((m) => m.dueAt)}::timestamptz[],
      ${column((m) => m.isLastLook)}::boolean[], ${column((m) => m.isTold)}::boolean[], ${column((m) => m.row.at)}::timestamptz[]
    ) as m(account_id, user_id, text_number_id, due_at, is_last_look, is_told, at)
    where s.account_id = m.account_id and s.user_id = m.user_id and s.text_number_id = m.text_number_id`.execute(
    trx,
  );
}
