import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from '../db.ts';
import { createVapidKeys, type VapidKeys } from '../outside/push-web.ts';

/** The installation's pair of keys never changes, so it is read once per process. */
const pairs = new WeakMap<object, Promise<VapidKeys>>();

/**
 * The keys that identify this installation to push services: the operator's, or those generated on first use.
 */
export function getVapidKeys(database: Database, config: Config): Promise<VapidKeys> {
  const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY } = config;
  if (VAPID_PUBLIC_KEY !== undefined && VAPID_PRIVATE_KEY !== undefined)
    return Promise.resolve({ publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY });
  let pair = pairs.get(database);
  if (pair === undefined) {
    pair = readOrMakeKeys(database);
    pair.catch(() => pairs.delete(database));
    pairs.set(database, pair);
  }
  return pair;
}

async function readOrMakeKeys(database: Database): Promise<VapidKeys> {
  const { publicKey, privateKey } = createVapidKeys();
  // If two processes ask first at the same time, the second waits for the first's row, and finds it.
  await sql`update installation set push_public_key = ${publicKey}, push_private_key = ${privateKey}
    where push_public_key is null`.execute(database.system);
  const row = await database.system
    .selectFrom('installation')
    .select(['push_public_key', 'push_private_key'])
    .executeTakeFirstOrThrow();
  return { publicKey: row.push_public_key ?? '', privateKey: row.push_private_key ?? '' };
}

/** Condition on a browser (`p`): the session that subscribed it still exists. */
export const isSignedIn = sql<boolean>`exists (
  select from sessions signed_in
  where signed_in.account_id = p.account_id and signed_in.session_id = p.session_id and signed_in.expires_at > now())`;

/** The contact address for push services in case of problems: one of ours, as RFC 8292 requires. */
export function vapidSubject({ PUBLIC_URL, MAIL_FROM, isTls }: Config): string {
  const address = /<([^<>]+)>$/.exec(MAIL_FROM ?? '')?.[1] ?? MAIL_FROM;
  if (address !== undefined) return `mailto:${address}`;
  return isTls ? PUBLIC_URL : 'mailto:muster@localhost';
}
