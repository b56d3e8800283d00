import { type RawBuilder, sql } from 'kysely';
import type { Input, Reply } from '../../contract/call.ts';
import type {
  getUsageSummary as definition,
  downloadUsageSummary as downloadDefinition,
  UsageFigures,
} from '../../contract/purchases.ts';
import { addDays } from '../../contract/time/local-day.ts';
import { csvDownload } from '../csv.ts';
import { asAccount, type Trx } from '../db.ts';
import type { Actor, App, Download } from '../serve.ts';
import { getToday } from './read-asked.ts';
import { daysOf, type Range, rangeBefore, readRange, wholeMonths } from './rules.ts';

type Summary = Reply<typeof definition>;
type Query = Input<typeof definition>['query'];

const of = (column: 'credits' | 'messages', kind?: string): RawBuilder<unknown> =>
  sql`coalesce(sum(${sql.ref(`d.${column}`)}) ${kind === undefined ? sql`` : sql`filter (where d.kind = ${sql.lit(kind)})`}, 0)::int`;

const sums = sql`
  ${of('credits')} as "Credits", ${of('credits', 'broadcast')} as "Broadcasts",
  ${of('credits', 'conversation')} as "Conversations", ${of('credits', 'call')} as "Calls",
  ${of('messages')} as "Messages", ${of('messages', 'broadcast')} as "BroadcastMessages",
  ${of('messages', 'conversation')} as "ConversationMessages", ${of('messages', 'call')} as "CallMessages"`;

/**
 * Automatic replies and notifications belong to no user: they are left out if only some users are selected.
 */
function isTheirs(actor: Actor, users: Query['users']): RawBuilder<unknown> {
  return users === 'all users'
    ? sql`true`
    : sql`d.user_id in (select u.user_id from users u
        where u.account_id = ${actor.accountId} and u.is_active = ${users === 'enabled'})`;
}

function isAsked(actor: Actor, { since, until }: Range, users: Query['users']): RawBuilder<unknown> {
  return sql`d.account_id = ${actor.accountId} and d.day between ${since}::date and ${until}::date
    and ${isTheirs(actor, users)}`;
}

/** From the stored days and months, in the account's zone: a few thousand rows, however many texts. */
export async function getUsageSummary(
  trx: Trx,
  actor: Actor,
  { query }: Pick<Input<typeof definition>, 'query'>,
): Promise<Summary> {
  const range = await readDays(trx, actor, query);
  const byDay = await addUpDays(trx, actor, range, query.users);
  const ofUsers = await addUpUsers(trx, actor, range, query.users);
  const ofUsersBefore = await addUpUsers(trx, actor, rangeBefore(range), query.users);
  const byUser = figuresOf(Map.groupBy(ofUsers, ({ user_id }) => user_id));
  const isWanted = query.users === 'all users' ? sql`true` : sql`u.is_active = ${query.users === 'enabled'}`;
  const { rows: found } = await sql<Omit<Summary['Users'][number], keyof UsageFigures> & { UserID: number }>`
    select u.user_id as "UserID", u.first_name || ' ' || u.last_name as "Name", u.role as "Role",
      u.is_active as "IsActive"
    from users u where u.account_id = ${actor.accountId} and ${isWanted}
    order by lower(u.first_name), lower(u.last_name), u.user_id`.execute(trx);
  const people = found
    .map((person) => ({ ...person, ...(byUser.get(person.UserID) ?? nothing) }))
    .sort((one, other) => other.Credits - one.Credits);
  const nobody = query.users === 'all users' ? byUser.get(0) : undefined;
  return {
    StartDate: range.since,
    EndDate: range.until,
    ...addKinds(ofUsers),
    Before: addKinds(ofUsersBefore),
    Days: daysOf(range).map((day) => ({ Date: day, ...(byDay.get(day) ?? nothing) })),
    Users: [
      ...people,
      ...(nobody === undefined || nobody.Messages + nobody.Credits === 0
        ? []
        : [{ UserID: null, Name: nobodysName, Role: null, IsActive: true, ...nobody }]),
    ],
  };
}

const nobodysName = 'Automatic replies and notices';

const nothing: UsageFigures = {
  ...{ Credits: 0, Broadcasts: 0, Conversations: 0, Calls: 0 },
  ...{ Messages: 0, BroadcastMessages: 0, ConversationMessages: 0, CallMessages: 0 },
};

interface KindFigures {
  kind: string;
  credits: number;
  messages: number;
}

/** Two sums instead of eight with a condition each. */
const byKind = sql`d.kind, sum(d.credits)::int as credits, sum(d.messages)::int as messages`;

