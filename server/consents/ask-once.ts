/**
 * Look-ups cost money: two who want to know the same phones at once ask the provider once. Whoever comes first claims
 * the phones and asks; a claim is given back in the transaction that saves the answer. Claims of a killed process run
 * out, and whoever goes on asks only for what was not saved.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { nowMs } from '../clock.ts';
import type { Trx } from '../db.ts';
import type { LookedUp, PhoneLookup } from '../outside/phone-lookup.ts';
import { lookupDays } from './rules.ts';

export interface WantedPhone {
  accountId: number;
  phone: string;
}

type InTransaction = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;

/** Longer than one request to the provider takes, with the transactions around it. */
const leaseSeconds = 30;

export interface ClaimedPhone extends WantedPhone {
  /** This user's budget of today has paid for it already, before a process was killed. */
  isPaid: boolean;
}

/**
 * Those of these phones that nobody else is looking up and that nobody has looked up meanwhile. The caller asks for
 * them with `askClaimed`, or gives them back in this transaction.
 */
export async function claimPhones(
  trx: Trx,
  wanted: readonly WantedPhone[],
  { leaseId, userId = null }: { leaseId: string; userId?: number | null },
): Promise<ClaimedPhone[]> {
  const { rows } = await sql<ClaimedPhone>`
    insert into phone_lookup_claims as k (account_id, phone, lease_id, lease_until, user_id, day)
    select account_id, phone, ${leaseId}::uuid, now() + ${leaseSeconds} * interval '1 second', ${userId}::bigint,
      (now() at time zone 'utc')::date
    from unnest(${wanted.map(({ accountId }) => accountId)}::bigint[], ${wanted.map(({ phone }) => phone)}::text[])
      as w(account_id, phone)
    -- In one order, to avoid deadlocks between two who look up the same phones.
    order by 1, 2
    on conflict (account_id, phone) do update set lease_id = excluded.lease_id, lease_until = excluded.lease_until,
      user_id = excluded.user_id, day = excluded.day
    where k.lease_until < now()
    returning account_id as "accountId", phone,
      coalesce(old.user_id = new.user_id and old.day = new.day, false) as "isPaid"`.execute(trx);
  if (rows.length === 0) return [];
  // A statement of its own: it sees what was saved while the one above waited for a claim to be given back.
  const { rows: known } = await sql<WantedPhone>`
    select l.account_id as "accountId", l.phone
    from phone_lookup_claims k join phone_lookups l on l.account_id = k.account_id and l.phone = k.phone
    where k.lease_id = ${leaseId} and l.looked_up_at >= now() - ${lookupDays} * interval '1 day'`.execute(
    trx,
  );
  if (known.length === 0) return rows;
  await giveBack(trx, leaseId, known);
  const isKnown = new Set(known.map(keyOf));
  return rows.filter((row) => !isKnown.has(keyOf(row)));
}

function keyOf({ accountId, phone }: WantedPhone): string {
  return `${accountId} ${phone}`;
}

/** Ends claims; without `which` all that are left. */
async function giveBack(trx: Trx, leaseId: string, which?: readonly WantedPhone[]): Promise<void> {
  const some =
    which === undefined
      ? sql`true`
      : sql`(account_id, phone) in (
          select * from unnest(${which.map(({ accountId }) => accountId)}::bigint[],
            ${which.map(({ phone }) => phone)}::text[]))`;
  await sql`
    delete from phone_lookup_claims where (account_id, phone) in (
      select account_id, phone from phone_lookup_claims where lease_id = ${leaseId} and ${some}
      order by account_id, phone for update)`.execute(trx);
}

export interface Asked<Phone extends WantedPhone> {
  provider: PhoneLookup;
  inTransaction: InTransaction;
  leaseId: string;
  /** Saves some answers; it is called as they come. */
  keep: (trx: Trx, learned: (Phone & LookedUp)[]) => Promise<unknown>;
}

