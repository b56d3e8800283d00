import { sql } from 'kysely';
import { nowMs } from '../clock.ts';
import type { Config } from '../config.ts';
import { asSystem, type Database } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { createPhoneLookup } from '../outside/phone-lookup.ts';
import { keepLookups } from './look-up-phones.ts';

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
  } satisfies SliceJobs;
}

/** How many phones a run looks up, with one run a minute: this limits what a day costs. */
const phonesPerRun = 1000;
/** How many contacts one statement looks through. */
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
}

/**
 * Looks up the primary phones of contacts that were never looked up, in the background, if LOOKUPS is on. The
 * rows show what is left; only the position is remembered here.
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
      // The same phone in two accounts is looked up once and saved for both.
      const answers = await provider.lookUp(phones.map(({ phone }) => phone));
      const learned = phones.flatMap(({ accountId, phone }) => {
        const answer = answers.get(phone);
        return answer === undefined ? [] : [{ accountId, phone, ...answer }];
      });
      if (learned.length > 0) await asSystem(database, (trx) => keepLookups(trx, learned));
      // The next run repeats those without an answer.
      if (learned.length === phones.length) after = last;
    } finally {
      await provider.close();
    }
  };
}

/** Up to a run's worth of phones of contacts beyond an id, and the last id examined. */
async function findNeverLookedUp(database: Database, after: number) {
  const phones = new Map<string, { accountId: number; phone: string }>();
  let last = after;
  for (;;) {
    const rows = await listContactsAfter(database, last);
    for (const { account_id: accountId, person_id: personId, phone } of rows) {
      if (phone !== null) phones.set(`${accountId} ${phone}`, { accountId, phone });
      last = personId;
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
        select c.account_id, c.person_id, c.primary_phone from contacts c
        where c.account_id = a.account_id and c.person_id > ${after} and c.deleted_at is null
        order by c.person_id limit ${contactsAtOnce}
      ) c
      order by c.person_id limit ${contactsAtOnce}
    )
    select n.account_id, n.person_id, case when l.phone is null then n.primary_phone end as phone
    from next n left join phone_lookups l on l.account_id = n.account_id and l.phone = n.primary_phone
    order by n.person_id`.execute(database.system);
  return rows;
}
