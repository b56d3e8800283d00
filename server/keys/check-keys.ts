import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db.ts';
import { prepared } from '../prepared.ts';

interface GivenKey {
  publicId: string;
  secretHash: Buffer;
}

interface Waiting {
  given: GivenKey;
  answer: PromiseWithResolvers<boolean>;
}

/** Few enough that one query takes a few milliseconds. */
const mostAtOnce = 500;

/**
 * Checks keys from a network that sends a flood of wrong ones. Keys that arrive while a query runs are looked up by
 * the next queries, 500 at a time and in their order of arrival. So a flood takes one connection, and a right key
 * waits for the running query and one more for each 500 keys before it.
 */
export class KeyCheck {
  readonly #database: Database;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(database: Database) {
    this.#database = database;
  }

  isKnown(given: GivenKey): Promise<boolean> {
    const answer = Promise.withResolvers<boolean>();
    this.#waiting.push({ given, answer });
    if (!this.#isRunning) void this.#run();
    return answer.promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, mostAtOnce);
      this.#waiting = this.#waiting.slice(mostAtOnce);
      try {
        const hashes = await this.#read(batch.map(({ given }) => given.publicId));
        for (const { given, answer } of batch)
          answer.resolve(
            (hashes.get(given.publicId) ?? []).some((hash) => timingSafeEqual(hash, given.secretHash)),
          );
      } catch (error) {
        for (const { answer } of batch) answer.reject(error);
      }
    }
    this.#isRunning = false;
  }

  async #read(publicIds: string[]): Promise<Map<string, Buffer[]>> {
    const { rows } = await sql<{ publicId: string; hashes: (Buffer | null)[] }>`${prepared}
      select public_id as "publicId",
        array[secret_hash, case when old_secret_until > now() then old_secret_hash end] as hashes
      from api_keys where public_id = any(${publicIds}::text[]) and revoked_at is null`.execute(
      this.#database.system,
    );
    const byId = new Map<string, Buffer[]>();
    for (const { publicId, hashes } of rows)
      byId.set(publicId, [...(byId.get(publicId) ?? []), ...hashes.filter((hash) => hash !== null)]);
    return byId;
  }
}
