import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { nowMs } from '../clock.ts';
import type { Config } from '../config.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { createPhoneLookup, type LookedUp } from '../outside/phone-lookup.ts';
import { askClaimed, claimPhones, sweepClaims } from './ask-once.ts';
import { keepLookups } from './look-up-phones.ts';
import { contactLookupsPerUserAndDay } from './rules.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** Phones of new contacts have to be looked up. */
    look_up_phones: Record<string, never>;
  }
}

export function createConsentJobs(context: JobContext) {
  return {
    tasks: { look_up_phones: createPhoneLookups(context) },
    cron: ['* * * * * look_up_phones'],
    sweep: () => asSystem(context.database, sweepClaims),
  } satisfies SliceJobs;
}

/** Number of phones that a run looks up, with one run a minute: this limits what a day costs. */
const phonesPerRun = 1000;
/** Number of contacts that one statement looks through. */
const contactsAtOnce = 20_000;
/**
 * New contacts have higher ids, so the next search begins where the last one ended. Contacts of a transaction
 * that drew its ids early and committed late are found when it starts over: for a million contacts that takes
 * some seconds.
 */
const anewMs = 3_600_000;

interface Never {
  account_id: number;
  person_id: number;
  /** Null where the contact has no phone, or one that was looked up before. */
  phone: string | null;
  /** User whose budget pays: the one who added the contact, otherwise the account's first owner. */
  user_id: number | null;
  /** Number of their contacts that may still be looked up today. */
  budget: number;
}

interface Wanted {
  accountId: number;
  userId: number;
  phone: string;
}

/**
 * Looks up the primary phones of contacts that were never looked up, in the background, if LOOKUPS is on. The
 * rows show what is left; only the position is remembered here. Contacts beyond a user's budget are passed over,
 * and found again by the searches of the next day.
 */
export function createPhoneLookups({ config, database }: { config: Config; database: Database }) {
  let after = 0;
  let begunAt = nowMs();
  return async function lookUpNewPhones(): Promise<void> {
    const provider = config.LOOKUPS ? createPhoneLookup(config) : undefined;
    if (provider === undefined) return;
    if (nowMs() - begunAt > anewMs) {
      after = 0;
      begunAt = nowMs();
    }
    try {
      const { phones, last } = await findNeverLookedUp(database, after);
      const leaseId = randomUUID();
      const inTransaction = <T>(work: (trx: Trx) => Promise<T>) => asSystem(database, work);
      const claimed = await inTransaction((trx) => claimPhones(trx, phones, { leaseId }));
      const isClaimed = new Set(claimed.map(({ accountId, phone }) => `${accountId} ${phone}`));
      const wanted = phones.filter(({ accountId, phone }) => isClaimed.has(`${accountId} ${phone}`));
      const keep = async (trx: Trx, learned: (Wanted & LookedUp)[]) => {
        await countContactLookups(trx, learned);
        await keepLookups(trx, learned);
      };
      const answered =
        wanted.length === 0 ? 0 : await askClaimed({ provider, inTransaction, leaseId, keep }, wanted);
      // The next run repeats those without an answer. Those of others come with the next search from the beginning.
      if (answered === wanted.length) after = last;
    } finally {
      await provider.close();
    }
  };
}

/** Adds what was answered, and so paid, to the budgets. */
async function countContactLookups(trx: Trx, learned: Wanted[]): Promise<void> {
  const users = [...Map.groupBy(learned, ({ accountId, userId }) => `${accountId} ${userId}`).values()];
  const column = (pick: (of: Wanted[]) => number) => users.map(pick);
  await sql`
    insert into lookup_budgets as b (account_id, user_id, day, asked, contacts_asked)
    select u.account_id, u.user_id, (now() at time zone 'utc')::date, 0, u.many from unnest(
      ${column(([one]) => one?.accountId ?? 0)}::bigint[], ${column(([one]) => one?.userId ?? 0)}::bigint[],
      ${column((all) => all.length)}::integer[]) as u(account_id, user_id, many)
    -- In one order, to avoid deadlocks between two runs.
    order by 1, 2
    on conflict (account_id, user_id) do update set day = excluded.day,
      asked = case when b.day = excluded.day then b.asked else 0 end,
      contacts_asked = excluded.contacts_asked + case when b.day = excluded.day then b.contacts_asked else 0 end`.execute(
    trx,
  );
}

/** Up to a run's worth of phones of contacts beyond an id, and the last id examined. */
async function findNeverLookedUp(database: Database, after: number) {
  const phones = new Map<string, Wanted>();
  const budgets = new Map<string, number>();
  let last = after;
  for (;;) {
    const rows = await listContactsAfter(database, last);
    for (const row of rows) {
      const { account_id: accountId, user_id: userId, phone } = row;
      const whose = `${accountId} ${userId}`;
      const left = budgets.get(whose) ?? row.budget;
      if (phone !== null && userId !== null && left > 0 && !phones.has(`${accountId} ${phone}`)) {
        phones.set(`${accountId} ${phone}`, { accountId, userId, phone });
        budgets.set(whose, left - 1);
      }
      last = row.person_id;
      if (phones.size === phonesPerRun) return { phones: [...phones.values()], last };
    }
    if (rows.length < contactsAtOnce) return { phones: [...phones.values()], last };
  }
}

/**
 * All accounts draw ids from one sequence, and each account's contacts are sorted by them: one index probe
 * per account.
 */
async function listContactsAfter(database: Database, after: number): Promise<Never[]> {
  const { rows } = await sql<Never>`
    -- "materialized": the next contacts first, and the look-ups only of their phones.
    with next as materialized (
      select c.* from accounts a
      cross join lateral (
        select c.account_id, c.person_id, c.primary_phone, c.created_by_user_id from contacts c
        where c.account_id = a.account_id and c.person_id > ${after} and c.deleted_at is null
        order by c.person_id limit ${contactsAtOnce}
      ) c
      order by c.person_id limit ${contactsAtOnce}
    )
    select n.account_id, n.person_id, case when l.phone is null then n.primary_phone end as phone, u.user_id,
      ${contactLookupsPerUserAndDay} - coalesce(b.contacts_asked, 0) as budget
    from next n
    left join phone_lookups l on l.account_id = n.account_id and l.phone = n.primary_phone
    left join lateral (
      select u.user_id from users u
      where l.phone is null and u.account_id = n.account_id
        and (u.user_id = n.created_by_user_id or u.role = 'owner')
      order by u.user_id is distinct from n.created_by_user_id, u.user_id limit 1
    ) u on true
    left join lookup_budgets b on b.account_id = n.account_id and b.user_id = u.user_id
      and b.day = (now() at time zone 'utc')::date
    order by n.person_id`.execute(database.system);
  return rows;
}