/** Asks the provider for claimed phones and saves its answers as they come. Returns how many were answered. */
export async function askClaimed<Phone extends WantedPhone>(
  { provider, inTransaction, leaseId, keep }: Asked<Phone>,
  claimed: readonly Phone[],
): Promise<number> {
  // The same phone in two accounts is asked for once and saved for both.
  const byPhone = Map.groupBy(claimed, ({ phone }) => phone);
  let answered = 0;
  const renewing = setInterval(
    () => void inTransaction((trx) => renew(trx, leaseId)).catch(() => undefined),
    (leaseSeconds * 1000) / 3,
  );
  try {
    await provider.lookUp([...byPhone.keys()], async (answers) => {
      const learned = [...answers].flatMap(([phone, answer]) =>
        (byPhone.get(phone) ?? []).map((one) => ({ ...one, ...answer })),
      );
      await inTransaction(async (trx) => {
        await keep(trx, learned);
        await giveBack(trx, leaseId, learned);
      });
      answered += learned.length;
    });
  } finally {
    clearInterval(renewing);
    await inTransaction((trx) => giveBack(trx, leaseId));
  }
  return answered;
}

async function renew(trx: Trx, leaseId: string): Promise<void> {
  await sql`
    update phone_lookup_claims k set lease_until = now() + ${leaseSeconds} * interval '1 second'
    from (
      select account_id, phone from phone_lookup_claims where lease_id = ${leaseId}
      order by account_id, phone for update) own
    where k.account_id = own.account_id and k.phone = own.phone`.execute(trx);
}

/** The longest that a provider needs for a thousand phones. */
const longestWaitMs = 60_000;
const lookAgainMs = 200;

/**
 * Looks up an account's phones, or waits for whoever is looking them up already. `choose` says for which of the claimed
 * phones the provider is asked, in the transaction that claims them.
 */
export async function lookUpOnce(
  asking: Omit<Asked<ClaimedPhone>, 'leaseId'> & {
    userId: number;
    choose: (trx: Trx, claimed: ClaimedPhone[]) => Promise<ClaimedPhone[]>;
  },
  phones: readonly WantedPhone[],
): Promise<void> {
  const { inTransaction, userId, choose } = asking;
  const until = nowMs() + longestWaitMs;
  for (let open = phones; open.length > 0; ) {
    const leaseId = randomUUID();
    const { mine, others } = await inTransaction(async (trx) => {
      const claimed = await claimPhones(trx, open, { leaseId, userId });
      const chosen = claimed.length === 0 ? [] : await choose(trx, claimed);
      const isChosen = new Set(chosen.map(keyOf));
      const left = claimed.filter((one) => !isChosen.has(keyOf(one)));
      if (left.length > 0) await giveBack(trx, leaseId, left);
      const isClaimed = new Set(claimed.map(keyOf));
      return { mine: chosen, others: open.filter((one) => !isClaimed.has(keyOf(one))) };
    });
    if (mine.length > 0) await askClaimed({ ...asking, leaseId }, mine);
    open = await inTransaction((trx) => stillAsked(trx, others));
    if (open.length > 0 && nowMs() > until) return;
    if (open.length > 0) await wait(lookAgainMs);
  }
}

async function stillAsked(trx: Trx, phones: readonly WantedPhone[]): Promise<WantedPhone[]> {
  if (phones.length === 0) return [];
  const { rows } = await sql<WantedPhone>`
    select k.account_id as "accountId", k.phone from phone_lookup_claims k
    where (k.account_id, k.phone) in (
      select * from unnest(${phones.map(({ accountId }) => accountId)}::bigint[],
        ${phones.map(({ phone }) => phone)}::text[]))`.execute(trx);
  return rows;
}

/** Claims of killed processes that nobody took over. */
export async function sweepClaims(trx: Trx): Promise<void> {
  await sql`delete from phone_lookup_claims where lease_until < now() - interval '1 day'`.execute(trx);
}
