import { randomUUID } from 'node:crypto';
import type { Database } from '../db.ts';
import type { Log } from '../log.ts';
import { claimUnanswerable, countUnserved } from '../texts/find-unserved.ts';
import { recordHandOvers } from '../texts/record-hand-overs.ts';
import { writeSendKey } from '../texts/rules.ts';
import { createTrouble } from '../trouble.ts';

const size = 500;

/**
 * A carrier can be taken out of the settings while texts still wait for it: no loop reads those. The operator is told, and
 * texts that the carrier may have taken become Unknown, and free, once nobody can have brought it back for days.
 */
export function createUnservedCheck(context: {
  database: Database;
  carriers: ReadonlyMap<number, unknown>;
  log: Log;
}) {
  const { database, carriers, log } = context;
  const served = [...carriers.keys()];
  const waiting = createTrouble(
    log,
    'Texts wait for a carrier that is not set up. Set it up again, or give its numbers another one: npx muster carrier <phone> <carrier>.',
  );
  return {
    async run(): Promise<void> {
      waiting.tell(await countUnserved(database, served));
      for (;;) {
        const leaseId = randomUUID();
        const claimed = await claimUnanswerable(database, served, leaseId, size);
        if (claimed.length === 0) return;
        await recordHandOvers(
          database,
          leaseId,
          claimed.map((text) => ({
            ...text,
            key: writeSendKey(text),
            outcome: 'refused',
            status: 'unknown',
            error: 'The carrier did not say whether it took this text',
          })),
        );
      }
    },
    problem: waiting.problem,
  };
}