/** Rows of the same kind are added up. */
function addKinds(kinds: readonly KindFigures[]): UsageFigures {
  const of = (kind: string, figure: 'credits' | 'messages') =>
    kinds.reduce((sum, one) => (one.kind === kind ? sum + one[figure] : sum), 0);
  return {
    Credits: kinds.reduce((sum, { credits }) => sum + credits, 0),
    Broadcasts: of('broadcast', 'credits'),
    Conversations: of('conversation', 'credits'),
    Calls: of('call', 'credits'),
    Messages: kinds.reduce((sum, { messages }) => sum + messages, 0),
    BroadcastMessages: of('broadcast', 'messages'),
    ConversationMessages: of('conversation', 'messages'),
    CallMessages: of('call', 'messages'),
  };
}

function figuresOf<K>(parts: ReadonlyMap<K, KindFigures[]>): Map<K, UsageFigures> {
  return new Map(Array.from(parts, ([key, kinds]) => [key, addKinds(kinds)]));
}

/** By day: for everybody the sums are stored, for some users they are added up. */
async function addUpDays(
  trx: Trx,
  actor: Actor,
  range: Range,
  users: Query['users'],
): Promise<Map<string, UsageFigures>> {
  const { rows } =
    users === 'all users'
      ? await sql<KindFigures & { day: string }>`
          select to_char(start_on, 'YYYY-MM-DD') as day, kind, credits, messages from usage_sums
          where account_id = ${actor.accountId} and span = 'day'
            and start_on between ${range.since}::date and ${range.until}::date`.execute(trx)
      : await sql<KindFigures & { day: string }>`
          select to_char(d.day, 'YYYY-MM-DD') as day, ${byKind} from daily_usage d
          where ${isAsked(actor, range, users)} group by d.day, d.kind`.execute(trx);
  return figuresOf(Map.groupBy(rows, ({ day }) => day));
}

/** By user: sums of whole months are stored, the days before and after them are added. */
async function addUpUsers(
  trx: Trx,
  actor: Actor,
  range: Range,
  users: Query['users'],
): Promise<(KindFigures & { user_id: number })[]> {
  const { months, days } = wholeMonths(range);
  const parts = days.map(
    (part) => sql`
      select user_id, kind, credits, messages from daily_usage
      where account_id = ${actor.accountId} and day between ${part.since}::date and ${part.until}::date`,
  );
  if (months !== undefined)
    parts.push(sql`
      select user_id, kind, credits, messages from usage_sums
      where account_id = ${actor.accountId} and span = 'month'
        and start_on between ${months.first}::date and ${months.last}::date`);
  const { rows } = await sql<KindFigures & { user_id: number }>`
    select d.user_id, ${byKind} from (${sql.join(parts, sql` union all `)}) d
    where ${isTheirs(actor, users)} group by d.user_id, d.kind`.execute(trx);
  return rows;
}

async function readDays(trx: Trx, actor: Actor, query: Query): Promise<Range> {
  return readRange(query, await getToday(trx, actor.accountId), query.days);
}

/** Number of days read at once: memory stays constant, however many users there are. */
const daysAtOnce = 31;

export async function downloadUsageSummary(
  app: App,
  actor: Actor,
  { query }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const inAccount = <T>(work: (trx: Trx) => Promise<T>) => asAccount(app.database, actor.accountId, work);
  const range = await inAccount((trx) => readDays(trx, actor, query));
  async function* rows() {
    for (let since = range.since; since <= range.until; since = addDays(since, daysAtOnce)) {
      const last = addDays(since, daysAtOnce - 1);
      const part = { since, until: last < range.until ? last : range.until };
      const { rows: found } = await inAccount((trx) =>
        sql<UsageFigures & { day: string; name: string | null }>`
          select to_char(d.day, 'YYYY-MM-DD') as day, u.first_name || ' ' || u.last_name as name, ${sums}
          from daily_usage d
          left join users u on u.account_id = d.account_id and u.user_id = d.user_id
          where ${isAsked(actor, part, query.users)}
          group by d.day, d.user_id, u.first_name, u.last_name
          order by d.day, lower(u.first_name), lower(u.last_name), d.user_id`.execute(trx),
      );
      for (const row of found)
        yield [
          row.day,
          row.name ?? nobodysName,
          ...[row.Broadcasts, row.Calls, row.Conversations, row.Credits].map(String),
          ...[row.BroadcastMessages, row.CallMessages, row.ConversationMessages, row.Messages].map(String),
        ];
    }
  }
  return csvDownload(
    `usage-${range.since}-to-${range.until}.csv`,
    [
      'Date',
      'User',
      'Broadcast Credits',
      'Call Credits',
      'Conversation Credits',
      'Credits',
      'Broadcast Texts',
      'Calls',
      'Conversation Texts',
      'Messages',
    ],
    rows(),
    actor,
  );
}
