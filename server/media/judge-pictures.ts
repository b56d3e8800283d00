import { sql } from 'kysely';
import { explicitStatuses } from '../../contract/reference/choices.ts';
import type { Config } from '../config.ts';
import { asSystem, type Database } from '../db.ts';
import type { FileStore } from '../files.ts';
import type { Log } from '../log.ts';
import { notify } from '../notify.ts';
import { createPictureCheck, type PictureCheck } from '../outside/picture-check.ts';

/**
 * Inbound pictures are sent to a service, if one is configured. explicit_status goes
 *   null → 3 CleanByService | 5 ExplicitByService    here, and explicit_due_at is cleared
 *   any  → 4 CleanByUser | 6 ExplicitByUser          by a user (classify-media.ts), which no service overwrites
 * A claim moves explicit_due_at ahead and commits before the service is asked: if the worker is killed
 * meanwhile, the picture is sent again, which only costs a second request.
 */
const atOnce = 4;
const leaseSeconds = 60;
const mostAttempts = 8;

interface Picture {
  account_id: number;
  media_id: number;
  content_hash: string;
}

/** Checks all waiting pictures; never twice at once in this process. */
export function createPictureJudge(context: {
  config: Config;
  database: Database;
  files: FileStore;
  log: Log;
}): () => Promise<void> {
  const check = createPictureCheck(context.config);
  let running: Promise<void> | undefined;
  async function run(service: PictureCheck): Promise<void> {
    for (;;) {
      const pictures = await claimPictures(context.database);
      if (pictures.length === 0) return;
      await Promise.all(pictures.map((picture) => judgePicture(context, service, picture)));
    }
  }
  return async () => {
    if (check === undefined) return;
    running ??= run(check).finally(() => {
      running = undefined;
    });
    await running;
  };
}

async function claimPictures(database: Database): Promise<Picture[]> {
  const { rows } = await sql<Picture>`
    update media m
    set explicit_attempts = explicit_attempts + 1,
      -- Longer with each try: one, two, four minutes and so on.
      explicit_due_at = case when explicit_attempts + 1 < ${mostAttempts}
        then now() + ${leaseSeconds} * power(2, explicit_attempts) * interval '1 second' end
    from (
      select account_id, media_id from media where explicit_due_at <= now()
      order by explicit_due_at limit ${atOnce} for update skip locked) due
    where m.account_id = due.account_id and m.media_id = due.media_id
    returning m.account_id, m.media_id, m.content_hash`.execute(database.system);
  return rows;
}

async function judgePicture(
  { database, files, log }: { database: Database; files: FileStore; log: Log },
  service: PictureCheck,
  { account_id, media_id, content_hash }: Picture,
): Promise<void> {
  let verdict: Awaited<ReturnType<PictureCheck['judge']>>;
  try {
    const bytes = await files.read(content_hash);
    verdict = bytes === undefined ? 'unknown' : await service.judge(bytes);
  } catch (error) {
    log.warn({ err: error, media: media_id }, 'a picture could not be checked; it will be retried');
    return;
  }
  const status = {
    clean: explicitStatuses.CleanByService,
    explicit: explicitStatuses.ExplicitByService,
    unknown: null,
  }[verdict];
  await asSystem(database, async (trx) => {
    const { rows } = await sql<{ conversation_id: number | null }>`
      with judged as (
        update media set explicit_due_at = null,
          -- A user's decision stays.
          explicit_status = case when explicit_status in (${explicitStatuses.CleanByUser}, ${explicitStatuses.ExplicitByUser})
            then explicit_status else ${status}::smallint end
        where account_id = ${account_id} and media_id = ${media_id}
        returning account_id, message_id
      )
      select c.conversation_id from judged j
      left join messages m on m.account_id = j.account_id and m.message_id = j.message_id
      left join conversations c
        on c.account_id = m.account_id and c.text_number_id = m.text_number_id and c.phone = m.phone`.execute(
      trx,
    );
    const conversationId = rows[0]?.conversation_id ?? null;
    if (conversationId !== null) {
      await notify(trx, account_id, [{ type: 'conversation.changed', ConversationID: conversationId }]);
    }
  });
}
