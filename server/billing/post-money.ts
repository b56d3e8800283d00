import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/** The subject of a plan's month that was paid by card. */
export const subscriptionSubject = 'subscription';

/** `cash` is what the card processor holds for us, `bank` what came by check or transfer. */
type Book = 'cash' | 'bank' | 'credits' | 'deferred' | 'revenue' | 'tax';

interface Line {
  book: Book;
  /** Positive: we have more (cash) or owe less. */
  amountCents: number;
  /** Prepaid amounts, and the part of them that was earned. */
  subject?: string;
}

export interface Posting {
  accountId: number;
  lines: Line[];
  note: string;
  at: Date;
  chargeId?: number | undefined;
  invoiceId?: number | undefined;
}

/** Writes one posting into the books. Its lines must add up to zero; otherwise it is a bug. */
export async function postMoney(trx: Trx, posting: Posting): Promise<void> {
  const lines = posting.lines.filter(({ amountCents }) => amountCents !== 0);
  const sum = lines.reduce((total, { amountCents }) => total + amountCents, 0);
  if (sum !== 0) throw new Error(`the posting "${posting.note}" is off by ${sum} cents`);
  if (lines.length === 0) return;
  await sql`
    with posting as (select nextval('money_postings') as id)
    insert into money_entries
      (account_id, posting_id, subject, book, amount_cents, charge_id, invoice_id, note, created_at)
    select ${posting.accountId}, posting.id, subject, book, amount_cents, ${posting.chargeId ?? null}::bigint,
      ${posting.invoiceId ?? null}::bigint, ${posting.note}, ${posting.at}
    from posting, unnest(${lines.map(({ book }) => book)}::text[],
      ${lines.map(({ amountCents }) => amountCents)}::bigint[],
      ${lines.map(({ subject }) => subject ?? '')}::text[]) as l(book, amount_cents, subject)`.execute(trx);
}

/** The prepaid amount that is earned now: all of it, except what counts toward the next period. */
export async function earnDeferred(
  trx: Trx,
  { accountId, subject, keepCents, at }: { accountId: number; subject: string; keepCents: number; at: Date },
): Promise<void> {
  const earned = (await getDeferred(trx, accountId, subject)) - keepCents;
  if (earned <= 0) return;
  await postMoney(trx, {
    accountId,
    at,
    note: 'Earned',
    lines: [
      { book: 'deferred', amountCents: earned, subject },
      { book: 'revenue', amountCents: -earned, subject },
    ],
  });
}

/**
 * The share of a subject's payments that is earned matches its elapsed share: `over` of this many equal
 * parts. Late payments and refunds change it too, so the amount may be positive or negative.
 */
export async function earnShare(
  trx: Trx,
  share: { accountId: number; invoiceId: number; subject: string; over: number; of: number; at: Date },
): Promise<void> {
  const { accountId, invoiceId, subject, at } = share;
  const { rows } = await sql<{ paid: number; earned: number }>`
    select coalesce(-sum(amount_cents), 0)::bigint as paid,
      coalesce(-sum(amount_cents) filter (where book = 'revenue'), 0)::bigint as earned
    from money_entries
    where account_id = ${accountId} and book in ('deferred', 'revenue') and subject = ${subject}`.execute(
    trx,
  );
  const { paid, earned } = rows[0] ?? { paid: 0, earned: 0 };
  // Payments from before they were recorded by invoice are unknown here; only their refunds are known.
  if (paid < 0) return;
  const now = share.over >= share.of ? paid : Math.floor((paid * share.over) / share.of);
  await postMoney(trx, {
    ...{ accountId, invoiceId, at, note: 'Earned' },
    lines: [
      { book: 'deferred', amountCents: now - earned, subject },
      { book: 'revenue', amountCents: earned - now, subject },
    ],
  });
}

/** The prepaid amount of a subject that is not earned yet. */
async function getDeferred(trx: Trx, accountId: number, subject: string): Promise<number> {
  const { rows } = await sql<{ owed: number }>`
    select coalesce(-sum(amount_cents), 0)::bigint as owed from money_entries
    where account_id = ${accountId} and book = 'deferred' and subject = ${subject}`.execute(trx);
  return rows[0]?.owed ?? 0;
}

/** The part of a refund that was prepaid is at most what is still owed: the rest was earned. */
export async function splitEarned(trx: Trx, accountId: number, lines: Line[]): Promise<Line[]> {
  const split: Line[] = [];
  for (const line of lines) {
    const isOwed = line.book === 'deferred' && line.subject !== undefined;
    const owed = isOwed ? await getDeferred(trx, accountId, line.subject ?? '') : line.amountCents;
    const amountCents = Math.min(line.amountCents, Math.max(0, owed));
    split.push(
      { ...line, amountCents },
      { ...line, book: 'revenue', amountCents: line.amountCents - amountCents },
    );
  }
  return split;
}
