import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { Trx } from '../db.ts';
import { prepared } from '../prepared.ts';
import { askForRefills } from './ask-for-refills.ts';

/** One movement of an account's credits: the changes of the balance and of the reserve. */
export interface CreditMove {
  accountId: number;
  kind: 'grant' | 'purchase' | 'reserve' | 'settle' | 'release' | 'refund';
  credits: number;
  note?: string;
  userId?: number;
  reference?: CreditReference;
}

/** The subject of a movement: a broadcast, texts outside of broadcasts, an invoice, a refund. */
export interface CreditReference {
  kind: 'broadcast' | 'text' | 'invoice' | 'refund';
  ids: number[];
}

export function ofBroadcast(broadcastId: number): CreditReference {
  return { kind: 'broadcast', ids: [broadcastId] };
}

/** The effect of each kind on the balance and on its reserved part. */
const effects: Record<CreditMove['kind'], [balance: number, reserved: number]> = {
  grant: [1, 0],
  purchase: [1, 0],
  reserve: [0, 1],
  settle: [-1, -1],
  release: [0, -1],
  refund: [-1, 0],
};

/**
 * The time of an entry, taken while the account's row is locked: now() is the start of the transaction, which may be
 * before entries that others wrote in the meantime.
 */
export const underLock = sql`clock_timestamp()`;

/**
 * Writes movements into the ledger and onto the account in one statement per account row, so that the ledger
 * always sums to the balance. Reserving more than the free credits is refused: the update locks the account's
 * row, so two at once can't both use the last credit.
 */
export async function moveCredits(trx: Trx, moves: CreditMove[]): Promise<void> {
  const wanted = moves.filter((move) => move.credits > 0);
  // Sorted by account, so that two transactions lock the rows in the same order.
  wanted.sort((a, b) => a.accountId - b.accountId);
  for (const move of wanted) {
    const [balance, reserved] = effects[move.kind];
    const { rows } = await sql<{ account_id: number }>`
      ${prepared} with moved as (
        update accounts
        set credit_balance = credit_balance + ${balance * move.credits}::bigint,
            credit_reserved = credit_reserved + ${reserved * move.credits}::bigint
        where account_id = ${move.accountId}
          and credit_balance + ${balance * move.credits}::bigint >= credit_reserved + ${reserved * move.credits}::bigint
        returning account_id, credit_balance, credit_reserved
      )
      insert into credit_entries
        (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after, note, user_id,
        reference_kind, reference_ids, created_at)
      select account_id, ${move.kind}, ${balance * move.credits}, ${reserved * move.credits},
        credit_balance, credit_reserved, ${move.note ?? ''}, ${move.userId ?? null}::bigint,
        ${move.reference?.kind ?? null}::text, ${move.reference?.ids ?? null}::bigint[], ${underLock}
      from moved
      returning account_id`.execute(trx);
    if (rows.length === 0) {
      if (move.kind === 'reserve') throw new Refusal('notEnoughCredits');
      throw new Error(`${move.kind} of ${move.credits} credits does not fit account ${move.accountId}`);
    }
  }
  // Not after a refund: the money would be charged again at once. The next message that is sent asks for a
  // refill.
  await askForRefills(
    trx,
    wanted.filter(({ kind }) => kind === 'reserve').map(({ accountId }) => accountId),
  );
}
