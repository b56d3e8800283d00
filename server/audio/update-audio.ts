import { sql } from 'kysely';
import type { updateAudio as definition } from '../../contract/audio.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import { asAccount, type Trx } from '../db.ts';
import type { FileStore } from '../files.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { starAudio } from './change-audio.ts';
import { keepPlayed } from './create-audio.ts';
import { readChangedAudio, requireAudio, requireFiles } from './queries.ts';
import { cutInThread } from './run-thread.ts';

type Body = Input<typeof definition>['body'];

const notYours = 'This recording belongs to somebody else. You can use it, but not change it.';

/**
 * Renames, stars or shares a recording, or cuts the silence at its ends. No transaction is open during sound
 * processing.
 */
export async function updateAudio(
  app: App,
  files: FileStore,
  actor: Actor,
  { params, body }: Input<typeof definition>,
) {
  const { AudioID } = params;
  const inAccount = <T>(run: (trx: Trx) => Promise<T>) => asAccount(app.database, actor.accountId, run);
  const { Favorite, ...change } = body;
  const isChange = Object.values(change).some((value) => value !== undefined);
  const before = await inAccount((trx) => requireAudio(trx, actor, AudioID));
  if (isChange && before.ReadOnly) throw new Refusal('refused', notYours);
  const isCut = body.SilenceCut !== undefined && body.SilenceCut !== before.SilenceCut;
  const played = isCut
    ? await cutAgain(files, await inAccount((trx) => requireFiles(trx, actor, AudioID)), body)
    : {};
  return inAccount(async (trx) => {
    if (isChange) {
      await trx
        .updateTable('audio')
        .set({
          ...(change.Name === undefined ? {} : { name: change.Name }),
          ...(change.AudioType === undefined ? {} : { audio_type: change.AudioType }),
          ...(change.Shared === undefined ? {} : { is_shared: change.Shared }),
          ...played,
          updated_at: sql`now()`,
        })
        .where('account_id', '=', actor.accountId)
        .where('audio_id', '=', AudioID)
        .where('deleted_at', 'is', null)
        .execute();
    }
    if (Favorite !== undefined) await starAudio(actor, sql`a.audio_id = ${AudioID}`, Favorite).execute(trx);
    await recordEvents(trx, actor, [{ kind: 'audio.updated', id: AudioID }]);
    await notify(trx, actor.accountId, [{ type: 'audio.changed' }]);
    return readChangedAudio(trx, actor, AudioID);
  });
}

/** Always from the whole message, so that cutting and restoring lose nothing. */
async function cutAgain(files: FileStore, row: Awaited<ReturnType<typeof requireFiles>>, body: Body) {
  const wav = await files.read(row.whole_hash);
  if (wav === undefined) throw new Refusal('notFound', 'The file of that recording is no longer here.');
  const silence = { silenceBeforeMs: row.silence_before_ms, silenceAfterMs: row.silence_after_ms };
  const isCut = body.SilenceCut ?? false;
  return keepPlayed(files, { wav, ...silence, ...(await wholeOf(wav, row.whole_ms, isCut)) }, isCut);
}

/** The peaks of the whole message are computed again when it is restored. */
async function wholeOf(wav: Buffer, lengthMs: number, isCut: boolean) {
  if (isCut) return { lengthMs, peaks: new Uint8Array() };
  const { peaks } = await cutInThread(wav, 0, lengthMs);
  return { lengthMs, peaks };
}
