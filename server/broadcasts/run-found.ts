import { Refusal } from '../../contract/errors.ts';
import type { CapabilityName } from '../../contract/permissions.ts';
import { findActiveActor } from '../access/load-actor.ts';
import { usableTextNumbers } from '../access/queries.ts';
import { refuseUnless } from '../access/refuse-unless.ts';
import { asAccount, type Database, isDatabaseDown, type Trx } from '../db.ts';
import type { Log } from '../log.ts';
import { type NudgedWork, runOnce } from '../run-once.ts';
import type { Actor } from '../serve.ts';

/** A row that is due. */
export interface Found {
  account_id: number;
  id: number;
}

/** Finds a due row and processes it. False if another worker has it. */
export interface FoundWork {
  find(database: Database): Promise<Found[]>;
  run(trx: Trx, accountId: number, id: number): Promise<boolean>;
}

/**
 * Shared by broadcasts that are created without a user: each row found is processed in its own transaction.
 */
export function runFound(
  { database, log, failed }: { database: Database; log: Log; failed: string },
  steps: readonly FoundWork[],
): NudgedWork {
  /** One that fails doesn't hold up the others. */
  async function tryOne(found: Found, run: FoundWork['run']): Promise<boolean> {
    try {
      return await asAccount(database, found.account_id, (trx) => run(trx, found.account_id, found.id));
    } catch (error) {
      if (isDatabaseDown(error)) throw error;
      log.warn({ err: error, id: found.id }, failed);
      return false;
    }
  }
  return runOnce(async (isStopping) => {
    let isAny = false;
    for (const { find, run } of steps) {
      for (const one of await find(database)) {
        if (isStopping()) return false;
        isAny = (await tryOne(one, run)) || isAny;
      }
    }
    return isAny;
  });
}

/**
 * The user who set it up, if still active and still allowed to do it and to use the number. Otherwise
 * forbidden.
 */
export async function requireMaker(
  trx: Trx,
  accountId: number,
  /** `textNumberId` is undefined if no text is sent. */
  of: { userId: number; capability: CapabilityName; textNumberId: number | null | undefined },
): Promise<Actor> {
  const maker = await findActiveActor(trx, accountId, of.userId);
  if (maker === undefined) throw new Refusal('forbidden');
  refuseUnless(maker, of.capability);
  if (of.textNumberId === undefined) return maker;
  const number = await usableTextNumbers(trx, maker)
    .select('can_create_broadcast')
    .where('text_number_id', '=', of.textNumberId)
    .executeTakeFirst();
  if (number?.can_create_broadcast !== true) throw new Refusal('forbidden');
  return maker;
}
