import { Refusal } from '../../contract/errors.ts';
import { getSecret } from '../auth/queries.ts';
import { nowMs } from '../clock.ts';
import type { Database } from '../db.ts';
import { secondsLeft } from '../media-links.ts';

/**
 * Lets a link to a picture or a sound pass, or refuses it: with 410 when it was ours and has run out, with 404 when it
 * never was. Returns for how long the answer may be kept. Nobody keeps it for longer than the link is good.
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

/** Links without a pass were made by versions before 0165, and are good for two weeks after it. */
async function secondsForOld(database: Database): Promise<number | undefined> {
  const { old_links_until } = await database.system
    .selectFrom('installation')
    .select('old_links_until')
    .executeTakeFirstOrThrow();
  return old_links_until === null ? undefined : Math.floor((old_links_until.getTime() - nowMs()) / 1000);
}
