import { Refusal } from '../../contract/errors.ts';
import { getSecret } from '../auth/queries.ts';
import { nowMs } from '../clock.ts';
import type { Database } from '../db.ts';
import { secondsLeft } from '../media-links.ts';

/**
 * Checks a link to a picture or a sound, and refuses it with 410 when it was ours and has expired, with 404
 * when it never was valid. Returns how long the reply may be cached, which is never longer than the link is
 * valid.
 */
export async function admitLink(database: Database, path: string, pass: unknown): Promise<string> {
  const seconds =
    pass === undefined
      ? await secondsForOld(database)
      : typeof pass === 'string'
        ? secondsLeft(await getSecret(database), path, pass)
        : undefined;
  if (seconds === undefined) throw new Refusal('notFound');
  if (seconds <= 0) throw new Refusal('linkExpired');
  // A key always means the same bytes.
  return `private, max-age=${seconds}, immutable`;
}

/** Links without a pass were created by versions before 0165, and are valid for two weeks after it. */
async function secondsForOld(database: Database): Promise<number | undefined> {
  const { old_links_until } = await database.system
    .selectFrom('installation')
    .select('old_links_until')
    .executeTakeFirstOrThrow();
  return old_links_until === null ? undefined : Math.floor((old_links_until.getTime() - nowMs()) / 1000);
}
